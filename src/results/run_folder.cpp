#include "roadplane/results/run_folder.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr const char* kRecords = "frames.jsonl";

/// Whether there is something at `path` that is not an empty folder. Copied inputs alone are what a
/// run leaves that was killed before it began.
bool is_taken(const fs::path& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error) throw InputError(path.string(), "a folder that can be made", error.message());
  if (!there) return false;
  if (!fs::is_directory(path, error)) return true;
  fs::directory_iterator entries(path, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    if (entries->path().filename() != "inputs") return true;
  }
  return bool(error);
}

void require_free(const fs::path& path) {
  if (!is_taken(path)) return;
  std::error_code ignored;
  const bool run = fs::exists(path / "config.json", ignored);
  throw FieldError("out",
                   run ? "a new or empty folder, or {resume} to go on with the run in it"
                       : "a new or empty folder",
                   path.string() + ", which is taken");
}

void require_same(const json& before, const json& now, const std::string& where) {
  for (const auto& [key, value] : now.items()) {
    const json old = before.value(key, json());
    if (old != value) {
      throw InputError(where, key + " " + shown(old) + " as in the run to resume", shown(value));
    }
  }
}

/// The text of a summary, its empty list of frames filled one by one: as values, the records of a
/// long drive take ten times the memory that they take as text.
std::string with_frames(const std::string& summary, std::span<const FrameRecord> records) {
  constexpr std::string_view kEmpty = "\n  \"frames\": []";
  const std::size_t at = summary.find(kEmpty);
  if (records.empty() || at == std::string::npos) return summary;
  const std::size_t inside = at + kEmpty.size() - 1;
  std::string text = summary.substr(0, inside);
  for (const FrameRecord& record : records) {
    text += &record == records.data() ? "\n    " : ",\n    ";
    for (const char c : text_of(to_json(record), 2)) {
      text += c;
      if (c == '\n') text += "    ";
    }
  }
  text += "\n  ";
  text += summary.substr(inside);
  return text;
}

}  // namespace

RunFolder RunFolder::create(const fs::path& path, const json& config,
                            std::span<const RunInput> inputs) {
  require_free(path);
  make_folders(path);
  RunFolder run(path);
  run.lock_.emplace(path);
  require_free(path);  // another run may have come and gone while this one waited for the lock
  refuse_links_below(path);
  run.config_ = copy_inputs(path, inputs, config);
  json with_schema = run.config_;
  with_schema[kSchemaKey] = kSchema;
  write_file_atomically(path / "config.json", text_of(with_schema, 2) + "\n", Flush::now);
  return run;
}

RunFolder RunFolder::resume(const fs::path& path, const json& config,
                            std::span<const RunInput> inputs) {
  std::error_code ignored;
  if (!fs::exists(path / "config.json", ignored)) return create(path, config, inputs);
  RunFolder run(path);
  run.lock_.emplace(path);
  refuse_links_below(path);
  run.read_config();
  const json now = match_inputs(path, inputs, config);
  require_same(run.config_, now, (path / "config.json").string());
  run.read_records(/*repair=*/true);
  return run;
}

RunFolder RunFolder::open(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path / "config.json", ignored)) {
    throw InputError(path.string(), "the folder of a run, with config.json",
                     !fs::exists(path, ignored)         ? "nothing of that name"
                     : !fs::is_directory(path, ignored) ? "a file"
                                                        : "a folder without it");
  }
  RunFolder run(path);
  run.read_config();
  run.read_records(/*repair=*/false);
  return run;
}

void RunFolder::read_config() {
  const fs::path file = path_ / "config.json";
  constexpr const char* kExpected = "a run's configuration";
  config_ = read_json(file, kMostBytes, kExpected);
  if (!config_.is_object()) throw InputError(file.string(), kExpected, shown(config_));
  const json schema = config_.value(kSchemaKey, json(1));  // the first one did not say
  if (schema != kSchema) {
    throw InputError(file.string(), fmt::format("a run of schema {}", kSchema),
                     shown(schema) + ", of another version of the program");
  }
  config_.erase(kSchemaKey);
}

std::string RunFolder::command() const {
  std::error_code ignored;
  const fs::path file = path_ / "command.txt";
  return fs::exists(file, ignored) ? read_text_file(file, kMostBytes) : "";
}

void RunFolder::keep_last(FrameRecord record) {
  const auto [place, is_new] = places_.emplace(record.name, done_.size());
  if (is_new) {
    done_.push_back(std::move(record));
  } else {
    done_[place->second] = std::move(record);
    untidy_ = true;
  }
}

void RunFolder::read_records(bool repair) {
  const fs::path file = path_ / kRecords;
  if (!fs::exists(file)) return;
  begun_ = true;
  const std::string text = read_text_file(file, kMostBytes);
  std::string_view rest = text;
  for (std::size_t number = 1; rest.find('\n') != std::string_view::npos; ++number) {
    const std::string where = fmt::format("{}: line {}", file.string(), number);
    try {
      keep_last(record_from_json(parse_json(take_line(rest), where), where));
    } catch (const InputError& error) {
      remarks_.push_back(error.what() + std::string("; its frame counts as not done"));
    }
  }
  untidy_ = untidy_ || !rest.empty() || !remarks_.empty();
  if (repair && untidy_) write_records();
}

void RunFolder::write_records() {
  std::string text;
  for (const FrameRecord& record : done_) text += text_of(to_json(record)) + "\n";
  write_file_atomically(path_ / kRecords, text, Flush::now);
  untidy_ = false;
}

void RunFolder::append_command(const std::string& command) const {
  append_line("command.txt", command, /*create=*/true);
}

void RunFolder::append(const FrameRecord& record) {
  append_line(kRecords, text_of(to_json(record)), /*create=*/!begun_);
  begun_ = true;
  keep_last(record);
}

void RunFolder::append_line(const char* name, const std::string& text, bool create) const {
  const std::string line = text + "\n";
  const fs::path file = path_ / name;
  const int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | (create ? O_CREAT : 0);
  const int descriptor = ::open(file.c_str(), flags, 0666);
  const auto write_all = [&] {  // at once, unless the disk is full: what did not fit says so
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t written = ::write(descriptor, line.data() + done, line.size() - done);
      if (written < 0) return false;
      done += static_cast<std::size_t>(written);
    }
    return true;
  };
  const bool written = descriptor >= 0 && write_all();
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!written) {
    throw InputError(file.string(), "a file that can be written",
                     std::generic_category().message(error));
  }
}

void RunFolder::require_written() const {
  for (const char* name : {"config.json", kRecords}) {
    std::error_code error;
    if (name == kRecords && !begun_) continue;
    if (fs::exists(path_ / name, error)) continue;
    throw InputError((path_ / name).string(), "what this run has written", "no such file");
  }
}

void RunFolder::write_summary(std::span<const FrameRecord> records) {
  require_written();
  if (untidy_) write_records();
  const json summary = {{kSchemaKey, kSchema},
                        {"config", config_},
                        {"aggregate", aggregate(records)},
                        {"frames", json::array()}};
  flush_file_system(path_);  // labels and pictures are there before the summary is
  write_file_atomically(path_ / "summary.json", with_frames(text_of(summary, 2), records) + "\n",
                        Flush::now);
  write_file_atomically(path_ / "summary.csv", records_csv(records));
  write_file_atomically(path_ / "summary.md", records_markdown(records));
  write_file_atomically(path_ / "summary.tex", records_latex(records));
}

fs::path fresh_run_path(const std::string& name) {
  const std::string base =
      fmt::format("{}-{:%Y%m%d-%H%M%S}", name, fmt::localtime(std::time(nullptr)));
  make_folders("runs");
  fs::path path = fs::path("runs") / base;
  std::error_code error;
  // Whoever makes the folder has it: two runs may start in the same second.
  for (int k = 2; !fs::create_directory(path, error); ++k) {
    if (error) throw InputError(path.string(), "a folder that can be made", error.message());
    path = fs::path("runs") / fmt::format("{}-{}", base, k);
  }
  return path;
}

}  // namespace roadplane
