#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// Which frames of a dataset to use, as text: numbers and ranges, separated by
/// commas. A range is written and meant as in Python: `0:100` is frames 0 to 99, `0:100:10` every
/// tenth number of them, and an end may be left out (`100:`, `:50`, `::10`).
class FrameSelection {
 public:
  /// Throws FieldError naming `frames` for anything else.
  static FrameSelection parse(std::string_view text);

  /// The selected frames, in the dataset's order and each once. A range takes what exists; throws
  /// FieldError for numbers that do not exist, naming them, and for a range that selects nothing.
  std::vector<Frame> apply(const std::vector<Frame>& frames) const;

 private:
  struct Range {
    std::string text;  ///< as it was written
    int first = 0;
    int end = 0;  ///< one past the last
    int step = 1;
    bool is_number = false;  ///< a single number, which must exist

    bool contains(int number) const {
      return number >= first && number < end && (number - first) % step == 0;
    }
  };
  static Range parse_range(std::string_view text);

  std::vector<Range> ranges_;
};

}  // namespace roadplane::kitti
