#pragma once

#include <filesystem>
#include <vector>

#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// The numbers of all runs on a frame in curves/SEQUENCE/STEM.csv; where the plan asks for it, also
/// distance from the minimiser, StaGap, consensus and recovery error against messages, rounds,
/// samples and seconds: a picture each per objective in curves/SEQUENCE/STEM/, as PNG and SVG,
/// medians over the seeds with bands of 10 to 90 %.
void write_curves(const ComparePlan& plan, const Graph& graph, const kitti::Frame& frame,
                  const std::filesystem::path& folder, FrameComparison& comparison);

/// The same over all frames and seeds in curves/: the distance from the minimiser against each
/// cost, StaGap and recovery error against messages. Gives back the PNG pictures below the folder.
std::vector<std::string> write_summary_curves(const Comparison& comparison,
                                              const std::filesystem::path& folder);

/// The truth, then every method's labels (one run per method, in the plan's order), as one picture
/// panels/SEQUENCE/STEM.png, whose path below the folder it gives back.
std::string write_panel(const ComparePlan& plan, const SharedFrame& shared,
                        const std::vector<MethodRun>& runs, const std::filesystem::path& folder);

}  // namespace roadplane
