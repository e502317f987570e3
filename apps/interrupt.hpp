#pragma once

#include <atomic>

namespace roadplane::app {

/// Ctrl-C makes the flag true, so that the work under way ends well; a second one ends the program
/// at once. mpirun makes it a SIGTERM, and gives its ranks a second.
const std::atomic<bool>& catch_interrupts();

/// From now on writing to a pipe that nobody reads any more fails, and does not end the program.
void ignore_closed_pipes();

/// A file that grows beyond what `ulimit -f` allows is then an error like a full disk, which leaves
/// no half file behind, and not the end of the process.
void ignore_file_size_limit();

}  // namespace roadplane::app
