#include "report_frame.hpp"

#include "roadplane/base/input_error.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/ground/road.hpp"
#include "roadplane/ground/road_edges.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/pipeline/painter.hpp"
#include "roadplane/viz/image_file.hpp"

namespace roadplane {
namespace {

using Picture = viz::Report::Picture;
using viz::OverlayStyle;

void add_note(const InputError& error, std::string& note) {
  note += (note.empty() ? "" : "; ") + std::string(error.what());
}

/// The camera's picture where nothing can be painted on it: it still shows the place.
std::vector<std::uint8_t> plain_photo(const kitti::Frame& frame, std::size_t most_bytes) {
  if (!frame.image) return {};
  try {
    return viz::encode_jpeg(viz::read_image(*frame.image), most_bytes);
  } catch (const InputError&) {  // said already by who tried to paint on it
    return {};
  }
}

/// Draws one picture after another of the same scan.
class Album {
 public:
  Album(const Painter& painter, std::size_t most_bytes)
      : painter_(painter), most_bytes_(most_bytes) {
    if (!painter.from_above()) {
      pictures_.push_back({"camera", std::nullopt, viz::encode_jpeg(painter.photo(), most_bytes)});
    }
  }
  void add(const std::string& name, const viz::LabelledCloud& cloud, OverlayStyle style) {
    const RgbImage image = painter_.draw(cloud, style);
    pictures_.push_back({name, style, viz::encode_jpeg(image, most_bytes_)});
    if (thumbnail_.empty()) thumbnail_ = viz::encode_thumbnail(image, kThumbnailWidthPx);
  }
  void move_to(viz::Report::Frame& shown) && {
    shown.pictures = std::move(pictures_);
    shown.thumbnail = std::move(thumbnail_);
  }

 private:
  const Painter& painter_;
  std::size_t most_bytes_;
  std::vector<Picture> pictures_;
  std::vector<std::uint8_t> thumbnail_;  // of the first labels
};

Painter make_painter(const kitti::Frame& frame, std::string& note) {
  try {
    return Painter(frame);
  } catch (const InputError& error) {
    add_note(error, note);
    return {};
  }
}

std::vector<std::uint8_t> truth_mask(const kitti::Frame& frame, PointSpan points,
                                     const FrameView& view, std::string& note) {
  try {
    auto truth = find_truth(frame, points, view.truth, view.target, view.scoring);
    return truth ? std::move(truth->mask) : std::vector<std::uint8_t>();
  } catch (const InputError& error) {
    add_note(error, note);
    return {};
  }
}

/// As the agents labelled it, up to what they differ by: their mean is what a record keeps.
PointLabels labels_made_anew(const MethodResult& result, PointSpan scan, const Shards& shards) {
  if (result.surface == Surface::plane) return label_points(scan, result.w, *result.threshold);
  const Network network(Graph::complete(shards.agents()));  // any connected one does
  LocalChannel channel(network);
  const std::vector<Eigen::Vector4d> planes(static_cast<std::size_t>(shards.agents()), result.w);
  if (result.surface == Surface::road) {
    return RoadFinder()(channel, scan, shards, planes, result.threshold).labels;
  }
  return find_ground(channel, scan, shards, planes, result.threshold).labels;
}

struct ShownLabels {
  std::vector<std::uint8_t> road;
  std::vector<float> heights_m;  ///< over the ground, for the colours of a cloud; may be empty
};

/// Only one that is shown alone needs heights.
ShownLabels labels_of(const MethodResult& result, PointSpan scan, const Shards& shards,
                      bool alone) {
  ShownLabels shown;
  if (!result.labels.empty()) shown.road = kitti::read_road(result.labels, scan.size());
  const bool over_ground = alone && result.surface != Surface::plane;
  if (!shown.road.empty() && !over_ground) return shown;
  const PointLabels made = labels_made_anew(result, scan, shards);
  if (shown.road.empty()) shown.road.assign(made.road.begin(), made.road.end());
  if (over_ground) shown.heights_m.assign(made.residuals.begin(), made.residuals.end());
  return shown;
}

/// Of one method everything that there is to see; of several, what each of them made of the frame.
void add_pictures(const Painter& painter, std::size_t most_bytes,
                  std::span<const MethodResult> results,
                  std::span<const std::vector<std::uint8_t>> road_of,
                  const viz::LabelledCloud& cloud, viz::Report::Frame& shown) {
  Album album(painter, most_bytes);
  const bool single = results.size() == 1;
  const bool scored = !cloud.truth.empty();
  const auto labelled = [&](std::span<const std::uint8_t> road) {
    return viz::LabelledCloud{cloud.points, road,          cloud.truth, cloud.owner,
                              {},           cloud.surface, cloud.view};
  };
  for (std::size_t m = 0; m < results.size(); ++m) {
    const auto style = single || !scored ? OverlayStyle::labels : OverlayStyle::truth;
    album.add(single ? "labels" : results[m].method, labelled(road_of[m]), style);
  }
  if (scored) album.add("truth", labelled(cloud.truth), OverlayStyle::labels);
  if (single && scored) {
    album.add("hits and misses", labelled(road_of[0]), OverlayStyle::truth);
  }
  if (single) album.add("agents", labelled(road_of[0]), OverlayStyle::agents);
  std::move(album).move_to(shown);
}

}  // namespace

std::size_t most_pictures(std::size_t methods) {
  return methods == 1 ? 5 : 2 + methods;  // see add_pictures()
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
  const Shards shards = make_shards(scan, view.shards, view.agents, view.seed);
  std::vector<std::vector<std::uint8_t>> road_of;
  std::vector<float> heights_m;  // above the ground, where one method knows them
  for (const MethodResult& result : results) {
    const auto plane = Plane::from_hyperplane(result.w);
    shown.planes.push_back({result.method, plane.value_or(Plane{})});
    ShownLabels labels = labels_of(result, scan, shards, results.size() == 1);
    road_of.push_back(std::move(labels.road));
    heights_m = std::move(labels.heights_m);
  }
  const auto truth = truth_mask(frame, scan, view, shown.note);
  const auto owner = owners(shards);
  std::optional<SeenRoad> road;
  if (results.size() == 1 && results[0].surface == Surface::road) {
    road.emplace(scan, road_of[0], results[0].w);
    shown.road = viz::report_road(*road);
  }
  const viz::LabelledCloud cloud{
      scan, {}, truth, owner, heights_m, to_string(view.target), road ? &*road : nullptr};
  const Painter painter = make_painter(frame, shown.note);
  add_pictures(painter, view.picture_bytes, results, road_of, cloud, shown);
  if (painter.from_above()) shown.photo = plain_photo(frame, view.picture_bytes);
  shown.cloud = viz::pack_cloud(cloud, road_of, view.cloud_points);
  return shown;
}

}  // namespace roadplane
