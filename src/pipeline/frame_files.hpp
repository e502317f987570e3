#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/ground/road_edges.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// What a frame's files are made of.
struct FrameFiles {
  const kitti::Frame& frame;
  const FrameRecord& record;  ///< of what the agents found
  const std::optional<FrameScore>& score;
  std::span<const TraceEntry> trace;
  std::span<const double> trace_errors;  ///< recovery errors of its entries; empty if unknown
  PointSpan points;                      ///< the whole scan, where it is drawn
  const Shards& shards;                  ///< who holds which of them
  std::span<const std::uint8_t> road;
  std::span<const std::uint8_t> truth;  ///< empty if unknown
  std::span<const Relief> reliefs;      ///< of all agents, where they are saved
  const SeenRoad* view = nullptr;       ///< where the road was labelled
};

/// Writes what the plan asks for:
///   sequences/SEQUENCE/predictions/STEM.label   overlay/SEQUENCE/STEM.png   ply/..., pcd/...,
///   edges/SEQUENCE/STEM.json, trace/..., relief/SEQUENCE/STEM.png,
///   relief/SEQUENCE/STEM/agent_NN.csv
/// where a picture's name ends as its format wants it.
/// Throws InputError if something beside the scan is bad or a file cannot be written. What comes
/// before it is written all the same.
void write_frame_files(const FrameFiles& files, const SegmentPlan& plan,
                       const std::filesystem::path& folder);

/// The files that a frame of a finished run has, as the plan asks for them.
std::vector<std::filesystem::path> frame_paths(const std::filesystem::path& folder,
                                               const kitti::Frame& frame, const SegmentPlan& plan);

/// Writes the label of a frame to label_path(): `road` is 1 for the points that are labelled.
void write_label(const std::filesystem::path& folder, const kitti::Frame& frame,
                 std::span<const std::uint8_t> road);

}  // namespace roadplane
