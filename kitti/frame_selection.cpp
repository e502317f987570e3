#include "roadplane/kitti/frame_selection.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr const char* kField = "frames";
constexpr int kNoEnd = std::numeric_limits<int>::max();

[[noreturn]] void throw_syntax(std::string_view text) {
  throw FieldError(kField, "numbers and ranges such as 0:100, 0:100:10 or 1,45,328",
                   in_quotes(text));
}

/// A number below the largest int, which stands for "no end"; `missing` for an empty text.
int parse_number(std::string_view text, std::string_view whole, int missing) {
  if (text.empty()) return missing;
  const std::optional<std::uint64_t> number = parse_count(text);
  if (!number || *number >= kNoEnd) throw_syntax(whole);
  return static_cast<int>(*number);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string describe(const std::vector<Frame>& frames) {
  if (frames.empty()) return "no frames";
  const auto [low, high] =
      std::minmax_element(frames.begin(), frames.end(),
                          [](const Frame& a, const Frame& b) { return a.number < b.number; });
  return std::to_string(frames.size()) + " frames, numbers " + std::to_string(low->number) +
         " to " + std::to_string(high->number);
}

}  // namespace

FrameSelection::Range FrameSelection::parse_range(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  Range range{.text = std::string(text)};
  if (text.empty() || parts.size() > 3) throw_syntax(text);
  range.first = parse_number(parts[0], text, 0);
  if (parts.size() == 1) {
    range.end = range.first + 1;
    range.is_number = true;
    return range;
  }
  range.end = parse_number(parts[1], text, kNoEnd);
  range.step = parts.size() == 3 ? parse_number(parts[2], text, 1) : 1;
  if (range.step == 0 || range.end <= range.first) throw_syntax(text);
  return range;
}

FrameSelection FrameSelection::parse(std::string_view text) {
  FrameSelection selection;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
    const std::size_t last = part.find_last_not_of(' ') + 1;
    selection.ranges_.push_back(parse_range(part.substr(first, std::max(last, first) - first)));
  }
  return selection;
}

std::vector<Frame> FrameSelection::apply(const std::vector<Frame>& frames) const {
  std::string unknown;
  for (const Range& range : ranges_) {
    if (std::any_of(frames.begin(), frames.end(),
                    [&](const Frame& frame) { return range.contains(frame.number); })) {
      continue;
    }
    if (!range.is_number) {
      throw FieldError(kField, "a range that holds a frame",
                       range.text + " but the dataset has " + describe(frames));
    }
    unknown += (unknown.empty() ? "" : ", ") + range.text;
  }
  if (!unknown.empty()) {
    throw FieldError(kField, "numbers of frames that exist (" + describe(frames) + ")", unknown);
  }
  std::vector<Frame> selected;
  std::copy_if(frames.begin(), frames.end(), std::back_inserter(selected), [&](const Frame& frame) {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const Range& range) { return range.contains(frame.number); });
  });
  return selected;
}

}  // namespace roadplane::kitti
