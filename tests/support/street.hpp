#pragma once

#include <filesystem>

#include "roadplane/kitti/synthetic/sequence.hpp"
#include "roadplane/viz/image_file.hpp"

namespace roadplane::test {

/// A small synthetic sequence on disk; returns its folder.
inline std::filesystem::path write_street(const std::filesystem::path& folder, int frames,
                                          bool images = false) {
  kitti::SceneOptions options;
  options.frames = frames;
  options.points_per_frame = 8000;
  kitti::WriteImage write_image;
  if (images) write_image = viz::write_png;
  return kitti::write_sequence(options, folder, write_image);
}

}  // namespace roadplane::test
