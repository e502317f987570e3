#include <fmt/format.h>

#include <memory>
#include <string>

#include "command.hpp"
#include "live.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/mpi/communicator.hpp"
#include "roadplane/mpi/process_group.hpp"
#include "run_segment.hpp"
#include "segment_options.hpp"

namespace roadplane::app {
namespace {

constexpr const char* kFooter =
    "PATH is a KITTI raw drive or date, an odometry sequence or root, an object split, a folder "
    "of\n"
    "nuScenes, of DPCP annotations or of scans, one scan (.bin, .pcd.bin, .pcd, .ply, .npy, .npz,\n"
    ".las, .csv, .xyz, .asc, .txt), or a recording (.bag, .mcap, .db3, the folder of a ROS 2 "
    "bag).\n"
    "PATH - reads scans from standard input as they arrive, each a length in bytes (32 bits,\n"
    "little-endian) and raw floats in the layout of --format, and answers each with a JSON line.\n"
    "\n"
    "Examples:\n"
    "  roadplane segment sequences/04\n"
    "  roadplane segment drive_0005_sync --frames 0:100:10 --jobs 2 --out runs/a\n"
    "  roadplane segment sequences/00 --target ground --overlay-style truth\n"
    "  roadplane segment --resume --out runs/a         continue after Ctrl-C\n"
    "  roadplane segment sequences/04 --track          start from the last plane\n"
    "  roadplane segment drive.mcap --topic /points    a recording; ROS is not needed\n"
    "  roadplane segment 'scans/*.pcd' more/scan.las   several files\n"
    "  roadplane segment cloud.npy --sensor-height 1.8    z = 0 is the ground\n"
    "  roadplane segment --config runs/a/config.json --topology ring\n"
    "  driver | roadplane segment -                    live: a JSON line per scan\n"
    "  mpirun -np 4 roadplane segment sequences/00     agents over 4 processes\n"
    "\n"
    "A frame whose plane may not be the road is suspect; its note says why.\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 some frames failed or are incomplete\n"
    "(with --strict: or suspect), or stopped.";

void add_solver_options(CLI::App& app, SegmentConfig& c) {
  app.add_option("--solver", c.solver, "Solver: " + alternatives(solver_names()))
      ->capture_default_str();
  app.add_option("--objective", c.objective, "Objective: robust (see --loss) or l3 (the paper's)")
      ->capture_default_str();
  app.add_option("--iterations", c.iterations,
                 fmt::format("Maximum iterations per frame (robust: at most {})",
                             RobustOptions{}.max_iterations))
      ->check(in_range(1, 1e9))
      ->capture_default_str();
}

void add_track_option(CLI::App& app, SegmentConfig& c) {
  app.add_flag("--track", c.track,
               "Begin each frame at the plane of the frame before, moved by the poses where there "
               "are\nsome: half of the plane's messages. Begun afresh every 64 frames and at gaps");
}

void add_output_options(CLI::App& app, SegmentRun& job) {
  SegmentConfig& c = job.config;
  app.add_option("--surface", c.surface,
                 "What is labelled: plane (points near it), relief (points near the ground that\n"
                 "each agent finds over the plane), road (its part of that, up to its edges) or\n"
                 "auto: relief for ground, road for road without a threshold, else plane")
      ->capture_default_str();
  app.add_option(
         "--save", c.save,
         "What to write per frame: none, or a list of label, overlay, birdseye, edges (borders\n"
         "and width of the road, drivable area, hidden ground: JSON), ply, pcd, relief (the\n"
         "ground's heights over the plane), trace; mcap is a recording of each sequence with\n"
         "labelled clouds, planes, edges and records, for Foxglove and RViz")
      ->capture_default_str();
  add_trace_option(app, c, "Density of --save trace");
  app.add_option("--overlay-style", c.overlay_style,
                 "Colours: labels (road blue, other red), truth (hits and misses) or agents")
      ->capture_default_str();
  app.add_option("--image-format", c.image_format,
                 "Format of pictures: png (exact) or jpeg (a quarter of the bytes)")
      ->capture_default_str();
  app.add_flag("--strict", job.strict,
               "Exit with code 3 also if a frame is suspect (its plane may not be the road)");
  add_report_options(app, job.report);
  app.add_option("--out", job.out, "Folder of the results (default: a new one below runs/)")
      ->type_name("DIR");
  app.add_flag(
         "--resume", job.resume,
         "Continue the run in --out, with the path and options recorded there; labels that are\n"
         "missing are made again")
      ->needs("--out");
  app.add_flag("--retry", job.retry,
               "With --resume: repeat the frames that failed or are incomplete")
      ->needs("--resume");
  app.add_option("--jobs", job.jobs, "Number of frames processed at a time, in one process")
      ->check(in_range(1, 256))
      ->capture_default_str();
  app.add_option("--config", "JSON file with options; options on the command line override it")
      ->type_name("FILE");
  add_text_options(app, job.text);
  app.add_flag_callback(
      "--quiet", [&job] { job.detail = Progress::Detail::quiet; }, "Print errors only");
  app.add_flag_callback(
         "--verbose", [&job] { job.detail = Progress::Detail::verbose; },
         "Print costs and times per frame, and the peak memory per rank")
      ->excludes("--quiet");
}

void add_mpi_options(CLI::App& app, SegmentRun& job) {
  app.add_flag("--mpi", job.mpi, "Start MPI even if mpirun or srun is not recognised")
      ->group("MPI");
  app.add_option(
         "--ranks-per-frame", job.ranks_per_frame,
         "Number of ranks that share the agents of a frame; with more ranks, several frames are\n"
         "processed at a time (default: the number of agents, or all ranks if there are fewer)")
      ->check(in_range(1, 10'000))
      ->group("MPI");
  app.add_option(
         "--patience", job.patience_s,
         "How long a rank waits for another before the job ends [s]; must be longer than the\n"
         "longest frame takes (with --track, than 64 frames)")
      ->check(in_range(1, 1e6))
      ->capture_default_str()
      ->group("MPI");
}

/// Nothing is written or compared with a truth, and there is one scan after the other.
void refuse_for_live(const CLI::App& app) {
  for (const char* option :
       {"--out", "--resume", "--report", "--jobs", "--save", "--trace-growth", "--overlay-style",
        "--image-format", "--truth", "--scoring", "--frames", "--sequence", "--topic", "--calib",
        "--quiet", "--verbose", "--ranks-per-frame"}) {
    if (app.count(option) > 0) {
      throw FieldError(option + 2, "a PATH other than - with it", "\"-\"");
    }
  }
}

}  // namespace

Run add_segment(CLI::App& app) {
  app.footer(kFooter);
  auto job = std::make_shared<SegmentRun>();
  add_dataset_options(app, job->config, job->paths_from_config);
  add_network_options(app, job->config);
  add_solver_options(app, job->config);
  add_objective_options(app, job->config);
  add_track_option(app, job->config);
  add_output_options(app, *job);
  add_mpi_options(app, *job);
  return [job, &app](Ranks& ranks) {
    const bool launched = job->mpi || launcher_in_environment();
    for (const char* option : {"--ranks-per-frame", "--patience"}) {
      if (!launched && app.count(option) > 0) {
        throw FieldError(option + 2, "mpirun, srun or {mpi} with it", "none of them");
      }
    }
    const bool no_path = job->config.data.paths.empty() && job->paths_from_config.empty();
    if (job->resume && no_path) {
      throw AgreedError(FieldError("resume", "a run in {out}, or a PATH to begin one with",
                                   "none in " + job->out.string()));
    }
    require_path(job->config, job->paths_from_config);
    if (is_live(job->config)) {
      refuse_for_live(app);
      return run_live(*job, ranks);
    }
    return run_segment(*job, ranks);
  };
}

}  // namespace roadplane::app
