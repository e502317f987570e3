#pragma once

#include <string>

namespace roadplane::viz {

/// Lets gnuplot run a script; gives what it writes to its standard output. Throws InputError if the
/// program is missing or does not like the script.
std::string run_gnuplot(const std::string& script);

}  // namespace roadplane::viz
