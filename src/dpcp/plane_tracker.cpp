#include "roadplane/dpcp/plane_tracker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "own_frame.hpp"
#include "roadplane/base/field_error.hpp"
#include "robust_solve.hpp"
#include "tangent_frame.hpp"

namespace roadplane {

/// What all agents have the same bits of, from one scan to the next.
struct RoadMemory {
  Eigen::Vector4d floor;          ///< n'p + offset = 0 with a unit normal, in the file's frame
  AgreedCoordinates coordinates;  ///< around it, in the frame of its own
  bool worn = false;              ///< the coordinates do not suit any more
  LargestShard largest;
  double support = 0;                 ///< share of the points that lay on the plane
  std::vector<Eigen::Vector4d> kept;  ///< the hosted agents' own, by the solver
};

namespace {

// A plane jumps if it is farther than this from where the last one was, or went by the poses.
constexpr double kJumpM = 0.15;    // [m] in height
constexpr double kJumpDeg = 2.5;   // [deg] between normals
constexpr int kTrustedScans = 10;  // so long the last plane that was not doubted is believed

// bench/track_study
constexpr double kLeastSupport = 0.6;          // of that at the last scan: below, the track is lost
constexpr std::int64_t kUsualIterations = 32;  // with more, coordinates do not suit

/// Of n'p + offset = 0, where its points go.
Eigen::Vector4d moved(const Eigen::Vector4d& floor, const std::optional<ScanMotion>& motion) {
  if (!motion) return floor;
  Eigen::Vector4d result;
  result.head<3>() = motion->leftCols<3>() * floor.head<3>();
  result(3) = floor(3) - result.head<3>().dot(motion->col(3));
  return result / result.head<3>().norm();
}

bool far_apart(const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
  const double cosine = std::clamp(a.head<3>().dot(b.head<3>()), -1.0, 1.0);
  return std::abs(a(3) - b(3)) > kJumpM || std::acos(cosine) * 180 / std::numbers::pi > kJumpDeg;
}

/// The agents' planes are nearly the same; one, and the other numbers that follow from the scan,
/// with the same bits for everybody: of every number the largest that anybody sees.
RoadMemory agree_on_memory(Channel& channel, std::span<const HomogeneousCloud> clouds,
                           const PlaneFit& fit, const RoadStart& start) {
  const OwnFrame own(start.search.floor->plane);
  const TangentFrame frame(OwnFrame::floor());
  std::array<float, 5> told;
  told.fill(-std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const Eigen::Vector3d offset = frame.offset(own.in_own(fit.w[i]));
    for (std::size_t r = 0; r < 3; ++r)
      told[r] = std::max(told[r], static_cast<float>(offset(static_cast<Eigen::Index>(r))));
    told[3] = std::max(told[3], static_cast<float>(clouds[i].points()));
  }
  told[4] = static_cast<float>(fit.finding.support);
  channel.flood_max(told);
  RoadMemory memory;
  memory.floor = own.in_file(frame.hyperplane({told[0], told[1], told[2]}));
  memory.floor /= memory.floor.head<3>().norm();
  memory.coordinates = *start.coordinates;
  memory.worn = fit.solve.iterations > kUsualIterations || fit.solve.step_halvings > 0;
  memory.largest = {told[3], start.search.largest.columns};
  memory.support = told[4];
  // What one that has left had told is missing.
  if (!channel.network().faults.leaves()) memory.kept = fit.solve.kept;
  return memory;
}

/// One solve and what to keep of it; nothing where there is no plane.
struct Solved {
  PlaneFit fit;
  std::shared_ptr<const RoadMemory> memory;
};

}  // namespace

std::string_view to_string(PlaneStart start) {
  switch (start) {
    case PlaneStart::found:
      return "found";
    case PlaneStart::tracked:
      return "tracked";
    case PlaneStart::lost:
      return "lost";
  }
  return "?";
}

namespace {

Solved solve_and_remember(RoadStart start, Channel& channel,
                          std::span<const HomogeneousCloud> clouds, const PlaneOptions& options,
                          Ledger& ledger) {
  const auto& robust = std::get<RobustOptions>(options.objective);
  Solved solved{solve_from(start, channel, clouds, options.solver, robust, ledger), nullptr};
  if (solved.fit.w.empty()) return solved;
  auto memory = agree_on_memory(channel, clouds, solved.fit, start);
  if (memory.floor.allFinite())
    solved.memory = std::make_shared<const RoadMemory>(std::move(memory));
  return solved;
}

/// From the last plane, as if a search had found it.
RoadStart start_at(const RoadMemory& last, const std::optional<ScanMotion>& motion) {
  CoarseFloor floor;
  floor.plane = moved(last.floor, motion);
  floor.clear = true;  // as far as anybody knows
  RoadStart start{{floor, last.largest}};
  if (!last.worn) start.coordinates = last.coordinates;
  for (const Eigen::Vector4d& kept : last.kept)
    start.kept.push_back(last.coordinates.coordinates.to_common(kept));
  return start;
}

/// All agents say the same.
bool is_lost(const Solved& solved, const RoadMemory& last) {
  return !solved.memory || solved.fit.finding.suspect() ||
         solved.fit.solve.termination != Termination::converged ||
         solved.memory->support < kLeastSupport * last.support;
}

}  // namespace

PlaneFit PlaneTracker::operator()(Channel& channel, std::span<const HomogeneousCloud> clouds,
                                  const PlaneOptions& options,
                                  const std::optional<ScanMotion>& motion) {
  options.validate();
  const auto* robust = std::get_if<RobustOptions>(&options.objective);
  if (robust == nullptr) throw FieldError("objective", "robust, which can be tracked", "\"l3\"");
  if (memory_ && !RoadTest(robust->prior).admits(moved(memory_->floor, motion))) forget();
  Ledger ledger(channel);
  Solved solved;
  auto began = PlaneStart::found;
  if (memory_) {
    began = PlaneStart::tracked;
    solved = solve_and_remember(start_at(*memory_, motion), channel, clouds, options, ledger);
    if (is_lost(solved, *memory_)) began = PlaneStart::lost;
  }
  if (began != PlaneStart::tracked) {
    Solved afresh = solve_and_remember(find_start(channel, clouds, options.solver, *robust, ledger),
                                       channel, clouds, options, ledger);
    // Where a budget leaves no second solve, the doubts of the first one stay.
    const bool left_out = afresh.fit.solve.termination == Termination::budget_too_small;
    if (!left_out || solved.fit.w.empty()) solved = std::move(afresh);
  }
  solved.fit.began = began;

  // What the scans before say of where it is.
  if (trusted_) {
    trusted_->moved = moved(trusted_->moved, motion);
    if (++trusted_->age > kTrustedScans) trusted_.reset();
  }
  // Poses may be wrong, so it is no jump where a vehicle on an even road would see it either.
  if (solved.memory && trusted_ && far_apart(solved.memory->floor, trusted_->moved) &&
      far_apart(solved.memory->floor, trusted_->floor)) {
    solved.fit.finding.doubts |= static_cast<std::uint32_t>(Doubt::jump);
  }
  const bool good = solved.memory && !solved.fit.finding.suspect();
  memory_ = good ? solved.memory : nullptr;
  if (good) trusted_ = Trusted{memory_->floor, memory_->floor, 0};
  return finished(std::move(solved.fit), ledger);
}

}  // namespace roadplane
