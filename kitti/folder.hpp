#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane::kitti {

bool is_folder(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);

/// The entries of a folder, sorted by name; throws InputError if it cannot be listed.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);
/// The files whose extension, in small letters, is one of `extensions` (".bin"). A link that leads
/// nowhere is among them: whoever opens it says so.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            std::initializer_list<std::string_view> extensions);

/// Whether the folder holds such a file; false where it cannot be listed.
bool holds_any(const std::filesystem::path& folder,
               std::initializer_list<std::string_view> extensions);

std::string lower_extension(const std::filesystem::path& path);

/// The name without its extension; of `a.pcd.bin` both go.
std::string stem_of(const std::filesystem::path& path);

/// The first of folder/stem + extension that is a file.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                               const std::string& stem,
                                               std::initializer_list<std::string_view> extensions);

/// The last group of digits in a name: 221 of "29_071_0221_data". Nothing without digits or with
/// more than an int holds.
std::optional<int> last_number(std::string_view name);

/// "3 entries: a, b, c"; shortened where there are many.
std::string describe_entries(const std::filesystem::path& folder);

}  // namespace roadplane::kitti
