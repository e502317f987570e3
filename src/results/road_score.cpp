#include "roadplane/results/road_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

struct Column {
  const char* key;
  const char* title;
  double MaxF::*of;
};
constexpr Column kColumns[] = {{"max_f", "MaxF %", &MaxF::max_f},
                               {"average_precision", "AP %", &MaxF::average_precision},
                               {"precision", "precision %", &MaxF::precision},
                               {"recall", "recall %", &MaxF::recall},
                               {"false_positive_rate", "FPR %", &MaxF::false_positive_rate}};

/// Summed counts: of a kind, or of everything, which is called urban there.
struct Sum {
  std::string name;
  std::size_t frames = 0;
  ThresholdCounts counts = {};
};

std::vector<Sum> sums_of(const RoadScore& score) {
  std::map<std::string, Sum> by_kind;
  Sum all{"urban"};
  for (const RoadScore::Frame& frame : score.frames) {
    for (Sum* sum : {&by_kind[frame.kind], &all}) {
      ++sum->frames;
      sum->counts += frame.counts;
    }
  }
  std::vector<Sum> sums;
  for (auto& [kind, sum] : by_kind) {
    sum.name = kind;
    sums.push_back(sum);
  }
  sums.push_back(all);
  return sums;
}

std::vector<std::string> text_row(const std::string& name, const ThresholdCounts& counts) {
  const MaxF measured = max_f(counts);
  std::vector<std::string> row{name, std::to_string(counts.cells())};
  for (const Column& column : kColumns) {
    row.push_back(fmt::format("{:.2f}", 100 * (measured.*column.of)));
  }
  return row;
}

std::string csv_row(const std::string& kind, const std::string& name,
                    const ThresholdCounts& counts) {
  const MaxF measured = max_f(counts);
  std::string text = fmt::format("{},{},{},{}", csv_text(kind), csv_text(name), counts.cells(),
                                 measured.threshold);
  for (const Column& column : kColumns) text += fmt::format(",{}", measured.*column.of);
  return text + "\n";
}

json json_of(const ThresholdCounts& counts) {
  const MaxF measured = max_f(counts);
  json j = {{"cells", counts.cells()}, {"threshold", measured.threshold}};
  for (const Column& column : kColumns) j[column.key] = measured.*column.of;
  return j;
}

}  // namespace

std::string road_score_text(const RoadScore& score, std::size_t most, const TextLayout& layout) {
  std::vector<std::vector<std::string>> rows{{"frame", "cells"}};
  for (const Column& column : kColumns) rows.front().emplace_back(column.title);
  const std::size_t shown = std::min(most, score.frames.size());
  for (std::size_t k = 0; k < shown; ++k) {
    rows.push_back(text_row(score.frames[k].name, score.frames[k].counts));
  }
  if (score.frames.size() > shown) {
    rows.push_back({fmt::format("... and {} more", score.frames.size() - shown)});
  }
  rows.emplace_back();
  for (const Sum& sum : sums_of(score)) {
    rows.push_back(
        text_row(fmt::format("{}, {} frame{}", sum.name, sum.frames, sum.frames == 1 ? "" : "s"),
                 sum.counts));
  }
  return "KITTI road benchmark, from above: 6 to 46 m ahead, 10 m to each side, cells of 5 cm\n" +
         aligned_text(rows, {true, false, false, false, false, false, false}, layout);
}

std::string road_score_csv(const RoadScore& score) {
  std::string text = "kind,frame,cells,threshold";
  for (const Column& column : kColumns) text += fmt::format(",{}", column.key);
  text += "\n";
  for (const RoadScore::Frame& frame : score.frames) {
    text += csv_row(frame.kind, frame.name, frame.counts);
  }
  for (const Sum& sum : sums_of(score)) text += csv_row(sum.name, "all", sum.counts);
  return text;
}

json to_json(const RoadScore& score) {
  json frames = json::array();
  for (const RoadScore::Frame& frame : score.frames) {
    frames.push_back(json_of(frame.counts));
    frames.back()["kind"] = frame.kind;
    frames.back()["name"] = frame.name;
  }
  json sums = json::object();
  for (const Sum& sum : sums_of(score)) {
    sums[sum.name] = json_of(sum.counts);
    sums[sum.name]["frames"] = sum.frames;
  }
  return {{"benchmark", "kitti-road"},
          {"frames", frames},
          {"sums", sums},
          {"problems", score.problems}};
}

}  // namespace roadplane
