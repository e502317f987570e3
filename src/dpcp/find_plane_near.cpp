#include "roadplane/dpcp/find_plane_near.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "roadplane/base/field_error.hpp"
#include "robust_solve.hpp"

namespace roadplane {
namespace {

LargestShard agree_on_largest(Channel& channel, std::span<const HomogeneousCloud> clouds) {
  std::array<float, 2> most{};
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    most[0] = std::max(most[0], static_cast<float>(clouds[i].points()));
    most[1] = std::max(most[1], static_cast<float>(clouds[i].size()));
  }
  channel.flood_max(most);
  return {most[0], static_cast<std::int64_t>(most[1])};
}

}  // namespace

PlaneFit find_plane_near(Channel& channel, std::span<const HomogeneousCloud> clouds,
                         const PlaneOptions& options, const Eigen::Vector4d& floor) {
  options.validate();
  const auto* robust = std::get_if<RobustOptions>(&options.objective);
  if (robust == nullptr) throw FieldError("objective", "robust, which can be near", "\"l3\"");
  Ledger ledger(channel);
  CoarseFloor known;
  known.plane = floor;
  known.clear = true;  // as far as anybody knows
  RoadStart start{{known, agree_on_largest(channel, clouds)}};
  if (start.search.largest.points == 0) start.search.floor.reset();
  return finished(solve_from(start, channel, clouds, options.solver, *robust, ledger), ledger);
}

}  // namespace roadplane
