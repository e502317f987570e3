#pragma once

#include <cstdint>
#include <optional>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/solver/options.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// What a solve has spent since it began, all of its parts included: the one place that every
/// budget is answered from.
class Ledger {
 public:
  explicit Ledger(const Channel& channel) : channel_(&channel), before_(channel.traffic()) {}

  Traffic traffic() const { return channel_->traffic() - before_; }
  std::int64_t samples() const { return samples_; }  ///< by the agent with the largest shard
  double seconds() const { return watch_.seconds(); }

  void count_samples(std::int64_t looked_at) { samples_ += looked_at; }
  /// Looking at a solve is not part of it.
  Stopwatch& watch() { return watch_; }

  /// The limit of `stop` that has been reached, if any; of iterations the caller knows.
  std::optional<Termination> limit_reached(const StopOptions& stop) const;

 private:
  const Channel* channel_;
  Traffic before_;
  std::int64_t samples_ = 0;
  Stopwatch watch_;
};

}  // namespace roadplane
