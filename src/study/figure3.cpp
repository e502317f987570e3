#include "roadplane/study/figure3.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "road_study_text.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/study/page.hpp"

namespace roadplane {

Outcome write_figure3(const RoadStudy& study, const std::filesystem::path& folder) {
  std::string text;
  std::size_t drawn = 0;
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    for (std::size_t m = 0; m < study.records.size(); ++m) {
      const std::string picture = study.overlays[m][f].generic_string();
      if (std::filesystem::exists(folder / picture)) ++drawn;
      text += fmt::format("{}, {}: recovery error {:.3e}, {} of {} points road\n\n![{}]({})\n\n",
                          study.frames[f].name, study.options.methods[m].name,
                          study.records[m][f].score->recovery_error, study.records[m][f].inliers,
                          study.records[m][f].points, study.frames[f].name, picture);
    }
  }
  const std::size_t wanted = study.frames.size() * study.records.size();
  const Outcome outcome{
      {{"overlays of all frames by both methods can be drawn", drawn == wanted,
        fmt::format("{} of {} pictures drawn, which is all that is checked here: whether a plane "
                    "lies on the road is for the eye; errors are in Table 2",
                    drawn, wanted)}}};
  write_file_atomically(folder / "figure3.csv", csv_of(study));
  write_json(folder / "figure3.json", json_of(study), outcome);
  write_page(
      folder,
      {"Figure 3: the road points on the camera's pictures",
       setting_text(study) + fmt::format("\n\nA point is road (blue) if |w'b| is at most {}.",
                                         study.options.threshold),
       "The road points of the four frames as VRSGT and DRSGD find them, on the pictures of "
       "camera 2: VRSGT's cover the road, DRSGD's less well.",
       text},
      outcome);
  return outcome;
}

}  // namespace roadplane
