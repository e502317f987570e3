#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/options.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// A frame of the paper's Table 2 and what the paper prints for it.
struct RoadFrame {
  std::string name;  ///< "CITY-5/1"
  kitti::Frame frame;
  double paper_vrsgt = 0;  ///< recovery error
  double paper_drsgd = 0;
};

/// The paper's four frames below `data`/kitti. Throws InputError that says which recording is
/// missing.
std::vector<RoadFrame> find_road_frames(const std::filesystem::path& data);

/// A row of Table 2. On l3 it runs by PaperProtocol.
struct RoadMethod {
  std::string name;
  std::string solver = "vrsgt";                    ///< or drsgd
  std::string objective = "l3";                    ///< or robust, which has a schedule of its own
  double step = 0;                                 ///< 0 is the protocol's
  StepSchedule schedule = StepSchedule::constant;  ///< of DRSGD
  double RoadFrame::*paper = nullptr;              ///< the printed row, if there is one
};

/// What the paper's Table 2 (recovery errors) and Figure 3 (overlays) have in common.
struct RoadStudyOptions {
  int agents = 16;
  std::string topology = "erdos-renyi:0.5";
  std::string threshold = "0.011rad";  ///< of the overlays
  std::uint64_t seed = 1;
  std::vector<RoadMethod> methods = {
      {"VRSGT, l3", "vrsgt", "l3", 0, StepSchedule::constant, &RoadFrame::paper_vrsgt},
      {"DRSGD, l3, the demo's constant step", "drsgd", "l3", 0, StepSchedule::constant,
       &RoadFrame::paper_drsgd},
      {"DRSGD, l3, step 0.05/sqrt(k)", "drsgd", "l3", 0.05, StepSchedule::inverse_sqrt,
       &RoadFrame::paper_drsgd},
      {"DRSGD, l3, step 1e-4/k", "drsgd", "l3", 1e-4, StepSchedule::inverse,
       &RoadFrame::paper_drsgd},
      {"VRSGT, robust", "vrsgt", "robust", 0, StepSchedule::constant, nullptr},
  };
};

/// All methods on all frames.
struct RoadStudy {
  RoadStudyOptions options;
  std::vector<RoadFrame> frames;
  std::vector<std::vector<FrameRecord>> records;             ///< [method][frame]
  std::vector<std::vector<std::filesystem::path>> overlays;  ///< the same; empty if not asked for
};

/// Writes overlays below `overlay_folder` if there is one. Throws InputError if a frame gives no
/// plane.
RoadStudy measure_roads(std::vector<RoadFrame> frames, const RoadStudyOptions& options,
                        const StudyContext& context,
                        const std::optional<std::filesystem::path>& overlay_folder);

}  // namespace roadplane
