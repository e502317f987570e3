#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "roadplane/base/file.hpp"
#include "roadplane/base/file_reader.hpp"
#include "unpacker.hpp"

namespace roadplane::kitti {

/// Where packed records lie in a file; also how a file itself is read, as one block that is not
/// packed.
struct Block {
  std::uint64_t begin = 0;         ///< [bytes] in the file
  std::uint64_t packed_bytes = 0;  ///< there
  std::uint64_t plain_bytes = 0;   ///< as its header says
  std::string compression{};       ///< of make_unpacker
};

/// A larger chunk is refused: it would take minutes, and no recorder writes one.
inline constexpr std::uint64_t kMostChunkBytes = std::uint64_t{4} << 30;
/// A larger message is refused.
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 30;

/// The plain bytes of a block from its beginning to its end, in memory of a fixed size.
class BlockStream {
 public:
  /// Throws InputError, beginning with `where`, for a compression that is not known or a size that
  /// no chunk has. `file` must outlive this.
  BlockStream(const FileReader& file, Block block, std::string where);

  const Block& block() const { return block_; }
  std::uint64_t position() const { return position_; }  ///< [bytes] unpacked so far
  std::uint64_t rest() const { return block_.plain_bytes - position_; }
  const std::string& where() const { return where_; }

  /// The following throw InputError where the block ends before or cannot be unpacked.
  void read(std::span<std::byte> into);
  void skip(std::uint64_t bytes);
  template <class T>
  T value() {
    T result{};
    read(std::as_writable_bytes(std::span(&result, 1)));
    return result;
  }
  /// Memory grows as bytes arrive: a length that lies costs nothing.
  FileBytes read(std::uint64_t bytes);

 private:
  std::size_t some(std::span<std::byte> into);

  const FileReader* file_;
  Block block_;
  std::string where_;
  std::unique_ptr<Unpacker> unpacker_;
  std::uint64_t position_ = 0;
  std::uint64_t fetched_ = 0;         ///< [bytes] of the packed ones, into buffer_
  std::vector<std::byte> buffer_;     ///< packed bytes
  std::span<const std::byte> ready_;  ///< those of them that are yet to be unpacked
};

}  // namespace roadplane::kitti
