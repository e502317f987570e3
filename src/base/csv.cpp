#include <algorithm>
#include <cmath>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/number_table.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr char kBlank = ' ';  // as a separator: any number of blanks and tabs

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

char separator_of(std::string_view line) {
  for (const char separator : {';', ','}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return kBlank;
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  if (separator == kBlank) {
    while (true) {
      const std::string_view word = take_word(line);
      if (word.empty()) return fields;
      fields.push_back(word);
    }
  }
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    fields.push_back(trimmed(line.substr(0, end)));
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

class CsvReader {
 public:
  CsvReader(const std::string& where, NonFinite non_finite)
      : where_(where), non_finite_(non_finite) {}

  void take(std::string_view line) {
    ++line_;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const bool first = separator_ == 0;
    if (first) separator_ = separator_of(line);
    const std::vector<std::string_view> fields = fields_of(line, separator_);
    if (first) table_.columns = fields.size();
    if (fields.size() != table_.columns) {
      refuse("", std::to_string(table_.columns) + " columns as above",
             std::to_string(fields.size()));
    }
    const auto is_number = [](std::string_view field) { return parse_number(field).has_value(); };
    if (first && std::none_of(fields.begin(), fields.end(), is_number)) return;  // a heading
    for (std::size_t c = 0; c < fields.size(); ++c) table_.values.push_back(number(fields[c], c));
    ++table_.rows;
  }

  NumberTable finish() {
    if (table_.rows == 0) throw InputError(where_, "rows of numbers", "none");
    return std::move(table_);
  }

 private:
  double number(std::string_view field, std::size_t column) const {
    const std::string place = ", column " + std::to_string(column + 1);
    if (field.empty()) refuse(place, "a number", "nothing");
    const auto value = parse_number(field);
    if (!value) refuse(place, "a number", in_quotes(field));
    if (non_finite_ == NonFinite::refuse && !std::isfinite(*value)) {
      refuse(place, "a finite number", in_quotes(field));
    }
    return *value;
  }

  [[noreturn]] void refuse(const std::string& place, const std::string& expected,
                           const std::string& found) const {
    throw InputError(where_ + ": line " + std::to_string(line_) + place, expected, found);
  }

  const std::string& where_;
  NonFinite non_finite_;
  NumberTable table_;
  char separator_ = 0;  ///< 0 before the first line that holds something
  std::size_t line_ = 0;
};

}  // namespace

NumberTable decode_csv(std::string_view text, const std::string& where, NonFinite non_finite) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvReader reader(where, non_finite);
  while (!text.empty()) reader.take(take_line(text));
  return reader.finish();
}

std::string to_csv(const NumberTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.values.size(); ++k) {
    text += in_digits(table.values[k]);
    text += (k + 1) % table.columns == 0 ? '\n' : ',';
  }
  return text;
}

}  // namespace roadplane
