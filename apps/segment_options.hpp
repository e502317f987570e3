#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane::app {

/// Which scans, and how they are to be understood.
void add_data_options(CLI::App& app, kitti::DataConfig& data);
void add_frames_option(CLI::App& app, kitti::DataConfig& data);

/// The options that segment and compare have in common.
void add_dataset_options(CLI::App& app, SegmentConfig& config,
                         std::vector<std::string>& paths_from_config);
void add_trace_option(CLI::App& app, SegmentConfig& config, const std::string& of_what);
void add_scoring_option(CLI::App& app, std::string& scoring);
void add_network_options(CLI::App& app, SegmentConfig& config);
void add_objective_options(CLI::App& app, SegmentConfig& config);

/// A path that is not typed comes from the configuration; one must be there.
void require_path(SegmentConfig& config, const std::vector<std::string>& paths_from_config);

}  // namespace roadplane::app
