// roadplane: finds the road in LiDAR scans with decentralised optimisation.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "config_file.hpp"
#include "interrupt.hpp"
#include "option_names.hpp"
#include "roadplane/base/nearest_word.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kernels/isa.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "terminal.hpp"

namespace {

using namespace roadplane::app;

constexpr const char* kDescription =
    "Finds the road in LiDAR scans. Several agents each hold a part of a scan and agree on the "
    "plane\n"
    "of the road by exchanging messages with their network neighbours only. Every point is then\n"
    "labelled, drawn on the camera image and, where there is a ground truth, scored.";

constexpr const char* kFooter =
    "Examples:\n"
    "  roadplane demo                           a synthetic street, no data needed\n"
    "  roadplane info kitti/2011_09_26          what is in a folder\n"
    "  roadplane segment sequences/04 --frames 0:10 --report\n"
    "  roadplane segment drive.mcap --target ground\n"
    "  roadplane rig scans --extrinsics scans/extrinsics.txt\n"
    "  roadplane fleet scenario/2021_08_18      several vehicles, a scan each\n"
    "  roadplane score runs/a odometry          precision, recall, F1 of labels\n"
    "  roadplane compare sequences/04 --tune    solvers on equal budgets\n"
    "  roadplane solve points.csv --p 5         any n x p problem over agents\n"
    "  roadplane report runs/a                  a run as one HTML page\n"
    "  roadplane reproduce table2 --data DIR    the paper's tables and figures\n"
    "\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 some frames failed or are incomplete\n"
    "(with --strict: or suspect), or stopped.";

int refuse(const std::exception& error, const std::string& who) {
  const Refusal refusal = refusal_of(error);
  fmt::print(stderr, "roadplane: {}{}\n", who, roadplane::terminal_text(refusal.line));
  return refusal.exit_code;
}

/// " (did you mean X?)" if the word is a slip of one of the names.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view meant = roadplane::nearest_word(word, known);
  return meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// For a value that is no number, or has a fraction where none may be; empty for anything else.
std::string number_line(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const bool whole = type == "INT" || type == "UINT";
    if (option->empty() || (!whole && type != "FLOAT")) continue;
    double value = 0;
    const std::string& text = option->results().back();  // the last one is taken
    const bool number = CLI::detail::lexical_cast(text, value);
    if (number && (!whole || value == std::floor(value))) continue;
    return fmt::format("{}: expected {}, found {}", option->get_name(),
                       whole ? "a whole number" : "a number", roadplane::in_quotes(text));
  }
  return "";
}

/// For what is missing: "expected --out DIR, found nothing"; empty if nothing is.
std::string missing_line(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string name = option->get_positional() ? "" : option->get_name() + " ";
    return fmt::format("expected {}{}, found nothing", name, option->get_type_name());
  }
  return "";
}

/// One line, as for all that is wrong.
std::string usage_line(const CLI::App* app, const CLI::Error& error) {
  std::string what = error.what();
  const std::vector<std::string> unknown = app->remaining(/*recurse=*/true);
  const std::vector<CLI::App*> chosen = app->get_subcommands();
  if (chosen.empty() && unknown.empty()) {
    what = "expected a command, such as demo, info or segment, found nothing";
  } else if (chosen.empty()) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
      commands.push_back(command->get_name());
    }
    for (const std::string& option : option_names(*app)) commands.push_back(option);
    what = fmt::format("expected a command, found \"{}\"{}", unknown.front(),
                       did_you_mean(unknown.front(), commands));
  } else if (!unknown.empty()) {
    const std::string typed = unknown.front().substr(0, unknown.front().find('='));
    what = fmt::format("expected an option of {}, found \"{}\"{}", chosen.front()->get_name(),
                       typed, did_you_mean(typed, option_names(*chosen.front())));
  } else if (error.get_name() == "ConversionError") {
    const std::string line = number_line(*chosen.front());
    if (!line.empty()) what = line;
  } else if (error.get_name() == "RequiredError") {
    const std::string line = missing_line(*chosen.front());
    if (!line.empty()) what = line;
  }
  return fmt::format("roadplane: {} (see --help)\n", roadplane::terminal_text(what));
}

/// `roadplane help [COMMAND]` and `roadplane version` in the words of options.
std::vector<std::string> in_options(std::vector<std::string> arguments, const CLI::App& app) {
  if (arguments.empty()) return arguments;
  if (arguments[0] == "version") arguments[0] = "--version";
  if (arguments[0] == "help") {
    arguments.erase(arguments.begin());
    const bool known = arguments.empty() || !app.get_subcommands([&](const CLI::App* command) {
                                                  return command->check_name(arguments[0]);
                                                })
                                                 .empty();
    if (known) arguments.emplace_back("--help");  // else it is said what is unknown
  }
  return arguments;
}

int run(int argc, char** argv, Ranks& ranks) {
  CLI::App app(kDescription, "roadplane");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("roadplane ") + ROADPLANE_VERSION);
  app.require_subcommand(1);
  app.failure_message(usage_line);
  app.formatter(std::make_shared<HelpFormatter>());

  struct Command {
    CLI::App* app;
    Run run;
    bool over_ranks;  ///< the processes that mpirun has started share the work
  };
  const auto add = [&](const char* name, const char* what, Run (*add_options)(CLI::App&),
                       bool over_ranks = false) {
    CLI::App* command = app.add_subcommand(name, what);
    command->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    return Command{command, add_options(*command), over_ranks};
  };
  const Command commands[] = {
      add("segment", "Segment the road in the frames of a dataset", add_segment, true),
      add("fleet", "Let vehicles with a scan and a pose each agree on the ground", add_fleet, true),
      add("score", "Score label files against the labels of a dataset", add_score),
      add("report", "Show a run as one HTML file", add_report),
      add("compare", "Compare solvers, objectives and baselines on the same frames", add_compare),
      add("solve", "Solve PCA, DPCP or a robust subspace for a table of points", add_solve, true),
      add("rig", "Find one road with several LiDARs and check their extrinsics", add_rig),
      add("demo", "Generate a short synthetic sequence and segment it", add_demo),
      add("synth", "Write a synthetic sequence in KITTI's odometry layout", add_synth),
      add("info", "Show what a folder or file is recognised as", add_info),
      add("export", "Write the scans of a recording as KITTI files", add_export),
      add("reproduce", "Repeat the paper's tables and figures", add_reproduce),
      add("manual", "Print the man page", add_manual),
      add("completion", "Print the completion script of a shell", add_completion),
  };

  try {
    std::vector<std::string> arguments =
        with_config_file(in_options({argv + 1, argv + argc}, app), app);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return !ranks.speaks() || app.exit(error) == 0 ? kAllGood : kWrongUsage;
  }
  roadplane::active_isa();  // throws for a bad ROADPLANE_ISA: better now than frame by frame
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    if (command.over_ranks) return command.run(ranks);
    const bool speaks = ranks.speaks();
    ranks.part();
    return speaks ? command.run(ranks) : kAllGood;
  }
  return kWrongUsage;
}

}  // namespace

CLI::Validator roadplane::app::in_range(double least, double most) {
  const auto check = [=](std::string& text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
    return good ? "" : fmt::format("expected {}, found {}", range_text(least, most), text);
  };
  return {check, "", "in_range"};
}

int main(int argc, char** argv) {
  ignore_file_size_limit();
  Ranks ranks;
  try {
    return run(argc, argv, ranks);
  } catch (const roadplane::AgreedError& error) {
    return ranks.speaks() ? refuse(error, "") : kAllGood;
  } catch (const std::exception& error) {
    return refuse(error, ranks.who());
  }
}
