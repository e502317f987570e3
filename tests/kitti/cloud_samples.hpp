#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace roadplane::test {

template <class T>
std::string raw_bytes(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

inline std::string reversed(std::string bytes) { return {bytes.rbegin(), bytes.rend()}; }

/// Two points that every sample below holds.
inline const Scan kSamplePoints{{1, 2, -1.5F, 0.25F}, {-3, 4.5F, 0.5F, 0.75F}};

inline std::string pcd_header(const std::string& data, const std::string& points = "2") {
  return "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z intensity\nSIZE 4 4 4 4\nTYPE F F F F\n"
         "COUNT 1 1 1 1\nWIDTH " +
         points + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + points + "\nDATA " + data + "\n";
}

inline std::string ascii_pcd() { return pcd_header("ascii") + "1 2 -1.5 0.25\n-3 4.5 0.5 0.75\n"; }

inline std::string binary_pcd() {
  std::string bytes = pcd_header("binary");
  for (const Point& p : kSamplePoints) bytes += raw_bytes(p);
  return bytes;
}

/// Compressed files hold all x, then all y, ...; LZF may store them as literals.
inline std::string compressed_pcd() {
  std::string fields;
  for (const Point& p : kSamplePoints) fields += raw_bytes(p.x);
  for (const Point& p : kSamplePoints) fields += raw_bytes(p.y);
  for (const Point& p : kSamplePoints) fields += raw_bytes(p.z);
  for (const Point& p : kSamplePoints) fields += raw_bytes(p.reflectance);
  const std::string lzf = std::string(1, static_cast<char>(fields.size() - 1)) + fields;
  return pcd_header("binary_compressed") + raw_bytes(static_cast<std::uint32_t>(lzf.size())) +
         raw_bytes(static_cast<std::uint32_t>(fields.size())) + lzf;
}

inline std::string ply_header(const std::string& format, const std::string& points = "2",
                              const std::string& more = "") {
  return "ply\nformat " + format + " 1.0\ncomment made by hand\nelement vertex " + points +
         "\nproperty float x\nproperty float y\nproperty float z\nproperty float intensity\n" +
         more + "end_header\n";
}

inline std::string ascii_ply() { return ply_header("ascii") + "1 2 -1.5 0.25\n-3 4.5 0.5 0.75\n"; }

inline std::string binary_ply() {
  std::string bytes = ply_header("binary_little_endian");
  for (const Point& p : kSamplePoints) bytes += raw_bytes(p);
  return bytes;
}

inline std::string big_endian_ply() {
  std::string bytes = ply_header("binary_big_endian");
  for (const Point& p : kSamplePoints) {
    for (const float value : {p.x, p.y, p.z, p.reflectance}) bytes += reversed(raw_bytes(value));
  }
  return bytes;
}

/// With a face, as a mesh tool writes it.
inline std::string ply_with_face() {
  std::string bytes = ply_header("binary_little_endian", "2",
                                 "element face 1\nproperty list uchar int vertex_indices\n");
  for (const Point& p : kSamplePoints) bytes += raw_bytes(p);
  return bytes + '\2' + raw_bytes(std::int32_t{0}) + raw_bytes(std::int32_t{1});
}

}  // namespace roadplane::test
