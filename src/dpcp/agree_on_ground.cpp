#include "roadplane/dpcp/agree_on_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "agreement.hpp"
#include "average_sums.hpp"
#include "own_frame.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/recycled.hpp"
#include "robust_solve.hpp"
#include "tangent_frame.hpp"

namespace roadplane {
namespace {

constexpr int kColumns = HomogeneousCloud::kLanes;  // of a view that counts in full
constexpr double kFirst = 2;    // scales of the largest distance: where a loss begins
constexpr double kFiner = 0.5;  // from one solve to the next
// The scale shrinks as long as most of the views are so near, in units of it. That finds the views
// that belong together; to average over them takes a larger one.
constexpr double kMost = 0.599;
constexpr double kNear = 0.3;
constexpr double kAveraging = 2;
constexpr double kTolerance = 0.02;       // of sums by gossip,
constexpr double kStartTolerance = 2e-3;  // and of where the first solve begins
constexpr double kRest = 2e-3;            // of the scale, at which a solve has arrived,
constexpr double kRoughRest = 2e-2;       // and at which one does that finer ones follow
// [units] of a column's length times that of a plane: both are 2, since the frame's origin is 1.73
// units above the ground and places are within a unit of it.
constexpr double kLength = 4;

/// The box around all places: the same bits for everybody.
struct Box {
  Eigen::Vector3d centre;
  double unit_m;  ///< from its centre to the ends of all radii
};

Box agree_on_box(Channel& channel, std::span<const std::optional<GroundView>> views,
                 double radius_m) {
  std::array<double, 6> most;
  most.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!views[i] || channel.gone(static_cast<int>(i))) continue;
    for (int r = 0; r < 3; ++r) {
      auto& high = most[static_cast<std::size_t>(r)];
      auto& low = most[static_cast<std::size_t>(r) + 3];
      high = std::max(high, views[i]->place(r));
      low = std::max(low, -views[i]->place(r));
    }
  }
  channel.flood_max(most);
  const Eigen::Vector3d high(most[0], most[1], most[2]);
  const Eigen::Vector3d low(-most[3], -most[4], -most[5]);
  return {(low + high) / 2, (high - low).head<2>().norm() / 2 + radius_m};
}

/// Points of a view's ground on a circle around its place; their number is its weight.
std::vector<Eigen::Vector3d> circle_of(const GroundView& view, double radius_m) {
  const Eigen::Vector3d across = view.normal.unitOrthogonal();
  const Eigen::Vector3d along = view.normal.cross(across);
  const auto count = std::clamp(static_cast<int>(std::lround(kColumns * view.weight)), 3, kColumns);
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    points.emplace_back(view.place +
                        radius_m * (std::cos(angle) * across + std::sin(angle) * along));
  }
  return points;
}

HomogeneousCloud cloud_of(const std::optional<GroundView>& view, const Box& box, double radius_m) {
  Scan points;
  if (view) {
    for (const Eigen::Vector3d& point : circle_of(*view, radius_m)) {
      const Eigen::Vector3f at = ((point - box.centre) / box.unit_m).cast<float>();
      points.push_back({at.x(), at.y(), at.z() - 1, 0});  // no point is the origin
    }
  }
  HomogeneousCloud cloud;
  cloud.assign(points);
  return cloud;
}

/// The agreement on its way, in units of the box.
class Agreement {
 public:
  Agreement(Channel& channel, std::span<const std::optional<GroundView>> views,
            const GroundAgreementOptions& options)
      : channel_(channel),
        views_(views),
        options_(options),
        box_(agree_on_box(channel, views, options.radius_m)),
        ledger_(channel) {
    for (const auto& view : views) clouds_.push_back(cloud_of(view, box_, options.radius_m));
  }

  GroundAgreement operator()() {
    if (!std::isfinite(box_.unit_m)) return {};  // nobody has a view
    begin_at_mean();
    found_.scale_m = std::max(options_.finest_m, kFirst * largest_distance());
    solve();
    while (found_.scale_m > options_.finest_m && most_are_near()) {
      found_.scale_m = std::max(options_.finest_m, kFiner * found_.scale_m);
      solve();
    }
    if (found_.scale_m > options_.finest_m) {
      found_.scale_m *= kAveraging;
      solve(kRest);
    }
    weigh();
    for (std::size_t i = 0; i < views_.size(); ++i) {
      found_.planes.push_back(in_metres(planes_[i]));
      found_.apart_m.push_back(views_[i] ? distance_m(i) : 0);
    }
    found_.traffic = ledger_.traffic();
    return std::move(found_);
  }

 private:
  /// The mean normal at the mean place. All agents begin at the same bits: of every entry the
  /// largest that anybody sees.
  void begin_at_mean() {
    constexpr int kWidth = 6;
    RecycledVector<double> rows;
    for (const auto& view : views_) {
      if (!view) {
        rows.insert(rows.end(), kWidth, 0);
        continue;
      }
      const Eigen::Vector3d place = (view->place - box_.centre) / box_.unit_m;
      const Eigen::Vector3d slope = view->normal / view->normal.z();
      rows.insert(rows.end(), {place.x(), place.y(), place.z(), slope.x(), slope.y(), 1});
    }
    average_sums(channel_, rows, kWidth, kStartTolerance, 1);
    std::array<float, 3> most;
    most.fill(-std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      if (channel_.gone(static_cast<int>(i))) continue;
      const double* sum = &rows[kWidth * i];
      const double count = std::max(sum[5], 1e-9);
      const double slope_x = sum[3] / count;
      const double slope_y = sum[4] / count;
      const double lift = (sum[2] + slope_x * sum[0] + slope_y * sum[1]) / count;
      most[0] = std::max(most[0], static_cast<float>(slope_x));
      most[1] = std::max(most[1], static_cast<float>(slope_y));
      most[2] = std::max(most[2], static_cast<float>(lift));
    }
    channel_.flood_max(most);
    // The clouds lie a unit lower, see cloud_of().
    start_ = Eigen::Vector4d(most[0], most[1], 1, 1 - most[2]);
    start_ /= start_.head<3>().norm();
    planes_.assign(clouds_.size(), start_);
  }

  void solve() { solve(found_.scale_m > options_.finest_m ? kRoughRest : kRest); }

  void solve(double rest) {
    RobustOptions robust;
    robust.rest = rest;
    robust.sought = PlaneSought::dominant;
    robust.dominant_rad = std::min(0.5, found_.scale_m / box_.unit_m / kLength);
    VrsgtOptions vrsgt;
    vrsgt.seed = options_.seed;
    RoadStart start{{CoarseFloor{start_}, {kColumns, kColumns}}};
    const OwnFrame own(start_);
    std::vector<HomogeneousCloud> moved(clouds_.size());
    for (std::size_t i = 0; i < clouds_.size(); ++i)
      moved[i].assign_moved(clouds_[i], own.motion());
    start.coordinates = agree_on_coordinates(channel_, moved, OwnFrame::floor(), robust.window(),
                                             kColumns, ledger_);
    PlaneFit fit;
    const auto w = descend(channel_, moved, *start.coordinates, vrsgt, robust, start, ledger_, fit);
    found_.iterations += fit.solve.iterations;
    ++found_.solves;
    const TangentFrame frame(OwnFrame::floor());
    std::array<float, 3> most;
    most.fill(-std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < w.size(); ++i) {
      const Eigen::Vector4d plane = own.in_file(w[i]);
      planes_[i] = plane / plane.head<3>().norm();
      if (channel_.gone(static_cast<int>(i))) continue;
      const Eigen::Vector3d offset = frame.offset(w[i]);
      for (int r = 0; r < 3; ++r) {
        auto& entry = most[static_cast<std::size_t>(r)];
        entry = std::max(entry, static_cast<float>(offset(r)));
      }
    }
    channel_.flood_max(most);
    start_ = own.in_file(frame.hyperplane({most[0], most[1], most[2]}));
    start_ /= start_.head<3>().norm();
  }

  /// n'p + offset = 0 of the frame that the views are in.
  Eigen::Vector4d in_metres(const Eigen::Vector4d& plane) const {
    const Eigen::Vector3d normal = plane.head<3>();
    const double offset_m = box_.unit_m * (plane(3) - normal.z()) - normal.dot(box_.centre);
    return {normal.x(), normal.y(), normal.z(), offset_m};
  }

  double distance_m(std::size_t i) const {
    const Eigen::Vector4d plane = in_metres(planes_[i]);
    double most = 0;
    for (const Eigen::Vector3d& point : circle_of(*views_[i], options_.radius_m))
      most = std::max(most, std::abs(plane.head<3>().dot(point) + plane(3)));
    return most;
  }

  double largest_distance() {
    double most = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (views_[i] && !channel_.gone(static_cast<int>(i))) most = std::max(most, distance_m(i));
    }
    return channel_.flood_max(most);
  }

  bool most_are_near() {
    RecycledVector<double> rows;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const bool within = views_[i] && distance_m(i) < kNear * found_.scale_m;
      rows.push_back(within ? 1 : 0);
      rows.push_back(views_[i] ? 1 : 0);
    }
    average_sums(channel_, rows, 2, kTolerance, 1);
    std::vector<Vote> votes;
    for (std::size_t i = 0; i < views_.size(); ++i)
      votes.push_back({1, rows[2 * i] > kMost * rows[2 * i + 1] ? 1U : 0U});
    return agree(channel_, votes).said != 0;
  }

  /// How many views there are, and the spread of those that count.
  void weigh() {
    constexpr int kWidth = 3;
    RecycledVector<double> rows;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      double weight = 0;
      double height_m = 0;
      if (views_[i]) {
        const double t = distance_m(i) / found_.scale_m;
        weight = t < 1 ? (1 - t * t) * (1 - t * t) : 0;
        height_m = above_plane_m(*views_[i], in_metres(planes_[i]));
      }
      const double unit_m = found_.scale_m;  // no height that counts is larger
      rows.insert(rows.end(), {weight, weight * height_m * height_m / (unit_m * unit_m),
                               views_[i] ? 1.0 : 0.0});
    }
    average_sums(channel_, rows, kWidth, kTolerance, 1);
    std::array<float, 2> most{};
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (channel_.gone(static_cast<int>(i))) continue;
      const double variance = rows[kWidth * i + 1] / std::max(rows[kWidth * i], 1e-9);
      most[0] = std::max(most[0], static_cast<float>(std::sqrt(std::max(0.0, variance))));
      most[1] = std::max(most[1], static_cast<float>(rows[kWidth * i + 2]));
    }
    channel_.flood_max(most);
    found_.spread_m = found_.scale_m * most[0];
    found_.views = std::round(most[1] * channel_.network().agents());
  }

  Channel& channel_;
  std::span<const std::optional<GroundView>> views_;
  const GroundAgreementOptions& options_;
  Box box_;
  Ledger ledger_;
  std::vector<HomogeneousCloud> clouds_;
  Eigen::Vector4d start_;                ///< the same bits for everybody
  std::vector<Eigen::Vector4d> planes_;  ///< of the hosted agents, unit normals
  GroundAgreement found_;
};

}  // namespace

double above_plane_m(const GroundView& view, const Eigen::Vector4d& plane) {
  return plane.head<3>().dot(view.place) + plane(3);
}

void GroundAgreementOptions::validate() const {
  require_range("radius_m", radius_m, 0.1, 1000);
  require_range("finest_m", finest_m, 0.001, 10);
}

GroundAgreement agree_on_ground(Channel& channel, std::span<const std::optional<GroundView>> views,
                                const GroundAgreementOptions& options) {
  options.validate();
  return Agreement(channel, views, options)();
}

}  // namespace roadplane
