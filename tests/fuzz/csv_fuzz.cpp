#include "fuzz.hpp"
#include "roadplane/base/number_table.hpp"

// Any text as a table: whole rows that come back as they are, or an InputError.
void roadplane::fuzz(std::span<const std::byte> content) {
  const NumberTable table = decode_csv(as_text(content), "fuzz");
  require(table.rows > 0 && table.values.size() == table.rows * table.columns);
  const NumberTable again = decode_csv(to_csv(table), "fuzz");
  require(again.values == table.values && again.columns == table.columns);
}
