#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "roadplane/geometry/scan_share.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// The agent that holds each point.
std::vector<std::uint16_t> owners(const Shards& shards);

/// What a frame's files are made of, and where they go:
///   sequences/SEQUENCE/predictions/STEM.label   overlay/SEQUENCE/STEM.png   ply/..., pcd/...,
///   trace/...
struct FrameOutput {
  const kitti::Frame& frame;
  const SegmentPlan& plan;
  const ScanShare& share;  ///< the whole scan, where it is drawn
  const FrameRecord& record;
  std::vector<TraceEntry> trace = {};
  std::vector<float> residuals = {};
  std::vector<std::uint8_t> road = {};
  std::vector<std::uint8_t> truth = {};  ///< empty if unknown

  /// Throws InputError if something beside the scan is bad or a file cannot be written. What comes
  /// before it in the list above is written all the same.
  void write(const std::filesystem::path& folder) const;

 private:
  std::filesystem::path file(const std::filesystem::path& folder, const char* extension) const;
  void write_label(const std::filesystem::path& folder) const;
  void write_overlay(const std::filesystem::path& folder) const;
  void write_birds_eye(const std::filesystem::path& folder) const;
  viz::OverlayStyle style() const;
  std::vector<std::uint16_t> shown_owners() const;
  std::vector<std::string> legend() const;
};

}  // namespace roadplane
