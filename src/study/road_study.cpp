#include "road_study.hpp"

#include <fmt/format.h>

#include <cctype>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/parallel_for.hpp"
#include "roadplane/compare/paper_protocol.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/pipeline/segment_frame.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

struct PaperFrame {
  const char* name;
  const char* folder;  ///< below DATA/kitti
  int number;
  double vrsgt;
  double drsgd;
};
constexpr PaperFrame kPaperFrames[] = {
    {"CITY-5/1", "raw/2011_09_26/2011_09_26_drive_0005_sync", 1, 1.074e-2, 1.063e-1},
    {"CITY-5/45", "raw/2011_09_26/2011_09_26_drive_0005_sync", 45, 7.997e-3, 9.618e-2},
    {"CITY-48/0", "raw/2011_09_26/2011_09_26_drive_0048_sync", 0, 3.399e-2, 1.646e-1},
    {"CITY-71/328", "dpcp_annotations/09_29_071", 328, 4.088e-2, 2.144e-1},
};

RoadFrame find_frame(const PaperFrame& paper, const fs::path& data) {
  const fs::path folder = data / "kitti" / paper.folder;
  const std::string expected =
      fmt::format("the recording of {} (KITTI raw data, or the DPCP annotations)", paper.name);
  if (!fs::is_directory(folder)) throw InputError(folder.string(), expected, "no such folder");
  for (const kitti::Frame& frame : kitti::open_dataset(folder).frames) {
    if (frame.number == paper.number) return {paper.name, frame, paper.vrsgt, paper.drsgd};
  }
  throw InputError(folder.string(), expected, fmt::format("no frame {}", paper.number));
}

SegmentPlan make_plan(const RoadMethod& method, const RoadStudyOptions& options,
                      const kitti::Frame& frame, bool overlay) {
  SegmentConfig config;
  config.agents = options.agents;
  config.topology = options.topology;
  config.solver = method.solver;
  config.objective = method.objective;
  config.threshold = options.threshold;
  config.truth = frame.annotation || frame.plane_file || frame.label ? "auto" : "reference";
  config.seed = options.seed;
  config.save = overlay ? "overlay" : "none";
  SegmentPlan plan(config);
  const std::size_t points = kitti::load_scan(frame).size();
  const auto agents = static_cast<std::size_t>(options.agents);
  apply_paper_protocol((points + agents - 1) / agents, method.step, plan);
  if (auto* drsgd = std::get_if<DrsgdOptions>(&plan.plane.solver)) {
    drsgd->schedule = method.schedule;
    drsgd->trace.end = true;
  }
  return plan;
}

/// "DRSGD, l3, step 1e-4/k" as DRSGD-l3-step-1e-4-k.
std::string folder_name(const std::string& method) {
  std::string name;
  for (const char c : method) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || (!name.empty() && name.back() != '-')) name += plain ? c : '-';
  }
  return name;
}

}  // namespace

std::vector<RoadFrame> find_road_frames(const fs::path& data) {
  std::vector<RoadFrame> frames;
  for (const PaperFrame& paper : kPaperFrames) frames.push_back(find_frame(paper, data));
  return frames;
}

RoadStudy measure_roads(std::vector<RoadFrame> frames, const RoadStudyOptions& options,
                        const StudyContext& context,
                        const std::optional<fs::path>& overlay_folder) {
  RoadStudy study{options, std::move(frames), {}, {}};
  study.records.assign(options.methods.size(), std::vector<FrameRecord>(study.frames.size()));
  study.overlays.assign(options.methods.size(), std::vector<fs::path>(study.frames.size()));
  const std::size_t solves = options.methods.size() * study.frames.size();
  parallel_for(context.threads, solves, [&](std::size_t k) {
    const std::size_t m = k / study.frames.size();
    const std::size_t f = k % study.frames.size();
    const RoadMethod& method = options.methods[m];
    const kitti::Frame& frame = study.frames[f].frame;
    const SegmentPlan plan = make_plan(method, options, frame, overlay_folder.has_value());
    const fs::path sub_folder = folder_name(method.name);
    FrameRecord& record = study.records[m][f];
    record = segment_frame(frame, plan, overlay_folder.value_or("") / sub_folder);
    if (record.status == FrameStatus::failed || !record.score) {
      throw InputError(study.frames[f].name, "a plane and its recovery error", record.error);
    }
    if (overlay_folder) {
      study.overlays[m][f] = sub_folder / "overlay" / frame.sequence / (frame.stem() + ".png");
    }
    context.say(fmt::format("{}: {}, {}: recovery error {:.3e}",
                            overlay_folder ? "figure3" : "table2", study.frames[f].name,
                            method.name, record.score->recovery_error));
  });
  return study;
}

}  // namespace roadplane
