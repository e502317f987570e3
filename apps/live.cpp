#include "live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "exit_code.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/mpi/communicator.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "roadplane/pipeline/segment_stream.hpp"
#include "roadplane/results/json_text.hpp"

namespace roadplane::app {
namespace {

constexpr const char* kStandardInput = "-";

/// What a consumer reads: at once, and whole.
void print_line(const FrameRecord& record, double latency_ms) {
  nlohmann::json line = to_json(record);
  line["ms"]["latency"] = latency_ms;
  fmt::print("{}\n", text_of(line));
  if (std::fflush(stdout) != 0) {
    throw InputError("standard output", "a pipe or a file that can be written", "none");
  }
}

}  // namespace

bool is_live(const SegmentConfig& config) {
  return config.data.paths.size() == 1 && config.data.paths.front() == kStandardInput;
}

int run_live(const SegmentRun& run, Ranks& ranks) {
  const Communicator* all_ranks = ranks.ask(run.patience_s, run.mpi);
  if (all_ranks != nullptr && all_ranks->size() > 1) {
    throw AgreedError(FieldError("path", "files, which several ranks can read", "\"-\""));
  }
  SegmentConfig config = run.config;
  config.track = true;
  const SegmentPlan plan(config);
  kitti::ScanStream stream(STDIN_FILENO, "standard input");
  bool all_good = true;
  segment_stream(stream, config.data, plan, [&](const FrameRecord& record, double latency_ms) {
    const bool bad = record.status == FrameStatus::failed ||
                     record.status == FrameStatus::incomplete ||
                     (run.strict && record.status == FrameStatus::suspect);
    all_good = all_good && !bad;
    print_line(record, latency_ms);
  });
  return all_good ? kAllGood : kSomeFramesFailed;
}

}  // namespace roadplane::app
