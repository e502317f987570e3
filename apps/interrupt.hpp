#pragma once

#include <atomic>

namespace roadplane::app {

/// Ctrl-C makes the flag true, so that the work under way ends well; a second one ends the program
/// at once. mpirun makes it a SIGTERM, and gives its ranks a second.
const std::atomic<bool>& catch_interrupts();

}  // namespace roadplane::app
