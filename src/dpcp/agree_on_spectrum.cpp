#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr double kUnit = 65536;   // points: sums in it fit half precision
constexpr int kMomentWidth = 11;  // the lower triangle of a 4 x 4 matrix, and the point count

void pack(const HomogeneousCloud& shard, double* row) {
  const double count = static_cast<double>(shard.size()) / kUnit;
  const Eigen::Matrix4d sum = count * shard.second_moment();
  pack_triangle(sum, triangle_at(row));
  row[kTriangleSize] = count;
}

Spectrum unpack(const double* row, int agents) {
  const double mean_count = row[kMomentWidth - 1];
  Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  if (mean_count > 0) moment = unpack_triangle(triangle_at(row)) / mean_count;
  return {moment, kUnit * mean_count * agents};
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
