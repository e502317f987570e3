// road_study DATA: F1 of the road class on all labelled recordings below DATA, from planes that are
// found once. With --cues each cue of the walk is left out in turn; with --constants each constant
// is halved and doubled; with --changes the clouds are turned, thinned, and their reflectance
// changed; --set NAME=VALUE changes a constant.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include "road_study_frames.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/ground/road.hpp"

namespace {

using namespace roadplane;
using namespace road_study;

/// The constants of a road by name.
const std::vector<std::pair<std::string, float RoadOptions::*>> kConstants = {
    {"height", &RoadOptions::height},
    {"height_m", &RoadOptions::height_m},
    {"height_spreads", &RoadOptions::height_spreads},
    {"height_range_m", &RoadOptions::height_range_m},
    {"height_below", &RoadOptions::height_below},
    {"learnt", &RoadOptions::learnt},
    {"link", &RoadOptions::link},
    {"link_slope", &RoadOptions::link_slope},
    {"link_step_m", &RoadOptions::link_step_m},
    {"seed", &RoadOptions::seed},
    {"seed_length_m", &RoadOptions::seed_length_m},
    {"seed_half_width_m", &RoadOptions::seed_half_width_m},
    {"seed_height_m", &RoadOptions::seed_height_m},
    {"profile_m", &RoadOptions::profile_m},
    {"profile_up", &RoadOptions::profile_up},
    {"profile_noise_m", &RoadOptions::profile_noise_m},
    {"profile_walk", &RoadOptions::profile_walk},
    {"profile_memory_m", &RoadOptions::profile_memory_m},
};

RoadOptions with(RoadOptions options, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  if (equals == std::string::npos) throw InputError("--set", "NAME=VALUE", assignment);
  const std::string value = assignment.substr(equals + 1);
  if (name == "passes") options.passes = std::atoi(value.c_str());
  if (name == "learns_reflectance") options.learns_reflectance = value != "0";
  if (name == "learns_roughness") options.learns_roughness = value != "0";
  if (name == "passes" || name.starts_with("learns_")) return options;
  for (const auto& [known, member] : kConstants) {
    if (known != name) continue;
    options.*member = std::strtof(value.c_str(), nullptr);
    return options;
  }
  throw InputError("--set", "the name of a constant of RoadOptions", name);
}

class Study {
 public:
  Study(const Choice& choice, bool frames) : frames_(frames), sets_(load_sets(choice)) {}

  void heading() const {
    std::printf("%-28s", "F1, mean / worst");
    for (const Set& set : sets_)
      std::printf(" %15s", (set.name + " " + std::to_string(set.frames.size())).c_str());
    std::printf(" %7s\n", "mean");
  }

  /// Chooses the constants on all sets but one, from where they are, and scores that one.
  void leave_out(const RoadOptions& start) {
    for (std::size_t out = 0; out < sets_.size(); ++out) {
      const auto score_of = [&](const std::vector<double>& means) {
        return std::accumulate(means.begin(), means.end(), 0.0) - means[out];
      };
      RoadOptions best = start;
      std::vector<double> means = means_of(best);
      for (const auto& [name, member] : kConstants) {
        for (const float factor : {0.7F, 1.4F}) {
          RoadOptions changed = best;
          changed.*member *= factor;
          const std::vector<double> found = means_of(changed);
          if (score_of(found) <= score_of(means)) continue;
          best = changed;
          means = found;
        }
      }
      std::printf(
          "%-28s %.3f, as it is %.3f; the others %.4f, as they are %.4f:", sets_[out].name.c_str(),
          means[out], means_of(start)[out], score_of(means) / static_cast<double>(sets_.size() - 1),
          score_of(means_of(start)) / static_cast<double>(sets_.size() - 1));
      for (const auto& [name, member] : kConstants) {
        if (best.*member != start.*member) std::printf(" %s=%g", name.c_str(), best.*member);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }

  void row(const std::string& name, const RoadOptions& options) {
    RoadFinder find(options);
    std::printf("%-28s", name.c_str());
    double all = 0;
    std::string each;
    for (const Set& set : sets_) {
      double sum = 0, worst = 1;
      for (const Frame& frame : set.frames) {
        const Outcome outcome = find_road(find, frame);
        sum += outcome.f1;
        worst = std::min(worst, outcome.f1);
        if (frames_) each += describe(frame, outcome);
      }
      all += sum / static_cast<double>(set.frames.size());
      std::printf("   %.3f / %.3f", sum / static_cast<double>(set.frames.size()), worst);
    }
    std::printf(" %7.4f\n%s", all / static_cast<double>(sets_.size()), each.c_str());
    std::fflush(stdout);
  }

 private:
  std::vector<double> means_of(const RoadOptions& options) const {
    RoadFinder find(options);
    std::vector<double> means;
    for (const Set& set : sets_) {
      double sum = 0;
      for (const Frame& frame : set.frames) sum += find_road(find, frame).f1;
      means.push_back(sum / static_cast<double>(set.frames.size()));
    }
    return means;
  }

  bool frames_;
  std::vector<Set> sets_;
};

void leave_cues_out(Study& study, const RoadOptions& options) {
  const std::pair<const char*, const char*> kCues[] = {
      {"without reflectance", "learns_reflectance=0"},
      {"without roughness", "learns_roughness=0"},
      {"nothing learnt", "passes=1"},
      {"without height", "height=0"},
      {"height's tolerance not learnt", "height_spreads=1000"},
      {"without steps", "link_step_m=1000"},
      {"heights over the plane", "profile_noise_m=1000"},
      {"two passes", "passes=2"},
      {"no seeds for narrow views", "seed_height_m=0"}};
  for (const auto& [name, assignment] : kCues) study.row(name, with(options, assignment));
}

void vary_constants(Study& study, const RoadOptions& options) {
  for (const auto& [name, member] : kConstants) {
    for (const float factor : {0.5F, 2.0F}) {
      RoadOptions changed = options;
      changed.*member *= factor;
      study.row(name + (factor < 1 ? " / 2" : " x 2"), changed);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Choice choice;
  std::vector<std::string> assignments;
  bool cues = false, constants = false, leave_out = false, changes = false, frames = false;
  CLI::App app("Scores the road class on all labelled recordings.");
  app.add_option("data", choice.data, "folder with kitti/ and lidar/")->required();
  app.add_option("--agents", choice.agents)->capture_default_str();
  app.add_option("--shards", choice.shards)->capture_default_str();
  app.add_option("--sets", choice.sets, "only these sets");
  app.add_option("--set", assignments, "NAME=VALUE: another value of a constant of RoadOptions");
  app.add_flag("--cues", cues, "each cue left out");
  app.add_flag("--constants", constants, "each constant halved and doubled");
  app.add_flag("--leave-out", leave_out, "constants chosen on all sets but one, scored on that");
  app.add_flag("--changes", changes, "clouds turned, thinned, and with other reflectance");
  app.add_flag("--frames", frames, "a line for each frame, too");
  CLI11_PARSE(app, argc, argv);
  try {
    RoadOptions options;
    for (const std::string& assignment : assignments) options = with(options, assignment);
    Study study(choice, frames);
    study.heading();
    study.row("all", options);
    if (cues) leave_cues_out(study, options);
    if (constants) vary_constants(study, options);
    if (leave_out) study.leave_out(options);
    if (!changes) return 0;
    for (const std::string& change : change_names()) {
      Choice changed = choice;
      changed.change = change;
      Study(changed, frames).row(change, options);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
