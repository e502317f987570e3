#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "exit_code.hpp"
#include "ranks.hpp"

namespace roadplane::app {

/// A sub-command: its options are added to `app`; running it gives the exit code.
using Run = std::function<int(Ranks&)>;

/// A number in a range; CLI11's own check prints a 300-digit bound.
CLI::Validator in_range(double least, double most);

Run add_segment(CLI::App& app);
Run add_fleet(CLI::App& app);
Run add_score(CLI::App& app);
Run add_compare(CLI::App& app);
Run add_solve(CLI::App& app);
Run add_demo(CLI::App& app);
Run add_synth(CLI::App& app);
Run add_report(CLI::App& app);
Run add_info(CLI::App& app);
Run add_export(CLI::App& app);
Run add_rig(CLI::App& app);
Run add_reproduce(CLI::App& app);
Run add_manual(CLI::App& app);
Run add_completion(CLI::App& app);

}  // namespace roadplane::app
