#include "info_recording.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/recorded_camera.hpp"
#include "roadplane/kitti/topic_summary.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane::app {
namespace {

using kitti::TopicSummary;

std::string use_of(const TopicSummary& summary, const TopicUses& uses) {
  const std::string& name = summary.topic->name;
  if (name == uses.scans) return "scans";
  if (name == uses.pictures) return "pictures";
  if (kitti::has_clouds(*summary.topic)) return "scans with --topic " + name;
  return summary.remark.empty() ? "" : "not read: " + summary.remark;
}

}  // namespace

TopicUses uses_of(const kitti::RecordedScan& scan) {
  TopicUses uses{.scans = scan.topic->name};
  try {
    if (const auto camera = kitti::RecordedCamera::of(scan)) uses.pictures = camera->topic();
  } catch (const InputError&) {  // said when a frame is drawn
  }
  return uses;
}

std::string recording_text(const kitti::Recording& recording, const TopicUses& uses) {
  const std::vector<TopicSummary> all = kitti::summaries_of(recording);
  std::vector<std::vector<std::string>> rows{{"topic", "type", "messages", "Hz", "frame", "use"}};
  std::uint64_t messages = 0;
  for (const TopicSummary& summary : all) {
    const kitti::RecordedTopic& t = *summary.topic;
    messages += t.messages;
    rows.push_back({terminal_text(t.name), terminal_text(t.type), std::to_string(t.messages),
                    t.rate_hz() > 0 ? fmt::format("{:.1f}", t.rate_hz()) : "",
                    terminal_text(summary.frame_id), terminal_text(use_of(summary, uses))});
  }
  return fmt::format("{}: {} messages of {} topics in {:.2f} s\n\n{}",
                     terminal_text(recording.path().string()), messages, all.size(),
                     kitti::duration_s(recording),
                     aligned_text(std::move(rows), {true, true, false, false, true, true}));
}

nlohmann::json recording_json(const kitti::Recording& recording, const TopicUses& uses) {
  const std::vector<TopicSummary> all = kitti::summaries_of(recording);
  nlohmann::json topics = nlohmann::json::array();
  for (const TopicSummary& summary : all) {
    const kitti::RecordedTopic& t = *summary.topic;
    nlohmann::json row{{"name", utf8_of_name(t.name)},  {"type", utf8_of_name(t.type)},
                       {"encoding", t.encoding},        {"messages", t.messages},
                       {"rate_hz", t.rate_hz()},        {"use", use_of(summary, uses)},
                       {"clouds", kitti::has_clouds(t)}};
    if (t.messages > 0) {
      row["first_ns"] = t.first_ns;
      row["last_ns"] = t.last_ns;
    }
    if (!summary.frame_id.empty()) row["frame_id"] = utf8_of_name(summary.frame_id);
    if (!summary.remark.empty()) row["remark"] = summary.remark;
    topics.push_back(std::move(row));
  }
  return {{"path", utf8_of_name(recording.path().string())},
          {"duration_s", kitti::duration_s(recording)},
          {"topics", std::move(topics)}};
}

}  // namespace roadplane::app
