#include "roadplane/results/label_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

struct Ratio {
  const char* key;
  const char* title;
  double (Confusion::*of)() const;
};
constexpr Ratio kRatios[] = {{"precision", "precision", &Confusion::precision},
                             {"recall", "recall", &Confusion::recall},
                             {"f1", "F1", &Confusion::f1},
                             {"iou", "IoU", &Confusion::iou},
                             {"accuracy", "accuracy", &Confusion::accuracy}};

/// Summed counts: of a sequence, or of everything.
struct Sum {
  std::string sequence;
  std::size_t frames = 0;
  LabelCounts counts = {};
};

Sum sum_of_all(const LabelScore& score) {
  Sum sum{"all", score.frames.size()};
  for (const LabelScore::Frame& frame : score.frames) sum.counts += frame.counts;
  return sum;
}

std::vector<Sum> sums_of_sequences(const LabelScore& score) {
  std::vector<Sum> sums;
  for (const LabelScore::Frame& frame : score.frames) {
    if (sums.empty() || sums.back().sequence != frame.sequence) sums.push_back({frame.sequence});
    ++sums.back().frames;
    sums.back().counts += frame.counts;
  }
  return sums;
}

double mean_of_frames(const LabelScore& score, const Ratio& ratio) {
  double sum = 0;
  for (const LabelScore::Frame& frame : score.frames) sum += (frame.counts.all.*ratio.of)();
  return score.frames.empty() ? 0 : sum / static_cast<double>(score.frames.size());
}

Row text_row(const std::string& name, const Confusion& confusion, std::size_t left_out) {
  Row row{name, std::to_string(confusion.points()), std::to_string(left_out)};
  for (const Ratio& ratio : kRatios) row.push_back(fmt::format("{:.4f}", (confusion.*ratio.of)()));
  return row;
}

Row mean_row(const LabelScore& score) {
  Row row{"mean of frames", "", ""};
  for (const Ratio& ratio : kRatios) {
    row.push_back(fmt::format("{:.4f}", mean_of_frames(score, ratio)));
  }
  return row;
}

std::string frames_text(std::size_t count) {
  return fmt::format("{} frame{}", count, count == 1 ? "" : "s");
}

std::string csv_row(const LabelScore& score, const std::string& sequence, const std::string& frame,
                    std::string_view distance, const Confusion& c) {
  std::string text = fmt::format("{},{},{},{},{},{},{},{},{}", score.scoring, score.target,
                                 csv_text(sequence), csv_text(frame), distance, c.true_positives,
                                 c.false_positives, c.false_negatives, c.true_negatives);
  for (const Ratio& ratio : kRatios) text += fmt::format(",{}", (c.*ratio.of)());
  return text + "\n";
}

std::string csv_rows(const LabelScore& score, const std::string& sequence, const std::string& frame,
                     const LabelCounts& counts) {
  std::string text = csv_row(score, sequence, frame, "all", counts.all);
  for (std::size_t b = 0; b < kDistanceBands.size(); ++b) {
    text += csv_row(score, sequence, frame, kDistanceBands[b].name, counts.by_distance[b]);
  }
  return text;
}

json json_of(const Confusion& c) {
  json j = {{"true_positives", c.true_positives},
            {"false_positives", c.false_positives},
            {"false_negatives", c.false_negatives},
            {"true_negatives", c.true_negatives}};
  for (const Ratio& ratio : kRatios) j[ratio.key] = (c.*ratio.of)();
  return j;
}

json json_of(const LabelCounts& counts) {
  json j = json_of(counts.all);
  j["left_out"] = counts.left_out;
  for (std::size_t b = 0; b < kDistanceBands.size(); ++b) {
    j["by_distance"][std::string(kDistanceBands[b].name)] = json_of(counts.by_distance[b]);
  }
  return j;
}

json json_of(const Sum& sum) {
  json j = json_of(sum.counts);
  j["frames"] = sum.frames;
  return j;
}

}  // namespace

std::string score_text(const LabelScore& score, std::size_t most, const TextLayout& layout) {
  const std::vector<Sum> sequences = sums_of_sequences(score);
  const Sum all = sum_of_all(score);
  Row headings{"frame", "points", "left out"};
  for (const Ratio& ratio : kRatios) headings.emplace_back(ratio.title);
  std::vector<Row> rows{headings};
  const std::size_t shown = std::min(most, score.frames.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const LabelScore::Frame& frame = score.frames[k];
    rows.push_back(text_row(frame.name, frame.counts.all, frame.counts.left_out));
  }
  if (score.frames.size() > shown) {
    rows.push_back({fmt::format("... and {} more", score.frames.size() - shown)});
  }
  rows.emplace_back();
  const auto add = [&](const Sum& sum) {
    rows.push_back(text_row(sum.sequence + ", " + frames_text(sum.frames), sum.counts.all,
                            sum.counts.left_out));
  };
  for (const Sum& sum : sequences) add(sum);
  if (sequences.size() > 1) add(all);
  rows.push_back(mean_row(score));
  rows.emplace_back();
  for (std::size_t b = 0; b < kDistanceBands.size(); ++b) {
    rows.push_back(text_row(std::string(kDistanceBands[b].name), all.counts.by_distance[b], 0));
    rows.back()[2].clear();
  }
  return fmt::format("scoring {}, target {}: {}\n", score.scoring, score.target, score.rule) +
         aligned_text(rows, {true, false, false, false, false, false, false, false}, layout);
}

std::string score_csv(const LabelScore& score) {
  std::string text =
      "scoring,target,sequence,frame,distance,true_positives,false_positives,false_negatives,"
      "true_negatives";
  for (const Ratio& ratio : kRatios) text += fmt::format(",{}", ratio.key);
  text += "\n";
  for (const LabelScore::Frame& frame : score.frames) {
    text += csv_rows(score, frame.sequence, frame.name, frame.counts);
  }
  for (const Sum& sum : sums_of_sequences(score)) {
    text += csv_rows(score, sum.sequence, "all", sum.counts);
  }
  return text + csv_rows(score, "all", "all", sum_of_all(score).counts);
}

json to_json(const LabelScore& score) {
  json frames = json::array();
  for (const LabelScore::Frame& frame : score.frames) {
    frames.push_back(json_of(frame.counts));
    frames.back()["sequence"] = frame.sequence;
    frames.back()["name"] = frame.name;
  }
  json sequences = json::object();
  for (const Sum& sum : sums_of_sequences(score)) sequences[sum.sequence] = json_of(sum);
  json mean;
  for (const Ratio& ratio : kRatios) mean[ratio.key] = mean_of_frames(score, ratio);
  return {{"scoring", score.scoring}, {"target", score.target},
          {"rule", score.rule},       {"frames", frames},
          {"sequences", sequences},   {"all", json_of(sum_of_all(score))},
          {"mean_of_frames", mean},   {"problems", score.problems}};
}

}  // namespace roadplane
