#include "plane_file.hpp"

#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/json/read_json.hpp"

namespace roadplane::kitti {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 64 << 20;  // a plane per frame of the longest sequence fits

double number_of(const json& value, const std::string& key, const std::string& where) {
  if (!value.is_number()) throw InputError(where, key + " to be a number", shown(value));
  return value.get<double>();
}

template <int n>
Eigen::Matrix<double, n, 1> vector_of(const json& value, const std::string& key,
                                      const std::string& where) {
  if (!value.is_array() || value.size() != n) {
    throw InputError(where, key + " to be " + std::to_string(n) + " numbers", shown(value));
  }
  Eigen::Matrix<double, n, 1> vector;
  for (int r = 0; r < n; ++r) vector(r) = number_of(value[r], key, where);
  return vector;
}

Eigen::Vector4d hyperplane_of(const json& plane, const std::string& where) {
  const std::string keys = "\"normal\" and \"offset_m\", or \"w\"";
  if (!plane.is_object()) throw InputError(where, keys, shown(plane));
  Eigen::Vector4d w;
  if (plane.contains("w")) {
    w = vector_of<4>(plane["w"], "w", where);
  } else if (plane.contains("normal") && plane.contains("offset_m")) {
    w << vector_of<3>(plane["normal"], "normal", where),
        number_of(plane["offset_m"], "offset_m", where);
  } else {
    throw InputError(where, keys, shown(plane));
  }
  const auto oriented = Plane::from_hyperplane(w);
  if (!oriented) throw InputError(where, "a plane at finite distance", shown(plane));
  return oriented->hyperplane();
}

}  // namespace

std::optional<Eigen::Vector4d> decode_plane(std::string_view text, const std::string& stem,
                                            const std::string& where) {
  const json document = parse_json(text, where);
  if (!document.is_object() || !document.contains("frames")) return hyperplane_of(document, where);
  const json& frames = document["frames"];
  if (!frames.is_object()) throw InputError(where, "\"frames\" to be an object", shown(frames));
  const auto found = frames.find(stem);
  if (found == frames.end()) return std::nullopt;
  return hyperplane_of(*found, where + ", frame " + stem);
}

std::optional<Eigen::Vector4d> read_plane(const std::filesystem::path& path,
                                          const std::string& stem) {
  return decode_plane(read_text_file(path, kMaxBytes), stem, path.string());
}

}  // namespace roadplane::kitti
