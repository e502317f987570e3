#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roadplane/study/context.hpp"

namespace roadplane {

/// An experiment of the paper by its name: table1, table2, figure1, figure2, figure3; and
/// heterogeneous and crossover, which show what VRSGT is for and where it pays.
std::vector<std::string> experiment_names();

struct ReproduceOptions {
  std::vector<std::string> experiments;  ///< names; every one in a folder of its own
  std::filesystem::path data;            ///< folder that holds kitti/ and mnist/
  std::filesystem::path out;             ///< a new or empty folder
  int threads = 2;
  /// A line of progress; called from several threads.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// Runs the experiments and writes README.md, which says how each came out. Throws InputError for
/// unknown names, missing recordings or a folder that is in use, before anything is computed.
std::vector<Outcome> reproduce(const ReproduceOptions& options);

}  // namespace roadplane
