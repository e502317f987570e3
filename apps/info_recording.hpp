#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane::app {

/// The topics of a recording that would be used; empty for none.
struct TopicUses {
  std::string scans = {};
  std::string pictures = {};
};

/// Those with which a scan is read and drawn.
TopicUses uses_of(const kitti::RecordedScan& scan);

/// The topics of a recording, a line each. Where lines would be too long, packages of types, frames
/// of reference and beginnings of names are left out; names of clouds are whole: one copies them.
std::string recording_text(const kitti::Recording& recording, const TopicUses& uses,
                           const TextLayout& layout);
nlohmann::json recording_json(const kitti::Recording& recording, const TopicUses& uses);

}  // namespace roadplane::app
