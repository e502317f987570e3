#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace roadplane {

/// What an experiment is given to work with.
struct StudyContext {
  std::filesystem::path data{};    ///< folder that holds kitti/ and mnist/
  std::filesystem::path folder{};  ///< where the experiment's files go; exists and is empty
  int threads = 2;
  /// A line of progress; called from several threads.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// How an experiment came out.
struct Outcome {
  bool agrees = false;  ///< with the paper, computed from the numbers
  std::string verdict;  ///< in a sentence or two
};

}  // namespace roadplane
