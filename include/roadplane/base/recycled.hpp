#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace roadplane {

/// Memory of at least that many bytes, on a cache line's boundary; a block that this thread has
/// given back is taken first. Fresh memory costs a page fault for every 4 kB, more than most of
/// what is done with it, and small blocks on such boundaries a search that a message is too short
/// for.
void* take_memory(std::size_t bytes);
/// Kept for the thread's next frame, up to what a few frames take.
void give_back_memory(void* memory, std::size_t bytes);

/// For vectors that hold a number or more for every point of a scan and live for one frame, or for
/// every agent and live for one message.
/// Elements that nobody gave a value (`RecycledVector<T>(n)`, `resize(n)`) have none: whoever asks
/// for them writes them all, and zeros before that would cost as much again.
template <class T>
struct RecyclingAllocator {
  static_assert(std::is_trivially_copyable_v<T>, "its memory may hold anything");
  using value_type = T;

  RecyclingAllocator() = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t n) { return static_cast<T*>(take_memory(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { give_back_memory(p, n * sizeof(T)); }
  void construct(T*) {}
  template <class... Value>
  void construct(T* p, Value&&... value) {
    std::construct_at(p, std::forward<Value>(value)...);
  }

  friend bool operator==(const RecyclingAllocator&, const RecyclingAllocator&) { return true; }
};

template <class T>
using RecycledVector = std::vector<T, RecyclingAllocator<T>>;

}  // namespace roadplane
