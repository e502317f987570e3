#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/base/folder_lock.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/results/run_inputs.hpp"

namespace roadplane {

/// The entry of config.json and summary.json that says how the files of a run are made up. It grows
/// when a program that reads them must change.
inline constexpr const char* kSchemaKey = "schema";
inline constexpr int kSchema = 2;

/// Where a run puts its results: inputs/ (copies of the files that options name), config.json,
/// command.txt (how it was called), frames.jsonl (a line
/// a frame, as it finishes), then summary.json and the tables. Every file but frames.jsonl appears
/// whole or not at all; of that one a torn last line is dropped on resuming. A run that is created
/// or resumed has the folder for itself.
class RunFolder {
 public:
  /// A new run. Throws InputError if the folder exists and is not empty.
  static RunFolder create(const std::filesystem::path& path, const nlohmann::json& config,
                          std::span<const RunInput> inputs = {});
  /// Goes on with the run in `path` (or starts it, if there is none). Throws InputError if it was
  /// made with another configuration or other inputs, naming the difference, or if its schema is
  /// another.
  static RunFolder resume(const std::filesystem::path& path, const nlohmann::json& config,
                          std::span<const RunInput> inputs = {});

  /// A run to look at, finished or not: nothing is written. Throws InputError if there is none or
  /// its schema is another.
  static RunFolder open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  /// The configuration that the run was made with, without its schema; inputs are the copies.
  nlohmann::json config() const { return locate_inputs(path_, config_); }
  /// How the program was called, a line a call; empty if that is not known.
  std::string command() const;
  /// Records of the frames that were done before; of a frame that was done twice the later one.
  const std::vector<FrameRecord>& done() const { return done_; }

  /// Appends a line to command.txt.
  void append_command(const std::string& command) const;
  /// Appends the record of a frame whose files have been written, as one write.
  void append(const FrameRecord& record);

  /// summary.json, .csv, .md and .tex of all records, in the order given.
  void write_summary(std::span<const FrameRecord> records) const;

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void read_config();
  /// A torn last line is passed over and, with `repair`, taken out of the file.
  void read_records(bool repair);
  void append_line(const char* name, const std::string& text) const;

  std::filesystem::path path_;
  nlohmann::json config_;           ///< as in the file, without the schema
  std::optional<FolderLock> lock_;  ///< unless the run is only looked at
  std::vector<FrameRecord> done_;
};

/// A new empty folder runs/NAME-20250131-120000, or the same with -2, -3, ... if that is taken.
std::filesystem::path fresh_run_path(const std::string& name);

}  // namespace roadplane
