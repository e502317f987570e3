#include "roadplane/pipeline/mpi_scheduler.hpp"

#include <nlohmann/json.hpp>

#include "roadplane/json/read_json.hpp"
#include "roadplane/mpi/mailbox.hpp"
#include "roadplane/mpi/task_counter.hpp"
#include "roadplane/results/json_text.hpp"

namespace roadplane {
namespace {

constexpr const char* kNoMore = "";  // posted by a group's leader when it has no task left

FrameRecord unpacked(const std::string& text) {
  const std::string where = "a record from another rank";
  return record_from_json(parse_json(text, where), where);
}

std::string packed(const FrameRecord& record) { return text_of(to_json(record)); }

}  // namespace

MpiScheduler::MpiScheduler(const Communicator& all_ranks, int ranks_per_frame)
    : all_(all_ranks),
      same_frame_(all_ranks.split(all_ranks.rank() / ranks_per_frame)),
      groups_((all_ranks.size() + ranks_per_frame - 1) / ranks_per_frame) {}

void MpiScheduler::do_tasks(std::size_t count, const FrameTask& task, const KeepRecord& keep,
                            const std::atomic<bool>& stop) {
  TaskCounter tasks(all_.ranks());
  Mailbox records(all_.ranks());
  try {
    if (all_.leads()) {
      lead(tasks, records, count, task, keep, stop);
    } else {
      const auto post = [&](const FrameRecord& record) {
        if (same_frame_.leads()) records.post(packed(record));
      };
      take_tasks(tasks, count, task, post, stop);
      if (same_frame_.leads()) records.post(kNoMore);
    }
    all_.barrier();
  } catch (const std::exception& error) {  // the others would wait for this rank
    all_.ranks().fail(error.what());
  }
}

void MpiScheduler::take_tasks(TaskCounter& tasks, std::size_t count, const FrameTask& task,
                              const KeepRecord& give, const std::atomic<bool>& stop) const {
  for (;;) {
    if (stop) tasks.close();  // for all ranks, whichever was told to stop
    const std::string taken = same_frame_.leads() ? std::to_string(tasks.take()) : std::string();
    const std::size_t number = std::stoull(same_frame_.broadcast(taken));
    if (number >= count) return;
    task(number, same_frame_, give);
  }
}

void MpiScheduler::lead(TaskCounter& tasks, Mailbox& records, std::size_t count,
                        const FrameTask& task, const KeepRecord& keep,
                        const std::atomic<bool>& stop) const {
  int other_groups = groups_ - 1;  // that are still at work
  const auto keep_posted = [&](const std::string& text) {
    if (text == kNoMore) {
      --other_groups;
    } else {
      keep(unpacked(text));
    }
  };
  const auto keep_all = [&](const FrameRecord& own) {
    keep(own);
    while (const auto text = records.look()) keep_posted(*text);
  };
  take_tasks(tasks, count, task, keep_all, stop);
  while (other_groups > 0) keep_posted(records.wait());
}

}  // namespace roadplane
