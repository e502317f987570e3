#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "command.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/synthetic/fleet.hpp"
#include "roadplane/kitti/synthetic/sequence.hpp"
#include "roadplane/viz/image_file.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

struct Synth {
  kitti::FleetOptions fleet;
  int vehicles = 0;
  std::string hill = "none";
  std::filesystem::path out;
  bool without_images = false;
};

int write_fleet(const std::filesystem::path& folder, const kitti::FleetOptions& fleet) {
  kitti::write_fleet(fleet, folder, [](int done, int total) {
    fmt::print("[{}/{}] scans written\n", done, total);
    std::fflush(stdout);
  });
  fmt::print("fleet: {}\ntry: roadplane fleet {}\n", terminal_text(folder.string()),
             shell_word(folder.string()));
  return kAllGood;
}

int run(Synth job) {
  job.fleet.scene.hill = kitti::hill_from_string(job.hill);
  if (job.vehicles > 0) {
    job.fleet.vehicles = job.vehicles;
    return write_fleet(job.out, job.fleet);
  }
  kitti::WriteImage write_image = viz::write_png;
  if (job.without_images) write_image = {};
  const auto folder =
      kitti::write_sequence(job.fleet.scene, job.out, write_image, [](int done, int total) {
        const bool terminal = isatty(STDERR_FILENO) != 0;
        if (terminal) fmt::print(stderr, "\r{}/{} frames written\x1b[K", done, total);
        if (terminal && done == total) fmt::print(stderr, "\r\x1b[K");
      });
  fmt::print("sequence: {} ({} frame{})\ntry: roadplane segment {}\n",
             terminal_text(folder.string()), job.fleet.scene.frames,
             job.fleet.scene.frames == 1 ? "" : "s", shell_word(folder.string()));
  return kAllGood;
}

}  // namespace

Run add_synth(CLI::App& app) {
  auto job = std::make_shared<Synth>();
  kitti::SceneOptions& s = job->fleet.scene;
  app.footer(
      "Example:\n"
      "  roadplane synth street --frames 5 --outlier-share 0.7 --slope-deg 3\n"
      "  roadplane synth hill --hill crest --grade-percent 10 --bump-height-m 0.1\n"
      "  roadplane synth kerbs --kerb-height-m 0.05 --verge-width-m 1 --driveways\n"
      "\n"
      "Writes DIR/sequences/00 with velodyne, image_2, labels, calib.txt, times.txt and "
      "planes.json,\n"
      "the exact road plane below the vehicle, for every frame. The labels of the ground are "
      "exact, "
      "too.");
  app.add_option("out", job->out, "A new folder")->required()->type_name("DIR");
  app.add_option("--frames", s.frames, "Number of frames")->capture_default_str();
  app.add_option("--seed", s.seed, "Random seed; the same seed gives the same bytes")
      ->capture_default_str();
  app.add_option("--points-per-frame", s.points_per_frame,
                 "Approximate number of returns per frame")
      ->capture_default_str();
  app.add_option("--outlier-share", s.outlier_share, "Share of returns that are not road")
      ->capture_default_str();
  app.add_option("--second-plane-share", s.second_plane_share,
                 "Share of returns on a raised second plane")
      ->capture_default_str();
  app.add_option("--slope-deg", s.slope_deg, "Slope along the road [deg]")->capture_default_str();
  app.add_option("--cross-slope-deg", s.cross_slope_deg, "Slope across the road [deg]")
      ->capture_default_str();
  app.add_option(
         "--hill", job->hill,
         "Hill 20 to 40 m ahead of the start and every 80 m: none, crest (up, then down), dip\n"
         "(down, then up) or grade (level, then up)")
      ->capture_default_str();
  app.add_option("--grade-percent", s.grade_percent, "Grade of a hill's flanks, 0 to 10 [%]")
      ->capture_default_str();
  app.add_option("--bank-percent", s.bank_percent,
                 "Largest cross slope of a banked road, as in a curve, -10 to 10 [%]")
      ->capture_default_str();
  app.add_option("--bump-height-m", s.bump_height_m,
                 "Height of speed bumps, one every 30 m; 0 is none, at most 0.15 [m]")
      ->capture_default_str();
  app.add_option("--kerb-height-m", s.kerb_height_m, "Height of the kerbs, 0 to 0.15 [m]")
      ->capture_default_str();
  app.add_option("--verge-width-m", s.verge_width_m,
                 "Width of the grass between kerb and sidewalk, 0 to 4 [m]")
      ->capture_default_str();
  app.add_option("--sidewalk-reflectance", s.sidewalk_reflectance,
                 "Reflectance of sidewalks; the road's is 0.24")
      ->capture_default_str();
  app.add_flag("--driveways", s.driveways,
               "Driveways over lowered kerbs, one every 20 m on each side");
  app.add_option("--roughness-m", s.roughness_m, "Standard deviation of the road's surface [m]")
      ->capture_default_str();
  app.add_option("--range-noise-m", s.range_noise_m, "Standard deviation of a measured range [m]")
      ->capture_default_str();
  app.add_option("--drop-out", s.drop_out, "Probability that a return is missing")
      ->capture_default_str();
  app.add_option("--speed-mps", s.speed_mps, "Speed of the vehicle [m/s]")->capture_default_str();
  app.add_flag("--no-images", job->without_images, "Write scans and labels only");
  kitti::FleetOptions& fleet = job->fleet;
  app.add_option(
         "--vehicles", job->vehicles,
         "Write a fleet of N vehicles, each with a scan and a pose per frame, in OPV2V's layout\n"
         "(DIR/VEHICLE/NNNNNN.pcd and .yaml)")
      ->check(in_range(1, 256))
      ->type_name("N");
  app.add_option("--spacing-m", fleet.spacing_m, "Distance between vehicles in a lane [m]")
      ->capture_default_str();
  app.add_option("--place-noise-m", fleet.place_noise_m,
                 "Standard deviation of a pose's x and y [m]")
      ->capture_default_str();
  app.add_option("--yaw-noise-deg", fleet.yaw_noise_deg, "Standard deviation of a pose's yaw [deg]")
      ->capture_default_str();
  app.add_option("--height-noise-m", fleet.height_noise_m, "Standard deviation of a pose's z [m]")
      ->capture_default_str();
  app.add_option("--tilt-noise-deg", fleet.tilt_noise_deg,
                 "Standard deviation of a pose's roll and pitch [deg]")
      ->capture_default_str();
  return [job](Ranks&) { return run(*job); };
}

}  // namespace roadplane::app
