#pragma once

#include <filesystem>

#include "roadplane/viz/report.hpp"

namespace roadplane {

/// What there is to show of the run in `folder`, finished or not. Pictures and clouds are drawn
/// anew from the dataset that its configuration names; what cannot be had is left out, and a note
/// says so. Throws InputError if there is no run or its files are damaged.
viz::Report make_report(const std::filesystem::path& folder);

}  // namespace roadplane
