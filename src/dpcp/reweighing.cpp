#include "reweighing.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <optional>

#include "average_sums.hpp"
#include "roadplane/base/recycled.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

// Groups of 16 points, of all agents: enough to find the way to the right minimum, to begin near
// it, and to tell two planes' support apart. With fewer for Newton's steps some frames take 300
// rounds (bench/plane_study).
constexpr std::size_t kRoughGroups = 256;
constexpr std::size_t kNewtonGroups = 480;
constexpr std::size_t kDecidingGroups = 480;
// Tolerances of steps on the way, of the one after which a solver begins, and where something is
// decided.
constexpr double kRough = 0.1;
constexpr double kClose = 0.03;
constexpr double kExact = 0.01;
constexpr int kTriangle = 6;  // of a symmetric 3 x 3 matrix
constexpr int kStepWidth = kTriangle + 3;
constexpr int kNewtonWidth = 2 * kTriangle + 3;

// Least curvature that is believed, of the weighted moment: a step of Newton's is at most five
// times as long as one of reweighted least squares.
constexpr double kLeastCurvature = 0.2;

double* pack_matrix(const Eigen::Matrix3d& matrix, double* entry) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) *entry++ = matrix(r, c);
  }
  return entry;
}

double* pack_vector(const Eigen::Vector3d& vector, double* entry) {
  return std::copy_n(vector.data(), 3, entry);
}

Eigen::Matrix3d unpack_matrix(const double* entry) {
  Eigen::Matrix3d matrix;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) matrix(r, c) = matrix(c, r) = *entry++;
  }
  return matrix;
}

Eigen::Matrix3d regular(const Eigen::Matrix3d& moment) {
  constexpr double kRegular = 1e-4;  // of the trace, which half precision blurs by more
  return moment + (kRegular * std::abs(moment.trace()) + 1e-30) * Eigen::Matrix3d::Identity();
}

/// By the leading minors (Sylvester): cheaper than a root for matrices this small.
bool is_positive(const Eigen::Matrix3d& m) {
  return m(0, 0) > 0 && m(0, 0) * m(1, 1) > m(1, 0) * m(1, 0) && m.determinant() > 0;
}

/// Where matrix x = right; nothing if the matrix is not positive.
std::optional<Eigen::Vector3d> solved(const Eigen::Matrix3d& matrix, const Eigen::Vector3d& right) {
  if (!is_positive(matrix)) return std::nullopt;
  const Eigen::Vector3d x = matrix.inverse() * right;
  return x.allFinite() ? std::optional(x) : std::nullopt;
}

/// m as it is seen from other axes, the columns of `turn`.
Eigen::Matrix4d turned(const Eigen::Matrix4d& m, const Eigen::Matrix4d& turn) {
  const Eigen::Matrix4d half = m * turn;
  return turn.transpose() * half;
}

Eigen::Matrix4d beside(const TangentFrame::Axes& axes, const Eigen::Vector4d& last) {
  Eigen::Matrix4d all;
  all << axes, last;
  return all;
}

/// The curvature, kept between part of the moment and the moment: less is where the loss bends down
/// on the way to its minimum, more cannot be.
Eigen::Matrix3d kept(const Eigen::Matrix3d& curvature, const Eigen::Matrix3d& moment) {
  if (is_positive(curvature - kLeastCurvature * moment) && is_positive(moment - curvature)) {
    return curvature;  // as mostly
  }
  const Eigen::LLT<Eigen::Matrix3d> root(moment);
  if (root.info() != Eigen::Success) return moment;
  const Eigen::Matrix3d lower = root.matrixL();
  const Eigen::Matrix3d half = root.matrixL().solve(curvature);
  const Eigen::Matrix3d relative = root.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(relative);
  const Eigen::Vector3d values = eigen.eigenvalues().cwiseMax(kLeastCurvature).cwiseMin(1.0);
  const Eigen::Matrix3d axes = lower * eigen.eigenvectors();
  return axes * values.asDiagonal() * axes.transpose();
}

/// Newton's step.
Eigen::Vector3d newton(const Eigen::Matrix3d& moment, const Eigen::Matrix3d& curvature,
                       const Eigen::Vector3d& right, const Eigen::Vector3d& was) {
  const auto step = solved(kept(curvature, regular(moment)), right - curvature * was);
  return step ? was + *step : was;
}

}  // namespace

CloudSums Reweighing::sums_of(std::size_t i, std::size_t groups) const {
  return CloudSums(clouds_[i], Sampling(channel_, i)(clouds_[i], groups));
}

void Reweighing::average(std::span<double> rows, int width, double tolerance) const {
  average_sums(channel_, rows, width, tolerance, points_);
  for (double& number : rows) number /= points_;
}

void Reweighing::steps(int count, std::span<AgentPlanes* const> planes,
                       const Window& window) const {
  const int width = kStepWidth * static_cast<int>(planes.size());
  for (int step = 0; step < count; ++step) {
    RecycledVector<double> rows(clouds_.size() * static_cast<std::size_t>(width));
    double* row = rows.data();
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      for (const AgentPlanes* chain : planes) {
        const Eigen::Matrix4d axes = beside(chain->frame.axes(), chain->frame.origin());
        const Eigen::Matrix4d moment =
            turned(sums_of(i, kRoughGroups).moment(chain->w[i], window), axes);
        row = pack_matrix(moment.topLeftCorner<3, 3>(), row);
        row = pack_vector(-moment.topRightCorner<3, 1>(), row);
      }
    }
    ledger_.count_samples(Sampling(channel_, 0).points(kRoughGroups));
    average(rows, width, kRough);
    const double* agreed = rows.data();
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      for (AgentPlanes* const chain : planes) {
        const auto offset = solved(regular(unpack_matrix(agreed)),
                                   Eigen::Map<const Eigen::Vector3d>(agreed + kTriangle));
        if (offset) chain->w[i] = chain->frame.hyperplane(*offset);
        agreed += kStepWidth;
      }
    }
  }
}

void Reweighing::steps(int count, AgentPlanes& planes, const Window& window) const {
  AgentPlanes* one[] = {&planes};
  steps(count, one, window);
}

std::vector<Reweighing::Moments> Reweighing::newton_steps(int count, AgentPlanes& planes,
                                                          const Window& window) const {
  const TangentFrame& frame = planes.frame;
  std::vector<Moments> moments(clouds_.size());
  for (int step = 1; step <= count; ++step) {
    const bool last = step == count;
    RecycledVector<double> rows(clouds_.size() * kNewtonWidth);
    double* row = rows.data();
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      const Eigen::Vector4d& w = planes.w[i];
      const TangentFrame::Axes along = frame.axes() - w * (w.transpose() * frame.axes());
      const Eigen::Matrix4d axes = beside(along, w);
      const CloudSums::Bowl bowl = sums_of(i, kNewtonGroups).bowl(w, window);
      const Eigen::Matrix4d moment = turned(bowl.moment, axes);
      const Eigen::Matrix3d curvature = turned(bowl.curvature, axes).topLeftCorner<3, 3>();
      const Eigen::Vector3d slope =
          last ? Eigen::Vector3d(along.transpose() * CloudSums(clouds_[i]).slope(w, window))
               : Eigen::Vector3d(moment.topRightCorner<3, 1>());
      moments[i].own = bowl.moment / points_;
      row = pack_matrix(moment.topLeftCorner<3, 3>(), row);
      row = pack_matrix(curvature, row);
      row = pack_vector(curvature * frame.offset(w) - slope, row);
    }
    ledger_.count_samples(Sampling(channel_, 0).points(kNewtonGroups) + (last ? columns_ : 0));
    average(rows, kNewtonWidth, last ? kClose : kRough);
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      const double* agreed = &rows[i * kNewtonWidth];
      moments[i].agreed = unpack_matrix(agreed);
      planes.w[i] = frame.hyperplane(
          newton(moments[i].agreed, unpack_matrix(agreed + kTriangle),
                 Eigen::Map<const Eigen::Vector3d>(agreed + std::ptrdiff_t{2} * kTriangle),
                 frame.offset(planes.w[i])));
    }
  }
  return moments;
}

std::vector<double> Reweighing::support(std::span<const Weighing> weighings) const {
  std::size_t width = 1;
  for (const Weighing& weighing : weighings) width += weighing.planes.size();
  RecycledVector<double> rows(clouds_.size() * width);
  std::vector<Eigen::Vector4d> own;
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    double* row = &rows[i * width];
    for (const auto& [planes, rule] : weighings) {
      own.clear();
      for (const AgentPlanes* one : planes) own.push_back(one->w[i]);
      // The number of points comes last, where the next rule's numbers begin.
      sums_of(i, kDecidingGroups).support(own, rule, {row, own.size() + 1});
      row += own.size();
    }
  }
  ledger_.count_samples(Sampling(channel_, 0).points(kDecidingGroups));
  average(rows, static_cast<int>(width), kExact);
  rows.resize(width);
  return {rows.begin(), rows.end()};
}

}  // namespace roadplane
