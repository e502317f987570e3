#include "roadplane/kernels/robust_loss.hpp"

#include <algorithm>
#include <array>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "robust_losses.hpp"

namespace roadplane {
namespace {

using ROADPLANE_KERNELS::kScalarLoss;
using ROADPLANE_KERNELS::LossList;
using ROADPLANE_KERNELS::ScalarLoss;

template <class... Loss>
constexpr std::array<std::string_view, sizeof...(Loss)> names_of(LossList<Loss...>) {
  return {Loss::kName...};
}

template <class... Loss>
constexpr std::array<ScalarLoss, sizeof...(Loss)> scalars_of(LossList<Loss...>) {
  return {kScalarLoss<Loss>...};
}

constexpr auto kNames = names_of(ROADPLANE_KERNELS::RobustLosses{});
constexpr auto kScalars = scalars_of(ROADPLANE_KERNELS::RobustLosses{});

}  // namespace

RobustLoss::RobustLoss(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    throw FieldError("loss", alternatives(kNames), in_quotes(name));
  }
  index_ = static_cast<std::size_t>(found - kNames.begin());
}

std::string_view RobustLoss::name() const { return kNames[index_]; }

double RobustLoss::value(double y, double scale) const {
  return kScalars[index_].value(y * y / (scale * scale)) * scale * scale;
}

double RobustLoss::slope(double y, double scale) const {
  return kScalars[index_].weight(y * y / (scale * scale)) * y;
}

double RobustLoss::width() const { return kScalars[index_].width; }

std::span<const std::string_view> robust_loss_names() { return kNames; }

}  // namespace roadplane
