#include "roadplane/pipeline/fleet.hpp"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "command.hpp"
#include "command_line.hpp"
#include "fleet_text.hpp"
#include "interrupt.hpp"
#include "option_names.hpp"
#include "report.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/mpi/communicator.hpp"
#include "roadplane/mpi/mpi_process_group.hpp"
#include "roadplane/pipeline/mount_files.hpp"
#include "roadplane/pipeline/topology.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/mount.hpp"
#include "roadplane/results/run_folder.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

constexpr const char* kFooter =
    "PATH is a scenario with a folder for each vehicle (VEHICLE/NNNNN.pcd and .yaml with\n"
    "lidar_pose, as OPV2V, V2V4Real and V2X-R have them), a folder with N_lidar.pcd and N.yaml of\n"
    "one moment, or, with --members, a KITTI odometry sequence with poses, of which some frames\n"
    "stand for vehicles.\n"
    "\n"
    "Every vehicle reads its own scan and pose. They agree on the ground by talking to their\n"
    "neighbours only; points stay where they are. Heights and tilts are over the ground;\n"
    "\"alone\" is the height that a vehicle's own scan would give; \"pose dz\" and \"tilt\" are "
    "by\n"
    "how much its pose is off from what the others see. A vehicle whose pose cannot be right is\n"
    "suspect and does not count.\n"
    "\n"
    "Examples:\n"
    "  roadplane fleet scenario/2021_08_18_19_48_05\n"
    "  roadplane fleet sequences/04 --members 0,10,20,30,40     one drive as a convoy\n"
    "  roadplane fleet scenario --radio-range 70 --moments 0:10 --target ground\n"
    "  roadplane fleet scenario --track                         each from the last\n"
    "  roadplane synth hills --vehicles 16 --hill crest --height-noise-m 0.2\n"
    "  mpirun -np 5 roadplane fleet scenario                    a process for each vehicle\n"
    "\n"
    "The results are moments.jsonl and vehicles.jsonl (a line for each), frames.jsonl and tables\n"
    "as of segment, labels, and a picture from above of each moment.\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 some vehicles failed (with --strict: "
    "or\n"
    "are suspect), or stopped.";

struct FleetRun {
  FleetConfig config;
  std::filesystem::path out;
  bool strict = false;
  bool quiet = false;
  bool mpi = false;
  double patience_s = 600;  ///< [s] how long a rank waits for another
  TextWish text;
  ReportWish report;
};

/// What the first process writes as moments come.
class FleetResults {
 public:
  FleetResults(const FleetRun& job, const FleetConfig& config)
      : run_(RunFolder::create(job.out.empty() ? fresh_run_path("fleet") : job.out, to_json(config),
                               inputs_of(config))) {
    run_.append_command(command_line());
  }

  const std::filesystem::path& folder() const { return run_.path(); }

  void add(const MomentRecord& record) {
    for (const VehicleRecord& vehicle : record.vehicles) {
      nlohmann::json line = to_json(vehicle);
      line["frame"].erase("ms");  // the file is the same, whoever hosts whom
      vehicles_ += text_of(line) + "\n";
      run_.append(vehicle.frame);
      frames_.push_back(vehicle.frame);
    }
    moments_ += text_of(to_json(record)) + "\n";
    write_file_atomically(run_.path() / "vehicles.jsonl", vehicles_);
    write_file_atomically(run_.path() / "moments.jsonl", moments_);
  }

  /// What is known of the vehicles' mounts.
  std::vector<std::string> write_mounts() const {
    return write_mount(run_.path(), road_views(frames_));
  }

  /// Exit code.
  int finish(bool strict) {
    run_.write_summary(frames_);
    for (const FrameRecord& frame : frames_) {
      if (!frame.error.empty() || (strict && frame.status == FrameStatus::suspect))
        return kSomeFramesFailed;
    }
    return kAllGood;
  }

  std::string line(const TextLayout& layout) const { return records_line(frames_, layout); }

 private:
  static std::vector<RunInput> inputs_of(const FleetConfig& config) {
    std::vector<RunInput> inputs;
    if (auto input = input_file("topology", config.topology)) inputs.push_back(std::move(*input));
    return inputs;
  }

  RunFolder run_;
  std::vector<FrameRecord> frames_;
  std::string vehicles_;
  std::string moments_;
};

FleetTrack fresh_track(const kitti::Fleet& fleet, const std::vector<std::string>& moments) {
  std::vector<int> numbers;
  for (const std::string& moment : moments)
    numbers.push_back(static_cast<int>(parse_count(moment).value_or(0)));
  return {fleet.vehicles.size(), usual_spacing(numbers)};
}

/// Every process comes here; the first one prints and writes.
int run_with_group(const FleetRun& job, const ProcessGroup& processes) {
  FleetConfig config = job.config;
  config.path = std::filesystem::absolute(config.path).lexically_normal().string();
  std::optional<FleetPlan> plan;
  kitti::Fleet fleet;
  std::vector<std::string> moments;
  processes.run_together([&] {
    plan.emplace(config);
    fleet = kitti::open_fleet(config.path, config.members);
    const auto vehicles = static_cast<int>(fleet.vehicles.size());
    if (config.topology != "radio")
      make_graph(config.topology, vehicles, config.seed);  // or throws
    std::string names;
    for (const std::string& vehicle : fleet.vehicles) names += " " + vehicle;
    return "vehicles" + names;
  });
  processes.run_together([&] {
    moments = moments_of_fleet(fleet, config, processes);
    return std::to_string(moments.size()) + " moments";
  });
  if (moments.empty())
    throw AgreedError(InputError(config.path, "a moment of a vehicle", "none").what());
  std::optional<FleetResults> results;
  processes.run_together([&] {
    if (processes.leads()) results.emplace(job, config);
    return std::string();
  });
  const std::filesystem::path folder = processes.broadcast(
      results ? std::filesystem::absolute(results->folder()).string() : std::string());
  const bool prints = processes.leads() && !job.quiet;
  if (prints) {
    for (const std::string& remark : fleet.remarks) fmt::print("note: {}\n", terminal_text(remark));
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  bool stopped = false;
  std::size_t done = 0;
  FleetTrack track = fresh_track(fleet, moments);
  for (const std::string& moment : moments) {
    stopped = processes.broadcast(interrupted ? "stop" : "go") == "stop";
    if (stopped) break;
    if (done++ % kChunk == 0) track = fresh_track(fleet, moments);
    const MomentRecord record =
        segment_moment(fleet, moment, *plan, folder, processes, config.track ? &track : nullptr);
    if (results) results->add(record);
    if (prints) fmt::print("{}\n", moment_text(record, job.text.layout()));
  }
  if (!results) return kAllGood;
  const int code = results->finish(job.strict);
  std::vector<std::string> mounts;
  if (config.track) mounts = results->write_mounts();
  if (job.report.wanted()) {
    const auto page = write_report(results->folder(), job.report.options(1));
    if (prints) fmt::print("report: {}\n", terminal_text(page.string()));
  }
  if (prints) {
    for (const std::string& mount : mounts) fmt::print("vehicle {}\n", terminal_text(mount));
    fmt::print("results: {}\n{}\n", terminal_text(results->folder().string()),
               results->line(job.text.layout()));
  }
  return stopped ? kSomeFramesFailed : code;
}

int run_over_mpi(const FleetRun& job, const Communicator& all_ranks) {
  try {
    return run_with_group(job, MpiProcessGroup(all_ranks));
  } catch (const AgreedError&) {  // all ranks are here, and end in order
    throw;
  } catch (const std::exception& error) {
    all_ranks.fail(refusal_of(error).line);
  }
}

int run_fleet(const FleetRun& job, Ranks& ranks) {
  job.text.validate();
  if (job.config.path.empty())
    throw AgreedError(FieldError("path", "a scenario or a sequence", "nothing"));
  const Communicator* all_ranks = ranks.ask(job.patience_s, job.mpi);
  const bool several = all_ranks != nullptr && all_ranks->size() > 1;
  if (several || job.mpi) return run_over_mpi(job, *all_ranks);
  return run_with_group(job, SingleProcess());
}

void add_who(CLI::App& app, FleetConfig& c) {
  app.add_option("path", c.path, "A scenario, a moment or a sequence")->type_name("PATH");
  app.add_option("--members", c.members,
                 "Of an odometry sequence with poses: frames that stand for vehicles, as 0,10,20")
      ->type_name("LIST");
  app.add_option("--moments", c.moments,
                 "Moments by number: 0:100 (0 to 99), 0:100:10, 1,45 or mixed (default: all)")
      ->type_name("LIST");
  app.add_option("--topology", c.topology,
                 "Who talks to whom: radio (by distance), ring, path, star, complete, grid,\n"
                 "erdos-renyi:PROBABILITY or FILE.json")
      ->capture_default_str();
  app.add_option(
         "--radio-range", c.radio_range_m,
         "Up to which distance two vehicles hear each other [m]; those who cannot, directly\n"
         "or through others, are parts with answers of their own")
      ->check(in_range(1, 1e6))
      ->capture_default_str();
  app.add_option("--neighbours", c.neighbours,
                 "Links of a vehicle by radio; more only where they keep the fleet connected")
      ->check(in_range(2, 1000))
      ->capture_default_str();
  app.add_option("--agents-per-vehicle", c.agents_per_vehicle,
                 "Agents that share a vehicle's scan; they talk within it, which no radio carries")
      ->check(in_range(1, 256))
      ->capture_default_str();
}

void add_what(CLI::App& app, FleetRun& job) {
  FleetConfig& c = job.config;
  app.add_flag("--track", c.track,
               "Begin every moment at the one before, and write mount.json: how each vehicle's\n"
               "sensor is mounted, over all moments");
  app.add_option("--target", c.target,
                 "What each vehicle labels of its points: plane, road or ground, as in segment")
      ->capture_default_str();
  app.add_option("--surface", c.surface,
                 "What points are measured from: plane, relief, road or auto")
      ->capture_default_str();
  app.add_option("--threshold", c.threshold,
                 "Up to which distance from the surface a point is labelled: an angle, a distance\n"
                 "or auto")
      ->capture_default_str();
  app.add_option("--seed", c.seed, "Of the links and the draws")
      ->check(in_range(0, 1e15))
      ->capture_default_str();
  app.add_option(
         "--save", c.save,
         "What to write: none, or a list of label and picture (from above; for it a part of\n"
         "the points goes to the first process)")
      ->capture_default_str();
  app.add_flag("--strict", job.strict, "Exit with 3 also if a vehicle is suspect");
  app.add_option("--out", job.out, "Folder of the results (default: a fresh one below runs/)")
      ->type_name("DIR");
  app.add_flag("--quiet", job.quiet, "Print errors only");
  add_report_options(app, job.report);
  add_text_options(app, job.text);
  app.add_flag("--mpi", job.mpi, "Start MPI also if mpirun or srun is not recognised")
      ->group("MPI");
  app.add_option("--patience", job.patience_s,
                 "How long a rank waits for another before the job ends [s]")
      ->check(in_range(1, 1e6))
      ->capture_default_str()
      ->group("MPI");
}

}  // namespace

Run add_fleet(CLI::App& app) {
  app.footer(kFooter);
  auto job = std::make_shared<FleetRun>();
  add_who(app, job->config);
  add_what(app, *job);
  return [job](Ranks& ranks) { return run_fleet(*job, ranks); };
}

}  // namespace roadplane::app
