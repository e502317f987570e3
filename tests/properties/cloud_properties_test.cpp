// Planes, shards and labels of any points between 1e-3 and 1e5 m.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <numeric>

#include "properties/generators.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

constexpr ResidualUnit kUnits[] = {ResidualUnit::angle, ResidualUnit::metres};

Scan turned(const Scan& scan, const Eigen::Isometry3d& motion) {
  Scan result = scan;
  for (Point& p : result) {
    const Eigen::Vector3f q = (motion * Eigen::Vector3d(p.x, p.y, p.z)).cast<float>();
    p = {q.x(), q.y(), q.z(), p.reflectance};
  }
  return result;
}

RC_GTEST_PROP(PlaneProperty, AHyperplaneOfAnyLengthAndSignIsItsPlaneAgain, ()) {
  const Plane plane = *test::plane(*test::scale_m());
  const double factor = *rc::gen::element(1e-30, -1e-6, -1.0, 3.0, 1e30);
  const auto again = Plane::from_hyperplane(factor * plane.hyperplane());
  RC_ASSERT(again.has_value());
  RC_ASSERT((again->normal - plane.normal).norm() < 1e-9);
  RC_ASSERT(std::abs(again->offset_m - plane.offset_m) <= 1e-9 * (1 + std::abs(plane.offset_m)));
}

RC_GTEST_PROP(PlaneProperty, TheRecoveryErrorIsADistance, ()) {
  const Eigen::Vector4d a = (*test::plane(10)).hyperplane();
  const Eigen::Vector4d b = (*test::plane(10)).hyperplane();
  const Eigen::Vector4d c = (*test::plane(10)).hyperplane();
  RC_ASSERT(recovery_error(a, -2 * a) < 1e-15);
  RC_ASSERT(std::abs(recovery_error(a, b) - recovery_error(-b, 3 * a)) < 1e-15);
  RC_ASSERT(recovery_error(a, c) <= recovery_error(a, b) + recovery_error(b, c) + 1e-15);
}

RC_GTEST_PROP(ShardProperty, EveryPointHasOneAgentAndSharesAreEqual, ()) {
  const Scan scan = *test::scan(*test::scale_m());
  const auto kind = *rc::gen::element(ShardKind::azimuth, ShardKind::contiguous,
                                      ShardKind::interleaved, ShardKind::random);
  const int agents = *rc::gen::inRange(1, 40);
  const Shards shards = make_shards(scan, kind, agents, 7);
  RC_ASSERT(shards.agents() == agents);
  std::vector<std::uint32_t> held(shards.order.begin(), shards.order.end());
  std::sort(held.begin(), held.end());
  std::vector<std::uint32_t> all(scan.size());
  std::iota(all.begin(), all.end(), 0U);
  RC_ASSERT(held == all);
  for (int i = 0; i < agents; ++i) {
    RC_ASSERT(shards[i].size() <= shards[agents - 1 - i].size() + 1);
  }
}

/// In double precision, point by point.
double distance(const Plane& plane, const Point& p, ResidualUnit unit) {
  return unit == ResidualUnit::metres
             ? plane.signed_distance_m(p)
             : plane.hyperplane().dot(Eigen::Vector4d(p.x, p.y, p.z, 1).normalized());
}

RC_GTEST_PROP(LabelProperty, EveryInstructionSetGivesTheBitsOfThePlainLoop, ()) {
  const double size_m = *test::scale_m();
  const Scan scan = *test::scan(size_m);
  const Plane plane = *test::plane(size_m);
  const float limit = static_cast<float>(size_m * std::abs(*test::unit()));
  for (const ResidualUnit unit : kUnits) {
    const bool angle = unit == ResidualUnit::angle;
    const Eigen::Vector4d w = angle ? plane.hyperplane()
                                    : Eigen::Vector4d(plane.normal.x(), plane.normal.y(),
                                                      plane.normal.z(), plane.offset_m);
    const Eigen::Vector4f scaled = w.cast<float>();
    const auto labelled = [&](Isa isa) {
      PointLabels labels(scan.size());
      cloud_kernels(isa).label(PointRows(scan).floats(), nullptr, scan.size(), scaled.data(), angle,
                               limit, labels.residuals.data(), labels.road.data());
      return labels;
    };
    const PointLabels plain = labelled(Isa::plain);
    for (std::size_t k = 0; k < scan.size(); ++k) {
      if (std::isinf(plain.residuals[k])) continue;  // a missing return
      const double exact = distance(plane, scan[k], unit);
      RC_ASSERT(std::abs(plain.residuals[k] - exact) <= 1e-6 * (angle ? 1 : size_m));
      RC_ASSERT((plain.road[k] != 0) == (std::abs(plain.residuals[k]) <= limit));
    }
    for (const Isa isa : available_isas()) {
      const PointLabels wide = labelled(isa);
      RC_ASSERT(std::equal(wide.residuals.begin(), wide.residuals.end(), plain.residuals.begin()));
      RC_ASSERT(std::equal(wide.road.begin(), wide.road.end(), plain.road.begin()));
    }
  }
}

/// A vehicle that turns, or counts its height from elsewhere, sees the same road. A label may
/// change where the distance is within rounding of the threshold.
RC_GTEST_PROP(LabelProperty, LabelsFollowACloudThatIsTurnedAndShifted, ()) {
  const double size_m = *test::scale_m();
  const Scan scan = *test::scan(size_m);
  const Plane plane = *test::plane(size_m);
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  motion.rotate(Eigen::AngleAxisd(std::numbers::pi * *test::unit(), Eigen::Vector3d::UnitZ()));
  motion.translation() = size_m * Eigen::Vector3d(*test::unit(), *test::unit(), *test::unit());
  const Eigen::Vector3d normal = motion.linear() * plane.normal;
  Eigen::Vector4d moved;
  moved << normal, plane.offset_m - normal.dot(motion.translation());
  const double limit = std::min(10.0, size_m * std::max(1e-3, std::abs(*test::unit())));
  const PointLabels before = label_points(scan, plane.hyperplane(), {limit, ResidualUnit::metres});
  const PointLabels after =
      label_points(turned(scan, motion), moved, {limit, ResidualUnit::metres});
  for (std::size_t k = 0; k < scan.size(); ++k) {
    if (std::isinf(before.residuals[k]) || std::isinf(after.residuals[k])) continue;
    const double distance_m = std::abs(before.residuals[k]);
    if (std::abs(distance_m - limit) > 1e-5 * size_m) RC_ASSERT(before.road[k] == after.road[k]);
  }
}

RC_GTEST_PROP(LabelProperty, ALargerThresholdLosesNoPointAndAThresholdIsReadAsItIsWritten, ()) {
  const Scan scan = *test::scan(10);
  const Plane plane = *test::plane(3);
  const double low = 1e-3 + std::abs(*test::unit());
  const double high = low * (1 + std::abs(*test::unit()));
  for (const ResidualUnit unit : kUnits) {
    const Threshold narrow{low / 2, unit};
    const Threshold wide{high / 2, unit};
    const PointLabels few = label_points(scan, plane.hyperplane(), narrow);
    const PointLabels more = label_points(scan, plane.hyperplane(), wide);
    for (std::size_t k = 0; k < scan.size(); ++k) RC_ASSERT(few.road[k] <= more.road[k]);
    RC_ASSERT(few.count() == static_cast<std::size_t>(
                                 std::count(few.road.begin(), few.road.end(), std::uint8_t{1})));
    const Threshold again = Threshold::parse(narrow.to_string());
    RC_ASSERT(again.value == narrow.value && again.unit == unit);
  }
}

RC_GTEST_PROP(ScoreProperty, CurvesDoNotDependOnTheUnitAndBoundEveryThreshold, ()) {
  const auto truth =
      *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 2));
  const auto drawn = *rc::gen::container<std::vector<double>>(truth.size(), test::unit());
  const std::vector<float> residuals(drawn.begin(), drawn.end());
  std::vector<float> larger = residuals;
  for (float& r : larger) r *= -8;
  RC_ASSERT(area_under_curve(residuals, truth) == area_under_curve(larger, truth));
  const double best = best_f1(residuals, truth);
  RC_ASSERT(best == best_f1(larger, truth) && best <= 1);
  std::vector<std::uint8_t> labels(truth.size());
  for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = std::abs(residuals[k]) < 0.25F;
  const Confusion confusion = compare_labels(labels, truth);
  RC_ASSERT(confusion.points() == truth.size());
  RC_ASSERT(confusion.f1() <= best + 1e-12);
  RC_ASSERT(confusion.iou() <= confusion.f1());
}

}  // namespace
}  // namespace roadplane
