#include "roadplane/kitti/labelled_recording.hpp"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>

#include "cdr_writer.hpp"
#include "mcap_writer.hpp"
#include "roadplane/base/input_error.hpp"
#include "written_types.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

/// As it lies in the message.
struct CloudPoint {
  float x, y, z, intensity;
  std::uint32_t rgb;  ///< declared as a float, as PCL and RViz have it
  std::uint32_t label;
};
static_assert(sizeof(CloudPoint) == 24);

constexpr std::uint8_t kUint32 = 6;
constexpr std::uint8_t kFloat32 = 7;

struct WrittenField {
  std::string_view name;
  std::size_t offset;
  std::uint8_t datatype;
};

constexpr WrittenField kFields[] = {{"x", offsetof(CloudPoint, x), kFloat32},
                                    {"y", offsetof(CloudPoint, y), kFloat32},
                                    {"z", offsetof(CloudPoint, z), kFloat32},
                                    {"intensity", offsetof(CloudPoint, intensity), kFloat32},
                                    {"rgb", offsetof(CloudPoint, rgb), kFloat32},
                                    {"label", offsetof(CloudPoint, label), kUint32}};

CdrWriter cloud_message(const LabelledScan& scan) {
  const std::size_t points = scan.points.size();
  const auto bytes = static_cast<std::uint32_t>(points * sizeof(CloudPoint));
  CdrWriter out;
  out.reserve(bytes + 512);
  constexpr std::uint32_t kRows = 1;
  out.header(scan.time_ns, scan.frame_id).value(kRows).value(static_cast<std::uint32_t>(points));
  out.value(static_cast<std::uint32_t>(std::size(kFields)));
  for (const WrittenField& field : kFields) {
    constexpr std::uint32_t kCount = 1;
    out.text(field.name).value(static_cast<std::uint32_t>(field.offset));
    out.value(field.datatype).value(kCount);
  }
  constexpr std::uint8_t kLittleEndian = 0;
  out.value(kLittleEndian).value(static_cast<std::uint32_t>(sizeof(CloudPoint)));
  out.value(bytes).value(bytes);
  std::uint8_t is_dense = 1;
  for (std::size_t i = 0; i < points; ++i) {
    const Point& p = scan.points[i];
    CloudPoint point{p.x, p.y, p.z, p.reflectance, scan.colors[i], scan.labels[i]};
    if (!scan.positions.empty()) {
      const Eigen::Vector3f at = scan.positions[i].cast<float>();
      point.x = at.x(), point.y = at.y(), point.z = at.z();
    }
    const bool finite = std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
    if (!finite) is_dense = 0;
    out.raw(std::as_bytes(std::span(&point, 1)));
  }
  out.value(is_dense);
  return out;
}

CdrWriter polygon_message(const LabelledScan& scan, const NamedPolygon& polygon) {
  CdrWriter out;
  out.header(scan.time_ns, scan.frame_id);
  out.value(static_cast<std::uint32_t>(polygon.corners.size()));
  for (const Eigen::Vector3d& corner : polygon.corners) {
    for (const double each : corner) out.value(static_cast<float>(each));
  }
  return out;
}

}  // namespace

/// Under another name until it is whole.
class LabelledRecording::File {
 public:
  explicit File(const fs::path& path) : path_(path), part_(path) {
    part_ += ".part";
    stream_.open(part_, std::ios::binary | std::ios::trunc);
    require_good();
    writer_.emplace([this](std::span<const std::byte> bytes) {
      stream_.write(reinterpret_cast<const char*>(bytes.data()),
                    static_cast<std::streamsize>(bytes.size()));
      require_good();
    });
    polygon_ =
        writer_->add_schema("geometry_msgs/msg/PolygonStamped", "ros2msg", kPolygonDefinition);
    points_ = add("points", "cdr",
                  writer_->add_schema("sensor_msgs/msg/PointCloud2", "ros2msg", kCloudDefinition));
    record_ = add("record", "json",
                  writer_->add_schema("roadplane.Record", "jsonschema", kRecordDefinition));
  }
  ~File() {
    if (whole_) return;
    stream_.close();
    std::error_code ignored;
    fs::remove(part_, ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void add(const LabelledScan& scan) {
    writer_->write(points_, scan.time_ns, cloud_message(scan).bytes());
    for (const NamedPolygon& polygon : scan.polygons) {
      const auto [topic, is_new] = polygons_.try_emplace(polygon.name);
      if (is_new) topic->second = add(polygon.name, "cdr", polygon_);
      writer_->write(topic->second, scan.time_ns, polygon_message(scan, polygon).bytes());
    }
    writer_->write(record_, scan.time_ns, std::as_bytes(std::span(scan.record_json)));
  }

  void finish() {
    writer_->finish();
    stream_.close();
    require_good();
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) throw InputError(path_.string(), "a file that can be written", error.message());
    whole_ = true;
  }

 private:
  McapWriter::Id add(const std::string& name, std::string_view encoding, McapWriter::Id schema) {
    return writer_->add_channel("/roadplane/" + name, encoding, schema);
  }
  void require_good() const {
    if (stream_.good()) return;
    throw InputError(path_.string(), "a file that can be written",
                     std::generic_category().message(errno));
  }

  fs::path path_;
  fs::path part_;
  std::ofstream stream_;
  std::optional<McapWriter> writer_;
  McapWriter::Id polygon_ = 0;  ///< the schema
  McapWriter::Id points_ = 0;
  McapWriter::Id record_ = 0;
  std::map<std::string, McapWriter::Id> polygons_;
  bool whole_ = false;
};

LabelledRecording::LabelledRecording(const fs::path& path) : file_(std::make_unique<File>(path)) {}
LabelledRecording::~LabelledRecording() = default;
void LabelledRecording::add(const LabelledScan& scan) { file_->add(scan); }
void LabelledRecording::finish() { file_->finish(); }

}  // namespace roadplane::kitti
