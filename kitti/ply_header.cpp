#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "cloud_fields.hpp"
#include "cloud_header.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::uint64_t kMaxPoints = 0x7FFFFFFF;  // PCL counts them in a signed int
constexpr std::size_t kMaxProperties = 256;

enum class Encoding { ascii, little_endian, big_endian };

struct Property {
  std::string name;
  std::uint64_t bytes = 0;       ///< of the value, or of each entry of a list
  std::uint64_t list_bytes = 0;  ///< of a list's length; 0 for a plain value
};

struct Element {
  std::string name;
  std::uint64_t rows = 0;
  std::vector<Property> properties{};
};

struct Ply {
  Encoding encoding = Encoding::ascii;
  std::vector<Element> elements{};
  std::string_view data{};
  std::string where{};
};

std::uint64_t type_bytes(std::string_view type, const std::string& where) {
  for (const std::string_view name : {"char", "int8", "uchar", "uint8"}) {
    if (type == name) return 1;
  }
  for (const std::string_view name : {"short", "int16", "ushort", "uint16"}) {
    if (type == name) return 2;
  }
  for (const std::string_view name : {"int", "int32", "uint", "uint32", "float", "float32"}) {
    if (type == name) return 4;
  }
  if (type == "double" || type == "float64") return 8;
  throw InputError(where, "a PLY type such as float", in_quotes(type));
}

void add_format(Ply& ply, std::string_view line) {
  const std::string_view format = take_word(line);
  if (format == "ascii") {
    ply.encoding = Encoding::ascii;
  } else if (format == "binary_little_endian") {
    ply.encoding = Encoding::little_endian;
  } else if (format == "binary_big_endian") {
    ply.encoding = Encoding::big_endian;
  } else {
    throw InputError(ply.where, "format ascii or binary_(little|big)_endian", in_quotes(format));
  }
}

void add_element(Ply& ply, std::string_view line) {
  const std::string name(take_word(line));
  const std::string_view word = take_word(line);
  const std::optional<std::uint64_t> rows = parse_count(word);
  if (!rows || *rows > kMaxPoints) {
    throw InputError(ply.where, "element " + name + " of at most " + std::to_string(kMaxPoints),
                     in_quotes(word));
  }
  // PCL uses a range grid's indices unchecked, and it would change the order of the points.
  if (name == "range_grid") throw InputError(ply.where, "no element range_grid", "one");
  for (const Element& other : ply.elements) {
    if (other.name == name) throw InputError(ply.where, "each element once", name + " twice");
  }
  ply.elements.push_back({name, *rows});
}

void add_property(Ply& ply, std::string_view line) {
  if (ply.elements.empty()) throw InputError(ply.where, "an element first", "a property");
  std::vector<Property>& properties = ply.elements.back().properties;
  if (properties.size() == kMaxProperties) {
    throw InputError(ply.where, "at most 256 properties", "more");
  }
  Property property;
  std::string_view type = take_word(line);
  if (type == "list") {
    property.list_bytes = type_bytes(take_word(line), ply.where);
    type = take_word(line);
  }
  property.bytes = type_bytes(type, ply.where);
  property.name = take_word(line);
  properties.push_back(property);
}

Ply split_header(std::string_view text, const std::string& where) {
  Ply ply{.where = where};
  std::string_view first = take_line(text);
  if (take_word(first) != "ply") throw InputError(where, "a PLY file", "another first line");
  bool has_format = false;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view key = take_word(line);
    if (key == "format" && !has_format) {
      has_format = true;
      add_format(ply, line);
    } else if (key == "element") {
      add_element(ply, line);
    } else if (key == "property") {
      add_property(ply, line);
    } else if (key == "end_header" && has_format) {
      ply.data = text;
      return ply;
    } else if (key != "comment" && key != "obj_info") {
      throw InputError(where, "a PLY header", in_quotes(key));
    }
  }
  throw InputError(where, "a PLY header that ends with end_header", "no end_header");
}

/// PCL packs the bytes red, green, blue and then alpha into one field, and writes to wrong places
/// or aborts when they come otherwise.
void check_colours(const Element& vertex, const std::string& where) {
  std::string colours;
  std::size_t last = 0;
  for (std::size_t k = 0; k < vertex.properties.size(); ++k) {
    std::string_view name = vertex.properties[k].name;
    if (name.starts_with("diffuse_")) name.remove_prefix(std::string_view("diffuse_").size());
    const bool colour = name == "red" || name == "green" || name == "blue" || name == "alpha";
    if (!colour || vertex.properties[k].bytes != 1) continue;
    if (!colours.empty() && last + 1 != k) colours += "..., ";
    colours += std::string(name) + ", ";
    last = k;
  }
  if (colours.empty() || colours == "red, green, blue, " ||
      colours == "red, green, blue, alpha, ") {
    return;
  }
  throw InputError(where, "colours red, green, blue and perhaps alpha, side by side",
                   colours.substr(0, colours.size() - 2));
}

const Element& vertex_of(const Ply& ply) {
  for (const Element& element : ply.elements) {
    if (element.name != "vertex") continue;
    if (element.rows == 0) throw InputError(ply.where, "at least one point", "none");
    for (const Property& property : element.properties) {
      if (property.list_bytes > 0) {
        throw InputError(ply.where, "plain values in a vertex", "list " + property.name);
      }
    }
    check_colours(element, ply.where);
    return element;
  }
  throw InputError(ply.where, "element vertex", "none");
}

[[noreturn]] void throw_short(const Ply& ply, const Element& element, std::uint64_t row) {
  throw InputError(ply.where,
                   std::to_string(element.rows) + " of " + element.name + ", as its header says",
                   "a file that ends after " + std::to_string(row));
}

/// Removes `count` bytes of the data; false if there are fewer.
bool skip(std::string_view& data, std::uint64_t count) {
  if (count > data.size()) return false;
  data.remove_prefix(count);
  return true;
}

/// Removes a list's length from the data; nothing if the data ends.
std::optional<std::uint64_t> take_length(std::string_view& data, std::uint64_t bytes,
                                         Encoding encoding) {
  if (bytes > data.size()) return std::nullopt;
  std::uint64_t length = 0;
  for (std::uint64_t k = 0; k < bytes; ++k) {
    const std::uint64_t place = encoding == Encoding::big_endian ? bytes - 1 - k : k;
    length |= std::uint64_t{static_cast<unsigned char>(data[k])} << (8 * place);
  }
  data.remove_prefix(bytes);
  return length;
}

bool skip_row(std::string_view& data, const Element& element, Encoding encoding) {
  for (const Property& property : element.properties) {
    std::uint64_t entries = 1;
    if (property.list_bytes > 0) {
      const auto length = take_length(data, property.list_bytes, encoding);
      if (!length || *length > data.size()) return false;
      entries = *length;
    }
    if (!skip(data, entries * property.bytes)) return false;
  }
  return true;
}

void check_binary(const Ply& ply) {
  std::string_view data = ply.data;
  for (const Element& element : ply.elements) {
    // Without this a row would take no room, and rows could be counted for ever.
    if (element.rows > 0 && element.properties.empty()) throw_short(ply, element, 0);
    for (std::uint64_t row = 0; row < element.rows; ++row) {
      if (!skip_row(data, element, ply.encoding)) throw_short(ply, element, row);
    }
  }
}

/// Whether a line holds the numbers of one row, no fewer and no more.
void check_ascii_row(std::string_view line, const Ply& ply, const Element& element,
                     std::uint64_t row) {
  const std::string place = element.name + " " + std::to_string(row);
  const auto next = [&] {
    const std::string_view word = take_word(line);
    const std::optional<double> value = parse_number(word);
    if (!value) {
      throw InputError(ply.where, "numbers in " + place,
                       word.empty() ? "too few" : in_quotes(word));
    }
    return *value;
  };
  for (const Property& property : element.properties) {
    double entries = 1;
    if (property.list_bytes > 0) {
      entries = next();
      if (!(entries >= 0 && entries <= static_cast<double>(line.size()))) {
        throw InputError(ply.where, "the length of a list in " + place, std::to_string(entries));
      }
    }
    for (double k = 0; k < entries; ++k) next();
  }
  if (!take_word(line).empty()) {
    throw InputError(ply.where, std::to_string(element.properties.size()) + " values in " + place,
                     "more");
  }
}

void check_ascii(const Ply& ply) {
  std::string_view data = ply.data;
  for (const Element& element : ply.elements) {
    for (std::uint64_t row = 0; row < element.rows; ++row) {
      if (data.empty()) throw_short(ply, element, row);
      check_ascii_row(take_line(data), ply, element, row);
    }
  }
}

}  // namespace

CloudHeader check_ply(std::span<const std::byte> content, const std::string& where) {
  if (content.empty()) throw InputError(where, "a PLY file", "an empty file");
  const Ply ply =
      split_header({reinterpret_cast<const char*>(content.data()), content.size()}, where);
  const Element& vertex = vertex_of(ply);
  std::vector<std::string> fields;
  for (const Property& property : vertex.properties) fields.push_back(property.name);
  const CloudHeader header{vertex.rows, check_fields(fields, where)};
  ply.encoding == Encoding::ascii ? check_ascii(ply) : check_binary(ply);
  return header;
}

}  // namespace roadplane::kitti
