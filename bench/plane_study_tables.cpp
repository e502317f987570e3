#include "plane_study_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <sstream>

#include "roadplane/evaluation/statistics.hpp"

namespace plane_study {
namespace {

using namespace roadplane;

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof(buffer), format, values...);
  return buffer;
}

/// "1.2e-03 0.051 deg 1.3 cm"
std::string text_of(const std::optional<Off>& off) {
  if (!off) return "-";
  return text("%7.1e %6.3f deg %5.1f cm", off->error, off->distance.angle_deg,
              100 * off->distance.height_m);
}

using OfOutcome = std::function<std::optional<double>(const Outcome&)>;

std::optional<Spread> spread(const std::vector<Outcome>& outcomes, const OfOutcome& value) {
  std::vector<double> values;
  for (const Outcome& outcome : outcomes) {
    if (const auto one = value(outcome)) values.push_back(*one);
  }
  return spread_of(std::move(values));
}

/// "median / most"
std::string median_and_most(const std::vector<Outcome>& outcomes, const char* format,
                            const OfOutcome& value) {
  const auto found = spread(outcomes, value);
  if (!found) return "-";
  return text(format, found->median) + " / " + text(format, found->most);
}

std::string median(const std::vector<Outcome>& outcomes, const char* format,
                   const OfOutcome& value) {
  const auto found = spread(outcomes, value);
  return found ? text(format, found->median) : "-";
}

template <class Counts>
long count(const std::vector<Outcome>& outcomes, const Counts& counts) {
  return static_cast<long>(std::count_if(outcomes.begin(), outcomes.end(), counts));
}

OfOutcome width(std::optional<Interval> Outcome::*interval) {
  return [interval](const Outcome& o) -> std::optional<double> {
    if (!(o.*interval)) return std::nullopt;
    return (o.*interval)->high - (o.*interval)->low;
  };
}

OfOutcome error_of(std::optional<Off> Outcome::*off) {
  return [off](const Outcome& o) -> std::optional<double> {
    return o.*off ? std::optional((o.*off)->error) : std::nullopt;
  };
}

/// Of the frames of a set that have a truth.
std::string quality_cells(const std::vector<Outcome>& outcomes) {
  std::ostringstream row;
  row << outcomes.size() << " | "
      << median_and_most(outcomes, "%.1e", [](const Outcome& o) { return o.worst.error; }) << " | "
      << median_and_most(outcomes, "%.2f",
                         [](const Outcome& o) { return o.worst.distance.angle_deg; })
      << " | "
      << median_and_most(outcomes, "%.1f",
                         [](const Outcome& o) { return 100 * o.worst.distance.height_m; })
      << " | " << median_and_most(outcomes, "%.1e", error_of(&Outcome::road_alone)) << " | "
      << median_and_most(outcomes, "%.1e", error_of(&Outcome::road_alone_own)) << " | "
      << count(outcomes, [](const Outcome& o) { return o.wrong > 0; }) << " | "
      << count(outcomes, [](const Outcome& o) { return o.unmarked_wrong > 0; }) << " | "
      << count(outcomes, [](const Outcome& o) { return o.height_covered; }) << " | "
      << count(outcomes, [](const Outcome& o) { return o.tilt_covered; });
  return row.str();
}

std::string cost_cells(const std::vector<Outcome>& outcomes) {
  std::ostringstream row;
  row << median(outcomes, "%.3f", width(&Outcome::height_m)) << " | "
      << median(outcomes, "%.2f", width(&Outcome::tilt_deg)) << " | "
      << median_and_most(outcomes, "%.0f", [](const Outcome& o) { return o.rounds; }) << " | "
      << median_and_most(outcomes, "%.1f", [](const Outcome& o) { return o.kilobytes; }) << " | "
      << median_and_most(outcomes, "%.0f", [](const Outcome& o) { return o.iterations; }) << " | "
      << median(outcomes, "%.0f", [](const Outcome& o) { return o.messages; }) << " / "
      << text("%.0f", spread(outcomes, [](const Outcome& o) { return o.messages; })->most) << " | "
      << median(outcomes, "%.2f", [](const Outcome& o) { return o.best_ms; });
  return row.str();
}

}  // namespace

void print(const Problem& problem, const Outcome& o) {
  const Plane plane =
      Plane::from_hyperplane(o.first.value_or(Eigen::Vector4d(0, 0, 1, 0))).value_or(Plane());
  const double tilt_deg = std::acos(plane.normal.z()) * 180 / M_PI;
  std::printf(
      "%-12s %-28s %s F1 %.3f road alone %s, own frame %s moved %7.1e %4ld rounds %5.1f kB %3ld "
      "iterations "
      "%6.2f ms  h %.3f +- %.3f%s  tilt %.2f [%.2f %.2f]%s %s\n",
      problem.set.c_str(), problem.name.c_str(), problem.truth ? text_of(o.worst).c_str() : "-",
      o.f1, text_of(o.road_alone).c_str(), text_of(o.road_alone_own).c_str(), o.moved,
      static_cast<long>(o.rounds), o.kilobytes, static_cast<long>(o.iterations), o.best_ms,
      plane.offset_m, o.height_m ? (o.height_m->high - o.height_m->low) / 2 : -1,
      problem.truth && !o.height_covered ? " MISSED" : "", tilt_deg,
      o.tilt_deg ? o.tilt_deg->low : -1, o.tilt_deg ? o.tilt_deg->high : -1,
      problem.truth && !o.tilt_covered ? " MISSED" : "", o.note.c_str());
  if (o.elsewhere > 0) {
    std::printf("%-12s %-28s %d of %d runs elsewhere, %d unmarked\n", "", "", o.elsewhere, o.runs,
                o.unmarked);
  }
  if (o.wrong > 0) {
    std::printf("%-12s %-28s WRONG %d of %d runs, %d unmarked\n", "", "", o.wrong, o.runs,
                o.unmarked_wrong);
  }
  std::fflush(stdout);
}

void Summary::add(const Problem& problem, const Outcome& outcome) {
  auto& of_set = all_[problem.set];
  if (of_set.empty()) sets_.push_back(problem.set);
  of_set.push_back(outcome);
  if (problem.truth) labelled_[problem.set].push_back(outcome);
}

void Summary::print() const {
  std::printf(
      "\n'a / b': median / most over the frames, of a frame the worst agent and run. Wrong: 5 "
      "degrees or 0.15 m off in any run. Unmarked: of these, not suspect. Covered: frames whose "
      "95 %% interval holds the truth.\n"
      "\n| set | frames | suspect | labelled | error | deg | cm | road alone | own frame | wrong | "
      "unmarked | "
      "height "
      "covered | tilt covered | height width m | tilt width deg | rounds | kB | iterations | "
      "messages per link | ms |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|--"
      "-:|"
      "\n");
  for (const std::string& set : sets_) {
    const auto& all = all_.at(set);
    const auto labelled = labelled_.find(set);
    std::printf("| %s | %zu | %ld | %s | %s |\n", set.c_str(), all.size(),
                count(all, [](const Outcome& o) { return o.suspect > 0; }),
                labelled == labelled_.end() ? "0 | - | - | - | - | - | - | - | - | -"
                                            : quality_cells(labelled->second).c_str(),
                cost_cells(all).c_str());
  }
}

void Halves::Half::add(const Outcome& outcome) {
  errors.push_back(outcome.worst.error);
  f1 += outcome.f1;
}

std::string Halves::Half::cell() const {
  const auto found = spread_of(errors);
  if (!found) return "- | - | -";
  return text("%zu | %.1e, %.1e | %.3f", found->count, found->median, found->most,
              f1 / static_cast<double>(found->count));
}

void Halves::add(const Problem& problem, const Outcome& outcome) {
  auto& [tuning, validation] = halves_[problem.set];
  (problem.tuning ? tuning : validation).add(outcome);
}

void Halves::end_of(const Change& change) {
  for (const auto& [set, half] : halves_) {
    std::ostringstream row;
    row << "| " << set << " | " << (change.field.empty() ? "-" : change.field) << " | "
        << change.factor << " | " << half.first.cell() << " | " << half.second.cell() << " |\n";
    rows_[set] += row.str();
  }
  halves_.clear();
}

void Halves::print() const {
  std::printf(
      "\n| set | field | times | tuning: frames | median, worst error | mean F1 | validation: "
      "frames | median, worst error | mean F1 |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const auto& [set, row] : rows_) std::printf("%s", row.c_str());
}

}  // namespace plane_study
