// What stands in for research/ in a build without it.

#include "command.hpp"
#include "option_values.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::app {
namespace {

/// Hidden; whatever options it is given, it says why it does nothing.
Run refuse(CLI::App& app) {
  app.group("")->allow_extras()->prefix_command();
  return [name = app.get_name()](Ranks&) -> int {
    throw InputError(name, "a program that was built with ROADPLANE_RESEARCH=ON", "one without");
  };
}

}  // namespace

Run add_compare(CLI::App& app) { return refuse(app); }
Run add_solve(CLI::App& app) { return refuse(app); }
Run add_reproduce(CLI::App& app) { return refuse(app); }

std::vector<std::string> research_values(std::string_view) { return {}; }

}  // namespace roadplane::app
