#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

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
    void* p = ::operator new(bytes, alignment(bytes));
    if (bytes >= kLarge) madvise(p, bytes, MADV_HUGEPAGE);  // a wish: failing does no harm
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n * sizeof(T))); }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kLarge = 2 * kHugePage;

  static constexpr std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kLarge ? kHugePage : 64};
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace roadplane
