#include "block_stream.hpp"

#include <algorithm>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::size_t kLeastBufferBytes = std::size_t{1} << 12;
constexpr std::size_t kMostBufferBytes = std::size_t{1} << 16;
constexpr std::size_t kGrowthBytes = std::size_t{1} << 24;  ///< taken on trust from a length

}  // namespace

BlockStream::BlockStream(const FileReader& file, Block block, std::string where)
    : file_(&file),
      block_(std::move(block)),
      where_(std::move(where)),
      unpacker_(make_unpacker(block_.compression)) {
  if (!unpacker_) {
    throw InputError(where_, "compression none, lz4, zstd or bz2", in_quotes(block_.compression));
  }
  const bool packed = !block_.compression.empty() && block_.compression != "none";
  if (!packed) block_.plain_bytes = std::min(block_.plain_bytes, block_.packed_bytes);
  if (packed && block_.plain_bytes > kMostChunkBytes) {
    throw InputError(where_, "a chunk of at most " + std::to_string(kMostChunkBytes) + " bytes",
                     std::to_string(block_.plain_bytes));
  }
}

std::size_t BlockStream::some(std::span<std::byte> into) {
  while (true) {
    if (ready_.empty() && fetched_ < block_.packed_bytes) {
      // What follows a jump may be little.
      const std::size_t bytes = std::clamp(2 * buffer_.size(), kLeastBufferBytes, kMostBufferBytes);
      buffer_.resize(std::min<std::uint64_t>(bytes, block_.packed_bytes - fetched_));
      file_->read(block_.begin + fetched_, buffer_);
      fetched_ += buffer_.size();
      ready_ = buffer_;
    }
    const Unpacker::Step step = unpacker_->step(ready_, into);
    ready_ = ready_.subspan(step.taken);
    if (step.bad) throw InputError(where_, "bytes packed by " + block_.compression, "others");
    if (step.made > 0) return step.made;
    if (step.taken == 0 && (!ready_.empty() || fetched_ == block_.packed_bytes)) {
      throw InputError(where_, std::to_string(rest()) + " more bytes", "its end");
    }
  }
}

void BlockStream::read(std::span<std::byte> into) {
  if (into.size() > rest()) {
    throw InputError(where_, std::to_string(into.size()) + " more bytes", std::to_string(rest()));
  }
  while (!into.empty()) {
    const std::size_t made = some(into);
    position_ += made;
    into = into.subspan(made);
  }
}

void BlockStream::skip(std::uint64_t bytes) {
  if (bytes > rest()) {
    throw InputError(where_, std::to_string(bytes) + " more bytes", std::to_string(rest()));
  }
  const bool plain = block_.compression.empty() || block_.compression == "none";
  if (plain && bytes > ready_.size()) {  // nothing has to be looked at
    bytes -= ready_.size();
    position_ += ready_.size() + bytes;
    fetched_ += bytes;
    ready_ = {};
    buffer_.clear();
    return;
  }
  std::array<std::byte, 4096> scratch;
  while (bytes > 0) {
    const auto count = std::min<std::uint64_t>(bytes, scratch.size());
    read(std::span(scratch).first(count));
    bytes -= count;
  }
}

FileBytes BlockStream::read(std::uint64_t bytes) {
  if (bytes > kMostMessageBytes || bytes > rest()) {
    throw InputError(
        where_,
        "a record of at most " + std::to_string(std::min(rest(), kMostMessageBytes)) + " bytes",
        std::to_string(bytes));
  }
  FileBytes all;
  while (all.size() < bytes) {
    const std::size_t before = all.size();
    all.resize(std::min<std::uint64_t>(bytes, std::max(kGrowthBytes, 2 * before)));
    read(std::span(all).subspan(before));
  }
  return all;
}

}  // namespace roadplane::kitti
