// The experiment behind the defaults of RobustOptions, of the start and of the doubts: how far the
// plane is off on every frame that has a truth, below DATA/kitti and DATA/lidar, and on synthetic
// streets; worst agent over networks, kinds of shards and seeds.
//
//   plane_study DATA [--seeds N] [--networks] [--agents N,...] [--shards] [--streets]
//               [--sets NAME,...] [--vary FIELD=FACTOR,...]
//   plane_study DATA --metamorphic [--streets] [--sets NAME,...]
//
// The recovery error depends on where the origin is; degrees and centimetres do not: between the
// normals, and between the planes at the middle of the near half of the road's points. "Road alone"
// is the minimiser of the same loss, next to the truth, on the labelled road points: what is left
// of the error where nothing else disturbs it; "own frame" is the same with angles seen from 1.73 m
// above the road in place of the file's origin.
//
// A first table has a row per set. A second one has medians and worst errors of two halves of the
// frames: constants are chosen on the first (tuning), and what they are worth is seen on the second
// (validation). Of the recordings of a set every other one is in either half; a set of one
// recording is cut in the middle. --vary runs everything with a field times each of the factors:
// scale (dominant, above and below), above, below, dominant_rad, near_m, rest. --networks
// adds a ring, a star and a ring of 64 agents to the default network, --agents some like it of so
// many agents; costs are the default's. Runs that end elsewhere than the first one of a frame are
// told, and how many of them were not marked as suspect.
//
// --metamorphic shifts, turns, thins, scales and disturbs every cloud instead, labelled or not, and
// tells which planes do not follow: the origin must not matter, nor which way is forward.

#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>

#include "plane_study_metamorphic.hpp"
#include "plane_study_tables.hpp"

namespace {

using namespace plane_study;

struct Wanted {
  Choice choice;
  Runs runs;
  std::vector<Change> changes{{}};
  bool metamorphic = false;
};

void study(const Wanted& wanted) {
  const std::vector<Problem> problems = problems_of(wanted.choice);
  const bool varied = wanted.changes.size() > 1;
  Summary summary;
  Halves halves;
  for (const Change& change : wanted.changes) {
    for (const Problem& problem : problems) {
      if (change.factor != 1 && !problem.truth) continue;
      const Outcome outcome = solve(problem, wanted.runs, change);
      if (!varied) {
        print(problem, outcome);
        summary.add(problem, outcome);
      }
      if (problem.truth) halves.add(problem, outcome);
    }
    halves.end_of(change);
  }
  if (!varied) summary.print();
  halves.print();
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream all(text);
  for (std::string word; std::getline(all, word, ',');) words.push_back(word);
  return words;
}

std::vector<Change> changes_of(const std::string& text) {
  const std::set<std::string> fields{"scale", "dominant_rad", "above", "below", "near_m", "rest"};
  const std::size_t equals = text.find('=');
  const std::string field = text.substr(0, equals);
  if (equals == std::string::npos || fields.count(field) == 0) {
    throw std::invalid_argument("no field of that name: " + text);
  }
  std::vector<Change> changes;
  for (const std::string& factor : words_of(text.substr(equals + 1))) {
    changes.push_back({field, std::stod(factor)});
  }
  return changes;
}

std::set<std::string> sets_of(const std::string& text) {
  std::set<std::string> sets;
  for (const std::string& name : words_of(text)) {
    if (set_names().count(name) == 0) throw std::invalid_argument("no set of that name: " + name);
    sets.insert(name);
  }
  return sets;
}

Wanted wanted_of(const std::vector<std::string>& words) {
  Wanted wanted;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    const auto value = [&]() -> const std::string& {
      if (++k == words.size()) throw std::invalid_argument(words.back() + " wants a value");
      return words[k];
    };
    if (word == "--networks") {
      wanted.runs.networks = true;
    } else if (word == "--shards") {
      wanted.runs.shards = true;
    } else if (word == "--streets") {
      wanted.choice.streets = true;
    } else if (word == "--metamorphic") {
      wanted.metamorphic = true;
    } else if (word == "--sets") {
      wanted.choice.sets = sets_of(value());
    } else if (word == "--agents") {
      for (const std::string& agents : words_of(value())) {
        wanted.runs.agents.push_back(std::stoi(agents));
      }
    } else if (word == "--seeds") {
      wanted.runs.seeds = std::stoull(value());
    } else if (word == "--vary") {
      wanted.changes = changes_of(value());
    } else {
      wanted.choice.data = word;
    }
  }
  if (wanted.choice.data.empty() || wanted.changes.empty()) throw std::invalid_argument("no DATA");
  return wanted;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Wanted wanted = wanted_of({argv + 1, argv + argc});
    if (wanted.metamorphic) {
      metamorphic_study(problems_of(wanted.choice));
    } else {
      study(wanted);
    }
  } catch (const std::exception& error) {
    std::fprintf(
        stderr,
        "plane_study: %s\nusage: plane_study DATA [--seeds N] [--networks] [--agents N,...] "
        "[--shards] [--streets] [--metamorphic] [--sets NAME,...] "
        "[--vary scale|dominant_rad|above|below|near_m|rest=FACTOR,...]\nsets:",
        error.what());
    for (const std::string& name : set_names()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 1;
  }
  return 0;
}
