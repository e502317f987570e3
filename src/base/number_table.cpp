#include "roadplane/base/number_table.hpp"

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {

NumberTable read_table(const std::filesystem::path& path, NonFinite non_finite) {
  constexpr std::size_t kMostBytes = std::size_t{4} << 30;
  const std::string extension = path.extension().string();
  if (extension == ".csv") {
    return decode_csv(read_text_file(path, kMostBytes), path.string(), non_finite);
  }
  if (extension == ".npy") {
    return decode_npy(read_file(path), path.string(), non_finite);
  }
  throw InputError(path.string(), "a .csv or .npy file",
                   extension.empty() ? "no extension" : in_quotes(extension));
}

}  // namespace roadplane
