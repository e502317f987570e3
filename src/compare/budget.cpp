#include "roadplane/compare/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr const char* kNames[] = {"messages", "rounds", "bytes", "samples", "seconds"};

}  // namespace

Budget Budget::parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  for (int k = 0; k < 5 && equals != std::string::npos; ++k) {
    if (text.substr(0, equals) != kNames[k]) continue;
    Budget budget{static_cast<Kind>(k)};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, budget.amount);
    const bool whole = budget.kind == Kind::seconds || budget.amount == std::floor(budget.amount);
    if (error == std::errc() && stop == end && budget.amount > 0 && budget.amount <= 1e12 &&
        whole) {
      return budget;
    }
  }
  throw FieldError("budget",
                   "messages=NUMBER, rounds=NUMBER, bytes=NUMBER, samples=NUMBER or seconds=TIME",
                   in_quotes(text));
}

std::string Budget::to_string() const {
  return fmt::format("{}={:g}", kNames[static_cast<int>(kind)], amount);
}

double Budget::spent(const FrameRecord& record) const {
  switch (kind) {
    case Kind::messages:
      return static_cast<double>(record.messages_per_link);
    case Kind::rounds:
      return static_cast<double>(record.rounds);
    case Kind::bytes:
      return record.bytes_per_agent;
    case Kind::samples:
      return static_cast<double>(record.samples);
    case Kind::seconds:
      return 1e-3 * (record.ms.solve + record.ms.start);
  }
  return 0;
}

double Budget::spent(const TraceEntry& entry, const Graph& graph) const {
  switch (kind) {
    case Kind::messages:
      return static_cast<double>(entry.traffic.messages_per_link);
    case Kind::rounds:
      return static_cast<double>(entry.traffic.rounds);
    case Kind::bytes:
      return entry.traffic.bytes_per_agent(graph);
    case Kind::samples:
      return static_cast<double>(entry.samples);
    case Kind::seconds:
      return entry.seconds;
  }
  return 0;
}

void apply_budget(const Budget& budget, const SharedFrame& shared, SegmentPlan& plan) {
  if (auto* robust = std::get_if<RobustOptions>(&plan.plane.objective)) {
    robust->max_iterations = std::numeric_limits<int>::max();
  }
  std::visit(
      [&](SolverOptions& o) {
        StopOptions& stop = o.stop;
        stop.max_iterations = std::int64_t{1} << 40;
        if (budget.kind == Budget::Kind::messages) stop.max_messages = std::llround(budget.amount);
        if (budget.kind == Budget::Kind::rounds) stop.max_rounds = std::llround(budget.amount);
        if (budget.kind == Budget::Kind::bytes) stop.max_bytes = budget.amount;
        if (budget.kind == Budget::Kind::samples) stop.max_samples = std::llround(budget.amount);
        if (budget.kind == Budget::Kind::seconds) {
          stop.max_seconds = std::max(1e-9, budget.amount - 1e-3 * shared.share_ms);
        }
      },
      plan.plane.solver);
}

}  // namespace roadplane
