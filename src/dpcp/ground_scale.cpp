#include "ground_scale.hpp"

#include <cmath>
#include <cstdint>

#include "agreement.hpp"
#include "average_sums.hpp"
#include "roadplane/base/recycled.hpp"

namespace roadplane {
namespace {

constexpr double kMost = 0.599;      // a share that is more than this is most
constexpr double kTolerance = 0.02;  // of counts by gossip
constexpr int kScales = 7;           // that are looked at, from the finest up

}  // namespace

bool most_are_within(Channel& channel, const Distances& distances_m, double near_m) {
  RecycledVector<double> rows;
  for (const auto& distance_m : distances_m) {
    rows.push_back(distance_m && *distance_m < near_m ? 1 : 0);
    rows.push_back(distance_m ? 1 : 0);
  }
  average_sums(channel, rows, 2, kTolerance, 1);
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < distances_m.size(); ++i)
    votes.push_back({1, rows[2 * i] > kMost * rows[2 * i + 1] ? 1U : 0U});
  return agree(channel, votes).said != 0;
}

double scale_of_most_m(Channel& channel, const Distances& distances_m, double near,
                       double finest_m) {
  constexpr std::size_t kWidth = kScales + 1;
  const auto scale_m = [&](std::uint64_t k) { return std::ldexp(finest_m, static_cast<int>(k)); };
  RecycledVector<double> rows;
  for (const auto& distance_m : distances_m) {
    for (std::uint64_t k = 0; k < kScales; ++k)
      rows.push_back(distance_m && *distance_m < near * scale_m(k) ? 1 : 0);
    rows.push_back(distance_m ? 1 : 0);
  }
  average_sums(channel, rows, kWidth, kTolerance, 1);
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < distances_m.size(); ++i) {
    const double* within = &rows[kWidth * i];
    std::uint64_t k = 0;
    while (k < kScales && !(within[k] > kMost * within[kScales])) ++k;
    votes.push_back({1, k});
  }
  return scale_m(agree(channel, votes).said);
}

}  // namespace roadplane
