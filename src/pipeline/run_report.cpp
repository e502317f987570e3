#include "roadplane/pipeline/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "report_frame.hpp"
#include "report_table.hpp"
#include "roadplane/input_error.hpp"
#include "roadplane/io/file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/pipeline/run_folder.hpp"
#include "roadplane/viz/image_file.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using viz::Report;

// A report is to stay below 15 MB however long the run: base64 makes 4 bytes of 3.
constexpr std::size_t kMostFrames = 20;
constexpr std::size_t kPictureBytes = 7'500'000;  // of all pictures
constexpr std::size_t kMostPictureBytes = 300'000;
constexpr std::size_t kCloudPoints = 200'000;  // of all frames
constexpr std::size_t kMostCloudPoints = 40'000;
constexpr std::size_t kPicturesPerFrame = 5;  // camera, labels, truth, hits and misses, agents
constexpr std::size_t kMostTraceBytes = std::size_t{64} << 20;

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::pair<std::string, std::string>> config_lines(const json& config) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : config.items()) {
    if (const std::string text = text_of(value); !text.empty()) lines.emplace_back(key, text);
  }
  return lines;
}

/// The frames that the run was to do; none, and a note, if the dataset cannot be opened.
std::vector<kitti::Frame> dataset_frames(const json& config, std::vector<std::string>& notes) {
  try {
    const std::string path = config.value("path", "");
    if (path.empty()) throw InputError("config.json", "the path of a dataset", "none");
    const std::string sequence = config.value("sequence", "");
    std::optional<std::string> wanted;
    if (!sequence.empty()) wanted = sequence;
    auto frames = kitti::open_dataset(path, wanted).frames;
    const std::string selection = config.value("frames", "");
    if (selection.empty()) return frames;
    return kitti::FrameSelection::parse(selection).apply(frames);
  } catch (const InputError& error) {
    notes.push_back(
        fmt::format("The dataset cannot be opened, so that pictures are those that the run has "
                    "saved, and there "
                    "is no 3-D view: {}",
                    error.what()));
    return {};
  }
}

/// At most `most` of them, evenly spread, the first and the last included.
std::vector<FrameRecord> spread(const std::vector<FrameRecord>& records, std::size_t most) {
  std::vector<FrameRecord> chosen;
  const std::size_t count = std::min(most, records.size());
  for (std::size_t k = 0; k < count; ++k) {
    chosen.push_back(records[count == 1 ? 0 : k * (records.size() - 1) / (count - 1)]);
  }
  return chosen;
}

FrameView view_of(const json& config, std::size_t frames) {
  FrameView view;
  view.truth = config.value("truth", "none");
  view.shards = shard_kind_from_string(config.value("shards", "azimuth"));
  view.agents = std::max(1, config.value("agents", view.agents));
  view.seed = config.value("seed", view.seed);
  view.picture_bytes = std::min(
      kMostPictureBytes, kPictureBytes / (kPicturesPerFrame * std::max<std::size_t>(frames, 1)));
  view.cloud_points = std::min(kMostCloudPoints, kCloudPoints / std::max<std::size_t>(frames, 1));
  return view;
}

/// What the run itself has saved of a frame whose scan cannot be had.
Report::Frame saved_frame(const FrameRecord& record, const fs::path& folder,
                          const FrameView& view) {
  Report::Frame shown;
  shown.name = record.name;
  shown.planes.push_back({"", record.plane});
  for (const char* kind : {"overlay", "birdseye"}) {
    const fs::path file = folder / kind / (record.name + ".png");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    shown.pictures.push_back(
        {kind, std::nullopt, viz::encode_jpeg(viz::read_image(file), view.picture_bytes)});
  }
  return shown;
}

/// A CSV file of numbers with a header line, as columns.
std::optional<Report::Curve> read_curve(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  std::istringstream lines(read_text_file(file, kMostTraceBytes));
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string name; std::getline(header, name, ',');) {
    std::replace(name.begin(), name.end(), '_', ' ');
    names.push_back(name);
  }
  Report::Curve curve;
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::string cell;
      std::getline(cells, cell, ',');
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (cell.empty() || *end != '\0') {
        throw InputError(fmt::format("{}: line {}", file.string(), number), "a number as " + name,
                         "\"" + cell + "\"");
      }
      curve.columns[name].push_back(value);
    }
  }
  for (const char* cost : {"messages", "bytes per agent"}) curve.columns.erase(cost);
  return curve;
}

Report::Frame frame_of(const FrameRecord& record, const kitti::Frame* source,
                       const std::string& method, const fs::path& folder, const FrameView& view) {
  Report::Frame shown;
  try {
    if (source != nullptr) {
      const MethodResult result{method, record.w, record.threshold_value,
                                Threshold::parse(record.threshold).unit};
      shown = report_frame(*source, record.points, std::span(&result, 1), view);
    } else {
      shown = saved_frame(record, folder, view);
    }
  } catch (const InputError& error) {
    shown = Report::Frame{record.name, error.what(), {}, {}, std::nullopt, {}};
  }
  try {
    if (auto curve = read_curve(folder / "trace" / (record.name + ".csv"))) {
      curve->method = method;
      shown.curves.push_back(std::move(*curve));
    }
  } catch (const InputError& error) {
    shown.note = error.what();
  }
  return shown;
}

void add_frames(const RunFolder& run, const json& config, const std::vector<kitti::Frame>& frames,
                const std::vector<FrameRecord>& records, Report& report) {
  std::vector<FrameRecord> solved;
  std::copy_if(records.begin(), records.end(), std::back_inserter(solved),
               [](const FrameRecord& r) { return r.status != FrameStatus::failed; });
  const auto chosen = spread(solved, kMostFrames);
  if (chosen.size() < solved.size()) {
    report.notes.push_back(fmt::format(
        "Pictures, 3-D views and convergence are of {} of the {} frames, evenly spread.",
        chosen.size(), solved.size()));
  }
  const FrameView view = view_of(config, chosen.size());
  const std::string method = config.value("solver", "") + ", " + config.value("objective", "");
  for (const FrameRecord& record : chosen) {
    const auto source = std::find_if(frames.begin(), frames.end(), [&](const kitti::Frame& frame) {
      return frame.name() == record.name;
    });
    report.frames.push_back(
        frame_of(record, source == frames.end() ? nullptr : &*source, method, run.path(), view));
  }
}

void note_what_is_missing(const RunFolder& run, std::size_t wanted, Report& report) {
  std::error_code ignored;
  if (run.done().size() < wanted || !fs::exists(run.path() / "summary.json", ignored)) {
    const std::string of = wanted == 0 ? "" : fmt::format(" of {}", wanted);
    report.notes.push_back(
        fmt::format("The run is not finished: {}{} frames are done.", run.done().size(), of));
  }
  if (run.command().empty()) {
    report.notes.push_back("The run did not record its command line.");
  }
}

Report report_of(const RunFolder& run, const json& config) {
  std::vector<FrameRecord> records = run.done();  // in the order in which they were finished
  std::sort(records.begin(), records.end(), [](const FrameRecord& a, const FrameRecord& b) {
    return std::tie(a.sequence, a.frame, a.name) < std::tie(b.sequence, b.frame, b.name);
  });
  Report report;
  report.title = fs::absolute(run.path()).lexically_normal().filename().string();
  report.subtitle =
      fmt::format("{}, {} objective, {} agents, {} network: {}", config.value("solver", "?"),
                  config.value("objective", "?"), config.value("agents", 0),
                  config.value("topology", "?"), config.value("path", "?"));
  report.command = run.command();
  report.config = config_lines(config);
  report.facts = record_facts(records);
  report.tables.push_back(records_table(records));
  const auto frames = dataset_frames(config, report.notes);
  note_what_is_missing(run, frames.size(), report);
  add_frames(run, config, frames, records, report);
  return report;
}

}  // namespace

Report make_report(const fs::path& folder) {
  const RunFolder run = RunFolder::open(folder);
  const json config = run.config();
  try {
    return report_of(run, config);
  } catch (const json::exception& error) {  // a value of another type
    throw InputError((folder / "config.json").string(), "a configuration of this program",
                     error.what());
  }
}

}  // namespace roadplane
