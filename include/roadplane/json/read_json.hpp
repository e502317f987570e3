#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace roadplane {

/// Values inside values; nothing that is read here needs ten. What walks through a document calls
/// itself for every level, and the stack ends after some ten thousand.
inline constexpr std::size_t kMostJsonLevels = 64;

/// The only way by which JSON is read. Throws InputError for text that is not JSON (`expected` says
/// what should be there) or has more than kMostJsonLevels levels. `where` begins the message.
nlohmann::json parse_json(std::string_view text, const std::string& where,
                          const std::string& expected = "JSON");

/// The same of a file of at most `max_bytes`.
nlohmann::json read_json(const std::filesystem::path& path, std::size_t max_bytes,
                         const std::string& expected = "JSON");

/// A value for a message: its beginning, in one line.
std::string shown(const nlohmann::json& value);

}  // namespace roadplane
