#include "roadplane/pipeline/frame_output.hpp"

#include <fmt/format.h>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/results/tables.hpp"
#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/cloud_export.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"

namespace roadplane {
namespace fs = std::filesystem;

std::vector<std::uint16_t> owners(const Shards& shards) {
  std::vector<std::uint16_t> owner(shards.order.size());
  for (int i = 0; i < shards.agents(); ++i) {
    for (const std::uint32_t k : shards[i]) owner[k] = static_cast<std::uint16_t>(i);
  }
  return owner;
}

fs::path FrameOutput::file(const fs::path& folder, const char* extension) const {
  const fs::path parent = folder / frame.sequence;
  make_folders(parent);
  return parent / (frame.stem() + extension);
}

void FrameOutput::write(const fs::path& folder) const {
  if (plan.save.label) write_label(folder);
  if (plan.save.trace) {
    write_file_atomically(file(folder / "trace", ".csv"), trace_csv(trace, plan.network.graph));
  }
  const viz::LabelledCloud cloud{share.points, road, truth, {}};
  if (plan.save.ply) viz::write_ply(file(folder / "ply", ".ply"), cloud);
  if (plan.save.pcd) viz::write_pcd(file(folder / "pcd", ".pcd"), cloud);
  if (plan.save.birds_eye) write_birds_eye(folder / "birdseye");
  if (plan.save.overlay) write_overlay(folder / "overlay");
}

void FrameOutput::write_label(const fs::path& folder) const {
  const fs::path predictions = folder / "sequences" / frame.sequence / "predictions";
  make_folders(predictions);
  kitti::Labels labels(road.size());
  for (std::size_t k = 0; k < road.size(); ++k) labels[k] = road[k] != 0 ? viz::kRoadLabel : 0;
  kitti::write_labels(predictions / (frame.stem() + ".label"), labels);
}

std::vector<std::string> FrameOutput::legend() const {
  std::vector<std::string> lines{
      frame.name() + "   " + plan.method,
      fmt::format("threshold {} = {:.4f} {}", record.threshold, record.threshold_value,
                  plan.threshold.unit == ResidualUnit::metres ? "m" : "rad")};
  if (!record.score) return lines;
  const FrameScore& score = *record.score;
  std::string result = fmt::format("recovery error {:.2e}", score.recovery_error);
  if (score.labels) result += fmt::format("   F1 {:.3f}", score.labels->f1);
  lines.push_back(result + " (" + score.truth + ")");
  return lines;
}

/// The style asked for, where the frame has what it needs.
viz::OverlayStyle FrameOutput::style() const {
  const bool possible = plan.overlay_style != viz::OverlayStyle::truth || !truth.empty();
  return possible ? plan.overlay_style : viz::OverlayStyle::labels;
}

std::vector<std::uint16_t> FrameOutput::shown_owners() const {
  if (style() != viz::OverlayStyle::agents) return {};
  return owners(share.shards);
}

void FrameOutput::write_overlay(const fs::path& folder) const {
  const auto projection = kitti::load_projection(frame);
  if (!frame.image || !projection) return write_birds_eye(folder);
  viz::OverlayOptions options;
  options.style = style();
  try {
    const viz::Overlay overlay =
        viz::draw_overlay(viz::read_image(*frame.image), *projection,
                          {share.points, road, truth, shown_owners()}, legend(), options);
    if (overlay.points_drawn == 0) {
      throw InputError(frame.image->string(), "points in view of the camera", "none");
    }
    viz::write_png(file(folder, ".png"), overlay.image);
  } catch (const InputError&) {  // a view from above is better than none
    write_birds_eye(folder);
    throw;
  }
}

void FrameOutput::write_birds_eye(const fs::path& folder) const {
  viz::BirdsEyeOptions options;
  options.style = style();
  const viz::Overlay picture =
      viz::draw_birds_eye({share.points, road, truth, shown_owners()}, legend(), options);
  viz::write_png(file(folder, ".png"), picture.image);
}

}  // namespace roadplane
