#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace roadplane::kitti {

/// SemanticKITTI labels, one per point in the scan's order: the class in the low 16 bits, the
/// object instance in the high ones.
using Labels = std::vector<std::uint32_t>;

/// Throws InputError unless the file holds exactly `points` labels.
Labels read_labels(const std::filesystem::path& path, std::size_t points);

/// The labels of a `.label` file's content; `where` begins the message of an InputError.
Labels decode_labels(std::span<const std::byte> bytes, std::size_t points,
                     const std::string& where);

void write_labels(const std::filesystem::path& path, std::span<const std::uint32_t> labels);

/// The same for what we label, kRoadLabel or 0: `road` is 1 for the points that are.
void write_road(const std::filesystem::path& path, std::span<const std::uint8_t> road);
std::vector<std::uint8_t> read_road(const std::filesystem::path& path, std::size_t points);

}  // namespace roadplane::kitti
