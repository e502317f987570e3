#include <set>

#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

RunInput calibration_input(const std::string& place, std::span<const kitti::Frame> chosen) {
  std::set<fs::path> files;
  for (const kitti::Frame& frame : chosen) {
    if (!frame.calibration) continue;
    for (const fs::path& file : frame.calibration->files()) files.insert(file);
  }
  return {"calib", {files.begin(), files.end()}, fs::is_directory(place)};
}

}  // namespace

std::vector<RunInput> inputs_of(const SegmentConfig& config, std::span<const kitti::Frame> chosen) {
  std::vector<RunInput> inputs;
  const auto add_file = [&](const char* key, const std::string& value) {
    if (auto input = input_file(key, value)) inputs.push_back(std::move(*input));
  };
  if (config.topology.ends_with(".json")) add_file("topology", config.topology);
  if (config.truth.ends_with(".json")) add_file("truth", config.truth);
  add_file("transform", config.data.transform);
  const std::string& calib = config.data.calib;
  if (!calib.empty() && !chosen.empty()) inputs.push_back(calibration_input(calib, chosen));
  return inputs;
}

}  // namespace roadplane
