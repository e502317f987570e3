#include "roadplane/compare/frame_choice.hpp"

#include <set>

#include "roadplane/base/field_error.hpp"
#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/kitti/frame_selection.hpp"

namespace roadplane {

FrameChoice choose_frames(const CompareConfig& config) {
  const kitti::Dataset dataset = open_data(config.common.data);
  const std::vector<kitti::Frame>& all = dataset.frames;
  FrameChoice choice{select_frames(config.common.data, dataset), {}};
  if (!config.tune) return choice;
  if (config.tune_frames.empty()) {
    choice.tuned = default_tune_frames(all, choice.compared);
    return choice;
  }
  try {
    choice.tuned = kitti::FrameSelection::parse(config.tune_frames).apply(all);
  } catch (const FieldError& error) {
    throw FieldError("tune_frames", error.expected(), error.found());
  }
  std::set<std::string> compared;
  for (const kitti::Frame& frame : choice.compared) compared.insert(frame.name());
  for (const kitti::Frame& frame : choice.tuned) {
    if (compared.contains(frame.name())) {
      throw FieldError("tune_frames", "frames that are not compared", frame.name());
    }
  }
  return choice;
}

}  // namespace roadplane
