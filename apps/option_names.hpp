#pragma once

#include <exception>
#include <string>

namespace roadplane::app {

/// The option that sets a field of the library's structs: "--min-height-m" for
/// "prior.min_height_m".
std::string option_of(const std::string& field);

/// How the program ends because of an error.
struct Refusal {
  std::string line;  ///< fields by the names of their options
  int exit_code;     ///< wrong usage if an option's value is at fault, bad input otherwise
};
Refusal refusal_of(const std::exception& error);

}  // namespace roadplane::app
