#include "coarse_floor.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "agreement.hpp"
#include "average_sums.hpp"
#include "floor_codes.hpp"
#include "floor_proposals.hpp"
#include "own_frame.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/objective/window.hpp"
#include "sampling.hpp"
#include "tangent_frame.hpp"

namespace roadplane {
namespace {

constexpr int kProposals = 16;       // of all agents, at least
constexpr int kDraws = 1536;         // triples, of all agents
constexpr int kLeastDraws = 32;      // of each that proposes
constexpr std::size_t kLeading = 4;  // that settle on all agents' points
constexpr double kBlame = 2;         // for what lies just below a floor, of all points
constexpr double kAnother = 0.1;     // [sine] between planes of which only one is the road
// [sine] between a road and what is beside it, at most a kerb of 15 cm above or tilted by as much.
constexpr double kBeside = 0.0375;
constexpr int kSettlingSteps = 2;             // of the leading floors, towards all agents' points
constexpr std::size_t kSettlingGroups = 480;  // of 16 points, of all agents
// Of the low points near a floor so many must lie on it; spread evenly 0.13 of them would.
constexpr double kLeastContrast = 0.21;
constexpr double kPoor = 0.05;       // of the low points: nothing level carries fewer of them
constexpr double kTolerance = 0.03;  // of sums by gossip that decide,
constexpr double kRough = 0.1;       // and of those on the way

/// Of the quadratic form that a moment is, in a frame's three numbers.
void pack_normal_equations(const Eigen::Matrix4d& moment, const TangentFrame& frame,
                           double* entry) {
  const Eigen::Matrix<double, 4, 3> half = moment * frame.axes();
  const Eigen::Matrix3d matrix = frame.axes().transpose() * half;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) *entry++ = matrix(r, c);
  }
  for (int r = 0; r < 3; ++r) *entry++ = -half.col(r).dot(frame.origin());
}

/// The hyperplane at its minimum.
std::optional<Eigen::Vector4d> settled(const double* entry, const TangentFrame& frame) {
  constexpr double kRegular = 1e-4;  // of the trace, which half precision blurs by more
  Eigen::Matrix3d matrix;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) matrix(r, c) = matrix(c, r) = *entry++;
  }
  matrix.diagonal().array() += kRegular * matrix.trace() + 1e-30;
  const Eigen::Vector3d offset = matrix.inverse() * Eigen::Map<const Eigen::Vector3d>(entry);
  if (!offset.allFinite()) return std::nullopt;
  return frame.hyperplane(offset);
}

/// What speaks for a floor and against it: low points, and all points near the sensor.
struct Weighed {
  double on;
  double below;
  double near;
  double held;
  double just_below;
};

/// The search around one axis of the file.
class Search {
 public:
  Search(Channel& channel, std::span<const HomogeneousCloud> clouds, const RobustOptions& options,
         std::uint64_t seed)
      : channel_(channel), clouds_(clouds), options_(options), seed_(seed) {
    for (const HomogeneousCloud& cloud : clouds) points_.emplace_back(cloud);
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      if (channel.gone(static_cast<int>(i))) continue;
      largest_.points = std::max(largest_.points, clouds[i].points());
      largest_.columns = std::max(largest_.columns, static_cast<std::int64_t>(clouds[i].size()));
      most_low_ = std::max(most_low_, static_cast<double>(points_[i].size()));
    }
  }

  const LargestShard& largest() const { return largest_; }

  std::optional<CoarseFloor> operator()(const RoadPrior& prior) {
    propose(prior);
    if (proposals_.empty()) return std::nullopt;
    lead();
    settle();
    return choose();
  }

 private:
  /// Everybody's proposals reach everybody, and the sizes of the largest shard and cloud.
  void propose(const RoadPrior& prior) {
    const int agents = channel_.network().agents();
    const int each = (kProposals + agents - 1) / agents;
    const RoadTest road(prior);
    std::vector<float> told(2 * static_cast<std::size_t>(agents * each) + 3, FloorCode().normal);
    const std::size_t sizes = told.size() - 3;
    told[sizes] = static_cast<float>(largest_.points);
    told[sizes + 1] = static_cast<float>(largest_.columns);
    told[sizes + 2] = static_cast<float>(most_low_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (channel_.gone(static_cast<int>(i))) continue;
      const int agent = channel_.hosted()[i];
      const auto own = proposed_floors(
          points_[i], road, {seed_, RandomUse::hypotheses, static_cast<std::uint32_t>(agent)},
          std::max(kLeastDraws, kDraws / agents), static_cast<std::size_t>(each));
      auto entry = told.begin() + std::ptrdiff_t{2} * agent * each;
      for (const Floor& floor : own) {
        const FloorCode code = FloorCode::of(floor);
        *entry++ = code.normal;
        *entry++ = code.offset;
      }
    }
    channel_.flood_max(told);
    largest_ = {told[sizes], static_cast<std::int64_t>(told[sizes + 1])};
    most_low_ = std::max(1.0F, told[sizes + 2]);
    for (std::size_t k = 0; k < sizes; k += 2) {
      const FloorCode code{told[k], told[k + 1]};
      if (!code.empty()) proposals_.push_back(code.floor());
    }
  }

  /// Those that are worth most to all low points, the same for everybody.
  void lead() {
    const std::size_t width = proposals_.size();
    RecycledVector<double> rows(points_.size() * width);
    std::vector<FloorCounts> counts(width);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i].weigh(proposals_, counts.data());
      for (std::size_t k = 0; k < width; ++k) rows[i * width + k] = worth(counts[k]);
    }
    average_sums(channel_, rows, static_cast<int>(width), kTolerance, most_low_);
    std::vector<Vote> votes;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::span<const double> worths = std::span(rows).subspan(i * width, width);
      const auto leading = leading_of(worths);
      Vote& vote = votes.emplace_back(Vote{worths[leading.front()] / most_low_, 0});
      for (std::size_t k = 0; k < kLeading; ++k) {
        const std::size_t entry = k < leading.size() ? leading[k] + 1 : 0;
        vote.said = vote.said << kIndexBits | entry;
      }
    }
    std::uint64_t said = agree(channel_, votes).said;
    for (std::size_t k = 0; k < kLeading; ++k, said >>= kIndexBits) {
      const std::uint64_t entry = said & ((1U << kIndexBits) - 1);
      if (entry > 0) leading_.insert(leading_.begin(), proposals_[entry - 1]);
    }
  }

  /// The best, then the next that differ from those before.
  std::vector<std::size_t> leading_of(std::span<const double> worths) const {
    std::vector<std::size_t> order(worths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return worths[a] > worths[b]; });
    std::vector<std::size_t> chosen;
    for (const std::size_t k : order) {
      if (chosen.size() == kLeading) break;
      const auto same = [&](std::size_t c) {
        return sine_between(proposals_[c], proposals_[k]) < kSameFloor;
      };
      if (std::none_of(chosen.begin(), chosen.end(), same)) chosen.push_back(k);
    }
    return chosen;
  }

  /// Steps towards all points, through the window of the solve and in the frame of the floor that
  /// leads: where two floors are a kerb apart, low points alone leave a floor between them, and
  /// which one it is nearer to is chance.
  void settle() {
    constexpr int kNumbers = 9;  // of a symmetric matrix, and of a vector
    floors_.assign(points_.size(), leading_);
    const OwnFrame own(leading_.front());
    std::vector<TangentFrame> frames;
    for (const Floor& floor : leading_) frames.emplace_back(own.in_own(floor));
    moved_.resize(clouds_.size());
    for (std::size_t i = 0; i < clouds_.size(); ++i)
      moved_[i].assign_moved(clouds_[i], own.motion());
    const std::size_t width = leading_.size() * kNumbers;
    RecycledVector<double> rows(points_.size() * width);
    for (int step = 0; step < kSettlingSteps; ++step) {
      double* row = rows.data();
      for (std::size_t i = 0; i < points_.size(); ++i) {
        for (std::size_t k = 0; k < frames.size(); ++k, row += kNumbers) {
          const Eigen::Matrix4d moment =
              sums_of(i).moment(own.in_own(floors_[i][k]), options_.window());
          pack_normal_equations(moment, frames[k], row);
        }
      }
      average_sums(channel_, rows, static_cast<int>(width), kRough, largest_.points);
      row = rows.data();
      for (std::size_t i = 0; i < points_.size(); ++i) {
        for (std::size_t k = 0; k < frames.size(); ++k, row += kNumbers) {
          if (const auto w = settled(row, frames[k])) {
            const Eigen::Vector4d floor = own.in_file(*w);
            floors_[i][k] = floor / floor.head<3>().norm();
          }
        }
      }
    }
  }

  CloudSums sums_of(std::size_t i) const {
    return CloudSums(moved_[i], Sampling(channel_, i)(moved_[i], kSettlingGroups));
  }

  /// Each agent's view of how its own versions of the leading floors are worth, and the choice of
  /// the agent that believes most.
  CoarseFloor choose() {
    const std::size_t count = leading_.size();
    const std::size_t width = sizeof(Weighed) / sizeof(double) * count + 1;
    RecycledVector<double> rows(points_.size() * width);
    std::vector<FloorCounts> counts(count);
    const OwnFrame own(leading_.front());
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i].weigh(floors_[i], counts.data());
      double* entry = &rows[i * width];
      for (std::size_t k = 0; k < count; ++k) {
        const auto [held, just_below] =
            sums_of(i).support(own.in_own(floors_[i][k]), options_.window());
        const double unit = most_low_ / largest_.points;
        for (const double number :
             {counts[k].on, counts[k].below, counts[k].near, held * unit, just_below * unit}) {
          *entry++ = number;
        }
      }
      *entry = static_cast<double>(points_[i].size());
    }
    average_sums(channel_, rows, static_cast<int>(width), kTolerance, most_low_);
    std::vector<Vote> votes;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double* row = &rows[i * width];
      std::vector<Weighed> floors(count);
      std::memcpy(floors.data(), row, count * sizeof(Weighed));
      const std::size_t k = chosen_of(floors, floors_[i]);
      const bool clear = floors[k].on >= kLeastContrast * floors[k].near;
      const std::uint64_t step = StepCode::of(step_between(leading_[k], floors_[i][k]));
      votes.push_back(
          {floors[k].on / std::max(row[width - 1], 1e-30),
           ((step << kLeadingBits | k) << 1 | clear) << 1 | has_rival(k, floors, floors_[i])});
    }
    auto [belief, said] = agree(channel_, votes);
    CoarseFloor floor;
    floor.on = belief;
    floor.rival = (said & 1) != 0;
    floor.clear = (said >> 1 & 1) != 0;
    said >>= 2;
    const std::size_t k = said & ((1U << kLeadingBits) - 1);
    floor.plane = moved_floor(leading_[k], StepCode::step(said >> kLeadingBits));
    return floor;
  }

  /// Whether another plane, of which this one cannot be a version, carries more low points.
  bool has_rival(std::size_t k, std::span<const Weighed> floors, std::span<const Floor> own) const {
    for (std::size_t other = 0; other < leading_.size(); ++other) {
      const bool more = floors[other].on > floors[k].on;
      if (more && sine_between(own[k], own[other]) > kAnother) return true;
    }
    return false;
  }

  /// The dominant floor carries most low points, and the road is the best of those near it: a plane
  /// through the road and what is beside it has points just below it.
  std::size_t chosen_of(std::span<const Weighed> floors, std::span<const Floor> own) const {
    std::size_t most = 0;
    double most_held = 1e-30;
    for (std::size_t k = 0; k < floors.size(); ++k) {
      if (floors[k].on > floors[most].on) most = k;
      most_held = std::max(most_held, floors[k].held);
    }
    if (options_.sought == PlaneSought::dominant) return most;
    const auto worth_of = [&](std::size_t k) {
      const Weighed& floor = floors[k];
      return worth({floor.on, floor.below, floor.near}) -
             kBlame * floors[most].on * floor.just_below / most_held;
    };
    const auto borne = [&](std::size_t k) {
      return worth({floors[k].on, floors[k].below, floors[k].near}) +
             floors[most].on * floors[k].held / most_held;
    };
    std::size_t main = most;
    for (std::size_t k = 0; k < floors.size(); ++k) {
      if (borne(k) > borne(main)) main = k;
    }
    std::size_t best = main;
    for (std::size_t k = 0; k < floors.size(); ++k) {
      if (worth_of(k) > worth_of(best) && sine_between(own[main], own[k]) < kBeside) best = k;
    }
    return best;
  }

  static constexpr int kIndexBits = 13;   // 0 is none
  static constexpr int kLeadingBits = 2;  // 48 are the step's, two say what is known of it
  static_assert(kLeading * kIndexBits <= Vote::kBits && kLeading <= 1U << kLeadingBits);

  Channel& channel_;
  std::span<const HomogeneousCloud> clouds_;
  const RobustOptions& options_;
  std::uint64_t seed_;
  std::vector<LowPoints> points_;
  LargestShard largest_;
  double most_low_ = 0;
  std::vector<Floor> proposals_;
  std::vector<Floor> leading_;
  std::vector<std::vector<Floor>> floors_;  ///< the leading ones as each agent has moved them
  std::vector<HomogeneousCloud> moved_;
};

/// Turns that take another axis to z.
std::vector<Eigen::Matrix3d> other_axes() {
  std::vector<Eigen::Matrix3d> turns;
  for (const Eigen::Vector3d& up :
       {Eigen::Vector3d(0, 0, -1), Eigen::Vector3d(0, -1, 0), Eigen::Vector3d(0, 1, 0),
        Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(-1, 0, 0)}) {
    const Eigen::Vector3d ahead =
        std::abs(up.x()) > 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
    Eigen::Matrix3d turn;
    turn << ahead.transpose(), up.cross(ahead).transpose(), up.transpose();
    turns.push_back(turn);
  }
  return turns;
}

}  // namespace

FloorSearch find_coarse_floor(Channel& channel, std::span<const HomogeneousCloud> clouds,
                              const RobustOptions& options, std::uint64_t seed, Ledger& ledger) {
  Search level(channel, clouds, options, seed);
  FloorSearch found;
  found.floor = level(options.prior);
  found.largest = level.largest();
  ledger.count_samples(found.largest.columns);
  if (found.floor && found.floor->on >= kPoor) return found;
  for (const Eigen::Matrix3d& turn : other_axes()) {
    Eigen::Matrix<double, 3, 4> motion = Eigen::Matrix<double, 3, 4>::Zero();
    motion.leftCols<3>() = turn;
    std::vector<HomogeneousCloud> turned(clouds.size());
    for (std::size_t i = 0; i < clouds.size(); ++i) turned[i].assign_moved(clouds[i], motion);
    Search search(channel, turned, options, seed);
    auto other = search(RoadPrior{.max_tilt_deg = 45});
    if (!other || (found.floor && other->on <= found.floor->on)) continue;
    other->plane.head<3>() = turn.transpose() * other->plane.head<3>();
    found.floor = other;
  }
  return found;
}

}  // namespace roadplane
