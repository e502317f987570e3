#include "figure3.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "page.hpp"
#include "road_study_text.hpp"
#include "roadplane/base/file.hpp"

namespace roadplane {
namespace {

/// How well points are classified: the share that is right where points have labels, else the
/// plane's recovery error.
struct Quality {
  bool of_points = false;
  double value = 0;

  bool better_than(const Quality& other) const {
    return of_points ? value > other.value : value < other.value;
  }
  std::string to_string() const {
    return of_points ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.2e}", value);
  }
};

Quality quality_of(const FrameRecord& record) {
  if (record.score->labels) return {true, record.score->labels->accuracy};
  return {false, record.score->recovery_error};
}

/// The first method against the second.
Claim classification_claim(const RoadStudy& study) {
  std::size_t better = 0;
  std::string why;
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    const Quality own = quality_of(study.records[0][f]);
    const Quality other = quality_of(study.records[1][f]);
    if (own.better_than(other)) ++better;
    why += fmt::format("{}{} {} against {}", f == 0 ? "" : ", ", study.frames[f].name,
                       own.to_string(), other.to_string());
  }
  return {"VRSGT classifies points better than DRSGD", better == study.frames.size(),
          fmt::format("on {} of {} frames; points that are right where points are annotated, "
                      "recovery errors elsewhere: {}",
                      better, study.frames.size(), why)};
}

}  // namespace

Outcome write_figure3(const RoadStudy& study, const std::filesystem::path& folder) {
  std::string text;
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    for (std::size_t m = 0; m < study.records.size(); ++m) {
      const std::string picture = study.overlays[m][f].generic_string();
      text += fmt::format("{}, {}: recovery error {:.3e}, {} of {} points road\n\n![{}]({})\n\n",
                          study.frames[f].name, study.options.methods[m].name,
                          study.records[m][f].score->recovery_error, study.records[m][f].inliers,
                          study.records[m][f].points, study.frames[f].name, picture);
    }
  }
  const Outcome outcome{{classification_claim(study)}};
  write_file_atomically(folder / "figure3.csv", csv_of(study));
  write_json(folder / "figure3.json", json_of(study), outcome);
  write_page(
      folder,
      {"Figure 3: the road points on the camera's pictures",
       setting_text(study) + fmt::format("\n\nA point is road (blue) if |w'b| is at most {}.",
                                         study.options.threshold),
       "The road points of the four frames as VRSGT and DRSGD find them, on the pictures of "
       "camera 2. With Table 2 they are said to show that VRSGT classifies better.",
       text},
      outcome);
  return outcome;
}

}  // namespace roadplane
