#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane {

/// "a, b or c", for messages and help.
std::string alternatives(std::span<const std::string_view> words);

/// The words of "a,b,c"; an empty word stays one.
std::vector<std::string> split_list(const std::string& text);

}  // namespace roadplane
