#include <fmt/format.h>

#include "compare_pictures.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/pipeline/painter.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/panel.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

std::string title_of(const CompareMethod& method, const FrameRecord& record) {
  if (record.status == FrameStatus::failed) return method.name + ": failed";
  if (!record.score) return method.name;
  std::string title = fmt::format("{}: error {:.2e}", method.name, record.score->recovery_error);
  if (record.score->labels)
    title += fmt::format(", F1 {:.3f} {}", record.score->labels->f1, record.score->labels->scoring);
  return title;
}

}  // namespace

std::string write_panel(const ComparePlan& plan, const SharedFrame& shared,
                        const std::vector<MethodRun>& runs, const fs::path& folder) {
  const Painter painter(shared.frame);
  const auto paint = [&](std::span<const std::uint8_t> road) {
    return painter.draw({shared.scan, road, {}, {}}, viz::OverlayStyle::labels);
  };
  std::vector<viz::PanelTile> tiles;
  if (shared.truth && !shared.truth->mask.empty()) {
    tiles.push_back(
        {shared.frame.name() + ", truth: " + shared.truth->source, paint(shared.truth->mask)});
  }
  const RecycledVector<std::uint8_t> nothing(shared.scan.size(), 0);
  for (std::size_t m = 0; m < runs.size(); ++m) {
    tiles.push_back({title_of(plan.methods[m], runs[m].record),
                     paint(runs[m].road.empty() ? nothing : runs[m].road)});
  }
  const fs::path file = fs::path("panels") / shared.frame.sequence / (shared.frame.stem() + ".png");
  make_folders((folder / file).parent_path());
  viz::PanelOptions options;
  if (painter.from_above()) options = {.columns = 3, .tile_width_px = 600};
  viz::write_png(folder / file, viz::draw_panel(tiles, options));
  return file.string();
}

}  // namespace roadplane
