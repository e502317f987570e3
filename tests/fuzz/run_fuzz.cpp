#include "file_in_memory.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/results/tables.hpp"

// Any frames.jsonl of a run: records that are written as they were read, and remarks.
void roadplane::fuzz(std::span<const std::byte> content) {
  using namespace roadplane;
  static const bool begun = [] {
    const std::string config = "{\"schema\": " + std::to_string(kSchema) + "}";
    file_of_folder("config.json", std::as_bytes(std::span(config)));
    return true;
  }();
  require(begun);
  const RunFolder run = RunFolder::open(file_of_folder("frames.jsonl", content).parent_path());
  for (const std::string& remark : run.remarks()) require(remark.find('\n') == std::string::npos);
  for (const FrameRecord& record : run.done()) {
    const nlohmann::json json = to_json(record);
    require(text_of(to_json(record_from_json(json, "fuzz"))) == text_of(json));
  }
  if (run.done().empty()) return;
  records_markdown(run.done());
  records_latex(run.done());
  records_csv(run.done());
}
