#pragma once

#include <map>
#include <string>
#include <vector>

#include "plane_study_runs.hpp"

namespace plane_study {

/// A frame's line.
void print(const Problem& problem, const Outcome& outcome);

/// A row per set: what the frames of it gave. Errors are of those that have a truth.
class Summary {
 public:
  void add(const Problem& problem, const Outcome& outcome);
  void print() const;

 private:
  std::vector<std::string> sets_;  ///< in the order in which they came
  std::map<std::string, std::vector<Outcome>> all_;
  std::map<std::string, std::vector<Outcome>> labelled_;
};

/// Median and worst error of the frames that constants are chosen on, and of the others.
class Halves {
 public:
  void add(const Problem& problem, const Outcome& outcome);
  /// Remembers a row per set for what has been added, and begins anew.
  void end_of(const Change& change);
  void print() const;

 private:
  struct Half {
    std::vector<double> errors;
    double f1 = 0;

    void add(const Outcome& outcome);
    std::string cell() const;
  };
  std::map<std::string, std::pair<Half, Half>> halves_;
  std::map<std::string, std::string> rows_;  ///< by set, all changes
};

}  // namespace plane_study
