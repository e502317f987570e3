#include "inspection.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

#include "agreement.hpp"
#include "average_sums.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/kernels/inspection_kernel.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kSampleGroups = 960;  // of 16 points each, of all agents
constexpr double kTolerance = 0.1;          // moves an interval's width by 1 % or so

// Where a plane is doubted.
constexpr double kLeastOn = 50;      // points on the plane
constexpr double kMostBelow = 0.2;   // of the points on the plane
constexpr double kMostMoved = 0.02;  // [sine] by the plane, if the scale shrinks by kNarrower

constexpr double kMostHeightM = 0.5;  // [m] and
constexpr double kMostTiltDeg = 10;   // [deg] half the intervals of a plane that is known

constexpr double kNarrower = 0.7;
constexpr double kOn = 0.0125;  // [rad] the dominant plane's scale

constexpr double kQuantile = 3.182;  // t_3(0.975): what three wavelengths say of a variance

/// The frame in which a plane is looked at: its normal first, then two axes in the plane.
struct View {
  Eigen::Vector3d normal;
  double height_m;
  Eigen::Matrix3d turn;  ///< takes the normal to z by the shortest way

  explicit View(const Eigen::Vector4d& w) {
    const double length = w.head<3>().norm();
    normal = w.head<3>() / length;
    height_m = w(3) / length;
    turn = Eigen::Quaterniond::FromTwoVectors(normal, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
};

InspectedPlane as_inspected(const Eigen::Vector4d& w, const RobustOptions& options) {
  const View view(w);
  RobustOptions biweight = options;
  biweight.loss = RobustLoss();
  const Window window = biweight.window();
  InspectedPlane plane{};
  std::copy_n(w.data(), 4, plane.w);
  for (int a = 0; a < 2; ++a) {
    for (int r = 0; r < 3; ++r) plane.axes[a][r] = view.turn(a, r);
  }
  plane.height_m = view.height_m;
  plane.window = kernel_window(window);
  plane.narrower = static_cast<float>(kNarrower);
  plane.on = static_cast<float>(kOn);
  return plane;
}

Eigen::Matrix3d curvature_of(const InspectionSums& sums, const View& view) {
  Eigen::Matrix3d h;
  const double* entry = sums.curvature;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) h(r, c) = h(c, r) = *entry++;
  }
  const double n2 = 1 + view.height_m * view.height_m;
  const Eigen::Vector3d sphere(1 / n2, 1 / n2, 1 / (n2 * n2));
  h.diagonal() -= sphere * sums.slope_y;
  return h;
}

/// What the score's waves around the sensor say of its variance: errors of a road are correlated
/// over metres, so that points cannot be counted as independent. Waves of length 2 to 4 around the
/// sensor are not balanced by the plane itself, and the errors in them are as large as in the slow
/// ones that move it.
Eigen::Matrix3d score_variance(const InspectionSums& sums) {
  using Complex = std::complex<double>;
  std::array<Complex, 6> p{};  // p[1] = 0: the plane is at rest
  for (int k = 2; k <= 5; ++k) p[k] = {sums.tilt_waves[2 * k - 4], sums.tilt_waves[2 * k - 3]};
  Eigen::Matrix3d variance = Eigen::Matrix3d::Zero();
  for (int k = 2; k <= 4; ++k) {
    const Complex a = (p[k + 1] + p[k - 1]) / 2.0;
    const Complex b = (p[k + 1] - p[k - 1]) / Complex(0, 2);
    const Complex r{sums.height_waves[2 * k - 4], sums.height_waves[2 * k - 3]};
    const Eigen::Vector3d cosine(a.real(), b.real(), r.real());
    const Eigen::Vector3d sine(a.imag(), b.imag(), r.imag());
    variance += (cosine * cosine.transpose() + sine * sine.transpose()) / 3;
  }
  return variance;
}

struct Spread {
  Eigen::Matrix3d variance;
  Eigen::Vector3d step;  ///< that the plane would take at the narrower scale

  /// Half the interval of what grows along `direction`, of two rotations and the height. What is no
  /// road pulls the plane from every side, which no wave shows, and pulls about in proportion to
  /// the scale: the pull to expect is the step that the plane would take if the scale shrank on to
  /// nothing.
  double half(const Eigen::Vector3d& direction) const {
    const double pull = direction.dot(step) / (1 - kNarrower);
    return std::sqrt(kQuantile * kQuantile * direction.dot(variance * direction) + pull * pull);
  }
};

/// What of a wave in the height no tilt can follow. All of it where the sensor sees all around; in
/// a narrow sector height and tilt are nearly the same, the plane follows the waves, and what is
/// left of them in the score is too small by this.
double left_of_waves(const Eigen::Matrix3d& curvature) {
  const double shared = curvature.block<2, 1>(0, 2).squaredNorm();
  const double most = curvature.topLeftCorner<2, 2>().trace() * curvature(2, 2);
  return 1 - shared / most;  // > 0 with a positive definite curvature
}

std::optional<Spread> spread_of(const InspectionSums& sums, const View& view) {
  const Eigen::Matrix3d bowl = curvature_of(sums, view);
  const Eigen::LDLT<Eigen::Matrix3d> curvature(bowl);
  if (curvature.info() != Eigen::Success || !(curvature.vectorD().minCoeff() > 0)) return {};
  const Eigen::Vector3d step = curvature.solve(Eigen::Map<const Eigen::Vector3d>(sums.narrow));
  const Eigen::Matrix3d half = curvature.solve(score_variance(sums));
  return Spread{curvature.solve(half.transpose()) / left_of_waves(bowl), step};
}

void add_intervals(const Spread& spread, const View& view, const OwnFrame& own, Finding& finding) {
  const double half_m = spread.half(Eigen::Vector3d::UnitZ());
  const double height_m = view.normal.dot(own.file_origin()) + view.height_m;
  finding.height_m = Interval{height_m - half_m, height_m + half_m};
  // The tilt changes by turning about the axis across its own direction.
  constexpr double kDegrees = 180 / std::numbers::pi;
  const Eigen::Vector3d tilted = view.turn * own.file_up();
  const double sine = tilted.head<2>().norm();
  const Eigen::Vector2d along =
      sine > 0 ? Eigen::Vector2d(tilted.head<2>() / sine) : Eigen::Vector2d::UnitX();
  const double half_deg = kDegrees * spread.half({along.x(), along.y(), 0});
  const double across_deg = kDegrees * spread.half({-along.y(), along.x(), 0});
  const double tilt_deg = kDegrees * std::atan2(sine, std::abs(tilted.z()));
  // A level plane is off in either of two directions.
  const bool maybe_level = tilt_deg <= std::hypot(half_deg, across_deg);
  const double low_deg = maybe_level ? 0 : tilt_deg - half_deg;
  finding.tilt_deg = Interval{low_deg, tilt_deg + half_deg};
}

/// [sine] between hyperplanes, of a small turn and lift in the view's frame.
double moved(const Eigen::Vector3d& step, const View& view) {
  const double n2 = 1 + view.height_m * view.height_m;
  return std::sqrt(step.head<2>().squaredNorm() / n2 + step(2) * step(2) / (n2 * n2));
}

void add_doubts(const InspectionSums& sums, double agents, const CoarseFloor& start,
                const View& view, const std::optional<Spread>& spread, Finding& finding) {
  const auto doubt_if = [&finding](bool doubtful, Doubt doubt) {
    if (doubtful) finding.doubts |= static_cast<std::uint32_t>(doubt);
  };
  doubt_if(finding.mounting != Mounting::expected, Doubt::outside_prior);
  doubt_if(sums.on * agents < kLeastOn, Doubt::few_points);
  doubt_if(!start.clear, Doubt::no_contrast);
  doubt_if(sums.below > kMostBelow * sums.on, Doubt::points_below);
  doubt_if(start.rival, Doubt::rival);
  const auto half = [](const Interval& interval) { return (interval.high - interval.low) / 2; };
  const bool vague = finding.height_m && (half(*finding.height_m) > kMostHeightM ||
                                          half(*finding.tilt_deg) > kMostTiltDeg);
  doubt_if(!spread || vague || moved(spread->step, view) > kMostMoved, Doubt::unsteady);
}

/// What an agent finds from its view of everybody's sums.
Finding view_of(const InspectionSums& sums, const Eigen::Vector4d& w, double agents,
                const RobustOptions& options, const CoarseFloor& start, const OwnFrame& own) {
  const View view(w);
  const std::optional<Spread> spread = spread_of(sums, view);
  Eigen::Vector4d floor = own.in_file(w);
  floor /= floor.head<3>().norm();
  Finding finding;
  finding.mounting = mounting_of(floor, options.prior);
  int axis = 0;
  floor.head<3>().cwiseAbs().maxCoeff(&axis);
  finding.up_axis = "xyz"[axis];
  finding.support = sums.on / std::max(sums.columns, 1e-30);
  if (spread) add_intervals(*spread, view, own, finding);
  add_doubts(sums, agents, start, view, spread, finding);
  return finding;
}

}  // namespace

Expense inspection_expense(const Channel& channel) {
  const Network& network = channel.network();
  const int rounds =
      gossip_rounds(network.round_factor, tolerance_of_sums(network, kTolerance), network.steady());
  const std::int64_t bytes = wire_bytes(InspectionSums::kNumbers, Wire::half, network);
  return {Traffic{rounds, rounds, rounds * bytes} + flood_traffic(network),
          Sampling(channel, 0).points(kSampleGroups)};
}

Finding inspect_plane(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      std::span<const Eigen::Vector4d> planes, const RobustOptions& options,
                      const FloorSearch& start, const OwnFrame& own, Ledger& ledger) {
  constexpr int kWidth = InspectionSums::kNumbers;
  RecycledVector<double> rows(clouds.size() * kWidth);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    sums.inspect(as_inspected(planes[i], options), std::span(rows).subspan(i * kWidth, kWidth));
  }
  ledger.count_samples(Sampling(channel, 0).points(kSampleGroups));
  average_sums(channel, rows, kWidth, kTolerance, start.largest.points);

  std::vector<Finding> views;
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    InspectionSums sums{};
    std::memcpy(&sums, &rows[i * kWidth], sizeof(sums));
    views.push_back(
        view_of(sums, planes[i], channel.network().agents(), options, *start.floor, own));
    votes.push_back({1, views.back().doubts});
  }
  for (std::size_t i = 1; i < views.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    views.front().support = std::max(views.front().support, views[i].support);
  }
  views.front().doubts = static_cast<std::uint32_t>(agree(channel, votes).said);
  return views.front();
}

}  // namespace roadplane
