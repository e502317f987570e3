#pragma once

namespace roadplane::app {

/// What the program's exit code says; documented in its help.
enum ExitCode { kAllGood = 0, kWrongUsage = 1, kBadInput = 2, kSomeFramesFailed = 3 };

}  // namespace roadplane::app
