#include "report_frame.hpp"

#include "roadplane/base/input_error.hpp"
#include "roadplane/pipeline/frame_output.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/viz/birds_eye.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/overlay.hpp"

namespace roadplane {
namespace {

using Picture = viz::Report::Picture;
using viz::OverlayStyle;

/// The labels that the run gave, found again from the plane and the threshold that it recorded.
std::vector<std::uint8_t> labels_of(PointSpan points, const MethodResult& result) {
  const Eigen::Vector4d w = result.w(3) < 0 ? Eigen::Vector4d(-result.w) : result.w;
  std::vector<float> distances;
  residuals(points, w, result.unit, distances);
  std::vector<std::uint8_t> road;
  label_road(distances, result.threshold, road);
  return road;
}

void add_note(const InputError& error, std::string& note) {
  note += (note.empty() ? "" : "; ") + std::string(error.what());
}

/// Draws one picture after another of the same scan.
class Painter {
 public:
  /// Without a photo or a calibration the scan is seen from above.
  Painter(const kitti::Frame& frame, std::size_t most_bytes) : most_bytes_(most_bytes) {
    projection_ = kitti::load_projection(frame);
    if (frame.image && projection_) photo_ = viz::read_image(*frame.image);
  }
  explicit Painter(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void add_photo(std::vector<Picture>& pictures) const {
    if (photo_.empty()) return;
    pictures.push_back({"camera", std::nullopt, viz::encode_jpeg(photo_, most_bytes_)});
  }
  void add(const std::string& name, const viz::LabelledCloud& cloud, OverlayStyle style,
           std::vector<Picture>& pictures) const {
    pictures.push_back({name, style, viz::encode_jpeg(draw(cloud, style), most_bytes_)});
  }

 private:
  RgbImage draw(const viz::LabelledCloud& cloud, OverlayStyle style) const {
    if (photo_.empty()) {
      viz::BirdsEyeOptions options;
      options.style = style;
      options.color_key = false;  // the page has its own
      return viz::draw_birds_eye(cloud, {}, options).image;
    }
    viz::OverlayOptions options;
    options.style = style;
    options.color_key = false;
    return viz::draw_overlay(photo_, *projection_, cloud, {}, options).image;
  }

  std::size_t most_bytes_;
  std::optional<Projection> projection_;
  RgbImage photo_;
};

Painter make_painter(const kitti::Frame& frame, const FrameView& view, std::string& note) {
  try {
    return Painter(frame, view.picture_bytes);
  } catch (const InputError& error) {
    add_note(error, note);
    return Painter(view.picture_bytes);
  }
}

std::vector<std::uint8_t> truth_mask(const kitti::Frame& frame, PointSpan points,
                                     const std::string& wanted, std::string& note) {
  try {
    auto truth = find_truth(frame, points, wanted);
    return truth ? std::move(truth->mask) : std::vector<std::uint8_t>();
  } catch (const InputError& error) {
    add_note(error, note);
    return {};
  }
}

/// Of one method everything that there is to see; of several, what each of them made of the frame.
std::vector<Picture> pictures_of(const Painter& painter, std::span<const MethodResult> results,
                                 std::span<const std::vector<std::uint8_t>> road_of,
                                 const viz::LabelledCloud& cloud) {
  std::vector<Picture> pictures;
  painter.add_photo(pictures);
  const bool single = results.size() == 1;
  const bool scored = !cloud.truth.empty();
  const auto labelled = [&](std::span<const std::uint8_t> road) {
    return viz::LabelledCloud{cloud.points, road, cloud.truth, cloud.owner};
  };
  for (std::size_t m = 0; m < results.size(); ++m) {
    const auto style = single || !scored ? OverlayStyle::labels : OverlayStyle::truth;
    painter.add(single ? "labels" : results[m].method, labelled(road_of[m]), style, pictures);
  }
  if (scored) painter.add("truth", labelled(cloud.truth), OverlayStyle::labels, pictures);
  if (!single) return pictures;
  if (scored) painter.add("hits and misses", labelled(road_of[0]), OverlayStyle::truth, pictures);
  painter.add("agents", labelled(road_of[0]), OverlayStyle::agents, pictures);
  return pictures;
}

}  // namespace

std::size_t most_pictures(std::size_t methods) {
  return methods == 1 ? 5 : 2 + methods;  // see pictures_of()
}

viz::Report::Frame report_frame(const kitti::Frame& frame, std::size_t points,
                                std::span<const MethodResult> results, const FrameView& view) {
  const Scan scan = kitti::load_scan(frame);
  if (scan.size() != points) {
    throw InputError(frame.scan.string(), std::to_string(points) + " points, as in the run",
                     std::to_string(scan.size()));
  }
  viz::Report::Frame shown;
  shown.name = frame.name();
  std::vector<std::vector<std::uint8_t>> road_of;
  for (const MethodResult& result : results) {
    const auto plane = Plane::from_hyperplane(result.w);
    shown.planes.push_back({result.method, plane.value_or(Plane{})});
    road_of.push_back(labels_of(scan, result));
  }
  const auto truth = truth_mask(frame, scan, view.truth, shown.note);
  const auto owner = owners(make_shards(scan, view.shards, view.agents, view.seed));
  const viz::LabelledCloud cloud{scan, {}, truth, owner};
  shown.pictures = pictures_of(make_painter(frame, view, shown.note), results, road_of, cloud);
  shown.cloud = viz::pack_cloud(cloud, road_of, view.cloud_points);
  return shown;
}

}  // namespace roadplane
