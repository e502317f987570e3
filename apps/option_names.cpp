#include "option_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "exit_code.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/nearest_word.hpp"
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
    {"shell", "SHELL"},
    {"stop.max_iterations", "--iterations"},
    {"stop.max_seconds", "--budget"},
    {"stop.residual_tolerance", "--tolerance"},
};

/// " (did you mean ring?)" where what was found is nearly one of the words that were expected.
std::string did_you_mean(const FieldError& error) {
  std::string typed = error.found();
  std::erase(typed, '"');
  std::string found;
  for (const unsigned char c : typed) found += static_cast<char>(std::tolower(c));
  constexpr std::size_t kShortest = 3;  // letters; a shorter word is nearly many
  if (found.size() < kShortest || found.find_first_of(" =") != std::string::npos) return "";
  std::vector<std::string_view> words;
  for (std::string_view rest = error.expected(); !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" ,:"), rest.size());
    const std::string_view word = rest.substr(0, end);
    const bool itself = word == typed;  // a field's name
    if (end >= kShortest && !itself) words.push_back(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::string_view meant = nearest_word(found, words);
  return meant.empty() ? "" : " (did you mean " + std::string(meant) + "?)";
}

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
    return {bad->line_with(option_of) + did_you_mean(*bad), kWrongUsage};
  }
  const auto* agreed = dynamic_cast<const AgreedError*>(&error);
  if (agreed != nullptr && agreed->field_error()) {
    return {agreed->who() + agreed->field_error()->line_with(option_of) +
                did_you_mean(*agreed->field_error()),
            kWrongUsage};
  }
  return {reason_of(error), kBadInput};
}

}  // namespace roadplane::app
