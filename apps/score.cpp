#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/pipeline/score_labels.hpp"
#include "roadplane/pipeline/score_road.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/viz/image_file.hpp"
#include "segment_options.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

constexpr std::size_t kMostLines = 20;  // of frames, and of problems

struct ScoreJob {
  ScoreConfig config;
  std::string benchmark;
  std::filesystem::path out;
  TextWish text;
};

void write(const std::string& csv, const nlohmann::json& json,
           const std::filesystem::path& folder) {
  make_folders(folder);
  write_file_atomically(folder / "score.csv", csv);
  write_file_atomically(folder / "score.json", text_of(json, 2) + "\n");
  fmt::print("\nscore: {} and score.json\n", terminal_text((folder / "score.csv").string()));
}

/// The exit code of a score of which `any` frame could be scored.
int report(bool any, const std::vector<std::string>& problems) {
  std::fflush(stdout);
  for (std::size_t k = 0; k < std::min(kMostLines, problems.size()); ++k) {
    fmt::print(stderr, "roadplane: {}\n", terminal_text(problems[k]));
  }
  if (problems.size() > kMostLines) {
    fmt::print(stderr, "roadplane: ... and {} more{}\n", problems.size() - kMostLines,
               any ? "; --out writes all of them" : "");
  }
  if (!any) return kBadInput;
  return problems.empty() ? kAllGood : kSomeFramesFailed;
}

constexpr const char* kNone = "no frame could be scored\n";

int run_labels(const ScoreJob& job, const TextLayout& layout) {
  const LabelScore score = score_labels(job.config);
  const bool any = !score.frames.empty();
  fmt::print("{}", any ? score_text(score, kMostLines, layout) : kNone);
  if (any && !job.out.empty()) write(score_csv(score), to_json(score), job.out);
  return report(any, score.problems);
}

int run_road(const ScoreJob& job, const TextLayout& layout) {
  const std::filesystem::path maps = job.out / "maps";
  if (!job.out.empty()) make_folders(maps);
  TakeRoadMap keep;
  if (!job.out.empty()) {
    keep = [&maps](const kitti::Frame& frame, const RgbImage& map) {
      viz::write_png(maps / (frame.stem() + ".png"), map);
    };
  }
  const RoadScore score = score_road(job.config, keep);
  const bool any = !score.frames.empty();
  fmt::print("{}", any ? road_score_text(score, kMostLines, layout) : kNone);
  if (any && !job.out.empty()) write(road_score_csv(score), to_json(score), job.out);
  return report(any, score.problems);
}

int run(const ScoreJob& job) {
  const TextLayout layout = job.text.layout();
  if (job.benchmark.empty()) return run_labels(job, layout);
  if (job.benchmark != "kitti-road") {
    throw FieldError("benchmark", "kitti-road", in_quotes(job.benchmark));
  }
  return run_road(job, layout);
}

}  // namespace

Run add_score(CLI::App& app) {
  app.footer(
      "LABELS is a run's folder or any folder of .label files: "
      "sequences/04/predictions/*.label,\n"
      "04/*.label or *.label. A point is positive if its class is one of the target's (road: 40, "
      "44,\n"
      "60; ground: also 48, 49, 72); segment writes 40. PATH is a data set as segment takes it.\n"
      "Counts are summed over the frames of a sequence; distances are from points to the "
      "sensor.\n"
      "\n"
      "Examples:\n"
      "  roadplane score runs/segment-20250131-120000 odometry\n"
      "  roadplane score other/predictions odometry/sequences/04 --target ground --scoring "
      "patchworkpp\n"
      "  roadplane score runs/segment-20250131-120000 data_road/training --benchmark kitti-road\n"
      "\n"
      "Labels that are missing, damaged or of the wrong length are named, and the rest is scored;\n"
      "the exit code is then 3.");
  auto job = std::make_shared<ScoreJob>();
  ScoreConfig& c = job->config;
  app.add_option("predictions", c.predictions, "Folder of a run or of label files")
      ->required()
      ->type_name("LABELS");
  app.add_option("truth", c.truth, "Data set with labels")->required()->type_name("PATH");
  app.add_option("--target", c.target,
                 "Meaning of the labels: plane, road, ground or auto: the run's, otherwise road")
      ->capture_default_str();
  add_scoring_option(app, c.scoring);
  app.add_option("--benchmark", job->benchmark,
                 "Score as a benchmark does instead: kitti-road (MaxF of the road from above;\n"
                 "--out writes a map of each frame, too)")
      ->type_name("NAME");
  app.add_option("--sequence", c.sequence,
                 "One sequence of a data set that has several (default: the run's, otherwise all)")
      ->type_name("NAME");
  app.add_option("--frames", c.frames,
                 "Frames: 0:100, 1,45 or a mixture (default: the run's, otherwise all)")
      ->type_name("LIST");
  app.add_option("--out", job->out, "Folder for score.csv and score.json")->type_name("DIR");
  add_text_options(app, job->text);
  return [job](Ranks&) { return run(*job); };
}

}  // namespace roadplane::app
