#include "roadplane/network/wire.hpp"

#include <charconv>
#include <string_view>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {

Wire Wire::parse(const std::string& text) {
  if (text == "full") return full;
  if (text == "single") return single;
  if (text == "half") return half;
  constexpr std::string_view kBits = "bits=";
  int bits = 0;
  const char* end = text.data() + text.size();
  if (text.starts_with(kBits)) {
    const auto [stop, error] = std::from_chars(text.data() + kBits.size(), end, bits);
    if (error != std::errc() || stop != end) bits = 0;
  }
  if (bits < kFewest || bits > kMost) {
    throw FieldError("wire", "full, single, half or bits=N with N from 4 to 12", in_quotes(text));
  }
  return few(bits);
}

}  // namespace roadplane
