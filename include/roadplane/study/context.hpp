#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roadplane {

/// What an experiment is given to work with.
struct StudyContext {
  std::filesystem::path data{};    ///< folder that holds kitti/ and mnist/
  std::filesystem::path folder{};  ///< where the experiment's files go; exists and is empty
  int threads = 2;
  /// A line of progress; called from several threads.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// One thing that the paper says or shows, or that is asked here beside it, and what the numbers
/// say to it.
struct Claim {
  std::string claim;
  bool agrees = false;
  std::string why;  ///< with the numbers
  bool of_paper = true;
};

/// How an experiment came out, claim by claim.
struct Outcome {
  std::vector<Claim> claims;

  std::size_t agreeing() const {
    return static_cast<std::size_t>(
        std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.agrees; }));
  }
  bool agrees() const { return !claims.empty() && agreeing() == claims.size(); }
};

}  // namespace roadplane
