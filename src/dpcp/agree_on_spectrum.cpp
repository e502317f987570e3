#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr int kMomentWidth = 11;  // the lower triangle of a 4 x 4 matrix, and the point count

void pack(const HomogeneousCloud& shard, double* row) {
  const double count = static_cast<double>(shard.size());
  const Eigen::Matrix4d sum = count * shard.second_moment();
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) *row++ = sum(r, c);
  }
  *row = count;
}

Spectrum unpack(const double* row, int agents) {
  const double mean_count = row[kMomentWidth - 1];
  Eigen::Matrix4d moment;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      moment(r, c) = moment(c, r) = mean_count > 0 ? *row / mean_count : 0;
      ++row;
    }
  }
  return {moment, mean_count * agents};
}

}  // namespace

std::vector<Spectrum> agree_on_spectrum(Channel& channel, std::span<const HomogeneousCloud> clouds,
                                        double tolerance) {
  std::vector<double> rows(clouds.size() * kMomentWidth);
  for (std::size_t i = 0; i < clouds.size(); ++i) pack(clouds[i], &rows[i * kMomentWidth]);
  gossip_average(channel, rows, kMomentWidth, tolerance);
  std::vector<Spectrum> views;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    views.push_back(unpack(&rows[i * kMomentWidth], channel.network().agents()));
  }
  return views;
}

}  // namespace roadplane
