#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/data_config.hpp"

namespace roadplane::kitti {

/// How the data's options say that scans are to be understood.
ScanReading reading_of(const DataConfig& config);

/// Scans that come one after the other through a pipe: each a length in bytes (32 bits,
/// little-endian) and so many bytes of raw floats.
class ScanStream {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  ///< of a scan

  /// Of an open file, which is not closed; `name` is what messages call it.
  ScanStream(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  /// Waits for the next scan; false at the end of the stream. Throws InputError for a length that
  /// is no whole number of points of `point_bytes`, or too large, and for a stream that ends within
  /// a scan: what follows cannot be understood.
  bool next(std::vector<std::byte>& bytes, std::size_t point_bytes);
  std::size_t scans() const { return scans_; }

 private:
  std::size_t read_up_to(std::span<std::byte> bytes) const;
  std::string here() const;

  int descriptor_;
  std::string name_;
  std::size_t scans_ = 0;  ///< that have come whole
};

/// The bytes of a point of raw floats.
std::size_t point_bytes(RawFormat format);

/// The points of such a scan, as of a `.bin` file. Throws InputError.
Scan decode_scan(std::span<const std::byte> bytes, RawFormat format, const ScanReading& reading,
                 const std::string& where);

}  // namespace roadplane::kitti
