#pragma once

#include <filesystem>
#include <string>

#include "roadplane/results/label_score.hpp"

namespace roadplane {

/// What is to be scored, in the words of the command line.
struct ScoreConfig {
  std::filesystem::path predictions;  ///< a run's folder, or a folder of label files
  std::filesystem::path truth;        ///< a data set: scans, with labels or annotations
  std::string sequence = "";          ///< one sequence of a data set of several; empty is all
  std::string frames = "";            ///< "0:100", ...; empty is all
  std::string target = "auto";        ///< plane, road or ground; auto is the run's, else road
  std::string scoring = "strict";     ///< strict, patchworkpp or patchwork
};

/// With what the run that the predictions are of says, where target or frames are left open. Throws
/// InputError for a bad configuration.
ScoreConfig with_run(ScoreConfig config);

/// Scores the labels of every frame of the truth; a point is positive if its class is one of the
/// target's. A run's folder says by itself which frames and which target it is of, where that is
/// left open. What is missing, too much, short or damaged is named in the result, and the rest is
/// scored. Throws FieldError for a bad word, and InputError if nothing can be scored at all.
LabelScore score_labels(const ScoreConfig& config);

}  // namespace roadplane
