#include "roadplane/kitti/recorded_camera.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "message_types.hpp"
#include "messages.hpp"
#include "raw_picture.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/static_transforms.hpp"

namespace roadplane::kitti {
namespace {

using Matrix34 = Eigen::Matrix<double, 3, 4, Eigen::RowMajor>;
using Matrix33 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool is_picture(const RecordedTopic& topic) {
  return (topic.type == kImageType || topic.type == kCompressedImageType) &&
         !topic.name.ends_with("compressedDepth") && topic.problem.empty() && !topic.places.empty();
}

/// A raw topic of distances is none.
bool has_colours(const Recording& recording, const RecordedTopic& topic, const std::string& where) {
  if (topic.type == kCompressedImageType) return true;
  const FileBytes bytes = recording.read(topic, topic.places.front());
  const ImageMessage first = read_image_message(bytes, false, topic.encoding, where);
  return first.encoding != "16UC1" && first.encoding != "32FC1";
}

/// "/camera/camera_info" of "/camera/image_raw" and "/camera/image_raw/compressed".
std::string info_topic_of(std::string name) {
  if (const std::size_t packed = name.rfind("/compressed"); packed != std::string::npos) {
    name.resize(packed);
  }
  const std::size_t slash = name.rfind('/');
  return (slash == std::string::npos ? "" : name.substr(0, slash + 1)) + "camera_info";
}

const RecordedTopic* find_topic(const Recording& recording, const std::string& name,
                                std::string_view type) {
  for (const RecordedTopic& topic : recording.topics()) {
    if (topic.name == name && topic.type == type && topic.problem.empty() &&
        !topic.places.empty()) {
      return &topic;
    }
  }
  return nullptr;
}

struct Optics {
  Matrix34 to_pixel;  ///< of the rectified camera
  std::optional<Lens> lens;
};

Optics optics_of(const CameraMessage& info, const std::string& where, bool rectified) {
  Lens lens;
  lens.k = Matrix33::Map(info.k.data());
  lens.r = Matrix33::Map(info.r.data());
  Matrix34 p = Matrix34::Map(info.p.data());
  if (lens.r.isZero(0)) lens.r.setIdentity();
  if (p.isZero(0)) p.leftCols<3>() = lens.k;
  const bool known = info.distortion_model.empty() || info.distortion_model == "plumb_bob" ||
                     info.distortion_model == "rational_polynomial";
  if (!known || info.d.size() > lens.d.size()) {
    throw InputError(where, "distortion plumb_bob or rational_polynomial",
                     in_quotes(info.distortion_model) + " with " + std::to_string(info.d.size()) +
                         " coefficients");
  }
  std::copy(info.d.begin(), info.d.end(), lens.d.begin());
  lens.rectified_k = p.leftCols<3>();
  const bool finite =
      lens.k.allFinite() && lens.r.allFinite() && p.allFinite() &&
      std::all_of(lens.d.begin(), lens.d.end(), [](double each) { return std::isfinite(each); });
  if (!finite || !(lens.k(0, 0) > 0 && lens.k(1, 1) > 0 && p(0, 0) > 0 && p(1, 1) > 0)) {
    throw InputError(where, "a calibrated camera", "focal lengths that are none");
  }
  const bool straight =
      lens.r.isIdentity(1e-9) && lens.k.isApprox(lens.rectified_k, 1e-9) &&
      std::all_of(lens.d.begin(), lens.d.end(), [](double each) { return each == 0; });
  return {p, rectified || straight ? std::nullopt : std::optional(lens)};
}

std::string where_of(const Recording& recording, const RecordedTopic& topic) {
  return recording.path().string() + ": " + topic.name;
}

}  // namespace

std::optional<RecordedCamera> RecordedCamera::of(const RecordedScan& scan) {
  const Recording& recording = *scan.recording;
  std::optional<StaticTransforms> transforms;
  const auto camera_of = [&](const RecordedTopic& topic) -> std::optional<RecordedCamera> {
    const RecordedTopic* info = find_topic(recording, info_topic_of(topic.name), kCameraInfoType);
    if (info == nullptr || !has_colours(recording, topic, where_of(recording, topic))) return {};
    const std::string where = where_of(recording, *info);
    const CameraMessage camera =
        read_camera_message(recording.read(*info, info->places.front()), info->encoding, where);
    if (camera.k[0] == 0) return {};  // as ROS says that it is not calibrated
    if (!transforms) transforms.emplace(recording);
    const auto to_camera = transforms->between(scan.frame_id, camera.header.frame_id);
    if (!to_camera) return {};
    const bool rectified = topic.name.find("image_rect") != std::string::npos;
    const Optics optics = optics_of(camera, where, rectified);
    Eigen::Matrix4d turn = Eigen::Matrix4d::Identity();
    const Matrix33 r = Matrix33::Map(camera.r.data());
    if (!r.isZero(0)) turn.topLeftCorner<3, 3>() = r;
    RecordedCamera found;
    found.scan_ = scan;
    found.pictures_ = &topic;
    found.projection_ = Projection(optics.to_pixel * turn * to_camera->matrix());
    found.lens_ = optics.lens;
    return found;
  };
  std::optional<InputError> refused;
  for (const RecordedTopic& topic : recording.topics()) {
    if (!is_picture(topic)) continue;
    try {
      if (auto camera = camera_of(topic)) return camera;
    } catch (const InputError& error) {  // another camera may do
      if (!refused) refused = error;
    }
  }
  if (refused) throw InputError(*refused);
  return std::nullopt;
}

std::optional<RecordedPicture> RecordedCamera::picture() const {
  constexpr double kApartNs = 1e8;
  const auto time_ns = static_cast<double>(scan_.place.time_ns);
  const auto apart = [&](const MessagePlace& place) {
    return std::abs(static_cast<double>(place.time_ns) - time_ns);
  };
  const auto nearest = std::min_element(
      pictures_->places.begin(), pictures_->places.end(),
      [&](const MessagePlace& a, const MessagePlace& b) { return apart(a) < apart(b); });
  if (apart(*nearest) > kApartNs) return std::nullopt;
  RecordedPicture picture;
  picture.where = where_of(*scan_.recording, *pictures_);
  const FileBytes bytes = scan_.recording->read(*pictures_, *nearest);
  const bool compressed = pictures_->type == kCompressedImageType;
  const ImageMessage message =
      read_image_message(bytes, compressed, pictures_->encoding, picture.where);
  if (compressed) {
    picture.packed.assign(message.data.begin(), message.data.end());
  } else {
    picture.image = rgb_image(message, picture.where);
  }
  return picture;
}

}  // namespace roadplane::kitti
