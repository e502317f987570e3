#include "roadplane/solver/registry.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace roadplane {
namespace {

// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<AnySolverOptions>> kNames{
    "vrsgt", "destiny", "drsgd", "drgta", "dprgt", "rextra", "dprsrm"};

template <std::size_t... I>
AnySolverOptions alternative(std::size_t index, std::index_sequence<I...>) {
  AnySolverOptions options;
  ((index == I ? void(options.emplace<I>()) : void()), ...);
  return options;
}

}  // namespace

std::span<const std::string_view> solver_names() { return kNames; }

std::optional<AnySolverOptions> solver_by_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return alternative(static_cast<std::size_t>(found - kNames.begin()),
                     std::make_index_sequence<kNames.size()>());
}

}  // namespace roadplane
