#include "segment_options.hpp"

#include "command.hpp"
#include "config_file.hpp"
#include "network_options.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/mpi/process_group.hpp"

namespace roadplane::app {

void add_scoring_option(CLI::App& app, std::string& scoring) {
  app.add_option(
         "--scoring", scoring,
         "Which labelled points a score counts: strict (all), patchworkpp (not classes 0, 1\n"
         "and 70, vegetation) or patchwork (not 0 and 1; for ground, vegetation below -1.3 m\n"
         "counts as ground)")
      ->capture_default_str();
}

void add_trace_option(CLI::App& app, SegmentConfig& c, const std::string& of_what) {
  app.add_option("--trace-growth", c.trace_growth,
                 of_what + ": iterations grow by this factor from entry to entry")
      ->check(in_range(1.001, 10))
      ->capture_default_str();
}

void add_data_options(CLI::App& app, kitti::DataConfig& data) {
  app.add_option("path", data.paths, "Data: folders, scans or patterns such as 'scans/*.pcd'")
      ->type_name("PATH");
  app.add_option("--sequence", data.sequence, "One sequence or drive of a dataset that has several")
      ->type_name("NAME");
  app.add_option("--topic", data.topic,
                 "Topic of the clouds in a recording (.bag, .db3, .mcap) that has several")
      ->type_name("NAME");
  app.add_option("--format", data.format,
                 "Layout of raw floats in .bin files: kitti, nuscenes, xyz, xyzi, xyzir, or auto,\n"
                 "which goes by the name (nuscenes for .pcd.bin, otherwise kitti)")
      ->capture_default_str();
  app.add_option("--calib", data.calib, "Calibration, if it is not where the layout expects it")
      ->type_name("FILE|DIR");
  app.add_option("--transform", data.transform,
                 "Transform from the file's frame to the sensor's: a file with a 4 x 4 matrix, or\n"
                 "x,y,z,roll,pitch,yaw in metres and degrees, meaning Rz(yaw) Ry(pitch) Rx(roll)")
      ->type_name("FILE|LIST");
  app.add_option("--sensor-height", data.sensor_height_m,
                 "Height of the sensor in clouds whose ground is at z = 0 [m]; 0 means that the\n"
                 "sensor is at z = 0")
      ->check(in_range(0, 100))
      ->capture_default_str();
  app.add_option("--sensor-origin", data.sensor_origin,
                 "Place of the sensor in the file's frame [m]; without it, --transform and\n"
                 "--sensor-height the sensor is taken to be at the file's origin")
      ->type_name("X,Y,Z");
}

void add_frames_option(CLI::App& app, kitti::DataConfig& data) {
  app.add_option(
         "--frames", data.frames,
         "Frames by number: 0:100 (0 to 99), 0:100:10 (every tenth), 1,45,328 or a mixture\n"
         "(default: all)")
      ->type_name("LIST");
}

void add_dataset_options(CLI::App& app, SegmentConfig& c,
                         std::vector<std::string>& paths_from_config) {
  add_data_options(app, c.data);
  app.add_option(kPathFromConfig, paths_from_config)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("");  // hidden
  add_frames_option(app, c.data);
  app.add_option(
         "--truth", c.truth,
         "Ground truth: auto (what the frame has), road (classes 40, 44, 60), ground (also 48,\n"
         "49, 72), a list of SemanticKITTI classes (road,sidewalk or 40,48), FILE.json\n"
         "(planes), reference (an estimate) or none")
      ->capture_default_str();
  add_scoring_option(app, c.scoring);
}

void add_network_options(CLI::App& app, SegmentConfig& c) {
  add_network_options(app, c, "azimuth, contiguous, interleaved or random");
}

void add_objective_options(CLI::App& app, SegmentConfig& c) {
  app.add_option("--loss", c.loss,
                 "Loss of the robust objective: " + alternatives(robust_loss_names()))
      ->capture_default_str();
  app.add_option("--scale", c.scale,
                 "Scale of the robust loss, as an angle (0.008rad), or auto: what suits the target")
      ->capture_default_str();
  app.add_option("--max-tilt-deg", c.max_tilt_deg,
                 "Maximum tilt of a road against the file's z axis [deg]")
      ->check(in_range(0, 80))
      ->capture_default_str();
  app.add_option("--min-height-m", c.min_height_m,
                 "Minimum height of the file's origin above a road [m]")
      ->check(in_range(-1e5, 1e5))
      ->capture_default_str();
  app.add_option("--max-height-m", c.max_height_m,
                 "Maximum height of the file's origin above a road [m]")
      ->check(in_range(-1e5, 1e5))
      ->capture_default_str();
  app.add_option("--step", c.step, "Step size; 0 is automatic")
      ->check(in_range(0, 1000))
      ->capture_default_str();
  app.add_option("--batch", c.batch, "Samples per agent and inner iteration")
      ->check(in_range(1, 1e6))
      ->capture_default_str();
  app.add_option("--tolerance", c.tolerance,
                 "Residual of every agent at which a frame has converged (l3)")
      ->check(in_range(0, 1))
      ->capture_default_str();
  app.add_option(
         "--target", c.target,
         "What to label: road (up to its edges; with --surface plane what lies within 0.125m of\n"
         "the lowest plane that carries points), plane (within 0.011rad of the plane that most\n"
         "points lie on), ground (all ground, even if it is not flat) or auto: plane for DPCP\n"
         "annotations, otherwise road")
      ->capture_default_str();
  app.add_option(
         "--threshold", c.threshold,
         "Maximum distance of a labelled point from the surface: an angle (0.011rad, 0.6deg;\n"
         "planes only), a distance (0.15m, 15cm) or auto: the target's default, which for the\n"
         "relief depends on the place")
      ->capture_default_str();
}

void require_path(SegmentConfig& config, const std::vector<std::string>& paths_from_config) {
  if (config.data.paths.empty()) config.data.paths = paths_from_config;
  if (config.data.paths.empty()) {
    throw AgreedError(FieldError("path", "a folder or a scan", "nothing"));  // typed for all ranks
  }
}

}  // namespace roadplane::app
