#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/compare/compare_frames.hpp"

namespace roadplane {

/// All methods' runs on one frame with one seed, or the first of them.
struct SeedRuns {
  std::size_t points = 0;
  std::string truth;
  std::string error;      ///< why the frame failed
  bool complete = false;  ///< all methods had their run
  std::vector<CompareRecord> records;
  std::vector<MethodCurve> curves;
  std::string panel;
};

/// What is done is kept in runs/SEQUENCE/STEM-SEED.json and tuning.json, whole or not at all, so
/// that a comparison that is stopped, or ends in any other way, can go on from there. Nothing is
/// kept without a folder.
void save_runs(const ComparePlan& plan, const kitti::Frame& frame, std::uint64_t seed,
               const std::filesystem::path& folder, const SeedRuns& runs);
/// Empty if there are none, or they are not of this program.
SeedRuns load_runs(const ComparePlan& plan, const kitti::Frame& frame, std::uint64_t seed,
                   const std::filesystem::path& folder);

void save_tunings(const ComparePlan& plan, const std::vector<Tuning>& tunings,
                  const std::filesystem::path& folder);
std::optional<std::vector<Tuning>> load_tunings(const ComparePlan& plan,
                                                const std::filesystem::path& folder);

}  // namespace roadplane
