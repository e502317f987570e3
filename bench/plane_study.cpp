// The experiment behind the defaults of RobustOptions, of the start and of the doubts: how far the
// plane is off on every frame that has a truth, below DATA/kitti and DATA/lidar, and on synthetic
// streets; worst agent over networks, kinds of shards and seeds.
//
//   plane_study DATA [--seeds N] [--networks] [--agents N] [--shards] [--streets]
//               [--vary FIELD=FACTOR,...]
//
// Medians and worst errors are printed for two halves of the frames: constants are chosen on the
// first (tuning), and what they are worth is seen on the second (validation). Of the recordings of
// a set every other one is in either half; a set of one recording is cut in the middle. --vary runs
// everything with a field times each of the factors: scale (dominant, above and below), above_rad,
// below_rad, dominant_rad, near_m, rest. --networks adds a ring, a star and a ring of 64 agents to
// the default network, --agents one like it of so many agents; rounds and bytes are the default's.
// Runs that end elsewhere than the first one of a frame are told, and how many of them were not
// marked as suspect.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace {

using namespace roadplane;

struct Problem {
  std::string set;
  std::string name;
  Scan scan;
  std::optional<Eigen::Vector4d> truth;
  std::vector<std::uint8_t> mask;  ///< 1 for a road point; empty if unknown
  std::string recording;
  bool tuning = false;  ///< else for validation
};

/// Every other recording of a set, or the first half of its only one, is for tuning.
void split(std::vector<Problem>& problems) {
  std::map<std::string, std::vector<std::string>> recordings;
  std::map<std::string, int> frames;
  for (const Problem& problem : problems) {
    if (!problem.truth) continue;
    auto& of_set = recordings[problem.set];
    if (std::find(of_set.begin(), of_set.end(), problem.recording) == of_set.end()) {
      of_set.push_back(problem.recording);
    }
    ++frames[problem.set];
  }
  std::map<std::string, int> seen;
  for (Problem& problem : problems) {
    if (!problem.truth) continue;
    const auto& of_set = recordings[problem.set];
    const auto place = std::find(of_set.begin(), of_set.end(), problem.recording) - of_set.begin();
    const bool early = 2 * seen[problem.set]++ < frames[problem.set];
    problem.tuning = of_set.size() > 1 ? place % 2 == 0 : early;
  }
}

/// A field of RobustOptions and what it is multiplied by.
struct Change {
  std::string field;
  double factor = 1;

  void apply(RobustOptions& options) const {
    const auto multiply = [this](double& value, bool also) {
      if (also) value *= factor;
    };
    multiply(options.dominant_rad, field == "scale" || field == "dominant_rad");
    multiply(options.above_rad, field == "scale" || field == "above_rad");
    multiply(options.below_rad, field == "scale" || field == "below_rad");
    multiply(options.near_m, field == "near_m");
    multiply(options.rest, field == "rest");
  }
};

struct Wanted {
  std::filesystem::path data;
  std::uint64_t seeds = 1;
  bool networks = false;
  int agents = 0;  ///< of one more network; 0 is none
  bool shards = false;
  bool streets = false;
  std::vector<Change> changes{{}};
};

void add_folder(const Wanted& wanted, const char* set, const char* folder,
                std::vector<Problem>& problems) {
  const auto path = wanted.data / folder;
  if (!std::filesystem::exists(path)) return;
  for (const kitti::Frame& frame : kitti::open_dataset(path).frames) {
    Problem& problem = problems.emplace_back();
    problem.set = set;
    problem.name = frame.name();
    problem.recording = problem.name.substr(0, problem.name.find('/'));
    problem.scan = kitti::load_scan(frame);
    if (const auto truth = kitti::load_ground_truth(frame, problem.scan)) {
      problem.truth = truth->hyperplane;
      problem.mask = truth->mask;
    }
  }
}

void add_streets(std::vector<Problem>& problems) {
  const std::pair<const char*, kitti::SceneOptions> kinds[] = {
      {"plain", {}},
      {"70 %", {.outlier_share = 0.7}},
      {"second plane", {.second_plane_share = 0.25}},
      {"both", {.outlier_share = 0.7, .second_plane_share = 0.25}},
      {"slopes", {.slope_deg = 6, .cross_slope_deg = 3}},
      {"steep", {.slope_deg = 8}},
      {"rough", {.roughness_m = 0.03}}};
  const ClassSet kRoad = ClassSet::road();
  for (const auto& [name, kind] : kinds) {
    for (std::uint64_t seed = 31; seed <= 33; ++seed) {
      kitti::SceneOptions options = kind;
      options.seed = seed;
      const kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
      std::vector<std::uint8_t> mask;
      for (const std::uint32_t label : frame.labels) mask.push_back(kRoad.contains(label) ? 1 : 0);
      problems.push_back({"street", std::string(name) + " " + std::to_string(seed), frame.points,
                          frame.road.hyperplane(), std::move(mask), std::to_string(seed)});
    }
  }
}

struct Outcome {
  double worst = 0;  ///< recovery error of any agent
  double f1 = 0;     ///< at the default threshold, by the first agent's plane
  double moved = 0;  ///< between the planes of two runs
  int runs = 0;
  int elsewhere = 0;  ///< of them, whose plane is another than the first run's
  int unmarked = 0;   ///< of these, not suspect
  std::int64_t rounds = 0;
  double bytes = 0;
  double best_ms = 1e9;
  bool lowered = false;
  std::string note;
  std::optional<Interval> tilt_deg, height_m;
  Plane plane;
};

double f1_of(const Problem& problem, const Eigen::Vector4d& w, Target target) {
  if (problem.mask.empty()) return 0;
  return compare_labels(label_points(problem.scan, w, default_threshold(target)).road, problem.mask)
      .f1();
}

Outcome solve(const Problem& problem, const Wanted& wanted, const Change& change) {
  constexpr double kElsewhere = 0.02;  // [sine] between hyperplanes
  std::vector<Network> networks;
  networks.emplace_back(Graph::erdos_renyi(16, 0.5, 1));
  if (wanted.networks) {
    networks.emplace_back(Graph::ring(16));
    networks.emplace_back(Graph::star(16));
    networks.emplace_back(Graph::ring(64));
  }
  if (wanted.agents > 0) networks.emplace_back(Graph::erdos_renyi(wanted.agents, 0.5, 1));
  std::vector<ShardKind> kinds{ShardKind::azimuth};
  if (wanted.shards) {
    kinds.insert(kinds.end(), {ShardKind::contiguous, ShardKind::interleaved, ShardKind::random});
  }
  Outcome outcome;
  std::optional<Eigen::Vector4d> first;
  for (const Network& network : networks) {
    for (const ShardKind kind : kinds) {
      const Shards shards = make_shards(problem.scan, kind, network.agents(), 1);
      std::vector<HomogeneousCloud> clouds(static_cast<std::size_t>(network.agents()));
      const std::size_t enough = columns_enough({}, network.agents());
      for (int i = 0; i < network.agents(); ++i) {
        clouds[i].assign(problem.scan, shards[i], {enough, static_cast<std::uint32_t>(i)});
      }
      for (std::uint64_t seed = 1; seed <= wanted.seeds; ++seed) {
        PlaneOptions options;
        std::get<VrsgtOptions>(options.solver).seed = seed;
        auto& robust = std::get<RobustOptions>(options.objective);
        const Target target = problem.set == "annotated" ? Target::plane : Target::road;
        robust.sought = plane_sought(target);
        change.apply(robust);
        LocalChannel channel(network);
        const Stopwatch watch;
        const PlaneFit fit = find_plane(channel, clouds, options);
        outcome.best_ms = std::min(outcome.best_ms, watch.ms());
        ++outcome.runs;
        if (fit.w.empty()) {
          outcome.note = fit.degeneracy;
          outcome.worst = 1;
          ++outcome.elsewhere;
          continue;
        }
        for (const Eigen::Vector4d& w : fit.w) {
          if (problem.truth) {
            outcome.worst = std::max(outcome.worst, recovery_error(w, *problem.truth));
          }
          if (!first) first = w;
          outcome.moved = std::max(outcome.moved, recovery_error(w, *first));
        }
        if (recovery_error(fit.w[0], *first) > kElsewhere) {
          ++outcome.elsewhere;
          outcome.unmarked += fit.finding.suspect() ? 0 : 1;
        }
        if (&network == networks.data()) {
          outcome.rounds = std::max(outcome.rounds, fit.traffic.rounds);
          outcome.bytes = std::max(outcome.bytes, fit.traffic.bytes_per_agent(network.graph));
        }
        outcome.f1 = f1_of(problem, fit.w[0], target);
        outcome.lowered = fit.finding.lowered;
        const std::string note = fit.finding.note();
        if (outcome.note.size() < note.size()) outcome.note = note;
        if (fit.finding.suspect()) outcome.note = "SUSPECT " + note;
        outcome.tilt_deg = fit.finding.tilt_deg;
        outcome.height_m = fit.finding.height_m;
        outcome.plane = Plane::from_hyperplane(fit.w[0]).value_or(Plane());
      }
    }
  }
  return outcome;
}

std::vector<Problem> all_problems(const Wanted& wanted) {
  std::vector<Problem> problems;
  add_folder(wanted, "annotated", "kitti/dpcp_annotations", problems);
  add_folder(wanted, "odometry", "kitti/odometry", problems);
  add_folder(wanted, "nuscenes", "lidar/nuscenes", problems);
  for (const char* scene : {"00", "01", "02", "03", "04"}) {
    add_folder(wanted, "livox", (std::string("lidar/livox/") + scene).c_str(), problems);
  }
  add_folder(wanted, "raw", "kitti/raw/2011_09_26", problems);
  add_folder(wanted, "object", "kitti/object/training", problems);
  add_folder(wanted, "pcd", "lidar/pcd", problems);
  add_folder(wanted, "convoy", "lidar/convoy", problems);
  if (wanted.streets) add_streets(problems);
  split(problems);
  return problems;
}

void print(const Problem& problem, const Outcome& o) {
  const double tilt_deg = std::acos(o.plane.normal.z()) * 180 / M_PI;
  std::printf(
      "%-10s %-32s %8.1e F1 %.3f moved %7.1e %4ld rounds %5.1f kB %6.2f ms  h %.3f +- %.3f  tilt "
      "%.2f [%.2f %.2f] %s%s\n",
      problem.set.c_str(), problem.name.c_str(), o.worst, o.f1, o.moved,
      static_cast<long>(o.rounds), o.bytes / 1e3, o.best_ms, o.plane.offset_m,
      o.height_m ? (o.height_m->high - o.height_m->low) / 2 : -1, tilt_deg,
      o.tilt_deg ? o.tilt_deg->low : -1, o.tilt_deg ? o.tilt_deg->high : -1,
      o.lowered ? "lowered " : "", o.note.c_str());
  if (o.elsewhere > 0) {
    std::printf("%-10s %-32s %d of %d runs elsewhere, %d unmarked\n", "", "", o.elsewhere, o.runs,
                o.unmarked);
  }
  std::fflush(stdout);
}

/// Of the frames of a set that are in one half.
struct Half {
  std::vector<double> errors;
  double f1 = 0;

  void add(const Outcome& outcome) {
    errors.push_back(outcome.worst);
    f1 += outcome.f1;
  }
  std::string cell() {
    if (errors.empty()) return "- | - | -";
    std::sort(errors.begin(), errors.end());
    char text[64];
    std::snprintf(text, sizeof(text), "%zu | %.1e, %.1e | %.3f", errors.size(),
                  errors[errors.size() / 2], errors.back(),
                  f1 / static_cast<double>(errors.size()));
    return text;
  }
};

void study(const Wanted& wanted) {
  const std::vector<Problem> problems = all_problems(wanted);
  std::map<std::string, std::string> rows;  // by set, all factors
  for (const Change& change : wanted.changes) {
    std::map<std::string, std::pair<Half, Half>> halves;
    for (const Problem& problem : problems) {
      if (change.factor != 1 && !problem.truth) continue;
      const Outcome outcome = solve(problem, wanted, change);
      if (wanted.changes.size() == 1) print(problem, outcome);
      if (!problem.truth) continue;
      auto& [tuning, validation] = halves[problem.set];
      (problem.tuning ? tuning : validation).add(outcome);
    }
    for (auto& [set, half] : halves) {
      std::ostringstream row;
      row << "| " << set << " | " << (change.field.empty() ? "-" : change.field) << " | "
          << change.factor << " | " << half.first.cell() << " | " << half.second.cell() << " |\n";
      rows[set] += row.str();
    }
  }
  std::printf(
      "\n| set | field | times | tuning: frames | median, worst error | mean F1 | validation: "
      "frames "
      "| median, worst error | mean F1 |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const auto& [set, row] : rows) std::printf("%s", row.c_str());
}

std::vector<Change> changes_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string field = text.substr(0, equals);
  std::vector<Change> changes;
  std::istringstream factors(equals == std::string::npos ? "" : text.substr(equals + 1));
  for (std::string factor; std::getline(factors, factor, ',');) {
    changes.push_back({field, std::stod(factor)});
  }
  return changes;
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--networks")
      wanted.networks = true;
    else if (word == "--shards")
      wanted.shards = true;
    else if (word == "--streets")
      wanted.streets = true;
    else if (word == "--agents" && k + 1 < argc)
      wanted.agents = std::stoi(argv[++k]);
    else if (word == "--seeds" && k + 1 < argc)
      wanted.seeds = std::stoull(argv[++k]);
    else if (word == "--vary" && k + 1 < argc)
      wanted.changes = changes_of(argv[++k]);
    else
      wanted.data = word;
  }
  const std::set<std::string> fields{"",          "scale",  "dominant_rad", "above_rad",
                                     "below_rad", "near_m", "rest"};
  if (wanted.data.empty() || wanted.changes.empty() || wanted.agents < 0 ||
      fields.count(wanted.changes.front().field) == 0) {
    std::fprintf(
        stderr,
        "usage: plane_study DATA [--seeds N] [--networks] [--agents N] [--shards] "
        "[--streets] [--vary scale|dominant_rad|above_rad|below_rad|near_m|rest=FACTOR,...]\n");
    return 1;
  }
  study(wanted);
  return 0;
}
