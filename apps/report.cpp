#include "report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <ctime>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::app {
namespace {

namespace fs = std::filesystem;

struct ReportJob {
  fs::path run;
  fs::path out;
  ReportWish wish;
  int jobs = 1;
};

void add_frames_option(CLI::App& app, ReportWish& wish) {
  app.add_option(
         "--report-frames", wish.frames,
         fmt::format("Frames with pictures and a 3-D view in the report: a number or all; of\n"
                     "more than {0} they are in files beside the page (default: {0})",
                     ReportOptions::kFramesInside))
      ->type_name("N|all");
}

/// Removes the files of an older report that this one has not, and nothing else that may be in the
/// folder.
void remove_old_frame_files(const fs::path& folder, const std::set<std::string>& kept) {
  std::error_code ignored;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const fs::path& path = entry->path();
    if (path.extension() == ".js" && !kept.contains(path.filename().string())) old.push_back(path);
  }
  for (const fs::path& path : old) fs::remove(path, ignored);
  fs::remove(folder, ignored);  // if it is empty
}

}  // namespace

ReportOptions ReportWish::options(int threads) const {
  ReportOptions options;
  options.threads = threads;
  if (frames.empty()) return options;
  if (frames == "all") {
    options.frames = ReportOptions::kAllFrames;
    return options;
  }
  const char* end = frames.data() + frames.size();
  const auto [stop, error] = std::from_chars(frames.data(), end, options.frames);
  if (error != std::errc() || stop != end || options.frames == 0) {
    throw FieldError("report_frames", "a number of frames, at least 1, or all", in_quotes(frames));
  }
  return options;
}

void add_report_options(CLI::App& app, ReportWish& wish) {
  app.add_flag("--report", wish.report, "Also write report.html, as roadplane report does");
  add_frames_option(app, wish);
}

fs::path write_report(const fs::path& run, const ReportOptions& options, const fs::path& out) {
  const fs::path page = out.empty() ? run / "report.html" : out;
  const fs::path beside = fs::path(page).replace_extension() += "_frames";
  std::set<std::string> kept;
  std::mutex mutex;  // frames are made side by side
  viz::Report report =
      make_report(run, options, [&](const std::string& name, const std::string& text) {
        make_folders(beside);
        write_file_atomically(beside / name, text);
        const std::lock_guard lock(mutex);
        kept.insert(name);
        return beside.filename().string() + "/" + name;
      });
  report.origin = fmt::format("Made by roadplane {} on {:%Y-%m-%d at %H:%M}.", ROADPLANE_VERSION,
                              fmt::localtime(std::time(nullptr)));
  write_file_atomically(page, viz::report_html(report), Flush::now);
  remove_old_frame_files(beside, kept);
  return page;
}

Run add_report(CLI::App& app) {
  auto job = std::make_shared<ReportJob>();
  app.footer(
      "Writes an HTML file that opens from disk in any browser and needs no network: the table,\n"
      "pictures with a slider between them, curves, the scans in 3-D, the configuration.\n"
      "Pictures and scans are drawn from the dataset that the run used. If it is no longer there,\n"
      "they are left out and the page says so.\n"
      "\n"
      "Examples:\n"
      "  roadplane report runs/segment-20250131-120000\n"
      "  roadplane report runs/segment-20250131-120000 --report-frames all --jobs 4");
  app.add_option("run", job->run, "Folder of a run")->required()->type_name("RUN_DIR");
  app.add_option("--out", job->out, "The file (default: report.html in the run's folder)")
      ->type_name("FILE");
  add_frames_option(app, job->wish);
  app.add_option("--jobs", job->jobs, "Frames that are drawn at a time")
      ->check(in_range(1, 256))
      ->capture_default_str();
  return [job](Ranks&) {
    const fs::path page = write_report(job->run, job->wish.options(job->jobs), job->out);
    fmt::print("report: {}\n", terminal_text(page.string()));
    return kAllGood;
  };
}

}  // namespace roadplane::app
