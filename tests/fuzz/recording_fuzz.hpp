#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "file_in_memory.hpp"
#include "recordings/cloud_points.hpp"
#include "recordings/message_types.hpp"
#include "recordings/raw_picture.hpp"
#include "recordings/recording_file.hpp"

namespace roadplane {

/// Whatever a message holds: values, or an InputError.
inline void read_as_its_type(std::span<const std::byte> message, const std::string& type,
                             const std::string& encoding) {
  if (type == kitti::kCloudType) {
    const kitti::CloudMessage cloud = kitti::read_cloud_message(message, encoding, "fuzz");
    require(kitti::points_of(cloud, {}, "fuzz").size() == kitti::count_of(cloud));
  } else if (type == kitti::kImageType || type == kitti::kCompressedImageType) {
    const bool compressed = type == kitti::kCompressedImageType;
    const auto image = kitti::read_image_message(message, compressed, encoding, "fuzz");
    if (!compressed) require(!kitti::rgb_image(image, "fuzz").empty());
  } else if (type == kitti::kCameraInfoType) {
    kitti::read_camera_message(message, encoding, "fuzz");
  } else {
    kitti::read_transforms(message, encoding, "fuzz");
  }
}

/// Any file: topics and messages, each of them good or an InputError.
inline void read_all(const kitti::RecordingFile& file) {
  constexpr std::size_t kMost = 20;
  for (const std::string& remark : file.remarks()) {
    require(remark.find('\n') == std::string::npos);
  }
  for (const kitti::RecordedTopic& topic : file.topics()) {
    for (std::size_t k = 0; k < std::min(kMost, topic.places.size()); ++k) {
      try {
        read_as_its_type(file.read(topic, topic.places[k], kitti::Recording::kWhole), topic.type,
                         topic.encoding);
      } catch (const InputError& error) {
        require(std::string_view(error.what()).find('\n') == std::string_view::npos);
      }
    }
  }
}

}  // namespace roadplane
