#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "cloud_fields.hpp"
#include "cloud_header.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMaxFields = 256;
constexpr std::uint64_t kMaxFieldCount = 65536;   // elements of one field, e.g. a histogram
constexpr std::uint64_t kMaxPoints = 0xFFFFFFFF;  // PCL counts them in 32 bits
constexpr std::uint64_t kMaxLzfExpansion = 100;   // LZF turns 3 bytes into at most 264

/// The header's entries by keyword, and the data that follows.
struct Pcd {
  std::map<std::string, Words, std::less<>> entries;
  std::string_view data;
  std::string where;

  const Words& require(const std::string& key) const {
    const auto found = entries.find(key);
    if (found == entries.end()) throw InputError(where, "a PCD header with " + key, "no " + key);
    return found->second;
  }

  /// One count of a keyword's list.
  std::uint64_t count(const std::string& key, std::size_t index, std::uint64_t max) const {
    const Words& words = require(key);
    const auto value = index < words.size() ? parse_count(words[index]) : std::nullopt;
    if (!value || *value > max) {
      throw InputError(where, key + " to be at most " + std::to_string(max),
                       index < words.size() ? in_quotes(words[index]) : "nothing");
    }
    return *value;
  }
};

bool is_keyword(std::string_view word) {
  for (const std::string_view known : {"VERSION", "FIELDS", "COLUMNS", "SIZE", "TYPE", "COUNT",
                                       "WIDTH", "HEIGHT", "VIEWPOINT", "POINTS", "DATA"}) {
    if (word == known) return true;
  }
  return false;
}

Pcd split_header(std::string_view text, const std::string& where) {
  Pcd pcd{{}, {}, where};
  while (!text.empty()) {
    std::string_view line = take_line(text);
    std::string key(take_word(line));
    if (key.empty() || key.starts_with('#')) continue;
    if (!is_keyword(key)) throw InputError(where, "a PCD header", in_quotes(key));
    if (key == "COLUMNS") key = "FIELDS";  // the name in the first version of the format
    Words words;
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
      if (words.size() == kMaxFields) throw InputError(where, "at most 256 fields", "more");
      words.emplace_back(word);
    }
    if (!pcd.entries.emplace(key, std::move(words)).second) {
      throw InputError(where, "each keyword once", key + " twice");
    }
    if (key == "DATA") {
      pcd.data = text;
      return pcd;
    }
  }
  throw InputError(where, "a PCD header that ends with DATA", "no DATA");
}

/// [bytes] of one point; checks that SIZE, TYPE and COUNT describe every field.
std::uint64_t record_bytes(const Pcd& pcd) {
  const Words& fields = pcd.require("FIELDS");
  const bool has_count = pcd.entries.contains("COUNT");
  for (const char* key : {"SIZE", "TYPE", "COUNT"}) {
    if (key != std::string_view("COUNT") || has_count) {
      if (pcd.require(key).size() != fields.size()) {
        throw InputError(pcd.where,
                         std::string(key) + " of " + std::to_string(fields.size()) + " fields",
                         std::to_string(pcd.require(key).size()));
      }
    }
  }
  std::uint64_t bytes = 0;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::uint64_t size = pcd.count("SIZE", k, 8);
    const std::string& type = pcd.require("TYPE")[k];
    const bool floating = type == "F" && (size == 4 || size == 8);
    const bool integer =
        (type == "I" || type == "U") && (size == 1 || size == 2 || size == 4 || size == 8);
    if (!floating && !integer) {
      throw InputError(pcd.where, "TYPE and SIZE such as F 4",
                       in_quotes(type) + " " + std::to_string(size));
    }
    const std::uint64_t count = has_count ? pcd.count("COUNT", k, kMaxFieldCount) : 1;
    const bool coordinate = fields[k] == "x" || fields[k] == "y" || fields[k] == "z";
    if (count == 0 || (coordinate && count != 1)) {
      throw InputError(pcd.where, "COUNT of " + fields[k] + " to be 1", std::to_string(count));
    }
    bytes += size * count;
  }
  return bytes;
}

std::uint64_t point_count(const Pcd& pcd) {
  const std::uint64_t width = pcd.count("WIDTH", 0, kMaxPoints);
  const std::uint64_t height = pcd.count("HEIGHT", 0, kMaxPoints);
  if (width == 0 || height == 0) throw InputError(pcd.where, "at least one point", "none");
  const std::string area = std::to_string(width) + " x " + std::to_string(height);
  if (width > kMaxPoints / height) {
    throw InputError(pcd.where, "at most " + std::to_string(kMaxPoints) + " points", area);
  }
  if (pcd.count("POINTS", 0, kMaxPoints) != width * height) {
    throw InputError(pcd.where, "POINTS to be WIDTH x HEIGHT = " + area,
                     in_quotes(pcd.require("POINTS")[0]));
  }
  return width * height;
}

void check_viewpoint(const Pcd& pcd) {
  const auto found = pcd.entries.find("VIEWPOINT");
  if (found == pcd.entries.end()) return;
  bool good = found->second.size() == 7;
  for (const std::string& word : found->second) good = good && parse_number(word).has_value();
  if (!good) throw InputError(pcd.where, "VIEWPOINT with 7 numbers", "something else");
}

void check_ascii(const Pcd& pcd, std::uint64_t points) {
  const bool has_count = pcd.entries.contains("COUNT");
  std::uint64_t columns = 0;
  for (std::size_t k = 0; k < pcd.require("FIELDS").size(); ++k) {
    columns += has_count ? pcd.count("COUNT", k, kMaxFieldCount) : 1;
  }
  std::string_view data = pcd.data;
  std::uint64_t rows = 0;
  while (!data.empty()) {
    std::string_view line = take_line(data);
    std::uint64_t words = 0;
    for (auto word = take_word(line); !word.empty(); word = take_word(line), ++words) {
      if (!parse_number(word)) {
        throw InputError(pcd.where, "numbers in point " + std::to_string(rows), in_quotes(word));
      }
    }
    if (words == 0) continue;
    if (words != columns) {
      throw InputError(pcd.where,
                       std::to_string(columns) + " numbers in point " + std::to_string(rows),
                       std::to_string(words));
    }
    ++rows;
  }
  if (rows != points) {
    throw InputError(pcd.where, std::to_string(points) + " points, as its header says",
                     std::to_string(rows));
  }
}

void check_compressed(const Pcd& pcd, std::uint64_t bytes) {
  std::uint32_t sizes[2] = {};  // compressed, uncompressed
  const bool complete = pcd.data.size() >= sizeof sizes;
  if (complete) std::memcpy(sizes, pcd.data.data(), sizeof sizes);
  if (!complete || sizes[0] > pcd.data.size() - sizeof sizes) {
    throw InputError(pcd.where, std::to_string(sizes[0]) + " bytes of compressed data",
                     std::to_string(pcd.data.size()));
  }
  if (sizes[1] != bytes || bytes > kMaxLzfExpansion * sizes[0]) {
    throw InputError(pcd.where, std::to_string(bytes) + " bytes of points, as its header says",
                     std::to_string(sizes[1]) + " from " + std::to_string(sizes[0]));
  }
}

}  // namespace

CloudHeader check_pcd(std::span<const std::byte> content, const std::string& where) {
  if (content.empty()) throw InputError(where, "a PCD file", "an empty file");
  const Pcd pcd =
      split_header({reinterpret_cast<const char*>(content.data()), content.size()}, where);
  const CloudHeader header{point_count(pcd), check_fields(pcd.require("FIELDS"), where)};
  const std::uint64_t bytes = header.points * record_bytes(pcd);
  check_viewpoint(pcd);
  const Words& encoding = pcd.require("DATA");
  if (encoding == Words{"ascii"}) {
    check_ascii(pcd, header.points);
  } else if (encoding == Words{"binary_compressed"}) {
    check_compressed(pcd, bytes);
  } else if (encoding != Words{"binary"}) {
    throw InputError(where, "DATA ascii, binary or binary_compressed",
                     encoding.empty() ? "nothing" : in_quotes(encoding[0]));
  } else if (bytes > pcd.data.size()) {
    throw InputError(where, std::to_string(bytes) + " bytes of points, as its header says",
                     std::to_string(pcd.data.size()));
  }
  return header;
}

}  // namespace roadplane::kitti
