#pragma once

#include <string_view>

namespace roadplane::kitti {

/// The definitions of the ROS 2 types that are written, in full, as its own recorder stores them.
inline constexpr std::string_view kCloudDefinition = R"(std_msgs/Header header
uint32 height
uint32 width
sensor_msgs/PointField[] fields
bool is_bigendian
uint32 point_step
uint32 row_step
uint8[] data
bool is_dense
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: sensor_msgs/PointField
uint8 INT8=1
uint8 UINT8=2
uint8 INT16=3
uint8 UINT16=4
uint8 INT32=5
uint8 UINT32=6
uint8 FLOAT32=7
uint8 FLOAT64=8
string name
uint32 offset
uint8 datatype
uint32 count
)";

inline constexpr std::string_view kPolygonDefinition = R"(std_msgs/Header header
geometry_msgs/Polygon polygon
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: geometry_msgs/Polygon
geometry_msgs/Point32[] points
================================================================================
MSG: geometry_msgs/Point32
float32 x
float32 y
float32 z
)";

/// Of a frame's record; its keys are explained in docs/results.md.
inline constexpr std::string_view kRecordDefinition = R"({
  "title": "roadplane.Record",
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "sequence": {"type": "string"},
    "frame": {"type": "integer"},
    "status": {"type": "string"},
    "note": {"type": "string"},
    "points": {"type": "integer"},
    "inliers": {"type": "integer"},
    "height_m": {"type": "number"},
    "tilt_deg": {"type": "number"},
    "plane": {
      "type": "object",
      "properties": {
        "frame": {"type": "string"},
        "normal": {"type": "array", "items": {"type": "number"}},
        "offset_m": {"type": "number"}
      }
    }
  }
}
)";

}  // namespace roadplane::kitti
