#include "roadplane/geometry/plane.hpp"

#include <cmath>

namespace roadplane {

std::optional<Plane> Plane::from_hyperplane(const Eigen::Vector4d& w, const Eigen::Vector3d& up) {
  const double scale = w.cwiseAbs().maxCoeff();
  if (!w.allFinite() || scale == 0) return std::nullopt;
  const Eigen::Vector4d scaled = w / scale;  // so that tiny or huge w neither under- nor overflows
  const double length = scaled.head<3>().norm();
  if (length < 1e-12) return std::nullopt;
  const double sign = scaled.head<3>().dot(up) < 0 ? -1 : 1;
  return Plane{sign * scaled.head<3>() / length, sign * scaled(3) / length};
}

Eigen::Vector4d Plane::hyperplane() const {
  Eigen::Vector4d w;
  w << normal, offset_m;
  return w.normalized();
}

double Plane::angular_residual(const Point& p) const {
  return roadplane::angular_residual(hyperplane(), p);
}

double angular_residual(const Eigen::Vector4d& w, const Point& p) {
  const Eigen::Vector4d b(p.x, p.y, p.z, 1.0);
  return std::abs(w.dot(b)) / b.norm();
}

}  // namespace roadplane
