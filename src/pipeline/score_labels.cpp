#include "roadplane/pipeline/score_labels.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "prediction_files.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/pipeline/frame_truth.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

/// Throws InputError if one of its files is missing or bad.
LabelCounts counts_of(const kitti::Frame& frame, const PredictionFiles& predictions,
                      const std::string& folder, const ClassSet& classes, Scoring scoring) {
  const auto file = predictions.of(frame);
  if (!file) throw InputError(folder, "a label file of frame " + frame.name(), "none");
  const Scan scan = kitti::load_scan(frame);
  const auto truth = truth_of_points(frame, scan, classes, scoring);
  if (!truth) throw InputError(frame.scan.string(), "labels or an annotation of it", "none");
  return count_labels(scan, classes.mask(kitti::read_labels(*file, scan.size())), *truth);
}

}  // namespace

ScoreConfig with_run(ScoreConfig config) {
  const std::filesystem::path file = config.predictions / "config.json";
  std::error_code ignored;
  const bool open = config.target == "auto" || (config.frames.empty() && config.sequence.empty());
  if (open && std::filesystem::exists(file, ignored)) {
    try {
      const auto run = read_json(file, kMostConfigBytes);
      if (config.target == "auto") config.target = run.at("target");
      if (config.frames.empty() && config.sequence.empty()) {
        config.sequence = name_of_utf8(run.at("sequence").get<std::string>());
        config.frames = run.at("frames");
      }
    } catch (const nlohmann::json::exception&) {
      throw InputError(file.string(), "a run's configuration, for target and frames",
                       "something else");
    }
  }
  if (config.target == "auto") config.target = to_string(Target::road);
  return config;
}

LabelScore score_labels(const ScoreConfig& asked) {
  const Scoring scoring = scoring_from_string(asked.scoring);
  if (asked.target != "auto") besides_auto([&] { return target_from_string(asked.target); });
  const ScoreConfig config = with_run(asked);
  const ClassSet classes = classes_of(target_from_string(config.target));

  kitti::DataConfig data;
  data.paths = {config.truth.string()};
  const auto known = open_data(data).frames;
  data.sequence = config.sequence;
  data.frames = config.frames;
  const auto frames = select_frames(data, open_data(data));
  if (scoring != Scoring::strict &&
      std::any_of(frames.begin(), frames.end(), [](const auto& f) { return f.annotation; })) {
    throw FieldError("scoring", "strict for annotated frames, whose points have no classes",
                     config.scoring);
  }
  const PredictionFiles predictions(config.predictions, known);
  const std::string folder = config.predictions.string();
  if (predictions.empty()) {
    throw InputError(
        folder, "label files of the truth's frames, such as " + known.front().name() + ".label",
        "others only");
  }
  LabelScore score{config.target, config.scoring, rule_of(scoring, classes), {}, {}};
  for (const kitti::Frame& frame : frames) {
    try {
      const LabelCounts counts = counts_of(frame, predictions, folder, classes, scoring);
      score.frames.push_back({frame.sequence, frame.name(), counts});
    } catch (const InputError& error) {
      score.problems.emplace_back(error.what());
    }
  }
  score.problems.insert(score.problems.end(), predictions.problems().begin(),
                        predictions.problems().end());
  return score;
}

}  // namespace roadplane
