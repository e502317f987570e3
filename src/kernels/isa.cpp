#include "roadplane/kernels/isa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr std::array<Isa, 3> kAll{Isa::plain, Isa::avx2, Isa::avx512};

Isa widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("f16c")) {
    return Isa::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    return Isa::avx2;
  }
#endif
  return Isa::plain;
}

Isa chosen() {
  const char* wish = std::getenv("ROADPLANE_ISA");
  if (wish == nullptr || *wish == '\0') return widest();
  for (const Isa isa : kAll) {
    if (to_string(isa) == wish) return std::min(isa, widest());
  }
  throw InputError("ROADPLANE_ISA", "plain, avx2 or avx512", in_quotes(wish));
}

}  // namespace

std::string_view to_string(Isa isa) {
  switch (isa) {
    case Isa::plain:
      return "plain";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "?";
}

std::span<const Isa> available_isas() {
  return std::span(kAll).first(static_cast<std::size_t>(widest()) + 1);
}

Isa active_isa() {
  static const Isa isa = chosen();
  return isa;
}

}  // namespace roadplane
