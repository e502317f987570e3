#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kernels/inspection_kernel.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/kernels/support_kernel.hpp"

namespace roadplane {

/// Which points count for a hyperplane, and how much: a redescending loss with a scale on either
/// side of it. The side of the sensor is above.
struct Window {
  RobustLoss loss{};      ///< Tukey's biweight unless asked for another
  double above = 0.0125;  ///< [rad] of |w'b|, or [m] if `metric`
  double below = 0.0125;  ///< the same beyond the plane
  bool metric = false;    ///< distances in metres in place of angles
  double near_m = 0;  ///< [m] points within this range count (range / near)^2 of others; 0 is off

  Window scaled(double factor) const;
};

/// The same as the loops need it.
KernelWindow kernel_window(const Window& window);

/// What an agent looks at of its cloud: groups of 16 columns, one out of every `stride`.
struct Thinning {
  std::size_t stride = 1;
  std::uint32_t agent = 0;  ///< agents look at different places
};

ThinnedGroups looked_at(const HomogeneousCloud& cloud, const Thinning& thinning);
/// Columns of the cloud in these groups.
std::size_t columns_in(const ThinnedGroups& groups, const HomogeneousCloud& cloud);

/// Sums over a cloud's columns b, seen through a window at the unit hyperplane w; of a sample
/// of the points, or of a thinned cloud, the sums that all of them are expected to have.
/// Vectorised, in single precision with double sums.
class CloudSums {
 public:
  explicit CloudSums(const HomogeneousCloud& cloud, Thinning thinning = {})
      : cloud_(&cloud), thinning_(thinning) {}

  /// sum phi(w'b).
  double value(const Eigen::Vector4d& w, const Window& window) const;
  /// sum phi'(w'b) b.
  Eigen::Vector4d slope(const Eigen::Vector4d& w, const Window& window) const;
  /// The same over the columns that `batch` names, at two hyperplanes; never thinned.
  void batch_slopes(std::span<const std::uint32_t> batch, const Eigen::Vector4d& v,
                    const Eigen::Vector4d& w, const Window& window, Eigen::Vector4d& at_v,
                    Eigen::Vector4d& at_w) const;
  /// sum weight(w'b) b b', with phi'(y) = weight(y) y.
  Eigen::Matrix4d moment(const Eigen::Vector4d& w, const Window& window) const;
  /// The same, and sum phi''(w'b) b b'; the window must not be metric.
  struct Bowl {
    Eigen::Matrix4d moment;
    Eigen::Matrix4d curvature;
  };
  Bowl bowl(const Eigen::Vector4d& w, const Window& window) const;
  /// For each of some hyperplanes what speaks for it, see SupportRule. The last entry is the number
  /// of columns, each counted as the rule says.
  void support(std::span<const Eigen::Vector4d> planes, const SupportRule& rule,
               std::span<double> sums) const;

  /// What there is to say of a plane, see InspectionSums.
  void inspect(const InspectedPlane& plane, std::span<double> numbers) const;

 private:
  const HomogeneousCloud* cloud_;
  Thinning thinning_;
};

}  // namespace roadplane
