#include "roadplane/pipeline/mpi_crew.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/mpi/mpi_queue.hpp"
#include "roadplane/mpi/mpi_session.hpp"
#include "roadplane/results/json_text.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr const char* kNoMore = "";  // posted by a team's leader when it goes home

int checked_ranks_per_frame(int wanted, int agents, int ranks) {
  if (wanted == 0) return std::min(agents, ranks);
  const int most = std::min(agents, ranks);
  if (wanted > most) {
    throw AgreedError(InputError("--ranks-per-frame",  // all ranks have the same options
                                 "at most the agents and the ranks: " + std::to_string(most),
                                 std::to_string(wanted)));
  }
  return wanted;
}

FrameRecord unpacked(const std::string& text) {
  return record_from_json(json::parse(text, nullptr, /*allow_exceptions=*/false),
                          "a record from another rank");
}

std::string packed(const FrameRecord& record) { return text_of(to_json(record)); }

}  // namespace

MpiCrew::MpiCrew(int agents, int ranks_per_frame, double patience_s)
    : everybody_(MpiGroup(patience_s)),
      ranks_per_frame_(checked_ranks_per_frame(ranks_per_frame, agents, everybody_.size())),
      teams_((everybody_.size() + ranks_per_frame_ - 1) / ranks_per_frame_),
      team_(everybody_.ranks().split(everybody_.rank() / ranks_per_frame_)) {}

void MpiCrew::work(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                   const std::atomic<bool>& stop) {
  MpiQueue queue(everybody_.ranks());
  try {
    work_from(queue, count, task, keep, stop);
  } catch (const std::exception& error) {  // the others would wait for this rank
    constexpr int kExitCode = 2;
    MpiSession::fail(error.what(), kExitCode);
  }
}

void MpiCrew::work_from(MpiQueue& queue, std::size_t count, const FrameTask& task,
                        const KeepRecord& keep, const std::atomic<bool>& stop) {
  const bool first = everybody_.leads();
  int teams_at_work = teams_ - 1;  // besides the first one
  const auto keep_posted = [&](const std::string& text) {
    if (text == kNoMore) {
      --teams_at_work;
    } else {
      keep(unpacked(text));
    }
  };

  for (;;) {
    if (team_.leads() && stop) queue.close();  // for the other teams, too
    const std::string taken = team_.leads() ? std::to_string(queue.take()) : std::string();
    const std::size_t number = std::stoull(team_.leaders_text(taken));
    if (number >= count) break;
    const FrameRecord record = task(number, team_);
    if (first) {
      keep(record);
    } else if (team_.leads()) {
      queue.post(packed(record));
    }
    while (const auto text = first ? queue.look() : std::nullopt) keep_posted(*text);
  }
  if (team_.leads() && !first) queue.post(kNoMore);
  while (first && teams_at_work > 0) keep_posted(queue.wait_for_post());
  everybody_.barrier();
}

}  // namespace roadplane
