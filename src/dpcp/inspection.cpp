#include "inspection.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

#include "average_sums.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/kernels/inspection_kernel.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kSampleGroups = 960;  // of 16 points each, of all agents
constexpr double kTolerance = 0.1;          // moves an interval's width by 1 % or so

// Where a plane is doubted; each lies in a gap between the recordings and clouds without a road.
constexpr double kLeastOn = 50;          // points on the plane
constexpr double kLeastSupport = 0.18;   // per point
constexpr double kLeastContrast = 1.95;  // density on the plane, of that beside it
constexpr double kLeastSpread = 0.004;   // least second moment along the plane
constexpr double kMostBelow = 0.2;       // of the points on the plane
constexpr double kMostRival = 1;         // of the plane's support
constexpr double kMostMoved = 0.02;      // [sine] by the plane, if the scale shrinks by kNarrower

constexpr double kMostHeightM = 0.25;  // [m] and
constexpr double kMostTiltDeg = 5;     // [deg] half the intervals of a plane that is known

constexpr double kNarrower = 0.7;
constexpr double kOn = 0.0125;  // [rad] the dominant plane's scale

// Intervals: 1.2 t_6(0.975), and a quarter of the squared step that the plane would take at the
// narrower scale as a measure of its bias (bench/interval_study).
constexpr double kQuantile = 1.2 * 2.447;
constexpr double kBiasPart = 0.25;
constexpr double kFromZero = 1.249;  // below so many half widths a tilt may as well be 0

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
  plane.support = static_cast<float>(kSupportScale);
  plane.blame = static_cast<float>(kSupportBlame);
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
  Eigen::Matrix3d covariance;
  Eigen::Vector3d step;  ///< that the plane would take at the narrower scale
};

std::optional<Spread> spread_of(const InspectionSums& sums, const View& view) {
  const Eigen::LDLT<Eigen::Matrix3d> curvature(curvature_of(sums, view));
  if (curvature.info() != Eigen::Success || !(curvature.vectorD().minCoeff() > 0)) return {};
  const Eigen::Vector3d step = curvature.solve(Eigen::Map<const Eigen::Vector3d>(sums.narrow));
  const Eigen::Matrix3d half = curvature.solve(score_variance(sums));
  const Eigen::Matrix3d covariance = curvature.solve(half.transpose());
  return Spread{covariance + kBiasPart * step * step.transpose(), step};
}

void add_intervals(const Spread& spread, const View& view, Finding& finding) {
  const double half_m = kQuantile * std::sqrt(spread.covariance(2, 2));
  finding.height_m = Interval{view.height_m - half_m, view.height_m + half_m};
  // The tilt changes by turning about the axis across its own direction.
  const Eigen::Vector3d tilted = view.turn * Eigen::Vector3d(view.normal.x(), view.normal.y(), 0);
  const Eigen::Vector2d direction = tilted.head<2>().norm() > 0
                                        ? Eigen::Vector2d(tilted.head<2>().normalized())
                                        : Eigen::Vector2d::UnitX();
  const double variance = direction.dot(spread.covariance.topLeftCorner<2, 2>() * direction);
  const double half_deg = kQuantile * std::sqrt(variance) * 180 / std::numbers::pi;
  const double tilt_deg =
      std::acos(std::clamp(std::abs(view.normal.z()), 0.0, 1.0)) * 180 / std::numbers::pi;
  const bool maybe_level = tilt_deg <= kFromZero * half_deg;
  finding.tilt_deg = Interval{maybe_level ? 0 : tilt_deg - half_deg, tilt_deg + half_deg};
}

/// [sine] between hyperplanes, of a small turn and lift in the view's frame.
double moved(const Eigen::Vector3d& step, const View& view) {
  const double n2 = 1 + view.height_m * view.height_m;
  return std::sqrt(step.head<2>().squaredNorm() / n2 + step(2) * step(2) / (n2 * n2));
}

void add_doubts(const InspectionSums& sums, double agents, const Eigen::Vector4d& w,
                const RobustOptions& options, const Hypotheses& hypotheses, double plane_spread,
                const std::optional<Spread>& spread, Finding& finding) {
  const auto doubt_if = [&finding](bool doubtful, Doubt doubt) {
    if (doubtful) finding.doubts |= static_cast<std::uint32_t>(doubt);
  };
  const double support = sums.support / std::max(sums.columns, 1e-30);
  doubt_if(!options.prior.admits(w), Doubt::outside_prior);
  doubt_if(sums.on * agents < kLeastOn, Doubt::few_points);
  doubt_if(support < kLeastSupport, Doubt::little_support);
  doubt_if(2 * sums.on < kLeastContrast * sums.beside, Doubt::no_contrast);
  doubt_if(plane_spread < kLeastSpread, Doubt::narrow);
  doubt_if(sums.below > kMostBelow * sums.on, Doubt::points_below);
  doubt_if(hypotheses.rival_support(w) > kMostRival * support, Doubt::rival);
  const auto half = [](const Interval& interval) { return (interval.high - interval.low) / 2; };
  const bool vague = finding.height_m && (half(*finding.height_m) > kMostHeightM ||
                                          half(*finding.tilt_deg) > kMostTiltDeg);
  doubt_if(!spread || vague || moved(spread->step, View(w)) > kMostMoved, Doubt::unsteady);
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
                      const Hypotheses& hypotheses, double plane_spread, Ledger& ledger) {
  constexpr int kWidth = InspectionSums::kNumbers;
  RecycledVector<double> rows(clouds.size() * kWidth);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    sums.inspect(as_inspected(towards_sensor(planes[i]), options),
                 std::span(rows).subspan(i * kWidth, kWidth));
  }
  ledger.count_samples(Sampling(channel, 0).points(kSampleGroups));
  average_sums(channel, rows, kWidth, kTolerance, hypotheses.largest_shard);

  InspectionSums sums{};
  std::memcpy(&sums, rows.data(), sizeof(sums));
  const Eigen::Vector4d w = towards_sensor(planes.front());
  const View view(w);
  const std::optional<Spread> spread = spread_of(sums, view);
  Finding finding;
  finding.mounting = mounting_of(w, options.prior);
  int axis = 0;
  w.head<3>().cwiseAbs().maxCoeff(&axis);
  finding.up_axis = "xyz"[axis];
  if (spread) add_intervals(*spread, view, finding);
  add_doubts(sums, channel.network().agents(), w, options, hypotheses, plane_spread, spread,
             finding);
  std::array<float, 1> told{static_cast<float>(finding.doubts)};
  broadcast_from(channel, 0, told);
  finding.doubts = static_cast<std::uint32_t>(told[0]);
  return finding;
}

}  // namespace roadplane
