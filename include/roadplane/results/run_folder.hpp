#pragma once

#include <filesystem>
#include <map>
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
inline constexpr int kSchema = 3;

/// Where a run puts its results: inputs/ (copies of the files that options name), config.json,
/// command.txt (how it was called), frames.jsonl (a line
/// a frame, as it finishes), then summary.json and the tables. Every file but frames.jsonl appears
/// whole or not at all; a line of that one that is torn or damaged is dropped on resuming, and a
/// run's end leaves one line a frame. A run that is created or resumed has the folder for itself,
/// and no link below it.
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

  /// A line for every damaged one of frames.jsonl.
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// Appends a line to command.txt.
  void append_command(const std::string& command) const;
  /// Appends the record of a frame whose files have been written, as one write. Throws InputError
  /// if what was written before is gone.
  void append(const FrameRecord& record);

  /// summary.json, .csv, .md and .tex of all records, in the order given. Throws InputError if what
  /// the run has written before is gone.
  void write_summary(std::span<const FrameRecord> records);

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void read_config();
  /// Torn and damaged lines are passed over and, with `repair`, taken out of the file.
  void read_records(bool repair);
  void keep_last(FrameRecord record);
  void write_records();
  void require_written() const;
  void append_line(const char* name, const std::string& text, bool create) const;

  std::filesystem::path path_;
  nlohmann::json config_;           ///< as in the file, without the schema
  std::optional<FolderLock> lock_;  ///< unless the run is only looked at
  std::vector<FrameRecord> done_;
  std::map<std::string, std::size_t> places_;  ///< in done_, by name
  std::vector<std::string> remarks_;
  bool begun_ = false;   ///< frames.jsonl is there
  bool untidy_ = false;  ///< it has more than one line for a frame, or one that is none
};

/// A new empty folder runs/NAME-20250131-120000, or the same with -2, -3, ... if that is taken.
std::filesystem::path fresh_run_path(const std::string& name);

}  // namespace roadplane
