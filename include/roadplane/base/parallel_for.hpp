#pragma once

#include <cstddef>
#include <functional>

namespace roadplane {

/// job(0) to job(count - 1), so many threads at a time. The first exception ends the work and is
/// thrown again.
void parallel_for(int threads, std::size_t count, const std::function<void(std::size_t)>& job);

}  // namespace roadplane
