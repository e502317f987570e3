#include "roadplane/viz/image_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/input_error.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::vector<std::uint8_t>;

void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

RgbImage noise(int width, int height) {
  RgbImage image = plain_photo(width, height);
  std::mt19937 generator(3);
  for (auto& byte : image.rgb) byte = static_cast<std::uint8_t>(generator() & 0xFF);
  return image;
}

/// What read_image says of a file with these bytes; empty if it accepts them.
std::string complaint(const ScratchFolder& folder, const Bytes& bytes) {
  write_bytes(folder / "picture", bytes);
  try {
    read_image(folder / "picture");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::uint32_t crc(const Bytes& bytes, std::size_t begin, std::size_t end) {
  std::uint32_t value = 0xFFFFFFFF;
  for (std::size_t i = begin; i < end; ++i) {
    value ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~value;
}

void put_big_endian(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

TEST(ImageFile, PngGoesThereAndBack) {
  const ScratchFolder folder("png");
  for (const auto& [width, height] : {std::pair(1, 1), {3, 700}, {641, 2}, {97, 61}}) {
    const RgbImage image = noise(width, height);
    write_png(folder / "picture.png", image);
    const RgbImage again = read_image(folder / "picture.png");
    EXPECT_EQ(again.width, width);
    EXPECT_EQ(again.height, height);
    EXPECT_EQ(again.rgb, image.rgb);
    EXPECT_EQ(folder.files(), 1U) << "no temporary file is left";
  }
}

TEST(ImageFile, ReadsJpeg) {
  const RgbImage image = read_image(ROADPLANE_GOLDEN_DIR "/red_and_blue.jpg");
  ASSERT_EQ(image.width, 32);
  ASSERT_EQ(image.height, 16);
  EXPECT_GT(pixel(image, 4, 8).r, 200);
  EXPECT_GT(pixel(image, 28, 8).b, 200);
}

TEST(ImageFile, FormatsHaveNamesAndExtensions) {
  const ScratchFolder folder("formats");
  for (const ImageFormat format : {ImageFormat::png, ImageFormat::jpeg}) {
    EXPECT_EQ(image_format_from_string(to_string(format)), format);
    const auto path = folder / ("picture" + std::string(extension_of(format)));
    write_image(path, plain_photo(40, 20, 77), format);
    EXPECT_EQ(read_image(path).rgb, plain_photo(40, 20, 77).rgb) << "one colour is easy for both";
  }
  EXPECT_EQ(read_bytes(folder / "picture.jpg").at(0), 0xFF);
  EXPECT_EQ(read_bytes(folder / "picture.png").at(0), 0x89);
  EXPECT_THROW(image_format_from_string("gif"), FieldError);
  EXPECT_THROW(write_image(folder / "empty.jpg", {}, ImageFormat::jpeg), std::invalid_argument);
}

TEST(ImageFile, SaysWhatIsWrong) {
  const ScratchFolder folder("wrong");
  const auto message = [](const std::filesystem::path& path) -> std::string {
    try {
      read_image(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string expected = ": expected a PNG or JPEG picture, found ";
  EXPECT_EQ(message(folder / "none.png"),
            (folder / "none.png").string() + expected + "no such file");
  EXPECT_EQ(message(folder.path()), folder.path().string() + expected + "a folder");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero" + expected + "something that is not a regular file");
  EXPECT_NE(complaint(folder, {}).find("an empty file"), std::string::npos);
  EXPECT_NE(complaint(folder, {'G', 'I', 'F', '8', '9', 'a'}).find("neither PNG nor JPEG"),
            std::string::npos);
}

TEST(ImageFile, DamagedFilesAreRefusedQuietly) {
  const ScratchFolder folder("damaged");
  const Bytes png = encode_png(noise(40, 30));
  const Bytes jpeg = read_bytes(ROADPLANE_GOLDEN_DIR "/red_and_blue.jpg");
  ASSERT_GT(jpeg.size(), 100U);
  std::mt19937 generator(5);

  testing::internal::CaptureStderr();
  for (std::size_t size = 0; size < png.size(); size += 1 + size / 4) {
    EXPECT_NE(complaint(folder, {png.begin(), png.begin() + static_cast<long>(size)}), "") << size;
  }
  for (int i = 0; i < 300; ++i) {
    Bytes flipped = png;
    flipped[generator() % flipped.size()] ^= static_cast<std::uint8_t>(1U << generator() % 8);
    EXPECT_NE(complaint(folder, flipped), "");
  }
  for (std::size_t size = 0; size + 2 <= jpeg.size(); ++size) {
    EXPECT_NE(complaint(folder, {jpeg.begin(), jpeg.begin() + static_cast<long>(size)}), "")
        << size;
  }
  for (int i = 0; i < 300; ++i) {
    Bytes random(generator() % 200);
    for (auto& byte : random) byte = static_cast<std::uint8_t>(generator());
    EXPECT_NE(complaint(folder, random), "");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ImageFile, RightChecksumsAroundSpoiltDataAreRefusedToo) {
  const ScratchFolder folder("spoilt");
  Bytes png = encode_png(noise(40, 30));
  constexpr std::size_t kData = 33;  // the first chunk after the header: length, type, data
  const std::size_t length =
      png[kData] << 24 | png[kData + 1] << 16 | png[kData + 2] << 8 | png[kData + 3];
  ASSERT_EQ(std::string(png.begin() + kData + 4, png.begin() + kData + 8), "IDAT");
  for (std::size_t i = 0; i < length; ++i) png[kData + 8 + i] = 0x55;
  put_big_endian(png, kData + 8 + length, crc(png, kData + 4, kData + 8 + length));
  EXPECT_NE(complaint(folder, png).find("a file that does not decode"), std::string::npos);
}

TEST(ImageFile, AbsurdSizesAreRefusedBeforeTheyAreAllocated) {
  const ScratchFolder folder("absurd");
  for (const std::uint32_t side : {0U, 20'000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    Bytes png = encode_png(noise(4, 4));
    put_big_endian(png, 16, side);  // signature 8, length 4, "IHDR" 4, then width and height
    put_big_endian(png, 20, side);
    put_big_endian(png, 29, crc(png, 12, 29));
    EXPECT_NE(complaint(folder, png).find("a picture of 1 to 100000000 pixels"), std::string::npos);
  }
}

TEST(ImageFile, WriteReplacesAndFailsWhole) {
  const ScratchFolder folder("write");
  write_bytes(folder / "picture.png.part", {1, 2, 3});  // left behind by a killed run
  write_bytes(folder / "picture.png", {1, 2, 3});
  write_png(folder / "picture.png", noise(8, 8));
  EXPECT_EQ(read_image(folder / "picture.png").rgb, noise(8, 8).rgb);
  EXPECT_EQ(folder.files(), 1U);

  EXPECT_THROW(write_png(folder / "missing/picture.png", noise(8, 8)), InputError);
  std::filesystem::create_directories(folder / "taken.png/inside");
  EXPECT_THROW(write_png(folder / "taken.png", noise(8, 8)), InputError);
  EXPECT_EQ(folder.files(), 2U) << "the picture and the folder";

  EXPECT_THROW(write_png(folder / "empty.png", {}), std::invalid_argument);
  EXPECT_THROW(write_png(folder / "short.png", {2, 2, {1, 2, 3}}), std::invalid_argument);
}

}  // namespace
}  // namespace roadplane::viz
