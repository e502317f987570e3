#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

#include "roadplane/base/recycled.hpp"

namespace roadplane {

/// Allocates on cache-line boundaries, which are also the widest vector register's. Large blocks
/// ask for huge pages: random samples of millions of points would otherwise miss the page table
/// too.
template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < kLarge) return static_cast<T*>(take_memory(bytes));
    void* p = ::operator new (bytes, std::align_val_t{kHugePage});
    madvise(p, bytes, MADV_HUGEPAGE);  // a wish: failing does no harm
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < kLarge) return give_back_memory(p, n * sizeof(T));
    ::operator delete (p, std::align_val_t{kHugePage});
  }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kLarge = 2 * kHugePage;
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace roadplane
