#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "roadplane/evaluation/max_f.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane {

/// Label files compared with the truth of KITTI's road benchmark.
struct RoadScore {
  struct Frame {
    std::string kind;  ///< um, umm or uu
    std::string name;  ///< "road/um_000000"
    ThresholdCounts counts;
  };

  std::vector<Frame> frames;
  std::vector<std::string> problems;  ///< what could not be scored, a line each, and why
};

/// Frames (at most `most`), then each kind and all of it by summed counts, as aligned text for a
/// terminal.
std::string road_score_text(const RoadScore& score, std::size_t most,
                            const TextLayout& layout = {});
/// A row a frame or sum.
std::string road_score_csv(const RoadScore& score);
/// The same, with what could not be scored.
nlohmann::json to_json(const RoadScore& score);

}  // namespace roadplane
