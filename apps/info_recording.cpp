#include "info_recording.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

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

/// What a table of topics shows.
enum class Columns { all, without_packages, few };

std::string table_of(const std::vector<TopicSummary>& all, const TopicUses& uses, Columns columns) {
  constexpr std::size_t kShort = 24;  // [characters]
  const bool few = columns == Columns::few;
  std::vector<std::vector<std::string>> rows{{"topic", "type", "messages", "Hz", "frame", "use"}};
  for (const TopicSummary& summary : all) {
    const kitti::RecordedTopic& t = *summary.topic;
    const std::size_t package = columns == Columns::all ? 0 : t.type.rfind('/') + 1;
    const bool cut = few && !kitti::has_clouds(t);  // other names are copied
    const std::string type = t.type.substr(package);
    rows.push_back({cut ? end_of(t.name, kShort) : t.name, cut ? beginning_of(type, kShort) : type,
                    std::to_string(t.messages),
                    t.rate_hz() > 0 ? fmt::format("{:.1f}", t.rate_hz()) : "", summary.frame_id,
                    use_of(summary, uses)});
  }
  std::vector<bool> is_text{true, true, false, false, true, true};
  constexpr std::ptrdiff_t kFrame = 4;
  if (few) {
    for (auto& row : rows) row.erase(row.begin() + kFrame);
    is_text.erase(is_text.begin() + kFrame);
  }
  return aligned_text(std::move(rows), is_text);
}

bool fits(const std::string& table, const TextLayout& layout) {
  std::istringstream lines(table);
  for (std::string line; layout.width > 0 && std::getline(lines, line);) {
    if (shown_width(line) > layout.width) return false;
  }
  return true;
}

std::string count(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
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

std::string recording_text(const kitti::Recording& recording, const TopicUses& uses,
                           const TextLayout& layout) {
  const std::vector<TopicSummary> all = kitti::summaries_of(recording);
  std::uint64_t messages = 0;
  for (const TopicSummary& summary : all) messages += summary.topic->messages;
  std::string table = table_of(all, uses, Columns::all);
  if (!fits(table, layout)) table = table_of(all, uses, Columns::without_packages);
  if (!fits(table, layout)) table = table_of(all, uses, Columns::few);
  return fmt::format("{}: {} of {} in {:.2f} s\n\n{}", terminal_text(recording.path().string()),
                     count(messages, "message"), count(all.size(), "topic"),
                     kitti::duration_s(recording), table);
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
