#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace roadplane {

/// A smooth loss that counts distant points less and less, so that outliers let go of the plane:
/// phi'(y) = weight(y) y with a weight that falls from 1 to 0. Hence phi'' <= 1. One of the list in
/// robust_losses.hpp.
class RobustLoss {
 public:
  RobustLoss() = default;  ///< the first of the list
  /// Throws FieldError naming `loss` for a name that is not in the list.
  explicit RobustLoss(std::string_view name);

  std::string_view name() const;
  double value(double y, double scale) const;
  double slope(double y, double scale) const;   ///< phi'(y)
  double width() const;                         ///< scale that suits where Tukey's is 1
  std::size_t index() const { return index_; }  ///< in the list

  friend bool operator==(const RobustLoss&, const RobustLoss&) = default;

 private:
  std::size_t index_ = 0;
};

std::span<const std::string_view> robust_loss_names();

}  // namespace roadplane
