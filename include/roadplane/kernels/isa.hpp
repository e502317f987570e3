#pragma once

#include <span>
#include <string_view>

namespace roadplane {

/// The instruction sets that the hot loops are built for, the widest last.
enum class Isa { plain, avx2, avx512 };

std::string_view to_string(Isa isa);

/// What this processor can run, ascending; plain is always among it.
std::span<const Isa> available_isas();

/// The one that is used: the widest available, or the narrower one that the environment variable
/// ROADPLANE_ISA (plain, avx2, avx512) names. Read once; throws InputError for any other name.
Isa active_isa();

}  // namespace roadplane
