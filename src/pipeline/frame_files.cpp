#include "frame_files.hpp"

#include <fmt/format.h>

#include "edges_text.hpp"
#include "relief_csv.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/pipeline/painter.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "roadplane/results/tables.hpp"
#include "roadplane/viz/cloud_export.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/relief_map.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// What was labelled, for a legend.
std::string surface_words(const FrameRecord& record) {
  if (!record.relief) return fmt::format("within {} of the plane", record.threshold);
  const FrameRelief& relief = *record.relief;
  return fmt::format("{:+.2f} to {:+.2f} m over the plane, {:.1f} cm rough", relief.low_m,
                     relief.high_m, 100 * relief.roughness_m);
}

fs::path path_of(const fs::path& folder, const char* kind, const kitti::Frame& frame,
                 std::string_view extension) {
  return folder / kind / frame.sequence / (frame.stem() + std::string(extension));
}

/// An agent's heights over the plane, as a table.
fs::path relief_path(const fs::path& folder, const kitti::Frame& frame, std::size_t agent) {
  return path_of(folder, "relief", frame, "") / fmt::format("agent_{:02}.csv", agent);
}

class Writer {
 public:
  Writer(const FrameFiles& files, const SegmentPlan& plan, const fs::path& folder)
      : files_(files), plan_(plan), folder_(folder) {
    // The style asked for, where the frame has what it needs.
    const bool possible = plan.overlay_style != viz::OverlayStyle::truth || !files.truth.empty();
    style_ = possible ? plan.overlay_style : viz::OverlayStyle::labels;
    if (style_ == viz::OverlayStyle::agents) owner_ = owners(files.shards);
  }

  void operator()() const {
    const SaveChoice& save = plan_.save;
    if (save.label) write_label(folder_, files_.frame, files_.road);
    if (save.trace) {
      write_file_atomically(
          file("trace", ".csv"),
          trace_csv(files_.trace, plan_.network.graph, "recovery_error", files_.trace_errors));
    }
    if (save.ply || save.pcd) write_clouds();
    if (save.relief) write_relief();
    if (save.edges && files_.view != nullptr) {
      write_file_atomically(file("edges", ".json"), edges_text(files_.frame, *files_.view));
    }
    if (save.birds_eye) draw(Painter(), "birdseye");
    if (save.overlay) write_overlay();
  }

 private:
  fs::path file(const char* kind, std::string_view extension) const {
    const fs::path path = path_of(folder_, kind, files_.frame, extension);
    make_folders(path.parent_path());
    return path;
  }

  void write_picture(const char* kind, const RgbImage& picture) const {
    const fs::path path = file(kind, viz::extension_of(plan_.image_format));
    viz::write_image(path, picture, plan_.image_format);
  }

  viz::LabelledCloud cloud() const {
    return {files_.points,           files_.road, files_.truth, owner_, {},
            to_string(plan_.target), files_.view};
  }

  void write_clouds() const {
    const auto positions = kitti::points_in_file(files_.points, files_.frame);
    if (plan_.save.ply) viz::write_ply(file("ply", ".ply"), cloud(), style_, positions);
    if (plan_.save.pcd) viz::write_pcd(file("pcd", ".pcd"), cloud(), style_, positions);
  }

  void write_relief() const {
    make_folders(relief_path(folder_, files_.frame, 0).parent_path());
    for (std::size_t i = 0; i < files_.reliefs.size(); ++i) {
      write_file_atomically(relief_path(folder_, files_.frame, i),
                            relief_csv(files_.reliefs[i], files_.record.plane));
    }
    write_picture("relief", viz::draw_relief(files_.reliefs, legend()));
  }

  std::vector<std::string> legend() const {
    const FrameRecord& record = files_.record;
    std::vector<std::string> lines{files_.frame.name() + "   " + plan_.method,
                                   record.target + ": " + surface_words(record)};
    if (files_.score) {
      const FrameScore& score = *files_.score;
      std::string result = fmt::format("recovery error {:.2e}", score.recovery_error);
      if (score.labels)
        result += fmt::format("   F1 {:.3f} {}", score.labels->f1, score.labels->scoring);
      lines.push_back(result + " (" + score.truth + ")");
    }
    if (record.status == FrameStatus::suspect) lines.push_back("SUSPECT: " + record.note);
    return lines;
  }

  /// A view from above is better than none, where the frame's own picture is bad.
  void write_overlay() const {
    RgbImage picture;
    try {
      picture = Painter(files_.frame).draw(cloud(), style_, legend());
    } catch (const InputError&) {
      draw(Painter(), "overlay");
      throw;
    }
    write_picture("overlay", picture);
  }

  void draw(Painter painter, const char* kind) const {
    write_picture(kind, std::move(painter).draw(cloud(), style_, legend()));
  }

  const FrameFiles& files_;
  const SegmentPlan& plan_;
  const fs::path& folder_;
  viz::OverlayStyle style_;
  std::vector<std::uint16_t> owner_;
};

}  // namespace

void write_label(const fs::path& folder, const kitti::Frame& frame,
                 std::span<const std::uint8_t> road) {
  const fs::path path = label_path(folder, frame);
  make_folders(path.parent_path());
  kitti::write_road(path, road);
}

std::vector<fs::path> frame_paths(const fs::path& folder, const kitti::Frame& frame,
                                  const SegmentPlan& plan) {
  const std::string_view picture = viz::extension_of(plan.image_format);
  const SaveChoice& save = plan.save;
  std::vector<fs::path> paths;
  const auto add = [&](bool saved, const char* kind, std::string_view extension) {
    if (saved) paths.push_back(path_of(folder, kind, frame, extension));
  };
  if (save.label) paths.push_back(label_path(folder, frame));
  add(save.trace, "trace", ".csv");
  add(save.edges, "edges", ".json");
  add(save.ply, "ply", ".ply");
  add(save.pcd, "pcd", ".pcd");
  add(save.relief, "relief", picture);
  const auto agents = static_cast<std::size_t>(save.relief ? plan.network.agents() : 0);
  for (std::size_t i = 0; i < agents; ++i) paths.push_back(relief_path(folder, frame, i));
  add(save.birds_eye, "birdseye", picture);
  add(save.overlay, "overlay", picture);
  return paths;
}

void write_frame_files(const FrameFiles& files, const SegmentPlan& plan, const fs::path& folder) {
  Writer(files, plan, folder)();
}

}  // namespace roadplane
