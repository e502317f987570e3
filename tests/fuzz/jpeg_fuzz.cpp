#include "fuzz.hpp"
#include "image_header.hpp"
#include "jpeg_file.hpp"

// Any content of a JPEG file that the look at its header lets through: a picture of the size that
// it says, or none.
void roadplane::fuzz(std::span<const std::byte> content) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  const viz::ImageHeader header = viz::inspect_image(bytes);
  constexpr std::int64_t kMostPixels = 1 << 20;  // more is right and takes long
  if (!header.damage.empty() || header.format != viz::ImageFormat::jpeg) return;
  if (header.width * header.height > kMostPixels) return;
  const auto image = viz::decode_jpeg(bytes);
  require(!image || (image->width == header.width && image->height == header.height));
}
