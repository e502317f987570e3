#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane {

/// Numbers in rows and columns, as a file holds them.
struct NumberTable {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row after row

  double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

/// What becomes of NaN and infinite numbers, which in a scan are missing returns.
enum class NonFinite { refuse, keep };

/// Numbers as text, a row a line, separated by commas, semicolons or blanks. A first line without
/// any number is a heading; what follows '#' is a comment. Throws InputError that names the line.
NumberTable decode_csv(std::string_view text, const std::string& where,
                       NonFinite non_finite = NonFinite::refuse);
/// Rows with commas, every number with as many digits as give it back.
std::string to_csv(const NumberTable& table);

/// numpy's format (versions 1 to 3 of its header): float32 or float64, little-endian, in C or
/// Fortran order. One dimension is one column. Throws InputError for anything else.
NumberTable decode_npy(std::span<const std::byte> bytes, const std::string& where,
                       NonFinite non_finite = NonFinite::refuse);
/// The content of a file of float64.
std::string to_npy(const NumberTable& table);

/// A .csv or .npy file; the extension says which.
NumberTable read_table(const std::filesystem::path& path, NonFinite non_finite = NonFinite::refuse);

}  // namespace roadplane
