#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/geometry/lens.hpp"
#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// A picture of a recording, as it was taken.
struct RecordedPicture {
  std::string where;              ///< for messages
  RgbImage image;                 ///< of sensor_msgs/Image
  std::vector<std::byte> packed;  ///< of CompressedImage: a PNG or JPEG file
};

/// A camera of a recording that points can be drawn for: an image topic with the CameraInfo beside
/// it, and static transforms (/tf_static) that lead from the LiDAR to it.
class RecordedCamera {
 public:
  /// The first such camera by its topic's name; nothing if there is none. Throws InputError if none
  /// but such as cannot be drawn on: the first one's reason.
  static std::optional<RecordedCamera> of(const RecordedScan& scan);

  const std::string& topic() const { return pictures_->name; }
  /// From the LiDAR's frame to pixels of the rectified picture.
  const Projection& projection() const { return projection_; }
  /// Nothing for pictures that are rectified already.
  const std::optional<Lens>& lens() const { return lens_; }
  /// The picture nearest in time to the scan; nothing if none is within 0.1 s.
  std::optional<RecordedPicture> picture() const;

 private:
  RecordedScan scan_;
  const RecordedTopic* pictures_ = nullptr;
  Projection projection_;
  std::optional<Lens> lens_;
};

}  // namespace roadplane::kitti
