#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/road.hpp"

namespace road_study {

/// A labelled scan, its shards and its agents' planes.
struct Frame {
  std::string name;
  roadplane::Scan scan;
  std::vector<std::uint8_t> truth;
  roadplane::Shards shards;
  std::vector<Eigen::Vector4d> planes;
  const roadplane::Network* network = nullptr;
};

/// What one sensor saw.
struct Set {
  std::string name;
  std::vector<Frame> frames;
  std::shared_ptr<const roadplane::Network> network;
};

struct Choice {
  std::filesystem::path data;
  int agents = 16;
  std::string shards = "azimuth";
  std::vector<std::string> sets;  ///< none: all
  std::string change;             ///< of the clouds; one of change_names() or empty
};

struct Outcome {
  double f1 = 0;
  double precision = 0;
  double recall = 0;
  double slab_f1 = 0;
  roadplane::RoadExtent extent;
};

std::vector<std::string> change_names();
std::vector<Set> load_sets(const Choice& choice);
Outcome find_road(roadplane::RoadFinder& find, const Frame& frame);
std::string describe(const Frame& frame, const Outcome& outcome);

}  // namespace road_study
