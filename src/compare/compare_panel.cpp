#include <fmt/format.h>

#include <optional>

#include "compare_pictures.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"
#include "roadplane/viz/panel.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// Draws labels on the frame's picture, or from above where it has none.
class Painter {
 public:
  explicit Painter(const SharedFrame& shared) : shared_(shared) {
    projection_ = kitti::load_projection(shared.frame);
    if (shared.frame.image && projection_) photo_ = viz::read_image(*shared.frame.image);
  }

  bool from_above() const { return photo_.empty(); }

  RgbImage operator()(std::span<const std::uint8_t> road) const {
    const viz::LabelledCloud cloud{shared_.scan, road, {}, {}};
    if (from_above()) {
      viz::BirdsEyeOptions options;
      options.color_key = false;
      return viz::draw_birds_eye(cloud, {}, options).image;
    }
    viz::OverlayOptions options;
    options.color_key = false;
    return viz::draw_overlay(photo_, *projection_, cloud, {}, options).image;
  }

 private:
  const SharedFrame& shared_;
  std::optional<Projection> projection_;
  RgbImage photo_;
};

std::string title_of(const CompareMethod& method, const FrameRecord& record) {
  if (record.status == FrameStatus::failed) return method.name + ": failed";
  if (!record.score) return method.name;
  std::string title = fmt::format("{}: error {:.2e}", method.name, record.score->recovery_error);
  if (record.score->labels) title += fmt::format(", F1 {:.3f}", record.score->labels->f1);
  return title;
}

}  // namespace

void write_panel(const ComparePlan& plan, const SharedFrame& shared,
                 const std::vector<MethodRun>& runs, const fs::path& folder,
                 FrameComparison& comparison) {
  const Painter paint(shared);
  std::vector<viz::PanelTile> tiles;
  if (shared.truth && !shared.truth->mask.empty()) {
    tiles.push_back(
        {shared.frame.name() + ", truth: " + shared.truth->source, paint(shared.truth->mask)});
  }
  const std::vector<std::uint8_t> nothing(shared.scan.size(), 0);
  for (std::size_t m = 0; m < runs.size(); ++m) {
    tiles.push_back({title_of(plan.methods[m], runs[m].record),
                     paint(runs[m].road.empty() ? nothing : runs[m].road)});
  }
  const fs::path file = fs::path("panels") / shared.frame.sequence / (shared.frame.stem() + ".png");
  make_folders((folder / file).parent_path());
  viz::PanelOptions options;
  if (paint.from_above()) options = {.columns = 3, .tile_width_px = 600};
  viz::write_png(folder / file, viz::draw_panel(tiles, options));
  comparison.panel = file.string();
}

}  // namespace roadplane
