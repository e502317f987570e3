#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace roadplane::test {

/// Builds uncompressed MATLAB v5 files, byte by byte, so that tests can also build bad ones.
class MatWriter {
 public:
  enum Class : std::uint8_t { kChar = 4, kDouble = 6, kInt32 = 12 };

  MatWriter() : bytes_(124, ' ') {
    bytes_.replace(0, 19, "MATLAB 5.0 MAT-file");
    append(bytes_, std::uint16_t{0x0100});
    bytes_ += "IM";
  }

  /// A matrix of doubles, its values column by column.
  MatWriter& matrix(const std::string& name, std::int32_t rows, std::int32_t columns,
                    const std::vector<double>& values, Class type = kDouble) {
    std::string body;
    element(body, 6, pack(std::vector<std::uint32_t>{type, 0}));  // flags
    element(body, 5, pack(std::vector<std::int32_t>{rows, columns}));
    element(body, 1, name);
    if (type == kDouble) {
      element(body, 9, pack(values));
    } else {
      element(body, 5, pack(std::vector<std::int32_t>(values.begin(), values.end())));
    }
    element(bytes_, 14, body);
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  static void append(std::string& out, T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof value);
  }
  template <class T>
  static std::string pack(const std::vector<T>& values) {
    std::string out;
    for (const T& value : values) append(out, value);
    return out;
  }
  static void element(std::string& out, std::uint32_t type, const std::string& body) {
    append(out, type);
    append(out, static_cast<std::uint32_t>(body.size()));
    out += body;
    out.append((8 - body.size() % 8) % 8, '\0');
  }

  std::string bytes_;
};

}  // namespace roadplane::test
