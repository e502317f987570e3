#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <vector>

#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/ground/road_edges.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {

inline constexpr Color kEdge{120, 255, 140};
inline constexpr Color kUnknownEdge{205, 205, 215};  ///< the road may go on beyond
inline constexpr Color kHidden{58, 44, 78};          ///< ground behind something that stands

/// Where a place in the sensor's frame is in a picture [px].
using ToPixel = std::function<Eigen::Vector2d(const Eigen::Vector3d&)>;

/// The road's borders: where its edge is seen, and, thinner, where the view ends. `scale` is 1 for
/// a picture of 1242 x 375 pixels.
void draw_edges(const RoadEdges& edges, const ToPixel& to_pixel, double scale, RgbImage& image);
/// The same on a camera's picture; what is behind the camera is left out.
void draw_edges(const RoadEdges& edges, const Projection& projection, double scale,
                RgbImage& image);

/// The ground that something hides, from above.
void draw_hidden(const RoadMap& map, const ToPixel& to_pixel, RgbImage& image);

/// Corners of quadrilaterals of such ground, in the sensor's frame.
std::vector<std::array<Eigen::Vector3d, 4>> hidden_ground(const RoadMap& map);

/// A legend's key, and what the road's lines mean where the cloud has some.
std::vector<KeyEntry> with_edges(std::vector<KeyEntry> key, const LabelledCloud& cloud,
                                 bool from_above);

}  // namespace roadplane::viz
