#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/pipeline/export_frames.hpp"
#include "segment_options.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

struct Export {
  kitti::DataConfig data;
  std::filesystem::path out;
  bool pcd = false;
};

int run(const Export& job) {
  if (job.data.paths.empty()) throw FieldError("path", "a recording or a folder", "nothing");
  job.data.validate();
  kitti::Dataset dataset = open_data(job.data);
  dataset.frames = select_frames(job.data, dataset);
  for (const std::string& remark : dataset.remarks) fmt::print("note: {}\n", terminal_text(remark));
  const ExportResult result = export_frames(dataset.frames, job.out, job.pcd);
  for (const std::string& line : result.failed) {
    fmt::print(stderr, "roadplane: {}\n", terminal_text(line));
  }
  for (const std::string& remark : result.remarks) fmt::print("note: {}\n", terminal_text(remark));
  const std::size_t written = dataset.frames.size() - result.failed.size();
  fmt::print("{} of {} frames written\n", written, dataset.frames.size());
  for (const auto& sequence : result.sequences) {
    fmt::print("sequence: {}  (try: roadplane segment {})\n", terminal_text(sequence.string()),
               shell_word(sequence.string()));
  }
  return result.failed.empty() ? kAllGood : kSomeFramesFailed;
}

}  // namespace

Run add_export(CLI::App& app) {
  app.footer(
      "Writes DIR/sequences/00, 01, ... with velodyne/NNNNNN.bin (x y z reflectance as 32-bit\n"
      "floats; what is missing is 0 0 0), times.txt, names.txt and, where there are any, labels,\n"
      "pictures and calib.txt. Exit code 3 if a frame could not be read.\n"
      "\n"
      "Examples:\n"
      "  roadplane export drive.bag --out drive\n"
      "  roadplane export drive.mcap --topic /points --frames 0:100 --pcd --out drive");
  auto job = std::make_shared<Export>();
  add_data_options(app, job->data);
  add_frames_option(app, job->data);
  app.add_option("--out", job->out, "A new folder")->required()->type_name("DIR");
  app.add_flag("--pcd", job->pcd, "Also write pcd/NNNNNN.pcd");
  return [job](Ranks&) { return run(*job); };
}

}  // namespace roadplane::app
