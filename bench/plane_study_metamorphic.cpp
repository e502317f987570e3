#include "plane_study_metamorphic.hpp"

#include <cstdio>
#include <map>
#include <string>

#include "cloud_changes.hpp"
#include "plane_study_runs.hpp"

namespace plane_study {
namespace {

using namespace roadplane;

/// Of the frames of a set under one change.
struct Count {
  int moved = 0;
  int unmarked = 0;  ///< of these, not suspect

  void operator+=(const Count& other) {
    moved += other.moved;
    unmarked += other.unmarked;
  }
};

struct Row {
  int frames = 0;
  std::vector<Count> counts;  ///< by change
};

std::optional<PlaneDistance> moved(const CloudChange& change, const PlaneFit& before,
                                   const PlaneFit& after, const Eigen::Vector3d& middle) {
  if (before.w.empty() || after.w.empty()) return std::nullopt;
  return change.moved(before.w[0], after.w[0], middle);
}

void tell(const Problem& problem, const CloudChange& change, const PlaneFit& before,
          const PlaneFit& after, const std::optional<PlaneDistance>& moved) {
  std::printf("%-12s %-28s %-10s ", problem.set.c_str(), problem.name.c_str(), change.name.c_str());
  if (moved) {
    std::printf("%7.3f deg %7.1f cm", moved->angle_deg, 100 * moved->height_m);
  } else {
    std::printf("no plane");
  }
  std::printf("%s%s\n", before.finding.suspect() ? ", suspect before" : "",
              after.finding.suspect() ? ", suspect after" : "");
  std::fflush(stdout);
}

std::vector<Count> counts_of(const Problem& problem, const std::vector<CloudChange>& changes) {
  const Eigen::Vector3d middle = problem.middle();
  const PlaneFit before = solve_once(problem.scan, problem.target());
  std::vector<Count> counts;
  for (const CloudChange& change : changes) {
    const PlaneFit after = solve_once(change.of(problem.scan), problem.target());
    const auto by = moved(change, before, after, middle);
    Count& count = counts.emplace_back();
    if (has_followed(by)) continue;
    const bool marked = after.w.empty() || after.finding.suspect();
    count = {1, marked ? 0 : 1};
    tell(problem, change, before, after, by);
  }
  return counts;
}

void print(const std::string& name, const Row& row) {
  std::printf("| %s | %d |", name.c_str(), row.frames);
  for (const Count& count : row.counts) std::printf(" %d / %d |", count.moved, count.unmarked);
  std::printf("\n");
}

}  // namespace

void metamorphic_study(const std::vector<Problem>& problems) {
  const std::vector<CloudChange> changes = cloud_changes();
  const Row none{0, std::vector<Count>(changes.size())};
  Row all = none;
  std::vector<std::string> sets;
  std::map<std::string, Row> rows;
  std::printf("Planes that do not follow their clouds to 0.3 degrees and 3 cm:\n\n");
  for (const Problem& problem : problems) {
    const auto [row, is_new] = rows.emplace(problem.set, none);
    if (is_new) sets.push_back(problem.set);
    const std::vector<Count> counts = counts_of(problem, changes);
    for (Row* sum : {&row->second, &all}) {
      ++sum->frames;
      for (std::size_t k = 0; k < counts.size(); ++k) sum->counts[k] += counts[k];
    }
  }
  std::printf("\n'a / b': moved / of these not suspect afterwards\n\n| set | frames |");
  for (const CloudChange& change : changes) std::printf(" %s |", change.name.c_str());
  std::printf("\n|---|---:|");
  for (std::size_t k = 0; k < changes.size(); ++k) std::printf("---:|");
  std::printf("\n");
  for (const std::string& set : sets) print(set, rows.at(set));
  print("all", all);
}

}  // namespace plane_study
