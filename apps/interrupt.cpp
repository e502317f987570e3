#include "interrupt.hpp"

#include <csignal>

namespace roadplane::app {
namespace {

std::atomic<bool> interrupted{false};

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  for (const int number : {SIGINT, SIGTERM}) {
    std::signal(number, [](int again) {
      interrupted = true;
      std::signal(again, SIG_DFL);
    });
  }
  return interrupted;
}

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void ignore_file_size_limit() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace roadplane::app
