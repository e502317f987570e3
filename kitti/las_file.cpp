#include "las_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

// Offsets in the public header block of the ASPRS LAS specification, 1.2 to 1.4.
constexpr std::size_t kVersion = 24;
constexpr std::size_t kDataOffset = 96;
constexpr std::size_t kPointFormat = 104;
constexpr std::size_t kRecordLength = 105;
constexpr std::size_t kLegacyCount = 107;
constexpr std::size_t kScale = 131;
constexpr std::size_t kOffset = 155;
constexpr std::size_t kCount14 = 247;
constexpr std::size_t kHeaderBytes = 227;
constexpr std::size_t kHeaderBytes14 = 375;

constexpr int kFormats = 11;  // 0 to 10
constexpr std::size_t kRecordBytes[kFormats] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

class Header {
 public:
  Header(std::span<const std::byte> bytes, const std::string& where)
      : bytes_(bytes), where_(where) {
    const bool signature = bytes.size() >= 4 && std::memcmp(bytes.data(), "LASF", 4) == 0;
    if (!signature) fail("a LAS file", "one that does not begin with LASF");
    if (bytes.size() < kHeaderBytes) fail("a LAS header", std::to_string(bytes.size()) + " bytes");
    const int major = at<std::uint8_t>(kVersion);
    const int minor = at<std::uint8_t>(kVersion + 1);
    if (major != 1 || minor < 2 || minor > 4) {
      fail("LAS 1.2 to 1.4", std::to_string(major) + "." + std::to_string(minor));
    }
    if (minor == 4 && bytes.size() < kHeaderBytes14) {
      fail("a LAS 1.4 header", std::to_string(bytes.size()) + " bytes");
    }
    const auto format = at<std::uint8_t>(kPointFormat);
    if ((format & 0xC0U) != 0) fail("uncompressed points", "compressed ones (LAZ)");
    if (format >= kFormats) fail("a point format of 0 to 10", std::to_string(format));
    if (record_bytes() < kRecordBytes[format]) {
      fail("points of at least " + std::to_string(kRecordBytes[format]) + " bytes",
           std::to_string(record_bytes()));
    }
    const std::uint64_t legacy = at<std::uint32_t>(kLegacyCount);
    points_ = minor == 4 ? at<std::uint64_t>(kCount14) : legacy;
    if (points_ == 0) fail("at least one point", "none");
    const std::size_t begin = at<std::uint32_t>(kDataOffset);
    if (begin > bytes.size() || points_ > (bytes.size() - begin) / record_bytes()) {
      fail(std::to_string(points_) + " points, as its header says",
           std::to_string(bytes.size()) + " bytes");
    }
    first_ = bytes.data() + begin;
  }

  std::size_t record_bytes() const { return at<std::uint16_t>(kRecordLength); }
  std::uint64_t points() const { return points_; }
  const std::byte* first() const { return first_; }

  Eigen::Vector3d vector(std::size_t offset, const char* what) const {
    const Eigen::Vector3d v(at<double>(offset), at<double>(offset + 8), at<double>(offset + 16));
    if (!v.allFinite()) fail(std::string("a finite ") + what, "one that is not");
    return v;
  }

 private:
  template <class T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(where_, expected, found);
  }

  std::span<const std::byte> bytes_;
  std::string where_;
  std::uint64_t points_ = 0;
  const std::byte* first_ = nullptr;
};

}  // namespace

std::vector<SurveyPoint> decode_las(std::span<const std::byte> bytes, const std::string& where) {
  const Header header(bytes, where);
  const Eigen::Vector3d scale = header.vector(kScale, "scale");
  const Eigen::Vector3d offset = header.vector(kOffset, "offset");
  std::vector<SurveyPoint> points(header.points());
  const std::byte* record = header.first();
  for (SurveyPoint& point : points) {
    std::int32_t steps[3];  // of `scale`
    std::uint16_t intensity = 0;
    std::memcpy(steps, record, sizeof steps);
    std::memcpy(&intensity, record + sizeof steps, sizeof intensity);
    point.position = Eigen::Vector3d(steps[0], steps[1], steps[2]).cwiseProduct(scale) + offset;
    point.reflectance = static_cast<float>(intensity) / 65535;
    record += header.record_bytes();
  }
  return points;
}

}  // namespace roadplane::kitti
