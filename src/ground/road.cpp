#include "roadplane/ground/road.hpp"

#include <vector>

#include "road_cells.hpp"
#include "road_reflectance.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

/// Agreement on what the road reflects to a hundredth of what agents differ by is enough: it
/// decides together with other cues.
constexpr double kTolerance = 0.01;

void agree(Channel& channel, std::vector<RoadSums>& sums) {
  std::vector<double> rows;
  rows.reserve(sums.size() * RoadSums::kWidth);
  for (RoadSums& each : sums) {
    const auto numbers = each.numbers();
    rows.insert(rows.end(), numbers.begin(), numbers.end());
  }
  gossip_average(channel, rows, RoadSums::kWidth, kTolerance,
                 {.chebyshev = true, .wire = Wire::single});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i * RoadSums::kWidth), RoadSums::kWidth,
                sums[i].numbers().begin());
  }
}

}  // namespace

struct RoadFinder::Buffers {
  std::vector<RoadCells> cells;  ///< by hosted agent
  RoadScratch scratch;
  std::vector<RoadSums> sums;
};

RoadFinder::RoadFinder(const RoadOptions& options)
    : options_(options), buffers_(std::make_unique<Buffers>()) {}
RoadFinder::~RoadFinder() = default;

Ground RoadFinder::operator()(Channel& channel, const PointRows& points, const Shards& shards,
                              std::span<const Eigen::Vector4d> hyperplanes,
                              const std::optional<Threshold>& limit, Residuals residuals) {
  Ground found = find_ground_(channel, points, shards, hyperplanes, limit, residuals);
  std::vector<RoadCells>& cells = buffers_->cells;
  std::vector<RoadSums>& sums = buffers_->sums;
  cells.resize(static_cast<std::size_t>(shards.agents()));
  sums.assign(cells.size(), RoadSums());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Eigen::Vector4d& w = hyperplanes[i];
    const Eigen::Vector4f plane = (w * ((w(3) < 0 ? -1 : 1) / w.head<3>().norm())).cast<float>();
    cells[i].assign(points, shards[static_cast<int>(i)], plane, found.labels, found.ahead[i],
                    options_, buffers_->scratch);
    cells[i].judge({}, options_, buffers_->scratch);
  }
  for (int pass = 1; pass < options_.passes; ++pass) {
    for (std::size_t i = 0; i < cells.size(); ++i) sums[i] = cells[i].sums();
    agree(channel, sums);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const RoadReflectance reflectance(sums[i], channel.network().agents(), options_);
      cells[i].judge(reflectance, options_, buffers_->scratch);
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].label(shards[static_cast<int>(i)], found.labels);
  }
  if (!sums.empty()) found.road = sums.front().extent(channel.network().agents());
  return found;
}

}  // namespace roadplane
