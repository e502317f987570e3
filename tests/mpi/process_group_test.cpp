// Ranks that work together, at several rank counts: what is gathered, agreed on, handed out and
// posted. A rank that sees something wrong counts it; the ranks then agree on the verdict.

#include <cstdio>
#include <stdexcept>

#include "roadplane/mpi/mailbox.hpp"
#include "roadplane/mpi/mpi_process_group.hpp"
#include "roadplane/mpi/task_counter.hpp"

namespace {

using namespace roadplane;

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::printf("wrong: %s\n", what);
}

std::string failure_of(const ProcessGroup& group, const std::function<std::string()>& step) {
  try {
    group.run_together(step);
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

/// Of many values, so that they travel in several pieces.
void test_gather(const ProcessGroup& group) {
  constexpr std::uint32_t kCount = 3'000'001;
  std::vector<std::uint32_t> positions;
  std::vector<float> own;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t position = k * 7 % kCount;
    if (static_cast<int>(position % group.size()) != group.rank()) continue;
    positions.push_back(position);
    own.push_back(static_cast<float>(position % 1000));
  }
  const auto all = group.gather<float>(positions, own, kCount);
  expect(all.size() == (group.leads() ? kCount : 0), "gather: the leader has all, nobody else any");
  bool same = true;
  for (std::size_t k = 0; k < all.size(); ++k)
    same = same && all[k] == static_cast<float>(k % 1000);
  expect(same, "gather: every value at its position");
}

void test_agreement(const ProcessGroup& group) {
  expect(failure_of(group, [] { return "same"; }).empty(), "run_together: nothing wrong");
  const int last = group.size() - 1;
  const auto last_fails = [&]() -> std::string {
    if (group.rank() == last) throw std::runtime_error("broken");
    return "";
  };
  const std::string who = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
  expect(failure_of(group, last_fails) == who + "broken", "run_together: one fails, all know whom");
  const auto all_fail = []() -> std::string { throw std::runtime_error("broken"); };
  expect(failure_of(group, all_fail) == "broken", "run_together: all fail for one reason");
  const auto last_refuses = [&]() -> std::string {
    if (group.rank() == last) throw FieldError("a_field", "less than {b.field} (4)", "5");
    return "";
  };
  try {
    group.run_together(last_refuses);
    expect(false, "run_together: a bad field");
  } catch (const AgreedError& error) {
    expect(error.who() == who && error.field_error() && error.field_error()->field() == "a_field",
           "run_together: a bad field stays one");
    expect(error.what() == who + "a_field: expected less than b.field (4), found 5",
           "run_together: all know of a bad field");
  }
  if (last > 0) {
    const auto differs = [&] { return group.rank() == last ? "8 frames" : "9 frames"; };
    expect(failure_of(group, differs) == who + "expected 9 frames as on rank 0, found 8 frames",
           "run_together: one differs");
  }
}

void test_texts_and_sums(const ProcessGroup& group) {
  const std::string long_text(100'000, 'x');
  expect(group.broadcast(group.leads() ? long_text : "") == long_text,
         "broadcast: the leader's text");
  const std::vector<std::string> all = group.all_gather(std::string(group.rank(), 'y'));
  bool same = static_cast<int>(all.size()) == group.size();
  for (std::size_t r = 0; same && r < all.size(); ++r) same = all[r] == std::string(r, 'y');
  expect(same, "all_gather: everybody's texts");
  std::uint64_t values[] = {1, static_cast<std::uint64_t>(group.rank())};
  group.all_reduce_sum(values);
  const auto size = static_cast<std::uint64_t>(group.size());
  expect(values[0] == size && values[1] == size * (size - 1) / 2, "all_reduce_sum");
}

/// Every number is taken once, and rank 0 hears of all of them.
void test_counter_and_mailbox(const MpiProcessGroup& group) {
  constexpr std::uint64_t kTasks = 1000;
  TaskCounter counter(group.ranks());
  Mailbox mailbox(group.ranks());
  std::vector<std::uint64_t> taken(kTasks, 0);
  std::uint64_t posts = 0;
  for (std::uint64_t task = counter.take(); task < kTasks; task = counter.take()) {
    ++taken[task];
    if (group.rank() == 1) mailbox.post(std::to_string(task));
    if (group.rank() == 0) posts += mailbox.look().has_value() ? 1 : 0;
  }
  const std::vector<std::uint64_t> own = taken;
  group.all_reduce_sum(taken);
  expect(taken == std::vector<std::uint64_t>(kTasks, 1), "counter: every task once");
  std::uint64_t expected = 0;  // what rank 1 has taken
  if (group.rank() == 1) {
    for (const std::uint64_t count : own) expected += count;
  }
  group.all_reduce_sum({&expected, 1});
  while (group.leads() && posts < expected) {
    mailbox.wait();
    ++posts;
  }
  group.barrier();
  expect(!group.leads() || !mailbox.look(), "mailbox: no post too many");
  counter.close();
  expect(counter.take() >= kTasks, "counter: closed");
  group.barrier();
}

}  // namespace

int main() {
  const MpiProcessGroup all(Communicator::start());
  test_gather(all);
  test_agreement(all);
  test_texts_and_sums(all);
  test_counter_and_mailbox(all);
  const MpiProcessGroup half(all.ranks().split(all.rank() % 2));
  expect(half.ranks().world_rank(0) == all.rank() % 2, "split: the ranks' own numbers");
  test_texts_and_sums(half);
  std::uint64_t all_failures = static_cast<std::uint64_t>(failures);
  all.all_reduce_sum({&all_failures, 1});
  if (all.leads()) std::printf("%d failures\n", static_cast<int>(all_failures));
  return all_failures == 0 ? 0 : 1;
}
