#include "fuzz.hpp"
#include "mat_check.hpp"

// Any content of a MATLAB file, as far as the project's own check goes.
void roadplane::fuzz(std::span<const std::byte> content) { kitti::check_mat_file(content, "fuzz"); }
