#include "roadplane/dpcp/agree_on_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "average_sums.hpp"
#include "ground_box.hpp"
#include "ground_scale.hpp"
#include "own_frame.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/recycled.hpp"
#include "robust_solve.hpp"
#include "tangent_frame.hpp"

namespace roadplane {
namespace {

constexpr double kFirst =
    2;  // a loss begins at so many times what would do, or the largest distance
constexpr double kFiner = 0.5;  // from one solve to the next
// The scale shrinks as long as most of the views are so near, in units of it. That finds the views
// that belong together; to average over them takes a larger one.
constexpr double kNear = 0.3;
constexpr double kAveraging = 2;
constexpr double kMuchNearer = 0.25;      // of a remembered scale: a finer one is to be looked for
constexpr int kTries = 3;                 // of coarser ones, before all begin afresh
constexpr double kTolerance = 0.02;       // of sums by gossip,
constexpr double kStartTolerance = 2e-3;  // and of where the first solve begins
constexpr double kRest = 2e-3;            // of the scale, at which a solve has arrived,
constexpr double kRoughRest = 2e-2;       // and at which one does that finer ones follow
// [units] of a column's length times that of a plane: both are 2, since the frame's origin is 1.73
// units above the ground and places are within a unit of it.
constexpr double kLength = 4;

/// The agreement on its way, in units of the box.
class Agreement {
 public:
  Agreement(Channel& channel, std::span<const std::optional<GroundView>> views,
            const GroundAgreementOptions& options)
      : channel_(channel),
        views_(views),
        options_(options),
        box_(agree_on_ground_box(channel, views, options.radius_m)),
        ledger_(channel) {
    for (const auto& view : views) clouds_.push_back(ground_columns(view, box_, options.radius_m));
  }

  GroundAgreement operator()(std::span<const std::optional<GroundMemory>> last) {
    if (!std::isfinite(box_.unit_m)) return {};  // nobody has a view
    found_.tracked = !last.empty() && begin_at(last) && goes_on();
    if (!found_.tracked) find();
    weigh();
    for (std::size_t i = 0; i < views_.size(); ++i) {
      found_.planes.push_back(in_metres(planes_[i]));
      found_.apart_m.push_back(views_[i] ? distance_m(i) : 0);
    }
    found_.memory = {in_metres(start_), found_.scale_m};
    found_.traffic = ledger_.traffic();
    return std::move(found_);
  }

 private:
  /// From the mean of all views, at ever finer scales.
  void find() {
    begin_at_mean();
    found_.scale_m = kFirst * largest_distance_m();
    if (found_.scale_m > options_.finest_m)
      found_.scale_m = std::min(found_.scale_m, kFirst * scale_of_most_m(channel_, distances_m(),
                                                                         kNear, options_.finest_m));
    found_.scale_m = std::max(options_.finest_m, found_.scale_m);
    solve();
    while (found_.scale_m > options_.finest_m && most_are_within(kNear * found_.scale_m)) {
      found_.scale_m = std::max(options_.finest_m, kFiner * found_.scale_m);
      solve();
    }
    if (found_.scale_m > options_.finest_m) {
      found_.scale_m *= kAveraging;
      solve(kRest);
    }
  }

  /// At what was remembered, if anybody does: of every number the largest, which is the plane
  /// itself where all remember the same.
  bool begin_at(std::span<const std::optional<GroundMemory>> last) {
    std::array<float, 4> most;
    most.fill(-std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < last.size(); ++i) {
      if (!last[i] || channel_.gone(static_cast<int>(i))) continue;
      const Eigen::Vector4d& plane = last[i]->plane;
      const double above_m = plane.head<3>().dot(box_.centre) + plane(3);
      const std::array<double, 4> told{plane(0) / plane(2), plane(1) / plane(2),
                                       -above_m / plane(2) / box_.unit_m, last[i]->scale_m};
      for (std::size_t r = 0; r < told.size(); ++r)
        most[r] = std::max(most[r], static_cast<float>(told[r]));
    }
    channel_.flood_max(most);
    if (!std::isfinite(most[3])) return false;
    begin_at(most[0], most[1], most[2]);
    found_.scale_m = std::max(options_.finest_m, static_cast<double>(most[3]));
    return true;
  }

  /// Whether a search would have come to about this scale, or to one that is a little coarser.
  bool goes_on() {
    for (int tries = 0; tries < kTries; ++tries) {
      solve(kRest);
      const bool finest = !(found_.scale_m > options_.finest_m);
      if (most_are_within(kNear * found_.scale_m * (finest ? kAveraging : 1)))
        return finest || !most_are_within(kNear * kMuchNearer * found_.scale_m);
      found_.scale_m *= kAveraging;
    }
    return false;
  }

  /// Slopes and height in the middle, in units of the box: the same bits for everybody.
  void begin_at(double slope_x, double slope_y, double lift) {
    start_ = Eigen::Vector4d(slope_x, slope_y, 1, 1 - lift);  // the clouds lie a unit lower
    start_ /= start_.head<3>().norm();
    planes_.assign(clouds_.size(), start_);
  }

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
    begin_at(most[0], most[1], most[2]);
  }

  void solve() { solve(found_.scale_m > options_.finest_m ? kRoughRest : kRest); }

  void solve(double rest) {
    RobustOptions robust;
    robust.rest = rest;
    robust.sought = PlaneSought::dominant;
    robust.dominant_rad = std::min(0.5, found_.scale_m / box_.unit_m / kLength);
    VrsgtOptions vrsgt;
    vrsgt.seed = options_.seed;
    RoadStart start{{CoarseFloor{start_}, {kGroundColumns, kGroundColumns}}};
    const OwnFrame own(start_);
    std::vector<HomogeneousCloud> moved(clouds_.size());
    for (std::size_t i = 0; i < clouds_.size(); ++i)
      moved[i].assign_moved(clouds_[i], own.motion());
    start.coordinates = agree_on_coordinates(channel_, moved, OwnFrame::floor(), robust.window(),
                                             kGroundColumns, ledger_);
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
    for (const Eigen::Vector3d& point : ground_circle(*views_[i], options_.radius_m))
      most = std::max(most, std::abs(plane.head<3>().dot(point) + plane(3)));
    return most;
  }

  double largest_distance_m() {
    double most = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (views_[i] && !channel_.gone(static_cast<int>(i))) most = std::max(most, distance_m(i));
    }
    return channel_.flood_max(most);
  }

  /// Of the hosted agents that have a view.
  Distances distances_m() const {
    Distances distances;
    for (std::size_t i = 0; i < views_.size(); ++i)
      distances.push_back(views_[i] ? std::optional(distance_m(i)) : std::nullopt);
    return distances;
  }
  bool most_are_within(double near_m) {
    return roadplane::most_are_within(channel_, distances_m(), near_m);
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
  GroundBox box_;
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
                                const GroundAgreementOptions& options,
                                std::span<const std::optional<GroundMemory>> last) {
  options.validate();
  return Agreement(channel, views, options)(last);
}

}  // namespace roadplane
