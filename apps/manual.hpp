#pragma once

#include <span>
#include <string>

#include "option_table.hpp"

namespace roadplane::app {

/// The man page, as troff.
std::string man_page(std::span<const CommandRow> table, const std::string& version);

/// The completion script of a shell. Throws FieldError naming `shell`.
std::string completion_script(std::span<const CommandRow> table, const std::string& shell);

}  // namespace roadplane::app
