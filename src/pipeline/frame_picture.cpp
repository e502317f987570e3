#include "frame_picture.hpp"

#include "roadplane/kitti/recorded_camera.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/rectify.hpp"

namespace roadplane {
namespace {

std::optional<FramePicture> recorded_picture(const kitti::Frame& frame) {
  const auto camera = kitti::RecordedCamera::of(*frame.recorded);
  if (!camera) return std::nullopt;
  auto picture = camera->picture();
  if (!picture) return std::nullopt;
  FramePicture result;
  result.where = picture->where;
  result.photo = picture->packed.empty() ? std::move(picture->image)
                                         : viz::decode_image(picture->packed, picture->where);
  if (camera->lens()) result.photo = viz::rectified(result.photo, *camera->lens());
  result.projection = camera->projection();
  if (frame.reading.to_sensor) {
    result.projection =
        Projection(result.projection.matrix() * frame.reading.to_sensor->inverse().matrix());
  }
  return result;
}

}  // namespace

std::optional<FramePicture> load_picture(const kitti::Frame& frame) {
  if (frame.recorded && !frame.calibration) return recorded_picture(frame);
  const std::optional<Projection> projection = kitti::load_projection(frame);
  if (!frame.image || !projection) return std::nullopt;
  return FramePicture{frame.image->string(), viz::read_image(*frame.image), *projection};
}

}  // namespace roadplane
