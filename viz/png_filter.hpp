#pragma once

#include <cstdint>
#include <span>

namespace roadplane::viz {

/// Rows of 8-bit RGB as PNG stores them: a byte that names a filter, then what the filter leaves of
/// the row after telling each byte from the pixels left of it and above it. `above` is the row
/// above, zeros for the first one.

/// Filters `row` into `out`, which is one byte longer, by Paeth's predictor. Photos with points
/// painted on them are smallest by it; choosing among all filters for each row saves nothing.
void filter_row(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
                std::span<std::uint8_t> out);

/// The other way, by whichever filter `filtered` names. False if there is none of that name.
bool unfilter_row(std::span<const std::uint8_t> filtered, std::span<const std::uint8_t> above,
                  std::span<std::uint8_t> row);

}  // namespace roadplane::viz
