#include "roadplane/mpi/process_group.hpp"

#include <cstring>

namespace roadplane {

void place(std::span<const std::uint32_t> positions, std::span<const std::byte> values,
           std::size_t bytes_each, std::span<std::byte> whole) {
  for (std::size_t k = 0; k < positions.size(); ++k) {
    std::memcpy(&whole[positions[k] * bytes_each], &values[k * bytes_each], bytes_each);
  }
}

}  // namespace roadplane
