// Teams of ranks and their queue, at several rank counts: what is gathered, agreed on and handed
// out. A rank that sees something wrong counts it; the ranks then agree on the verdict.

#include "roadplane/mpi/mpi_team.hpp"

#include <cstdio>
#include <stdexcept>

#include "roadplane/mpi/mpi_queue.hpp"
#include "roadplane/mpi/mpi_session.hpp"

namespace {

using namespace roadplane;

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::printf("wrong: %s\n", what);
}

std::string failure_of(const Team& team, const std::function<std::string()>& step) {
  try {
    team.together(step);
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

/// Of many values, so that they travel in several pieces.
void test_gather(const Team& team) {
  constexpr std::uint32_t kCount = 3'000'001;
  std::vector<std::uint32_t> positions;
  std::vector<float> own;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t position = k * 7 % kCount;
    if (static_cast<int>(position % team.size()) != team.rank()) continue;
    positions.push_back(position);
    own.push_back(static_cast<float>(position % 1000));
  }
  const std::vector<float> all = team.gather<float>(positions, own, kCount);
  expect(all.size() == (team.leads() ? kCount : 0), "gather: the leader has all, nobody else any");
  bool same = true;
  for (std::size_t k = 0; k < all.size(); ++k)
    same = same && all[k] == static_cast<float>(k % 1000);
  expect(same, "gather: every value at its position");
}

void test_agreement(const Team& team) {
  expect(failure_of(team, [] { return "same"; }).empty(), "together: nothing wrong");
  const int last = team.size() - 1;
  const auto last_fails = [&]() -> std::string {
    if (team.rank() == last) throw std::runtime_error("broken");
    return "";
  };
  const std::string who = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
  expect(failure_of(team, last_fails) == who + "broken", "together: one fails, all know whom");
  const auto all_fail = []() -> std::string { throw std::runtime_error("broken"); };
  expect(failure_of(team, all_fail) == "broken", "together: all fail for one reason");
  if (last > 0) {
    const auto differs = [&] { return team.rank() == last ? "8 frames" : "9 frames"; };
    expect(failure_of(team, differs) == who + "expected 9 frames as on rank 0, found 8 frames",
           "together: one differs");
  }
}

void test_words_and_sums(const Team& team) {
  const std::string long_text(100'000, 'x');
  expect(team.leaders_text(team.leads() ? long_text : "") == long_text, "the leader's text");
  const std::vector<std::string> all = team.all_texts(std::string(team.rank(), 'y'));
  bool same = static_cast<int>(all.size()) == team.size();
  for (std::size_t r = 0; same && r < all.size(); ++r) same = all[r] == std::string(r, 'y');
  expect(same, "everybody's texts");
  std::uint64_t values[] = {1, static_cast<std::uint64_t>(team.rank())};
  team.sum(values);
  const auto size = static_cast<std::uint64_t>(team.size());
  expect(values[0] == size && values[1] == size * (size - 1) / 2, "sums");
}

/// Every number is taken once, and rank 0 hears of all of them.
void test_queue(const MpiTeam& team) {
  constexpr std::uint64_t kTasks = 1000;
  MpiQueue queue(team.ranks());
  std::vector<std::uint64_t> taken(kTasks, 0);
  std::uint64_t posts = 0;
  for (std::uint64_t task = queue.take(); task < kTasks; task = queue.take()) {
    ++taken[task];
    if (team.rank() == 1) queue.post(std::to_string(task));
    if (team.rank() == 0) posts += queue.look().has_value() ? 1 : 0;
  }
  const std::vector<std::uint64_t> own = taken;
  team.sum(taken);
  expect(taken == std::vector<std::uint64_t>(kTasks, 1), "queue: every task once");
  std::uint64_t expected = 0;  // what rank 1 has taken
  if (team.rank() == 1) {
    for (const std::uint64_t count : own) expected += count;
  }
  team.sum({&expected, 1});
  while (team.leads() && posts < expected) {
    queue.wait_for_post();
    ++posts;
  }
  team.barrier();
  expect(!team.leads() || !queue.look(), "queue: no post too many");
  queue.close();
  expect(queue.take() >= kTasks, "queue: closed");
  team.barrier();
}

}  // namespace

int main() {
  const MpiSession mpi;
  const MpiTeam everybody((MpiGroup()));
  test_gather(everybody);
  test_agreement(everybody);
  test_words_and_sums(everybody);
  test_queue(everybody);
  const MpiTeam half(everybody.ranks().split(everybody.rank() % 2));
  expect(half.ranks().world_rank(0) == everybody.rank() % 2, "split: the ranks' own numbers");
  test_words_and_sums(half);
  std::uint64_t all_failures = static_cast<std::uint64_t>(failures);
  everybody.sum({&all_failures, 1});
  if (everybody.leads()) std::printf("%d failures\n", static_cast<int>(all_failures));
  return all_failures == 0 ? 0 : 1;
}
