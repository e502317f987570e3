// The example of the README: find the plane that most points of a scan lie on.

#include <cstdio>
#include <roadplane/dpcp/find_plane.hpp>
#include <roadplane/geometry/plane.hpp>
#include <roadplane/geometry/shards.hpp>

int main() {
  using namespace roadplane;

  // A flat road 1.7 m below the sensor, with a wall beside it.
  Scan scan;
  for (int i = -50; i < 50; ++i) {
    for (int j = 0; j < 20; ++j) {
      const auto x = static_cast<float>(i);
      const auto y = static_cast<float>(j);
      scan.push_back({x, y / 2, -1.7F, 0});
      if (j < 8) scan.push_back({x, 10, y / 4 - 1.7F, 0});
    }
  }

  // Eight agents on a ring, each with a sector of the scan.
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  const Shards shards = make_shards(scan, ShardKind::azimuth, 8);
  std::vector<HomogeneousCloud> clouds(8);
  for (int i = 0; i < 8; ++i) clouds[i].assign(scan, shards[i]);

  const PlaneFit fit = find_plane(channel, clouds, {});  // VRSGT, robust objective
  if (fit.w.empty()) return 1;
  const auto plane = Plane::from_hyperplane(fit.w[0]);
  std::printf("normal (%.3f, %.3f, %.3f), sensor height %.3f m, %s\n", plane->normal.x(),
              plane->normal.y(), plane->normal.z(), plane->offset_m,
              fit.finding.suspect() ? fit.finding.note().c_str() : "a road");
  return 0;
}
