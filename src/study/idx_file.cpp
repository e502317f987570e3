#include "idx_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "roadplane/base/descriptor.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

constexpr std::uint32_t kMagic = 0x00000803;  // unsigned bytes, three dimensions
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
constexpr std::size_t kChunkBytes = std::size_t{1} << 22;

/// zlib reads a file that is not gzip as it is.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : path_(path), descriptor_(open_for_reading(path)) {
    file_.reset(::gzdopen(::dup(descriptor_.number()), "rb"));
    if (!file_) fail("a file that can be read", "an error of zlib");
  }

  /// At most `size` bytes; fewer at the end of the file.
  std::size_t read(void* bytes, std::size_t size) {
    const int got = ::gzread(file_.get(), bytes, static_cast<unsigned>(size));
    int error = Z_OK;
    const char* message = ::gzerror(file_.get(), &error);
    if (error == Z_BUF_ERROR) fail("a whole gzip file", "one that ends too early");
    if (got < 0) fail("an undamaged gzip file", message);
    return static_cast<std::size_t>(got);
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(path_.string(), expected, found);
  }

 private:
  struct Close {
    void operator()(gzFile_s* file) const { ::gzclose(file); }
  };
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::unique_ptr<gzFile_s, Close> file_;
};

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

IdxImages read_header(Reader& reader) {
  constexpr const char* kExpected = "an IDX file of pictures (it begins with 00 00 08 03)";
  std::array<std::uint8_t, 16> header{};
  const std::size_t got = reader.read(header.data(), header.size());
  if (got < header.size()) reader.fail(kExpected, std::to_string(got) + " bytes");
  if (big_endian(header.data()) != kMagic) {
    char found[16];
    std::snprintf(found, sizeof found, "%02x %02x %02x %02x", header[0], header[1], header[2],
                  header[3]);
    reader.fail(kExpected, found);
  }
  IdxImages images;
  images.count = big_endian(&header[4]);
  images.rows = big_endian(&header[8]);
  images.columns = big_endian(&header[12]);
  const std::uint64_t each = std::uint64_t{images.rows} * images.columns;  // below 2^64
  if (each == 0 || images.count == 0 || images.count > kMostBytes / each) {
    reader.fail("1 to " + std::to_string(kMostBytes) + " pixels",
                std::to_string(images.count) + " pictures of " + std::to_string(images.rows) +
                    " x " + std::to_string(images.columns));
  }
  return images;
}

}  // namespace

IdxImages read_idx_images(const std::filesystem::path& path) {
  Reader reader(path);
  IdxImages images = read_header(reader);
  const std::size_t size = images.count * images.pixels_each();
  std::size_t filled = 0;
  while (filled < size) {  // memory grows with what is there, not with what the header promises
    images.pixels.resize(std::min(size, filled + kChunkBytes));
    const std::size_t got = reader.read(&images.pixels[filled], images.pixels.size() - filled);
    filled += got;
    if (got == 0) {
      reader.fail(std::to_string(size) + " bytes of pixels", std::to_string(filled));
    }
  }
  std::uint8_t more = 0;
  if (reader.read(&more, 1) > 0) {
    reader.fail(std::to_string(size) + " bytes of pixels", "more than those");
  }
  return images;
}

}  // namespace roadplane
