#include "fuzz.hpp"
#include "roadplane/base/number_table.hpp"

// Any content of a .npy file: as many numbers as there are bytes for, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  const NumberTable table = decode_npy(content, "fuzz");
  require(table.rows > 0 && table.values.size() == table.rows * table.columns);
  require(table.values.size() * sizeof(float) <= content.size());
  const std::string bytes = to_npy(table);
  require(decode_npy(std::as_bytes(std::span(bytes)), "fuzz").values == table.values);
}
