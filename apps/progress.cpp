#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "roadplane/base/words.hpp"

namespace roadplane::app {
namespace {

std::string describe(const FrameRecord& r) {
  if (r.status == FrameStatus::failed) return fmt::format("{}: failed: {}", r.name, r.error);
  std::string text = fmt::format("{}: {} of {} points are {}, {}", r.name, r.inliers, r.points,
                                 r.target == "plane" ? "on the plane" : r.target, r.termination);
  if (r.score) text += fmt::format(", recovery error {:.2e}", r.score->recovery_error);
  if (r.status == FrameStatus::suspect) text += "; suspect: " + r.note;
  if (!r.error.empty()) text += "; incomplete: " + r.error;
  return text;
}

std::string detailed(const FrameRecord& r) {
  return fmt::format(
      "    {} iterations, {} rounds, {:.1f} kB sent per agent, StaGap {:.1e}, consensus {:.1e}; "
      "ms: load {:.1f}, start {:.1f}, solve {:.1f}, label {:.1f}, draw {:.1f}",
      r.iterations, r.rounds, r.bytes_per_agent / 1e3, r.gap.total(), r.consensus_error, r.ms.load,
      r.ms.start, r.ms.solve, r.ms.label, r.ms.draw);
}

}  // namespace

Progress::Progress(std::size_t frames, std::size_t done, Detail detail)
    : frames_(frames),
      done_(done),
      done_before_(done),
      detail_(detail),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::operator()(const FrameRecord& record) {
  ++done_;
  const bool bad = record.status != FrameStatus::ok;
  const bool bar = terminal_ && detail_ == Detail::normal;
  if (bad || (detail_ != Detail::quiet && !bar)) {
    if (bar) finish();
    fmt::print(bad ? stderr : stdout, "[{}/{}] {}\n", done_, frames_,
               terminal_text(describe(record)));
    if (detail_ == Detail::verbose) fmt::print("{}\n", detailed(record));
    std::fflush(stdout);
  }
  if (bar) draw_bar();
}

double Progress::rate() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return static_cast<double>(done_ - done_before_) / seconds;
}

void Progress::draw_bar() const {
  const std::size_t filled = 30 * done_ / frames_;
  fmt::print(stderr, "\r[{}{}] {}/{} frames, {:.1f}/s, {:.0f} s left \x1b[K",
             std::string(filled, '#'), std::string(30 - filled, ' '), done_, frames_, rate(),
             static_cast<double>(frames_ - done_) / rate());
}

void Progress::finish() const {
  if (terminal_ && detail_ == Detail::normal) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace roadplane::app
