#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kernels/inspection_kernel.hpp"
#include "roadplane/kernels/robust_loss.hpp"

namespace roadplane {

/// The scale of a loss of y = w'b at a point: rad + m / range. What a sensor and a curved road err
/// by grows with the range, what a kerb is high does not.
struct WindowScale {
  double rad = 0.0125;  ///< [rad]
  double m = 0;         ///< [m]

  double at(double range_m) const { return rad + m / range_m; }
};

/// Which points count for a hyperplane, and how much: a redescending loss with a scale on either
/// side of it. The side of the sensor is above.
struct Window {
  RobustLoss loss{};  ///< Tukey's biweight unless asked for another
  WindowScale above;  ///< on the sensor's side of the plane
  WindowScale below;  ///< and beyond
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
  /// The same, and sum phi''(w'b) b b'.
  struct Bowl {
    Eigen::Matrix4d moment;
    Eigen::Matrix4d curvature;
  };
  Bowl bowl(const Eigen::Vector4d& w, const Window& window) const;
  /// sum (1 - t^2)^3 with t = w'b in units of the scale, and how many are just below: t of -1 to
  /// -2.
  struct Support {
    double held;
    double just_below;
  };
  Support support(const Eigen::Vector4d& w, const Window& window) const;
  /// What there is to say of a plane, see InspectionSums.
  void inspect(const InspectedPlane& plane, std::span<double> numbers) const;

 private:
  const HomogeneousCloud* cloud_;
  Thinning thinning_;
};

}  // namespace roadplane
