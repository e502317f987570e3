#include "hypotheses.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "average_sums.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/objective/window.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr int kProposals = 16;  // of all agents, at least
constexpr int kTriplesOfAll = 2048;
constexpr int kOpenMinded = 4;  // one agent in so many proposes what the prior does not admit
constexpr std::size_t kOwnSampleGroups = 256;  // of 16 points each, of all that propose
constexpr std::size_t kSampleGroups = 256;     // of 16 points each, of all agents
constexpr double kTolerance = 0.03;            // scores need not be exact, just the same order
// A plane that the prior does not admit is believed if it has so many times the support of the best
// that it does, or of a poor one; if it is not even at a sensor's height, only if there is nothing
// else.
constexpr double kOdds = 4;
constexpr double kPoor = 0.05;  // support per point
constexpr double kNothingElse = 10;

const Window kWindow{.above = kSupportScale, .below = kSupportScale};

/// What the support (of so many points) of a plane is worth.
double believed(const Eigen::Vector4d& w, double support, double points, const RoadPrior& prior) {
  constexpr double kTie = 1e-6;  // among poor ones the better one
  if (prior.admits(w)) return std::max(support, kPoor * points) + kTie * support;
  const double height_m = w(3) / w.head<3>().norm();
  const bool low = height_m >= prior.min_height_m && height_m <= prior.max_height_m;
  return support / kOdds - (low ? 0 : kNothingElse * points);
}

Eigen::Vector3d point_of(const HomogeneousCloud& cloud, std::uint32_t column) {
  const Eigen::Vector4d b = cloud.column(column);
  return b.head<3>() / b(3);
}

/// Proposals travel as four bytes each, which look like a float above 0 so that a flood keeps them:
/// direction and distance of the plane's nearest point, 708 steps each. That is 2 mrad and, at 2 m,
/// 1 cm, less than what planes are weighed with.
class PlaneCode {
 public:
  static float pack(const Eigen::Vector4d& w) {
    const Eigen::Vector3d n = w.head<3>().normalized();
    const double distance_m = w(3) / w.head<3>().norm();
    // Of the normal the two smaller entries; which is the largest, and its sign, comes with it.
    int axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    std::uint32_t code = level(std::atan(distance_m) / (M_PI / 2));
    code = kSteps * code + level((n((axis + 1) % 3) / kMost + 1) / 2);
    code = kSteps * code + level((n((axis + 2) % 3) / kMost + 1) / 2);
    return std::bit_cast<float>(kFirst + 6 * code + 2 * static_cast<std::uint32_t>(axis) +
                                (n(axis) < 0 ? 1 : 0));
  }
  static Eigen::Vector4d unpack(float packed) {
    std::uint32_t code = std::bit_cast<std::uint32_t>(packed) - kFirst;
    const auto next = [&code](std::uint32_t steps) {
      const std::uint32_t value = code % steps;
      code /= steps;
      return value;
    };
    const auto form = static_cast<int>(next(6));
    const auto unit = [&next] { return next(kSteps) / (kSteps - 1.0); };
    const int axis = form / 2;
    Eigen::Vector4d w;
    w((axis + 2) % 3) = kMost * (2 * unit() - 1);
    w((axis + 1) % 3) = kMost * (2 * unit() - 1);
    const double rest = 1 - std::pow(w((axis + 1) % 3), 2) - std::pow(w((axis + 2) % 3), 2);
    w(axis) = (form % 2 == 1 ? -1 : 1) * std::sqrt(std::max(rest, 0.0));
    w(3) = w.head<3>().norm() * std::tan(unit() * M_PI / 2);
    return towards_sensor(w);
  }

 private:
  static constexpr std::uint32_t kSteps = 708;
  static constexpr std::uint32_t kFirst = 0x00800000;  // the smallest normal float
  static_assert(6ULL * kSteps * kSteps * kSteps < 0x7F800000ULL - kFirst, "finite floats");
  static constexpr double kMost = 0.70711;  // of the smaller entries

  static std::uint32_t level(double unit) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(unit, 0.0, 1.0) * (kSteps - 1)));
  }
};

std::vector<Eigen::Vector4d> draw_planes(const HomogeneousCloud& cloud, std::uint64_t seed,
                                         std::uint32_t agent, int count) {
  std::vector<Eigen::Vector4d> planes;
  const auto points = static_cast<std::uint32_t>(cloud.size());
  if (points < 3) return planes;
  CounterRandom random(seed, RandomUse::hypotheses, agent);
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector3d p = point_of(cloud, random.below(points));
    const Eigen::Vector3d q = point_of(cloud, random.below(points));
    const Eigen::Vector3d r = point_of(cloud, random.below(points));
    const Eigen::Vector3d normal = (q - p).cross(r - p);
    const double length = normal.norm();
    // Columns are rounded to single precision: a smaller angle is that of points on a line.
    constexpr double kLeastSine = 1e-5;
    if (!(length > kLeastSine * (q - p).norm() * (r - p).norm()) || !(length > 0)) continue;
    Eigen::Vector4d w;
    w << normal, -normal.dot(p);
    planes.push_back(towards_sensor(w / length));
  }
  return planes;
}

/// Those that the prior admits, unless there is none: the others need not be weighed.
void keep_admitted(const RoadPrior& prior, std::vector<Eigen::Vector4d>& planes) {
  const auto rest = std::stable_partition(
      planes.begin(), planes.end(), [&prior](const Eigen::Vector4d& w) { return prior.admits(w); });
  if (rest != planes.begin()) planes.erase(rest, planes.end());
}

/// The best of an agent's own, as codes; fewer than asked for if there are not so many.
std::vector<float> best_of_own(const HomogeneousCloud& cloud, const Sampling& sampling,
                               const RoadPrior& prior, std::uint64_t seed, std::uint32_t agent,
                               std::size_t sample_groups, int triples, bool open_minded,
                               int wanted) {
  std::vector<Eigen::Vector4d> planes = draw_planes(cloud, seed, agent, triples);
  if (!open_minded) keep_admitted(prior, planes);
  if (planes.empty()) return {};
  std::vector<double> support(planes.size() + 1);
  CloudSums(cloud, sampling(cloud, sample_groups)).support(planes, kWindow, kSupportBlame, support);
  std::vector<std::pair<double, std::size_t>> ranked;  // minus what is believed, plane
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const double value =
        open_minded ? believed(planes[k], support[k], support.back(), prior) : support[k];
    ranked.emplace_back(-value, k);
  }
  const auto count = std::min<std::size_t>(static_cast<std::size_t>(wanted), ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                    ranked.end());
  std::vector<float> codes;
  for (std::size_t k = 0; k < count; ++k)
    codes.push_back(PlaneCode::pack(planes[ranked[k].second]));
  return codes;
}

}  // namespace

double Hypotheses::rival_support(const Eigen::Vector4d& w) const {
  constexpr double kAnother = 0.1;  // [sine] between hyperplanes
  double most = 0;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const double cosine = planes[k].dot(w.normalized());
    if (1 - cosine * cosine > kAnother * kAnother) most = std::max(most, support[k]);
  }
  return most;
}

Hypotheses propose_planes(Channel& channel, std::span<const HomogeneousCloud> clouds,
                          const RoadPrior& prior, std::uint64_t seed, Ledger& ledger) {
  const int agents = channel.network().agents();
  const int each = (kProposals + agents - 1) / agents;
  const int every = std::max(1, agents / kProposals);  // with many agents not all need propose
  const int slots = (agents + every - 1) / every * each;
  const int triples = kTriplesOfAll / ((agents + every - 1) / every);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();

  // 1. Everybody's proposals reach everybody, and the size of the largest shard.
  std::vector<float> codes(static_cast<std::size_t>(slots) + 1, kNothing);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    codes.back() = std::max(codes.back(), static_cast<float>(clouds[i].size()));
    const int agent = channel.hosted()[i];
    if (agent % every != 0) continue;
    const int proposer = agent / every;
    const bool open_minded = agents < kOpenMinded || proposer % kOpenMinded == 1;
    const auto own =
        best_of_own(clouds[i], Sampling(channel, i), prior, seed, static_cast<std::uint32_t>(agent),
                    kOwnSampleGroups * every, triples, open_minded, each);
    std::copy(own.begin(), own.end(), codes.begin() + proposer * each);
  }
  channel.flood_max(codes);
  Hypotheses found;
  found.largest_shard = codes.back();
  codes.pop_back();
  for (const float code : codes) {
    if (code > kNothing) found.planes.push_back(PlaneCode::unpack(code));
  }
  if (found.planes.empty()) return found;

  // 2. All weigh them on a sample of their points.
  const std::size_t width = found.planes.size() + 1;
  std::vector<double> rows(clouds.size() * width);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudSums sums(clouds[i], Sampling(channel, i)(clouds[i], kSampleGroups));
    sums.support(found.planes, kWindow, kSupportBlame, std::span(rows).subspan(i * width, width));
  }
  const Sampling any(channel, 0);
  ledger.count_samples(any.points(kOwnSampleGroups * every) + any.points(kSampleGroups));
  average_sums(channel, rows, static_cast<int>(width), kTolerance, found.largest_shard);

  // 3. Nearly equal views are not equal: agent 0 chooses for all.
  double most = kNothing;
  std::array<float, 1> choice{};
  for (std::size_t k = 0; k + 1 < width; ++k) {
    const double value = believed(found.planes[k], rows[k], rows[width - 1], prior);
    if (value > most) {
      most = value;
      choice[0] = static_cast<float>(k);
    }
  }
  broadcast_from(channel, 0, choice);
  found.best = static_cast<int>(choice[0]);
  const double points = std::max(rows[width - 1], 1e-30);
  for (std::size_t k = 0; k + 1 < width; ++k) found.support.push_back(rows[k] / points);
  return found;
}

}  // namespace roadplane
