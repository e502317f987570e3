#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/network/network.hpp"
#include "roadplane/results/run_inputs.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane {

/// What the user asked for, in the words of the command line and of a configuration file.
struct SegmentConfig {
  kitti::DataConfig data;                    ///< which scans, and how they are to be understood
  int agents = 16;                           ///< d
  std::string topology = "erdos-renyi:0.5";  ///< who talks to whom
  std::string mixing = "metropolis";         ///< weights of the mixing matrix
  std::string links;  ///< faults: "drop=0.1,sleep=0.2,outage=5,leave=3@50,latency=200us" or empty
  std::string wire = "auto";         ///< full, single, half or bits=N; auto suits the message
  std::string shards = "azimuth";    ///< how a scan is divided among the agents
  std::string solver = "vrsgt";      ///< one of solver_names()
  std::string objective = "robust";  ///< what is minimised: robust, or the paper's l3
  std::string loss = "tukey";        ///< of the robust objective
  std::string scale = "auto";        ///< [rad] of the robust loss; auto suits the target
  double max_tilt_deg = RoadPrior{}.max_tilt_deg;  ///< [deg] of a road against the z axis
  double min_height_m = RoadPrior{}.min_height_m;  ///< [m] of the origin above a road
  double max_height_m = RoadPrior{}.max_height_m;  ///< [m]
  double step = 0;                                 ///< step size; 0 is automatic
  int batch = 16;                                  ///< samples per inner iteration
  std::int64_t iterations = 20'000;                ///< limit
  double tolerance = 1e-9;                         ///< on every agent's residual
  bool track = false;                              ///< begin at the plane of the frame before
  std::string target = "auto";                     ///< plane, road, ground; auto suits the data
  std::string surface = "auto";                    ///< plane, relief, road; auto suits the target
  std::string threshold = "auto";  ///< "0.011rad", "0.15m" ...; auto is the target's
  std::string truth = "auto";      ///< auto, road, ground, CLASSES, FILE.json, reference or none
  std::string scoring = "strict";  ///< strict, patchworkpp or patchwork
  std::uint64_t seed = 1;
  std::string save = "label,overlay";  ///< of label, overlay, birdseye, edges, ply, pcd, mcap,
                                       ///< relief, trace; or none
  double trace_growth = 1.12;          ///< of the iterations from one entry of a trace to the next
  std::string overlay_style = "labels";  ///< labels, truth or agents
  std::string image_format = "png";      ///< of pictures: png or jpeg

  /// The same with the path absolute and, for l3, the solver's default step in place of 0.
  SegmentConfig resolved() const;
  /// The same with the target that suits the frames, where it is left open: annotations are of the
  /// dominant plane.
  SegmentConfig with_target_for(std::span<const kitti::Frame> chosen) const;
};

/// Keys are the names of the command line, so that a run's own configuration can be given to it.
nlohmann::json to_json(const SegmentConfig& config);
/// The files that the options name, of a calibration folder those that the frames use.
std::vector<RunInput> inputs_of(const SegmentConfig& config, std::span<const kitti::Frame> chosen);
/// The data of such a configuration; what it does not say is left at its default.
kitti::DataConfig data_config_from_json(const nlohmann::json& config);

/// What is written per frame.
struct SaveChoice {
  bool label = false;
  bool overlay = false;
  bool birds_eye = false;
  bool edges = false;  ///< of the road
  bool ply = false;
  bool pcd = false;
  bool mcap = false;  ///< of a sequence, made of its labels
  bool relief = false;
  bool trace = false;

  bool colours_points() const { return overlay || birds_eye || ply || pcd; }
  bool needs_points() const { return colours_points() || edges; }
  bool has_pictures() const { return overlay || birds_eye || relief; }

  /// "label,overlay", "none", ... Throws FieldError naming `save`.
  static SaveChoice parse(const std::string& text);
};

/// The configuration made concrete: every word checked and turned into what the pipeline uses.
struct SegmentPlan {
  Network network;
  ShardKind shards;
  PlaneOptions plane;
  bool track;
  Target target;
  Surface surface;
  Threshold threshold;             ///< from the plane
  std::optional<Threshold> limit;  ///< from the relief; nothing: as each of its cells has it
  std::string truth;
  Scoring scoring;
  std::uint64_t seed;
  SaveChoice save;
  viz::OverlayStyle overlay_style;
  viz::ImageFormat image_format;
  std::string method;  ///< for legends and tables: "VRSGT, l3"

  /// Throws FieldError naming the field at fault.
  explicit SegmentPlan(const SegmentConfig& config);
};

}  // namespace roadplane
