#include "roadplane/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <span>

#include "report_fleet.hpp"
#include "report_frame.hpp"
#include "report_run.hpp"
#include "report_table.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/parallel_for.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "roadplane/results/mount.hpp"
#include "roadplane/viz/image_file.hpp"
#include "spread.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using viz::Report;

/// What all pictures and all clouds may take, and each of them at least.
struct Budget {
  std::size_t picture_bytes, least_bytes_per_picture;
  std::size_t cloud_points, least_points_per_cloud;
};
// A page is to stay below 15 MB however long the run: base64 makes 4 bytes of 3.
constexpr Budget kInside{7'200'000, 1, 200'000, 1};
// Files beside it are read one at a time: together some 0.5 GB, then 0.5 MB for each frame more.
constexpr Budget kBeside{250'000'000, 60'000, 8'000'000, 10'000};
constexpr std::size_t kMostPictureBytes = 300'000;
constexpr std::size_t kMostCloudPoints = 40'000;

constexpr std::size_t kCurveValues = 100'000;  // of all curves inside a page
constexpr std::size_t kMostCurvePoints = 400;

/// The records of one frame, one a method that found a plane: its first.
using FrameRecords = std::vector<const MethodRecord*>;

std::vector<std::pair<std::string, std::string>> config_lines(const json& config) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : config.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (!text.empty()) lines.emplace_back(key, text);
  }
  return lines;
}

/// The frames that the run was to do; none, and a note, if the dataset cannot be opened.
std::vector<kitti::Frame> dataset_frames(const json& config, std::vector<std::string>& notes) {
  try {
    const kitti::DataConfig data = data_config_from_json(config);
    if (data.paths.empty()) throw InputError("config.json", "the path of a dataset", "none");
    return select_frames(data, open_data(data));
  } catch (const InputError& error) {
    notes.push_back(
        std::string("The dataset cannot be opened; pictures are those that the run has saved, and "
                    "there is no 3-D view: ") +
        error.what());
    return {};
  }
}

std::vector<FrameRecords> solved_frames(const std::vector<MethodRecord>& records) {
  std::vector<FrameRecords> frames;
  for (const MethodRecord& r : records) {
    if (r.record.status == FrameStatus::failed) continue;
    if (frames.empty() || frames.back()[0]->record.name != r.record.name) frames.emplace_back();
    const bool again = std::any_of(frames.back().begin(), frames.back().end(),
                                   [&](const auto* other) { return other->method == r.method; });
    if (!again) frames.back().push_back(&r);
  }
  return frames;
}

FrameView view_of(const json& config, const std::vector<FrameRecords>& frames) {
  FrameView view;
  view.truth = config.value("truth", "none");
  const std::string target = config.value("target", "road");
  if (target != "auto") view.target = target_from_string(target);
  const std::string surface = config.value("surface", "auto");
  const bool road = surface == "auto" ? view.target == Target::road : surface == "road";
  view.over_plane = road ? Surface::road : Surface::relief;
  view.scoring = scoring_from_string(config.value("scoring", to_string(view.scoring)));
  view.shards = shard_kind_from_string(config.value("shards", "azimuth"));
  view.agents = std::max(1, config.value("agents", view.agents));
  view.seed = config.value("seed", view.seed);
  std::size_t pictures = 1;
  for (const FrameRecords& records : frames) pictures += most_pictures(records.size());
  const Budget& budget = frames.size() <= ReportOptions::kFramesInside ? kInside : kBeside;
  view.picture_bytes = std::clamp(budget.picture_bytes / pictures, budget.least_bytes_per_picture,
                                  kMostPictureBytes);
  view.cloud_points = std::clamp(budget.cloud_points / std::max<std::size_t>(frames.size(), 1),
                                 budget.least_points_per_cloud, kMostCloudPoints);
  return view;
}

/// What the run itself has saved of a frame whose scan cannot be had.
Report::Frame saved_frame(const FrameRecords& records, const fs::path& folder,
                          const FrameView& view) {
  Report::Frame shown;
  shown.name = records[0]->record.name;
  for (const auto* r : records) {
    shown.planes.push_back(
        {r->method, Plane::from_hyperplane(r->record.w).value_or(r->record.plane)});
  }
  for (const char* kind : {"overlay", "birdseye"}) {
    std::error_code ignored;
    fs::path file = folder / kind / name_of_utf8(shown.name + ".png");
    if (!fs::exists(file, ignored)) file.replace_extension(".jpg");
    if (!fs::exists(file, ignored)) continue;
    const RgbImage image = viz::read_image(file);
    shown.pictures.push_back({kind, std::nullopt, viz::encode_jpeg(image, view.picture_bytes)});
    shown.thumbnail = viz::encode_thumbnail(image, kThumbnailWidthPx);
  }
  return shown;
}

Report::Frame drawn_frame(const FrameRecords& records, const kitti::Frame& source,
                          const fs::path& folder, const FrameView& view) {
  std::vector<MethodResult> results;
  std::error_code ignored;
  fs::path labels = label_path(folder, source);
  if (!fs::exists(labels, ignored)) labels.clear();  // of a comparison, or without --save label
  for (const auto* r : records) {
    const bool adaptive = r->record.threshold == "adaptive";
    results.push_back(
        {r->method, r->record.w, r->record.relief ? view.over_plane : Surface::plane,
         adaptive ? std::nullopt : std::optional(Threshold::parse(r->record.threshold)), labels});
  }
  return report_frame(source, records[0]->record.points, results, view);
}

Report::Frame frame_of(const FrameRecords& records, const kitti::Frame* source,
                       const ReportRun& run, const FrameView& view) {
  Report::Frame shown;
  const std::string& name = records[0]->record.name;
  try {
    shown = source != nullptr ? drawn_frame(records, *source, run.folder, view)
                              : saved_frame(records, run.folder, view);
  } catch (const InputError& error) {
    shown = Report::Frame{name, error.what(), {}, {}, std::nullopt, {}};
  }
  try {
    shown.curves = read_curves(run, name);
  } catch (const InputError& error) {
    shown.note = error.what();
  }
  return shown;
}

/// Those in doubt get up to half of the places.
std::vector<FrameRecords> frames_to_show(const std::vector<FrameRecords>& solved,
                                         std::size_t most) {
  if (solved.size() <= most) return solved;
  std::vector<FrameRecords> doubtful, others;
  for (const FrameRecords& records : solved) {
    const bool well = std::all_of(records.begin(), records.end(), [](const MethodRecord* r) {
      return r->record.status == FrameStatus::ok;
    });
    (well ? others : doubtful).push_back(records);
  }
  const std::size_t places = std::max((most + 1) / 2, most - std::min(most, others.size()));
  std::vector<FrameRecords> chosen = spread(doubtful, places);
  const auto rest = spread(others, most - chosen.size());
  chosen.insert(chosen.end(), rest.begin(), rest.end());
  std::sort(chosen.begin(), chosen.end());  // pointers into one list: its order
  return chosen;
}

/// What the run itself said of the frame comes first.
std::string frame_note(const FrameRecord& record, const std::string& of_page) {
  std::string note;
  if (record.status != FrameStatus::ok) note = to_string(record.status);
  for (const std::string& part : {record.error, record.note, of_page}) {
    if (!part.empty()) note += (note.empty() ? "" : ": ") + part;
  }
  return note;
}

/// Fewer points for each curve, the more there are.
void thin_out_curves(std::span<Report::Frame> frames) {
  std::size_t columns = 1;
  for (const Report::Frame& frame : frames) {
    for (const Report::Curve& curve : frame.curves) columns += curve.columns.size();
  }
  const std::size_t points = std::clamp<std::size_t>(kCurveValues / columns, 2, kMostCurvePoints);
  for (Report::Frame& frame : frames) {
    for (Report::Curve& curve : frame.curves) {
      for (auto& [name, values] : curve.columns) values = spread(values, points);
    }
  }
}

/// Moves what is large of a frame into a file; its name and note stay in the page.
Report::Frame moved_beside(Report::Frame frame, std::size_t index, const KeepBeside& keep) {
  thin_out_curves({&frame, 1});
  Report::Frame left;
  left.file = keep(fmt::format("{:06}.js", index), viz::frame_script(frame, index));
  left.name = std::move(frame.name);
  left.note = std::move(frame.note);
  left.thumbnail = std::move(frame.thumbnail);
  if (frame.cloud) {
    const std::set<std::uint8_t> truths(frame.cloud->truth.begin(), frame.cloud->truth.end());
    left.truths.assign(truths.begin(), truths.end());
  }
  return left;
}

void add_frames(const ReportRun& run, const std::vector<kitti::Frame>& sources,
                const ReportOptions& options, const KeepBeside& keep, Report& report) {
  const auto solved = solved_frames(run.records);
  const auto chosen = frames_to_show(solved, options.frames);
  if (chosen.size() < solved.size()) {
    report.notes.push_back(
        fmt::format("Pictures, 3-D views and convergence are shown for {} of the {} frames, evenly "
                    "spread; suspect and incomplete frames come first. To see more: roadplane "
                    "report RUN_DIR --report-frames all",
                    chosen.size(), solved.size()));
  }
  std::map<std::string, const kitti::Frame*> source_of;
  for (const kitti::Frame& source : sources) source_of[source.name()] = &source;
  const FrameView view = view_of(run.config, chosen);
  const bool inside = chosen.size() <= ReportOptions::kFramesInside;
  report.frames.resize(chosen.size());
  std::mutex keeping;
  parallel_for(options.threads, chosen.size(), [&](std::size_t k) {
    const FrameRecords& records = chosen[k];
    const auto source = source_of.find(records[0]->record.name);
    Report::Frame shown =
        frame_of(records, source == source_of.end() ? nullptr : source->second, run, view);
    if (records.size() == 1) shown.note = frame_note(records[0]->record, shown.note);
    const std::lock_guard lock(keeping);
    report.frames[k] = inside ? std::move(shown) : moved_beside(std::move(shown), k, keep);
  });
  if (inside) thin_out_curves(report.frames);
}

void note_what_is_missing(const ReportRun& run, std::size_t wanted, Report& report) {
  std::vector<std::string> done;
  for (const MethodRecord& r : run.records) done.push_back(r.record.name);
  const auto count = std::size_t(std::unique(done.begin(), done.end()) - done.begin());
  if (count < wanted || !run.finished) {
    const std::string of = wanted == 0 ? "" : fmt::format(" of {}", wanted);
    report.notes.push_back(
        fmt::format("The run is not finished: {}{} frames are done.", count, of));
  }
  if (run.command.empty()) report.notes.push_back("The run did not record its command line.");
}

void add_mounts(const ReportRun& run, std::vector<std::string>& remarks) {
  std::vector<FrameRecord> records;
  for (const MethodRecord& r : run.records) records.push_back(r.record);
  for (const Mount& mount : mounts_of(road_views(records))) {
    remarks.push_back("The mount over " + mount.sequence + ": " + mount_text(mount) + ".");
  }
}

Report report_of(const ReportRun& run, const ReportOptions& options, const KeepBeside& keep) {
  Report report;
  report.title = fs::absolute(run.folder).lexically_normal().filename().string();
  report.subtitle = run.subtitle;
  report.surface = run.config.value("target", report.surface);
  if (report.surface == "auto") report.surface = "road";
  report.command = run.command;
  report.config = config_lines(run.config);
  report.facts = record_facts(run);
  report.tables = record_tables(run);
  report.remarks = run.remarks;
  if (run.config.value("track", false)) add_mounts(run, report.remarks);
  if (is_fleet(run)) {
    add_moments(run, std::min(options.frames, ReportOptions::kFramesInside), report);
    note_what_is_missing(run, 0, report);
    return report;
  }
  const auto sources = dataset_frames(run.config, report.notes);
  note_what_is_missing(run, sources.size(), report);
  add_frames(run, sources, options, keep, report);
  return report;
}

}  // namespace

Report make_report(const fs::path& folder, const ReportOptions& options, const KeepBeside& keep) {
  try {
    return report_of(read_run(folder), options, keep);
  } catch (const FieldError& error) {
    throw InputError((folder / "config.json").string(), error);
  } catch (const json::exception& error) {  // a value of another type
    throw InputError(folder.string(), "files of this program", error.what());
  }
}

}  // namespace roadplane
