#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/expense.hpp"
#include "roadplane/solver/options.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// What a solve has spent since it began, all of its parts included: the one place that every
/// budget is answered from. A solve asks before it spends, so that no limit is exceeded. Time alone
/// cannot be told beforehand: the longest of the last iterations stands for the next one.
class Ledger {
 public:
  explicit Ledger(const Channel& channel) : channel_(&channel), before_(channel.traffic()) {}

  Traffic traffic() const { return channel_->traffic() - before_; }
  std::int64_t samples() const { return samples_; }  ///< by the agent with the largest shard
  double seconds() const { return watch_.seconds(); }
  Expense spent() const { return {traffic(), samples_}; }

  void count_samples(std::int64_t looked_at) { samples_ += looked_at; }
  /// Leaves that of every budget for what has to follow; in place of what was set aside before.
  void set_aside(const Expense& later) { set_aside_ = later; }
  /// Looking at a solve is not part of it.
  Stopwatch& watch() { return watch_; }

  /// The limit of `stop` that cannot bear `next` and what is set aside, if any; of iterations the
  /// caller knows.
  std::optional<Termination> limit_before(const Expense& next, const StopOptions& stop,
                                          double next_seconds = 0) const;
  /// What of that limit's budget it would take, as "112 rounds".
  std::string needs(Termination limit, const Expense& next, double next_seconds = 0) const;

 private:
  /// All that has been spent, is set aside, and comes next.
  Expense total_with(const Expense& next) const { return spent() + set_aside_ + next; }

  const Channel* channel_;
  Traffic before_;
  std::int64_t samples_ = 0;
  Expense set_aside_;
  Stopwatch watch_;
};

}  // namespace roadplane
