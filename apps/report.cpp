#include "report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "command.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/report/run_report.hpp"

namespace roadplane::app {
namespace {

struct ReportJob {
  std::filesystem::path run;
  std::filesystem::path out;
};

}  // namespace

std::filesystem::path write_report(const std::filesystem::path& run,
                                   const std::filesystem::path& out) {
  viz::Report report = make_report(run);
  report.origin = fmt::format("Made by roadplane {} on {:%Y-%m-%d at %H:%M}.", ROADPLANE_VERSION,
                              fmt::localtime(std::time(nullptr)));
  const std::filesystem::path file = out.empty() ? run / "report.html" : out;
  write_file_atomically(file, viz::report_html(report), Flush::now);
  return file;
}

Run add_report(CLI::App& app) {
  auto job = std::make_shared<ReportJob>();
  app.footer(
      "Writes one HTML file that opens from disk in any browser and needs no network: the table,\n"
      "pictures with a slider between them, curves, the scans in 3-D, the configuration.\n"
      "Pictures and scans come from the dataset that the run used; what is not there any more is\n"
      "left out, and the page says so.\n"
      "\n"
      "Example:\n"
      "  roadplane report runs/segment-20250131-120000");
  app.add_option("run", job->run, "Folder of a run")->required()->type_name("RUN_DIR");
  app.add_option("--out", job->out, "The file (default: report.html in the run's folder)")
      ->type_name("FILE");
  return [job](Ranks&) {
    fmt::print("report: {}\n", terminal_text(write_report(job->run, job->out).string()));
    return kAllGood;
  };
}

}  // namespace roadplane::app
