#include "roadplane/ground/road.hpp"

#include <algorithm>
#include <vector>

#include "road_cells.hpp"
#include "road_sums.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

/// Agreement to a fiftieth of what agents differ by is enough: all numbers of an agent are mixed
/// with the same weights, so that what follows from them is still of one set of cells.
constexpr double kTolerance = 0.02;

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

RoadKnowledge learn(const RoadSums& sums, int agents, const RoadOptions& options) {
  RoadKnowledge known;
  known.height_m = std::min(options.height_m, options.height_spreads * sums.off_m());
  if (options.learns_reflectance) known.reflectance = {RoadCue::reflectance, sums, agents};
  if (options.learns_roughness) known.roughness = {RoadCue::roughness, sums, agents};
  return known;
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
    cells[i].judge({{}, {}, options_.height_m}, options_.passes == 1, options_, buffers_->scratch);
  }
  for (int pass = 1; pass < options_.passes; ++pass) {
    for (std::size_t i = 0; i < cells.size(); ++i) sums[i] = cells[i].sums(options_);
    agree(channel, sums);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i].judge(learn(sums[i], channel.network().agents(), options_),
                     pass + 1 == options_.passes, options_, buffers_->scratch);
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].label(shards[static_cast<int>(i)], buffers_->scratch, found.labels);
  }
  if (!sums.empty()) found.road = sums.front().extent(channel.network().agents());
  return found;
}

}  // namespace roadplane
