#pragma once

#include <string>
#include <vector>

#include "roadplane/kitti/recording.hpp"

namespace roadplane::kitti {

/// Whether the messages of a topic are scans.
bool has_clouds(const RecordedTopic& topic);
/// Why they are none, and what makes some of them.
std::string why_no_clouds(const RecordedTopic& topic);

struct TopicSummary {
  const RecordedTopic* topic = nullptr;  ///< of the recording
  std::string frame_id;                  ///< of its first message; empty of what is not read
  std::string remark;                    ///< why it cannot be used where one might expect it
};

/// All topics of a recording; of those that are read the first message is looked at.
std::vector<TopicSummary> summaries_of(const Recording& recording);

/// From the first message of any topic to the last [s].
double duration_s(const Recording& recording);

}  // namespace roadplane::kitti
