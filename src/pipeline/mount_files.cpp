#include "roadplane/pipeline/mount_files.hpp"

#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

void draw(const fs::path& png, const Mount& mount, std::span<const RoadView> views) {
  viz::Curve roll{"roll", {}, {}};
  viz::Curve pitch{"pitch", {}, {}};
  for (const RoadView& view : views) {
    if (view.sequence != mount.sequence || !view.plane) continue;
    for (viz::Curve* curve : {&roll, &pitch}) curve->x.push_back(view.frame);
    roll.y.push_back(roadplane::roll_deg(*view.plane));
    pitch.y.push_back(roadplane::pitch_deg(*view.plane));
  }
  viz::PlotOptions options;
  options.title = "The sensor against the road, " + mount.sequence;
  options.x_label = "frame";
  options.y_label = "[deg]";
  options.log_y = false;
  viz::write_plots(png, std::vector{roll, pitch}, options);
}

}  // namespace

std::vector<std::string> write_mount(const fs::path& folder, std::span<const RoadView> views) {
  const std::vector<Mount> mounts = mounts_of(views);
  nlohmann::json all = nlohmann::json::array();
  for (const Mount& mount : mounts) all.push_back(to_json(mount));
  const nlohmann::json file = {{kSchemaKey, kSchema}, {"sequences", all}};
  write_file_atomically(folder / "mount.json", text_of(file, 2) + "\n");
  std::vector<std::string> lines;
  for (const Mount& mount : mounts) {
    lines.push_back(mount.sequence + ": " + mount_text(mount));
    if (mount.used < 2) continue;
    try {
      make_folders(folder / "mount");
      draw(folder / "mount" / (name_of_utf8(mount.sequence) + ".png"), mount, views);
    } catch (const InputError& error) {  // the numbers are there without the curves
      lines.push_back(mount.sequence + ": no curves: " + error.what());
    }
  }
  return lines;
}

}  // namespace roadplane
