#pragma once

#include <cstdlib>
#include <filesystem>

/// The folder kitti/ of the real data, as `folder`; skips the test, and says so, where there is
/// none.
#define ROADPLANE_KITTI_OR_SKIP(folder)                               \
  const std::filesystem::path folder = roadplane::test::kitti_data(); \
  if (folder.empty()) GTEST_SKIP() << "ROADPLANE_DATA is not set to a folder that holds kitti/"

namespace roadplane::test {

inline std::filesystem::path kitti_data() {
  const char* root = std::getenv("ROADPLANE_DATA");
  if (root == nullptr) return {};
  const std::filesystem::path kitti = std::filesystem::path(root) / "kitti";
  return std::filesystem::is_directory(kitti) ? kitti : std::filesystem::path();
}

}  // namespace roadplane::test
