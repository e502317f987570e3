#include "roadplane/kitti/cloud_file.hpp"

#include <algorithm>
#include <cctype>

#include "column_check.hpp"
#include "folder.hpp"
#include "las_file.hpp"
#include "npz_file.hpp"
#include "pcl_cloud.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/number_table.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/kitti/scan_stream.hpp"
#include "scan_names.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMapHint =
    " (coordinates of a map need the place of the sensor, millimetres a conversion)";

using ToSensor = std::optional<Eigen::Isometry3d>;

Point to_point(const Eigen::Vector3d& position, float reflectance) {
  const Eigen::Vector3f p = position.cast<float>();
  return {p.x(), p.y(), p.z(), reflectance};
}

/// A missing return stays one: it has no place that could be moved.
void place(Scan& scan, const ToSensor& to_sensor) {
  if (!to_sensor) return;
  for (Point& p : scan) {
    if (p.x == 0 && p.y == 0 && p.z == 0) continue;
    p = to_point(*to_sensor * Eigen::Vector3d(p.x, p.y, p.z), p.reflectance);
  }
}

/// Moved before they are rounded.
Scan placed(const std::vector<SurveyPoint>& points, const ToSensor& to_sensor) {
  Scan scan;
  scan.reserve(points.size());
  for (const SurveyPoint& point : points) {
    const bool missing = point.position.isZero(0);
    scan.push_back(to_point(missing || !to_sensor ? point.position : *to_sensor * point.position,
                            point.reflectance));
  }
  return scan;
}

/// Bytes that are points are read to where they stay.
Scan read_points(const fs::path& path) {
  const ScanReader file(path);
  Scan scan(file.size());
  file.read(0, scan);
  return scan;
}

Scan checked_raw(Scan scan, const ScanReading& reading, const std::string& where) {
  check_raw_columns(ScanInMemory(scan), where);
  place(scan, reading.to_sensor);
  return scan;
}

Scan read_raw(const fs::path& path, const ScanReading& reading) {
  const RawFormat format = reading.format.value_or(raw_format_of_name(path));
  return checked_raw(
      are_points(format) ? read_points(path) : decode_raw(read_file(path), format, path.string()),
      reading, path.string());
}

std::vector<SurveyPoint> points_of(const NumberTable& table, const std::string& where) {
  constexpr std::size_t kFewest = 3;
  constexpr std::size_t kMost = 6;
  if (table.columns < kFewest || table.columns > kMost) {
    throw InputError(where, "3 to 6 columns: x y z, reflectance",
                     std::to_string(table.columns) + (table.columns == 1 ? " column" : " columns"));
  }
  if (table.rows == 0) throw InputError(where, "at least one point", "none");
  std::vector<SurveyPoint> points(table.rows);
  for (std::size_t k = 0; k < table.rows; ++k) {
    points[k].position = {table(k, 0), table(k, 1), table(k, 2)};
    if (table.columns > kFewest) points[k].reflectance = static_cast<float>(table(k, 3));
  }
  return points;
}

std::vector<SurveyPoint> read_survey(const fs::path& path, const std::string& extension) {
  const std::string where = path.string();
  if (extension == ".las") return decode_las(read_file(path), where);
  if (extension == ".npy") {
    return points_of(decode_npy(read_file(path), where, NonFinite::keep), where);
  }
  if (extension == ".npz") {
    return points_of(decode_npy(points_in_npz(read_file(path), where), where, NonFinite::keep),
                     where);
  }
  constexpr std::size_t kMostBytes = std::size_t{4} << 30;
  const std::string text = read_text_file(path, kMostBytes);
  return points_of(decode_csv(text, where, NonFinite::keep), where);
}

/// Files that hold no scan, or not as one, by the ends of their names. The first that fits counts.
struct Unsupported {
  std::initializer_list<std::string_view> ends;
  const char* what;
  const char* advice;
};

const std::initializer_list<Unsupported> kUnsupported{
    {{".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"}, "an archive", "`tar -xf`"},
    {{".zip"}, "an archive", "`unzip`"},
    {{".7z"}, "an archive", "`7z x`"},
    {{".rar"}, "an archive", "`unrar x`"},
    {{".gz"}, "a compressed file", "`gunzip`"},
    {{".bz2"}, "a compressed file", "`bunzip2`"},
    {{".xz"}, "a compressed file", "`unxz`"},
    {{".zst", ".zstd"}, "a compressed file", "`zstd -d`"},
    {{".laz"}, "compressed LAS", "`pdal translate` or `laszip` to .las"},
    {{".e57"}, "an E57 file", "`pdal translate` to .las"},
    {{".active"}, "a ROS bag that was not closed", "`rosbag reindex` and a name that ends in .bag"},
    {{".tfrecord"},
     "frames of the Waymo Open Dataset",
     "`frame_utils` of its Python package and numpy.save to .npy"},
    {{".parquet", ".feather"}, "a table", "pandas and numpy.save to .npy"},
    {{".h5", ".hdf5"}, "an HDF5 file", "h5py and numpy.save to .npy"},
    {{".pcap", ".pcapng"},
     "captured packets",
     "the sensor's viewer (VeloView, PandarView, Ouster) to .csv or .pcd"},
    {{".lvx", ".lvx2"}, "a recording of Livox Viewer", "Livox Viewer to .csv or .las"},
    {{".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".gif"},
     "a picture",
     "the scan, or the folder of scans and pictures"},
    {{".obj", ".stl", ".dae", ".glb", ".gltf", ".off"},
     "a mesh",
     "Open3D or CloudCompare to .ply with points"},
    {{".json", ".yaml", ".yml", ".xml", ".md", ".pdf", ".html", ".py", ".log", ".label"},
     "a file of another kind",
     "the folder of the scans"},
};

}  // namespace

Scan read_scan(const fs::path& path, const ScanReading& reading) {
  const std::string extension = lower_extension(path);
  if (extension == ".bin") return read_raw(path, reading);
  if (extension == ".pcd" || extension == ".ply") {
    Scan scan = extension == ".pcd" ? read_pcd(path) : read_ply(path);
    place(scan, reading.to_sensor);
    return scan;
  }
  if (!has_scan_extension(path)) {
    throw InputError(path.string(), "a scan", unknown_file(path));
  }
  Scan scan = placed(read_survey(path, extension), reading.to_sensor);
  check_columns(ScanInMemory(scan), path.string(), kMapHint);
  return scan;
}

Scan decode_scan(std::span<const std::byte> bytes, RawFormat format, const ScanReading& reading,
                 const std::string& where) {
  return checked_raw(decode_raw(bytes, format, where), reading, where);
}

std::string unknown_file(const fs::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Unsupported& kind : kUnsupported) {
    if (std::any_of(kind.ends.begin(), kind.ends.end(),
                    [&](std::string_view end) { return name.ends_with(end); })) {
      return std::string(kind.what) + " (unsupported; try " + kind.advice + ")";
    }
  }
  const std::string extension = lower_extension(path);
  return (extension.empty() ? "a file without extension" : "a " + extension + " file") +
         " (unsupported; try `pdal translate` or Open3D to .pcd, .ply, .las or .npy)";
}

}  // namespace roadplane::kitti
