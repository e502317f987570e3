#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "roadplane/viz/report.hpp"

namespace roadplane {

struct ReportOptions {
  /// How many frames have pictures, a 3-D view and curves, at most: kAllFrames or a number. Up to
  /// kFramesInside of them are inside the page, and the page stays below 15 MB.
  std::size_t frames = kFramesInside;
  int threads = 1;  ///< that draw

  static constexpr std::size_t kFramesInside = 20;
  static constexpr std::size_t kAllFrames = static_cast<std::size_t>(-1);
};

/// Keeps the text of a file beside the page and gives its path relative to the page's. Called by
/// one thread at a time.
using KeepBeside = std::function<std::string(const std::string& name, const std::string& text)>;

/// What there is to show of the run in `folder`, finished or not. Pictures and clouds are drawn
/// anew from the dataset that its configuration names; what cannot be had is left out, and a note
/// says so. Of more than kFramesInside frames pictures, clouds and curves go to `keep`, a file for
/// each frame. Throws InputError if there is no run or its files are damaged.
viz::Report make_report(const std::filesystem::path& folder, const ReportOptions& options = {},
                        const KeepBeside& keep = {});

}  // namespace roadplane
