#include "roadplane/base/recycled.hpp"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace roadplane {
namespace {

constexpr std::size_t kSmall = std::size_t{64} << 10;  // up to here blocks lie on shelves by size
constexpr std::size_t kMostOnShelf = 16;               // two messages under way take seven
constexpr std::size_t kMostKept = std::size_t{64} << 20;  // a few frames of a million points
constexpr std::size_t kMostBlocks = 32;

constexpr std::size_t kLineBytes = 64;

/// So that blocks of frames that differ a little in size are interchangeable: of large ones at most
/// an eighth is wasted, small ones are powers of two.
std::size_t rounded(std::size_t bytes) {
  if (bytes <= kSmall) return std::bit_ceil(std::max(bytes, kLineBytes));
  std::size_t step = kSmall / 8;
  while (step * 16 <= bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

constexpr std::align_val_t kLine{kLineBytes};

struct Block {
  void* memory;
  std::size_t bytes;
};

// The address sanitizer is to see what is used after it was given back, or beyond what was asked
// for. (Without it these do nothing.)
void forbid(const Block& block) { ASAN_POISON_MEMORY_REGION(block.memory, block.bytes); }
void* allow(void* memory, std::size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  return memory;
}

void free_block(const Block& block) { ::operator delete(allow(block.memory, block.bytes), kLine); }

/// Some small blocks of one size.
class Shelf {
 public:
  Shelf() = default;
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;
  ~Shelf() { std::for_each(blocks_.begin(), blocks_.begin() + count_, free_block); }

  void* take() { return count_ > 0 ? blocks_[--count_].memory : nullptr; }
  void keep(const Block& block) {
    if (count_ == blocks_.size()) return free_block(block);
    blocks_[count_++] = block;
  }

 private:
  std::array<Block, kMostOnShelf> blocks_{};
  std::size_t count_ = 0;
};

/// A thread's blocks, the last one given back last.
class Kept {
 public:
  ~Kept() {
    closed() = true;
    for (const Block& block : blocks_) free_block(block);
  }

  void* take(std::size_t bytes) {
    if (bytes <= kSmall) return shelf(bytes).take();
    const auto fits = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                   [bytes](const Block& block) { return block.bytes == bytes; });
    if (fits == blocks_.rend()) return nullptr;
    void* memory = fits->memory;
    total_ -= bytes;
    blocks_.erase(std::next(fits).base());
    return memory;
  }

  /// Drops the oldest ones where there are too many.
  void keep(const Block& block) {
    if (block.bytes <= kSmall) return shelf(block.bytes).keep(block);
    blocks_.push_back(block);
    total_ += block.bytes;
    while (total_ > kMostKept || blocks_.size() > kMostBlocks) {
      total_ -= blocks_.front().bytes;
      free_block(blocks_.front());
      blocks_.erase(blocks_.begin());
    }
  }

  /// Whether the thread is at its end, and nothing is kept any more.
  static bool& closed() {
    thread_local bool closed = false;
    return closed;
  }

 private:
  Shelf& shelf(std::size_t bytes) {
    return shelves_[static_cast<std::size_t>(std::countr_zero(bytes / kLineBytes))];
  }

  std::array<Shelf, std::countr_zero(kSmall / kLineBytes) + 1> shelves_;
  std::vector<Block> blocks_;
  std::size_t total_ = 0;
};

Kept& kept() {
  thread_local Kept kept;
  return kept;
}

}  // namespace

void* take_memory(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  void* memory = Kept::closed() ? nullptr : kept().take(size);
  if (memory == nullptr) memory = ::operator new(size, kLine);
  forbid({memory, size});
  return allow(memory, bytes);
}

void give_back_memory(void* memory, std::size_t bytes) {
  const Block block{memory, rounded(bytes)};
  if (block.bytes > kMostKept || Kept::closed()) return free_block(block);
  forbid(block);
  kept().keep(block);
}

}  // namespace roadplane
