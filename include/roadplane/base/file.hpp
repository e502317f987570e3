#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace roadplane {

/// The whole text of a file. Throws InputError if it cannot be read or is larger than `max_bytes`:
/// a calibration or configuration file of gigabytes is a mistake, not something to load.
std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Writes a temporary file in the same folder and renames it, so that `path` holds either its old
/// content or all of the new one. Throws InputError and leaves nothing behind if that fails.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Creates the folder and those above it. Throws InputError if that fails.
void make_folders(const std::filesystem::path& path);

}  // namespace roadplane
