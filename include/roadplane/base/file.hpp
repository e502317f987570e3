#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "roadplane/base/recycled.hpp"

namespace roadplane {

/// The whole text of a file. Throws InputError if it cannot be read or is larger than `max_bytes`:
/// a calibration or configuration file of gigabytes is a mistake, not something to load.
std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

using FileBytes = RecycledVector<std::byte>;

/// All bytes of a file. They are read, not mapped: a file that is cut short meanwhile is an
/// InputError, not a signal that ends the process.
FileBytes read_file(const std::filesystem::path& path);

/// Whether a file is on the disk before it has its name, so that it outlives a loss of power. To
/// wait for the disk takes 2 to 4 ms, a frame less than 1: what `--resume` makes again if it is
/// gone gets there later.
enum class Flush { later, now };

/// Writes a temporary file in the same folder and renames it, so that `path` holds either its old
/// content or all of the new one. A link at `path` is replaced, not followed. Throws InputError and
/// leaves nothing behind if that fails.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                           Flush flush = Flush::later);
void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           Flush flush = Flush::later);

/// Waits until all that was written to the folder's file system is on the disk.
void flush_file_system(const std::filesystem::path& folder);

/// Creates the folder and those above it. Throws InputError if that fails.
void make_folders(const std::filesystem::path& path);

/// Throws InputError if a file or folder below `folder` is a symbolic link: what is written there
/// would end up elsewhere. The folder itself may be one.
void refuse_links_below(const std::filesystem::path& folder);

}  // namespace roadplane
