#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "roadplane/geometry/point_rows.hpp"

namespace roadplane {

/// What a scan shows of a place on the ground.
enum class Sight : std::uint8_t {
  unseen,    ///< nothing: out of reach, or below the vehicle
  hidden,    ///< nothing, for something stands before it
  standing,  ///< something stands there
  other,     ///< ground that is not labelled
  road,      ///< ground that is
};

std::string_view to_string(Sight sight);

/// Axes on a plane: the first two lie in it, x below the sensor's own as far as it can, the third
/// is up. The origin is the sensor's foot.
class GroundFrame {
 public:
  explicit GroundFrame(const Eigen::Vector4d& hyperplane);

  Eigen::Vector3d from_sensor(const Eigen::Vector3d& point) const { return axes_ * point + foot_; }
  Eigen::Vector3d to_sensor(const Eigen::Vector3d& point) const {
    return axes_.transpose() * (point - foot_);
  }
  /// [m] of the sensor above the plane.
  double height_m() const { return foot_.z(); }

 private:
  Eigen::Matrix3d axes_;  ///< rows: the axes in the sensor's frame
  Eigen::Vector3d foot_;
};

/// What an observer who has all agents' labels knows of the ground around the sensor, in sectors
/// and rings: where road is, where other ground, where something stands, and what nobody can have
/// seen. Between two rows of lasers all is as in the nearer one.
class RoadMap {
 public:
  /// `road` is 1 for points that are labelled; the hyperplane is that of the road at the sensor.
  RoadMap(const PointRows& points, std::span<const std::uint8_t> road,
          const Eigen::Vector4d& hyperplane);

  const GroundFrame& frame() const { return frame_; }
  int sectors() const { return sectors_; }
  double sector_rad() const;

  /// Places are in the ground's frame.
  Sight at(const Eigen::Vector2d& place) const;
  /// The same, but what lies between the sensor and the first that a sector shows is as that is.
  Sight at_or_below_vehicle(const Eigen::Vector2d& place) const;
  /// Nearer than the first that its sector shows.
  bool below_vehicle(const Eigen::Vector2d& place) const;
  /// Of the points there, the share that is labelled; 0 where nothing is known.
  double road_share(const Eigen::Vector2d& place) const;
  /// [m] of the nearest road along the sector above the plane; 0 where there is none.
  double height_m(const Eigen::Vector2d& place) const;

  /// A part of a sector that shows the same all along.
  struct Stretch {
    double from_m = 0;  ///< [m] from the sensor's foot
    double to_m = 0;
    Sight sight = Sight::unseen;
  };
  /// Outwards, of the sector in the direction.
  std::vector<Stretch> stretches(double azimuth_rad) const;

 private:
  /// What the points of a cell add up to.
  struct Sum {
    int road = 0;
    int other = 0;
    float height_m = 0;  ///< of the road's points
    float low_m = 0;     ///< of the others, as far as they do not hang over the ground
    float high_m = 0;
    bool empty() const { return road + other == 0; }
  };
  struct Cell {
    Sight sight = Sight::unseen;
    float share = 0;
    float height_m = 0;
  };

  std::vector<Sum> sum_up(const PointRows& points, std::span<const std::uint8_t> road);
  void close_gaps_across(std::vector<Sum>& sums) const;
  void see_sector(int sector, std::span<const Sum> sums);
  void fill_between(Cell* cells, int from, int to, bool stands) const;
  const Cell& cell_at(const Eigen::Vector2d& place) const;
  int sector_of(double azimuth_rad) const;

  GroundFrame frame_;
  int sectors_ = 0;
  std::vector<Cell> cells_;  ///< sector after sector, outwards
  std::vector<int> first_;   ///< ring that a sector shows first; -1: none
};

}  // namespace roadplane
