#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"

namespace roadplane::test {

struct Recording {
  std::string name;
  Scan scan;
  std::optional<Eigen::Vector4d> truth;
  std::vector<std::uint8_t> mask = {};  ///< empty without a truth
};

/// Whatever is in a folder; none if there is no such folder.
inline std::vector<Recording> recordings(const std::filesystem::path& folder) {
  std::vector<Recording> all;
  if (!std::filesystem::exists(folder)) return all;
  for (const kitti::Frame& frame : kitti::open_dataset(folder).frames) {
    Recording& one = all.emplace_back(frame.name(), kitti::load_scan(frame), std::nullopt);
    if (const auto truth = kitti::load_ground_truth(frame, one.scan)) {
      one.truth = truth->hyperplane;
      one.mask = truth->mask;
    }
  }
  return all;
}

}  // namespace roadplane::test
