#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace roadplane::kitti {

/// Throws InputError unless the bytes are a MATLAB v5 file all of whose elements are complete. The
/// MATLAB library itself does not always notice a file that ends early.
void check_mat_file(std::span<const std::byte> bytes, const std::string& where);

}  // namespace roadplane::kitti
