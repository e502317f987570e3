#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/number_table.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

constexpr std::string_view kMagic = "\x93NUMPY";

/// What the header says, a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
/// 4), }
struct Header {
  std::string_view type;
  bool by_columns = false;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> numbers;
};

class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Header read() {
    Header header;
    expect('{');
    bool complete[3] = {};
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        if (peek() == '[') refuse("numbers of one type", "an array of records");
        header.type = quoted();
        complete[0] = true;
      } else if (key == "fortran_order") {
        header.by_columns = truth();
        complete[1] = true;
      } else if (key == "shape") {
        header.shape = shape();
        complete[2] = true;
      } else {
        damaged();
      }
      if (peek() != '}') expect(',');
    }
    if (!complete[0] || !complete[1] || !complete[2]) damaged();
    return header;
  }

 private:
  char peek() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \n\t"), text_.size()));
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char wanted) {
    if (peek() != wanted || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) damaged();
  }

  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) damaged();
    const std::string_view word = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return word;
  }

  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    damaged();
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> sizes;
    expect('(');
    while (!accept(')')) {
      peek();
      const std::string_view digits =
          text_.substr(0, std::min(text_.find_first_not_of("0123456789"), text_.size()));
      const auto size = parse_count(digits);
      if (!size) damaged();
      text_.remove_prefix(digits.size());
      sizes.push_back(*size);
      if (peek() != ')') expect(',');
    }
    return sizes;
  }

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw InputError(where_, expected, found);
  }
  [[noreturn]] void damaged() const {
    refuse("a header with descr, fortran_order and shape", "a damaged one");
  }

  std::string_view text_;
  const std::string& where_;
};

/// Header and numbers of a file.
Header read_header(std::span<const std::byte> bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) {
    throw InputError(where, "a .npy file (it begins with \\x93NUMPY)",
                     text.empty() ? "an empty file" : "other content");
  }
  const std::size_t version = text.size() > 6 ? static_cast<unsigned char>(text[6]) : 0;
  if (version < 1 || version > 3) {
    throw InputError(where, "version 1, 2 or 3 of the .npy format", std::to_string(version));
  }
  const std::size_t width = version == 1 ? 2 : 4;  // bytes of the header's length
  std::uint32_t length = 0;
  if (text.size() >= 8 + width) std::memcpy(&length, text.data() + 8, width);
  if (length == 0 || length > text.size() - 8 - width) {
    throw InputError(where, "a whole header",
                     "a file of " + std::to_string(text.size()) + " bytes");
  }
  Header header = HeaderReader(text.substr(8 + width, length), where).read();
  header.numbers = bytes.subspan(8 + width + length);
  return header;
}

/// [bytes] of a number: 4 or 8.
std::size_t width_of(std::string_view type, const std::string& where) {
  constexpr const char* kExpected = "float32 or float64, little-endian (<f4 or <f8)";
  if (type == "<f4") return 4;
  if (type == "<f8") return 8;
  if (type.starts_with('>')) throw InputError(where, kExpected, "big-endian " + in_quotes(type));
  if (type.find('O') != std::string_view::npos) {
    throw InputError(where, kExpected, "pickled Python objects");
  }
  throw InputError(where, kExpected, in_quotes(type));
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (const std::uint64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return in_quotes(text + ")");
}

NumberTable empty_table(const Header& header, std::size_t width, const std::string& where) {
  const auto& shape = header.shape;
  if (shape.empty() || shape.size() > 2) {
    throw InputError(where, "an array of one or two dimensions", shape_text(shape));
  }
  const std::uint64_t rows = shape[0];
  const std::uint64_t columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0) throw InputError(where, "rows of numbers", "none");
  const std::uint64_t held = header.numbers.size() / width;
  const bool whole = header.numbers.size() % width == 0 && held % columns == 0;
  if (!whole || held / columns != rows) {  // no product that could overflow
    throw InputError(where, "numbers for the shape " + shape_text(shape),
                     std::to_string(header.numbers.size()) + " bytes");
  }
  return {rows, columns, std::vector<double>(held)};
}

template <class Number>
void fill(NumberTable& table, const Header& header) {
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < table.columns; ++c) {
      const std::size_t place = header.by_columns ? c * table.rows + r : r * table.columns + c;
      Number number{};
      std::memcpy(&number, header.numbers.data() + place * sizeof(Number), sizeof(Number));
      table.values[r * table.columns + c] = number;
    }
  }
}

void require_finite(const NumberTable& table, const std::string& where) {
  for (std::size_t k = 0; k < table.values.size(); ++k) {
    if (std::isfinite(table.values[k])) continue;
    throw InputError(where + ": row " + std::to_string(k / table.columns + 1) + ", column " +
                         std::to_string(k % table.columns + 1),
                     "a finite number", in_digits(table.values[k]));
  }
}

}  // namespace

NumberTable decode_npy(std::span<const std::byte> bytes, const std::string& where,
                       NonFinite non_finite) {
  const Header header = read_header(bytes, where);
  const std::size_t width = width_of(header.type, where);
  NumberTable table = empty_table(header, width, where);
  if (width == 4) {
    fill<float>(table, header);
  } else {
    fill<double>(table, header);
  }
  if (non_finite == NonFinite::refuse) require_finite(table, where);
  return table;
}

std::string to_npy(const NumberTable& table) {
  constexpr std::size_t kAlignment = 64;  // of the numbers, as numpy has it
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" +
                       std::to_string(table.rows) + ", " + std::to_string(table.columns) + "), }";
  const std::size_t before = kMagic.size() + 4;  // version and length
  header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string bytes(kMagic);
  bytes += {'\x01', '\x00', static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)};
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(table.values.data()),
               table.values.size() * sizeof(double));
  return bytes;
}

}  // namespace roadplane
