#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <span>

#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane::viz {

/// Writes x, y, z, intensity, the style's colour and the label (kRoadLabel or 0) of every point, in
/// the scan's order, as a binary little-endian PLY file. No point is left out, so that a point
/// keeps its index. The file appears whole or not at all. Throws std::invalid_argument for a cloud
/// that does not fit the style, InputError if the file cannot be written.
///
/// `positions`, one a point, take the place of the cloud's own where the file is to be in another
/// frame; as doubles if floats would round them by a millimetre or more.
void write_ply(const std::filesystem::path& path, const LabelledCloud& cloud,
               OverlayStyle style = OverlayStyle::labels,
               std::span<const Eigen::Vector3d> positions = {});

/// The same as a binary PCD file (version 0.7, colour packed in the field `rgb` as PCL does).
void write_pcd(const std::filesystem::path& path, const LabelledCloud& cloud,
               OverlayStyle style = OverlayStyle::labels,
               std::span<const Eigen::Vector3d> positions = {});

}  // namespace roadplane::viz
