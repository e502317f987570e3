#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "roadplane/evaluation/label_counts.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane {

/// Label files compared with a truth.
struct LabelScore {
  struct Frame {
    std::string sequence;
    std::string name;  ///< "04/000056"
    LabelCounts counts;
  };

  std::string target;                 ///< plane, road or ground
  std::string scoring;                ///< its name, ...
  std::string rule;                   ///< ... and what it does
  std::vector<Frame> frames;          ///< in the order of the data set
  std::vector<std::string> problems;  ///< what could not be scored, a line each, and why
};

/// Frames (at most `most`), then sequences and all of it by summed counts, the mean of the frames,
/// and everything by distance, as aligned text for a terminal.
std::string score_text(const LabelScore& score, std::size_t most, const TextLayout& layout = {});
/// A row a frame or sum and band of distance, with counts and ratios.
std::string score_csv(const LabelScore& score);
/// The same, with what could not be scored.
nlohmann::json to_json(const LabelScore& score);

}  // namespace roadplane
