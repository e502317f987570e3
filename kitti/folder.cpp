#include "folder.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {

namespace fs = std::filesystem;

namespace {

/// Broken links and pipes, too: who reads them says what they are.
bool is_file_with(const fs::path& path, std::initializer_list<std::string_view> extensions) {
  const std::string extension = lower_extension(path);
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end() &&
         !is_folder(path);
}

}  // namespace

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    entries.push_back(it->path());
  }
  if (error) throw InputError(folder.string(), "a readable folder", error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders = entries_of(folder);
  std::erase_if(folders, [](const fs::path& path) { return !is_folder(path); });
  return folders;
}

std::vector<fs::path> files_in(const fs::path& folder,
                               std::initializer_list<std::string_view> extensions) {
  std::vector<fs::path> files = entries_of(folder);
  std::erase_if(files, [&](const fs::path& path) { return !is_file_with(path, extensions); });
  return files;
}

bool holds_any(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_file_with(it->path(), extensions)) return true;
  }
  return false;
}

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string stem_of(const fs::path& path) {
  const fs::path stem = path.stem();
  const bool double_extension = lower_extension(path) == ".bin" && lower_extension(stem) == ".pcd";
  return (double_extension ? stem.stem() : stem).string();
}

std::optional<fs::path> find_file(const fs::path& folder, const std::string& stem,
                                  std::initializer_list<std::string_view> extensions) {
  for (const std::string_view extension : extensions) {
    fs::path path = folder / (stem + std::string(extension));
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

std::optional<int> last_number(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t last = name.find_last_of(kDigits);
  if (last == std::string_view::npos) return std::nullopt;
  const std::size_t before = name.find_last_not_of(kDigits, last);
  const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
  int number = 0;
  const auto result = std::from_chars(name.data() + first, name.data() + last + 1, number);
  return result.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

std::string describe_entries(const fs::path& folder) {
  constexpr std::size_t kShown = 8;
  const std::vector<fs::path> entries = entries_of(folder);
  if (entries.empty()) return "an empty folder";
  std::string text = "a folder of ";
  for (std::size_t k = 0; k < std::min(entries.size(), kShown); ++k) {
    text += (k > 0 ? ", " : "") + entries[k].filename().string();
  }
  if (entries.size() > kShown) {
    text += " and " + std::to_string(entries.size() - kShown) + " more";
  }
  return text;
}

}  // namespace roadplane::kitti
