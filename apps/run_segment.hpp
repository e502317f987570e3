#pragma once

#include <filesystem>

#include "progress.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "terminal.hpp"

namespace roadplane::app {

struct SegmentRun {
  SegmentConfig config;
  std::vector<std::string> paths_from_config;  ///< used if no path is typed
  std::filesystem::path out;                   ///< empty is a fresh folder below runs/
  bool resume = false;
  bool retry = false;       ///< with resume: do failed and incomplete frames again
  ReportWish report;        ///< write report.html, too
  bool strict = false;      ///< a suspect frame is as bad as a failed one
  int jobs = 1;             ///< frames at a time, in one process
  bool mpi = false;         ///< start MPI also where no launcher is recognised
  int ranks_per_frame = 0;  ///< 0 is as many as agents, or all ranks
  double patience_s = 600;  ///< [s] how long a rank waits for another
  Progress::Detail detail = Progress::Detail::normal;
  TextWish text;  ///< of what is printed
};

/// Segments and reports; returns the exit code.
int run_segment(const SegmentRun& run, Ranks& ranks);

}  // namespace roadplane::app
