#include "hypotheses.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "average_sums.hpp"
#include "plane_code.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/kernels/triple_kernel.hpp"
#include "roadplane/objective/window.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr int kProposals = 16;               // of all agents, at least
constexpr std::size_t kTriplesOfAll = 2048;  // at most
constexpr std::size_t kTriplesAtOnce = 32;
constexpr double kEnough = 4;   // triples on a plane that is proposed, as its support lets expect
constexpr int kOpenMinded = 4;  // one agent in so many proposes what the prior does not admit
constexpr std::size_t kOwnSampleGroups = 256;  // of 16 points each, of all that propose
constexpr std::size_t kPart = 4;  // a quarter of them is looked at first, and of the planes kept
constexpr std::size_t kSampleGroups = 256;  // of 16 points each, of all agents
constexpr std::size_t kPolished = 4;        // candidates for each that is proposed
constexpr int kPolishingSteps = 3;
constexpr double kTolerance = 0.03;  // scores need not be exact, just the same order
// Where not all need propose, shards are narrow and what one proposes is rough: so many planes take
// a step of all agents before one is chosen. With one, 256 agents end on another plane than 16 do
// in 8 of 240 solves on nuScenes, with two in 1, with four in none.
constexpr std::size_t kOfNarrowShards = 4;
// A plane that the prior does not admit is believed if it has so many times the support of the best
// that it does, or of a poor one; if it is not even at a sensor's height, only if there is nothing
// else.
constexpr double kOdds = 4;
constexpr double kPoor = 0.05;  // support per point
constexpr double kNothingElse = 10;

double squared_sine(const Eigen::Vector4d& v, const Eigen::Vector4d& w) {
  const double cosine = v.dot(w);
  return 1 - cosine * cosine;
}

/// Whether two hypotheses are about the same plane.
bool are_near(const Eigen::Vector4d& v, const Eigen::Vector4d& w) {
  return squared_sine(v, w) < kSupportScale * kSupportScale;
}

const Window kWindow{.above = kSupportScale, .below = kSupportScale};

/// Unit planes through three points each, drawn one by one, of so many triples; only those that
/// `road` admits, if there is one.
std::vector<Eigen::Vector4d> draw_planes(const HomogeneousCloud& cloud, CounterRandom& random,
                                         std::size_t triples, const RoadTest* road) {
  std::array<std::uint32_t, 3 * kTriplesAtOnce> places;
  for (std::uint32_t& place : std::span(places).first(3 * triples)) {
    place = random.below(static_cast<std::uint32_t>(cloud.size()));
    cloud.prefetch(place);  // they lie far apart
  }
  Eigen::Matrix<double, static_cast<int>(kTriplesAtOnce), 4> through;
  triple_kernel(active_isa())(cloud.groups(), places.data(), triples, kTriplesAtOnce,
                              through.data());
  std::vector<Eigen::Vector4d> planes;
  planes.reserve(triples);
  for (std::size_t k = 0; k < triples; ++k) {
    const Eigen::Vector4d w = through.row(static_cast<Eigen::Index>(k));
    if (w.isZero(0) || (road != nullptr && !road->admits(w))) continue;
    planes.push_back(towards_sensor(w));
  }
  return planes;
}

struct Candidate {
  double value;  ///< what is believed of it
  Eigen::Vector4d w;
};

/// One agent's search for planes in its own points.
class Proposer {
 public:
  Proposer(const HomogeneousCloud& cloud, const Sampling& sampling, std::size_t sample_groups,
           const RoadTest& road)
      : cloud_(cloud),
        part_(cloud, sampling(cloud, sample_groups / kPart)),
        sample_(cloud, sampling(cloud, sample_groups)),
        road_(road) {}

  /// The best, as codes; fewer than wanted if there are not so many.
  std::vector<float> operator()(CounterRandom random, std::size_t triples, bool open_minded,
                                std::size_t wanted) const {
    if (cloud_.size() < 3) return {};
    std::vector<Candidate> found = search(random, triples, open_minded ? nullptr : &road_, wanted);
    if (found.empty() && !open_minded) found = search(random, triples, nullptr, wanted);
    // Most planes are so poor that a part of the sample shows it.
    keep_best(found, found.size() / kPart + wanted);
    std::vector<Eigen::Vector4d> planes = planes_of(found);
    weigh(planes, sample_, found);
    keep_best(found, kPolished * wanted);
    planes = planes_of(found);
    add_polished(planes);
    weigh(planes, sample_, found);
    keep_best(found, wanted);
    std::vector<float> codes;
    for (const Candidate& candidate : found) codes.push_back(PlaneCode::pack(candidate.w));
    return codes;
  }

 private:
  /// So many triples at most: fewer, if by what speaks for the best plane so far enough of them lie
  /// on it, of those that can be the road.
  std::vector<Candidate> search(CounterRandom random, std::size_t triples, const RoadTest* road,
                                std::size_t wanted) const {
    std::vector<Candidate> found;
    std::vector<Candidate> next_found;
    double most = 0;
    for (std::size_t drawn = 0; drawn < triples && static_cast<double>(drawn) * most * most * most <
                                                       kEnough * static_cast<double>(wanted);) {
      const std::size_t next = std::min(kTriplesAtOnce, triples - drawn);
      drawn += next;
      most = std::max(most, weigh(draw_planes(cloud_, random, next, road), part_, next_found));
      found.insert(found.end(), next_found.begin(), next_found.end());
    }
    return found;
  }

  /// Returns the support per point of the best road among them, 0 if there is none.
  double weigh(const std::vector<Eigen::Vector4d>& planes, const CloudSums& sample,
               std::vector<Candidate>& found) const {
    std::vector<double> support(planes.size() + 1);
    sample.support(planes, kSupportRule, support);
    const double points = support.back();
    double most = 0;
    found.resize(planes.size());
    for (std::size_t k = 0; k < planes.size(); ++k) {
      found[k] = {believed(planes[k], support[k], points, road_), planes[k]};
      if (road_.admits(planes[k])) most = std::max(most, support[k] / points);
    }
    return most;
  }

  /// What each of them leads to, unless it lies within the scale of what another has led to.
  void add_polished(std::vector<Eigen::Vector4d>& planes) const {
    const std::size_t rough = planes.size();
    planes.reserve(2 * rough);
    const auto first = planes.begin() + static_cast<std::ptrdiff_t>(rough);
    for (std::size_t k = 0; k < rough; ++k) {
      const auto is_near = [w = planes[k]](const Eigen::Vector4d& v) { return are_near(v, w); };
      if (std::none_of(first, planes.end(), is_near)) planes.push_back(polished(planes[k]));
    }
  }

  /// Three points are a rough guess: some steps of reweighted least squares on the agent's own
  /// sample lead to about the same plane from every guess near it.
  Eigen::Vector4d polished(Eigen::Vector4d w) const {
    constexpr double kRegular = 1e-3;  // of the trace: a narrow sector hardly says how a road rolls
    for (int k = 0; k < kPolishingSteps; ++k) {
      // The least v'Mv of all v with w'v = 1; what is added to all of M draws to w.
      Eigen::Matrix4d moment = sample_.moment(w, kWindow);
      const double along = moment.trace() - w.dot(moment * w);
      moment.diagonal().array() += kRegular * along + 1e-30;
      w = towards_sensor(moment.inverse() * w);
    }
    return w;
  }

  static void keep_best(std::vector<Candidate>& candidates, std::size_t count) {
    const std::size_t kept = std::min(count, candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates.end(),
                      [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
    candidates.resize(kept);
  }

  static std::vector<Eigen::Vector4d> planes_of(const std::vector<Candidate>& candidates) {
    std::vector<Eigen::Vector4d> planes;
    planes.reserve(candidates.size());
    for (const Candidate& candidate : candidates) planes.push_back(candidate.w);
    return planes;
  }

  const HomogeneousCloud& cloud_;
  CloudSums part_;
  CloudSums sample_;
  const RoadTest& road_;
};

/// The most believed plane, then the next that are near none before; `count` at most.
std::vector<std::size_t> leading_of(const std::vector<Eigen::Vector4d>& planes,
                                    const std::vector<double>& belief, std::size_t count) {
  std::vector<std::size_t> order(planes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return belief[a] > belief[b]; });
  std::vector<std::size_t> chosen;
  for (const std::size_t k : order) {
    if (chosen.size() == count) break;
    const auto is_near = [&](std::size_t c) { return are_near(planes[c], planes[k]); };
    if (std::none_of(chosen.begin(), chosen.end(), is_near)) chosen.push_back(k);
  }
  return chosen;
}

}  // namespace

double believed(const Eigen::Vector4d& w, double support, double points, const RoadTest& road) {
  constexpr double kTie = 1e-6;  // among poor ones the better one
  if (road.admits(w)) return std::max(support, kPoor * points) + kTie * support;
  return support / kOdds - (road.at_height(w) ? 0 : kNothingElse * points);
}

double Hypotheses::rival_support(const Eigen::Vector4d& w) const {
  constexpr double kAnother = 0.1;  // [sine] between hyperplanes
  double most = 0;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (squared_sine(planes[k], w.normalized()) > kAnother * kAnother) {
      most = std::max(most, support[k]);
    }
  }
  return most;
}

Hypotheses propose_planes(Channel& channel, std::span<const HomogeneousCloud> clouds,
                          const RoadPrior& prior, std::uint64_t seed, Ledger& ledger) {
  const RoadTest road(prior);
  const int agents = channel.network().agents();
  const int each = (kProposals + agents - 1) / agents;
  const int every = std::max(1, agents / kProposals);  // with many agents not all need propose
  const int slots = (agents + every - 1) / every * each;
  const std::size_t triples =
      kTriplesOfAll / static_cast<std::size_t>((agents + every - 1) / every);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();

  // 1. Everybody's proposals reach everybody, and the size of the largest shard and cloud.
  std::vector<float> codes(static_cast<std::size_t>(slots) + 2, kNothing);
  float& largest_shard = codes[static_cast<std::size_t>(slots)];
  float& largest_cloud = codes.back();
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    largest_shard = std::max(largest_shard, static_cast<float>(clouds[i].points()));
    largest_cloud = std::max(largest_cloud, static_cast<float>(clouds[i].size()));
    const int agent = channel.hosted()[i];
    if (agent % every != 0) continue;
    const int proposer = agent / every;
    const bool open_minded = agents < kOpenMinded || proposer % kOpenMinded == 1;
    const Proposer propose(clouds[i], Sampling(channel, i), kOwnSampleGroups * every, road);
    const auto own = propose({seed, RandomUse::hypotheses, static_cast<std::uint32_t>(agent)},
                             triples, open_minded, static_cast<std::size_t>(each));
    std::copy(own.begin(), own.end(), codes.begin() + proposer * each);
  }
  channel.flood_max(codes);
  Hypotheses found;
  found.largest_shard = largest_shard;
  found.largest_cloud = static_cast<std::int64_t>(largest_cloud);
  codes.resize(static_cast<std::size_t>(slots));
  for (const float code : codes) {
    if (code > kNothing) found.planes.push_back(PlaneCode::unpack(code));
  }
  if (found.planes.empty()) return found;

  // 2. All weigh them on a sample of their points.
  const std::size_t width = found.planes.size() + 1;
  RecycledVector<double> rows(clouds.size() * width);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    sums.support(found.planes, kSupportRule, std::span(rows).subspan(i * width, width));
  }
  const Sampling any(channel, 0);
  ledger.count_samples(any.points(kOwnSampleGroups * every) + any.points(kSampleGroups));
  average_sums(channel, rows, static_cast<int>(width), kTolerance, found.largest_shard);

  // 3. Nearly equal views are not equal: agent 0 chooses for all.
  std::vector<double> belief;
  for (std::size_t k = 0; k + 1 < width; ++k) {
    belief.push_back(believed(found.planes[k], rows[k], rows[width - 1], road));
  }
  const std::size_t wanted = every > 1 ? kOfNarrowShards : 1;
  const auto chosen = leading_of(found.planes, belief, wanted);
  std::vector<float> told(wanted, kNothing);
  std::copy(chosen.begin(), chosen.end(), told.begin());
  broadcast_from(channel, 0, told);
  for (const float k : told) {
    if (k > kNothing) found.leading.push_back(static_cast<std::size_t>(k));
  }
  const double points = std::max(rows[width - 1], 1e-30);
  for (std::size_t k = 0; k + 1 < width; ++k) found.support.push_back(rows[k] / points);
  return found;
}

}  // namespace roadplane
