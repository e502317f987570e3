#pragma once

#include <cstdlib>
#include <filesystem>

/// The folder kitti/ of the real data, `path`; skips the test, and says so, where there is none.
#define ROADPLANE_KITTI_OR_SKIP(path)                               \
  const std::filesystem::path path = roadplane::test::kitti_data(); \
  if (path.empty()) GTEST_SKIP() << "ROADPLANE_DATA is not set to a folder that holds kitti/"

namespace roadplane::test {

inline std::filesystem::path kitti_data() {
  const char* root = std::getenv("ROADPLANE_DATA");
  if (root == nullptr) return {};
  const std::filesystem::path kitti = std::filesystem::path(root) / "kitti";
  return std::filesystem::is_directory(kitti) ? kitti : std::filesystem::path();
}

}  // namespace roadplane::test
