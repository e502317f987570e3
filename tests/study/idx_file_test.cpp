#include "idx_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <string>

#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string header(std::uint32_t magic, std::uint32_t count, std::uint32_t rows,
                   std::uint32_t columns) {
  return big_endian(magic) + big_endian(count) + big_endian(rows) + big_endian(columns);
}

/// Two pictures of 2 x 3.
std::string two_images() {
  std::string bytes = header(0x803, 2, 2, 3);
  for (int k = 0; k < 12; ++k) bytes += static_cast<char>(20 * k);
  return bytes;
}

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(IdxFile, ReadsPlainAndGzip) {
  const test::TempDir folder;
  for (const std::string& bytes : {two_images(), gzip(two_images())}) {
    const IdxImages images = read_idx_images(folder.write("images", bytes));
    EXPECT_EQ(images.count, 2U);
    EXPECT_EQ(images.rows, 2U);
    EXPECT_EQ(images.columns, 3U);
    ASSERT_EQ(images.pixels.size(), 12U);
    EXPECT_EQ(images.image(1)[0], 120);
    EXPECT_EQ(images.image(1)[5], 220);
  }
}

TEST(IdxFile, SaysWhatIsWrong) {
  const test::TempDir folder;
  const std::string good = two_images();
  const std::string zipped = gzip(good);
  std::string damaged = zipped;
  damaged[damaged.size() - 6] ^= 1;  // the checksum
  const struct {
    std::string bytes;
    const char* found;
  } cases[] = {
      {"", "0 bytes"},
      {good.substr(0, 15), "15 bytes"},
      {"hello, this is no IDX file", "68 65 6c 6c"},
      {header(0x801, 2, 2, 3) + good.substr(16), "00 00 08 01"},  // labels, not pictures
      {good.substr(0, good.size() - 1), "11"},
      {good + "x", "more than those"},
      {header(0x803, 0, 2, 3), "0 pictures"},
      {header(0x803, 5, 0, 3), "5 pictures of 0 x 3"},
      {header(0x803, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF), "4294967295 pictures"},
      {header(0x803, 60000, 28, 28), "0"},  // nothing but a promise: no memory is taken for it
      {zipped.substr(0, zipped.size() - 9), "ends too early"},
      {zipped.substr(0, 5), "ends too early"},
      {damaged, "incorrect data check"},
  };
  for (const auto& [bytes, found] : cases) {
    const auto path = folder.write("images", bytes);
    SCOPED_TRACE(found);
    test::expect_one_line([&] { read_idx_images(path); }, path.string(), found);
  }
  test::expect_one_line([&] { read_idx_images(folder / "none"); }, (folder / "none").string(),
                        "no such file");
  test::expect_one_line([&] { read_idx_images(folder.path()); }, folder.path().string(),
                        "a directory");
}

TEST(IdxFile, ReadsMnist) {
  const char* root = std::getenv("ROADPLANE_DATA");
  const std::filesystem::path file =
      std::filesystem::path(root == nullptr ? "" : root) / "mnist/train-images-idx3-ubyte.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "ROADPLANE_DATA has no " << file.filename();
  const IdxImages images = read_idx_images(file);
  EXPECT_EQ(images.count, 60'000U);
  EXPECT_EQ(images.pixels_each(), 784U);
  double sum = 0;
  for (const std::uint8_t pixel : images.pixels) sum += pixel;
  EXPECT_NEAR(sum / static_cast<double>(images.pixels.size()) / 255, 0.1307, 5e-5);  // well known
}

}  // namespace
}  // namespace roadplane
