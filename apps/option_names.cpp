#include "option_names.hpp"

#include <algorithm>
#include <string_view>

#include "exit_code.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/mpi/process_group.hpp"

namespace roadplane::app {
namespace {

struct Exception {
  std::string_view field;
  std::string_view option;
};

/// Where the rule, the last part of the field with dashes, does not lead to the option.
constexpr Exception kExceptions[] = {
    {"experiment", "EXPERIMENT"},
    {"path", "PATH"},
    {"scale_rad", "--scale"},
    {"stop.max_iterations", "--iterations"},
    {"stop.max_seconds", "--budget"},
    {"stop.residual_tolerance", "--tolerance"},
};

}  // namespace

std::string option_of(const std::string& field) {
  for (const Exception& exception : kExceptions) {
    if (exception.field == field) return std::string(exception.option);
  }
  std::string name = field.substr(field.rfind('.') + 1);  // all of it if there is no dot
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

Refusal refusal_of(const std::exception& error) {
  if (const auto* bad = dynamic_cast<const FieldError*>(&error)) {
    return {bad->line_with(option_of), kWrongUsage};
  }
  const auto* agreed = dynamic_cast<const AgreedError*>(&error);
  if (agreed != nullptr && agreed->field_error()) {
    return {agreed->who() + agreed->field_error()->line_with(option_of), kWrongUsage};
  }
  return {error.what(), kBadInput};
}

}  // namespace roadplane::app
