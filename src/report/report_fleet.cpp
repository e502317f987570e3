#include "report_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "report_frame.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/kitti/fleet.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/viz/image_file.hpp"
#include "spread.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using viz::Report;
using Form = Report::Column::Form;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::size_t kAllPoints = 240'000;  // of all moments' clouds together, some 3 MB
constexpr std::size_t kMostPoints = 60'000;  // of one
constexpr std::size_t kPictureBytes = 300'000;
constexpr float kReachM = 600;  // [m] a fleet is larger than a scan

/// The lines of vehicles.jsonl.
std::vector<json> read_vehicles(const fs::path& folder) {
  const fs::path file = folder / "vehicles.jsonl";
  std::istringstream lines(read_text_file(file, kMostBytes));
  std::vector<json> vehicles;
  for (std::string line; std::getline(lines, line);) {
    json vehicle = json::parse(line, nullptr, false);
    if (!vehicle.is_object())
      throw InputError(file.string(), "a record a line", "text that is none");
    vehicles.push_back(std::move(vehicle));
  }
  return vehicles;
}

double number(const json& value) { return value.is_number() ? value.get<double>() : NAN; }

Report::Cell cell(double value) {
  if (!std::isfinite(value)) return {};
  return value;
}

Report::Row row_of(const json& v) {
  const json& frame = v.at("frame");
  const std::string status = frame.at("status");
  Report::Row row{v.at("moment"), "", {}, status == "ok" ? "" : status};
  row.cells = {v.at("moment").get<std::string>(), v.at("vehicle").get<std::string>(), status};
  if (status == "failed") {
    row.cells.resize(11);
  } else {
    const json& pose = v.at("pose");
    for (const double value :
         {number(frame.at("plane").at("offset_m")), number(v.at("alone_height_m")),
          number(v.at("roll_deg")), number(v.at("pitch_deg")), number(v.at("ground").at("z_m")),
          number(pose.at("high_m")),
          std::hypot(number(pose.at("roll_deg")), number(pose.at("pitch_deg"))),
          number(frame.at("bytes_per_agent")) / 1e3}) {
      row.cells.push_back(cell(value));
    }
  }
  const std::string error = frame.value("error", "");
  row.cells.emplace_back(error.empty() ? frame.value("note", "") : error);
  return row;
}

Report::Table table_of(const std::vector<json>& vehicles) {
  Report::Table table;
  table.title = "Every vehicle";
  table.lead = "height m";
  table.columns = {{"moment", ""},
                   {"vehicle", ""},
                   {"status", ""},
                   {"height m", "of the sensor over the ground", Form::fixed, 3},
                   {"alone m", "the height that its own scan alone gives", Form::fixed, 3},
                   {"roll deg", "of the sensor over the ground", Form::fixed, 2},
                   {"pitch deg", "of the sensor over the ground", Form::fixed, 2},
                   {"ground m", "below the vehicle, in the common frame", Form::fixed, 3},
                   {"pose dz m", "by which its pose is too high", Form::fixed, 3},
                   {"pose tilt deg", "by which its pose is turned", Form::fixed, 2},
                   {"sent kB", "by the vehicle", Form::fixed, 1},
                   {"remark", ""}};
  for (const json& vehicle : vehicles) table.rows.push_back(row_of(vehicle));
  return table;
}

/// All vehicles of a moment in one frame, around the middle of them.
struct Crowd {
  Scan points;
  std::vector<std::uint8_t> road;
  std::vector<std::uint8_t> truth;
  std::vector<std::uint16_t> owner;
};

/// Its points, and the labels that the run has given them.
void join(const ReportRun& run, const kitti::VehicleScan& scan, std::size_t vehicle,
          const Eigen::Vector3d& middle, Crowd& crowd) {
  const fs::path file = run.folder / "sequences" / scan.frame.sequence / "predictions" /
                        (scan.frame.stem() + ".label");
  const auto labels = kitti::read_labels(file, scan.points.size());
  const Target target = target_from_string(run.config.value("target", "road"));
  const auto truth = find_truth(scan.frame, scan.points, "auto", target, Scoring::strict);
  for (std::size_t k = 0; k < scan.points.size(); ++k) {
    const Point& p = scan.points[k];
    const Eigen::Vector3f at = (scan.pose * Eigen::Vector3d(p.x, p.y, p.z) - middle).cast<float>();
    crowd.points.push_back({at.x(), at.y(), at.z(), p.reflectance});
    crowd.road.push_back(labels[k] != 0 ? 1 : 0);
    crowd.owner.push_back(static_cast<std::uint16_t>(vehicle));
    if (truth) crowd.truth.push_back(truth->mask[k]);
  }
}

class Moments {
 public:
  Moments(const ReportRun& run, const std::vector<json>& vehicles, std::size_t shown)
      : run_(run),
        vehicles_(vehicles),
        cloud_points_(std::min(kMostPoints, kAllPoints / std::max<std::size_t>(shown, 1))) {
    try {
      fleet_ = kitti::open_fleet(run.config.value("path", ""), run.config.value("members", ""));
    } catch (const InputError& error) {
      why_none_ = error.what();
    }
  }

  Report::Frame operator()(const std::string& moment) const {
    Report::Frame shown;
    shown.name = moment;
    shown.note = why_none_;
    if (fleet_) shown.cloud = cloud_of(moment, shown);
    const fs::path picture = run_.folder / "fleet" / (moment + ".png");
    std::error_code ignored;
    if (fs::exists(picture, ignored)) {
      const RgbImage image = viz::read_image(picture);
      shown.pictures.push_back(
          {"from above", std::nullopt, viz::encode_jpeg(image, kPictureBytes)});
      shown.thumbnail = viz::encode_thumbnail(image, kThumbnailWidthPx);
    }
    return shown;
  }

 private:
  std::optional<viz::ReportCloud> cloud_of(const std::string& moment, Report::Frame& shown) const {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    std::vector<const json*> those;
    for (const json& v : vehicles_) {
      if (v.at("moment") != moment || v.at("part").get<int>() < 0) continue;
      const json& at = v.at("position");
      middle += Eigen::Vector3d(number(at[0]), number(at[1]), number(at[2]));
      those.push_back(&v);
    }
    if (those.empty()) return std::nullopt;
    middle /= static_cast<double>(those.size());
    Crowd crowd;
    for (const json* v : those) {
      const std::string name = v->at("vehicle");
      const auto& names = fleet_->vehicles;
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) continue;
      const auto number = static_cast<std::size_t>(found - names.begin());
      try {
        join(run_, kitti::read_vehicle(*fleet_, number, moment), number, middle, crowd);
      } catch (const InputError& error) {
        shown.note += (shown.note.empty() ? "" : "; ") + std::string(error.what());
      }
    }
    shown.planes.push_back({"", ground_of(*those.front(), middle)});
    if (crowd.truth.size() != crowd.points.size()) crowd.truth.clear();
    const viz::LabelledCloud cloud{crowd.points, {}, crowd.truth, crowd.owner, {}, "road"};
    return viz::pack_cloud(cloud, {&crowd.road, 1}, cloud_points_, kReachM);
  }

  /// The one plane that is nearest to all places, as seen from the middle.
  static Plane ground_of(const json& vehicle, const Eigen::Vector3d& middle) {
    const json& numbers = vehicle.at("ground").at("single");
    const Eigen::Vector3d normal(number(numbers[0]), number(numbers[1]), number(numbers[2]));
    return {normal, number(numbers[3]) + normal.dot(middle)};
  }

  const ReportRun& run_;
  const std::vector<json>& vehicles_;
  std::size_t cloud_points_;
  std::optional<kitti::Fleet> fleet_;
  std::string why_none_;
};

std::vector<std::string> moments_in(const std::vector<json>& vehicles) {
  std::vector<std::string> moments;
  for (const json& vehicle : vehicles) {
    const std::string moment = vehicle.at("moment");
    if (moments.empty() || moments.back() != moment) moments.push_back(moment);
  }
  return moments;
}

}  // namespace

bool is_fleet(const ReportRun& run) { return run.config.contains("radio-range"); }

void add_moments(const ReportRun& run, std::size_t most, Report& report) {
  const std::vector<json> vehicles = read_vehicles(run.folder);
  const std::vector<std::string> moments = moments_in(vehicles);
  const auto chosen = spread(moments, most);
  if (chosen.size() < moments.size()) {
    report.notes.push_back(fmt::format("Pictures and 3-D views are shown for {} of the {} moments.",
                                       chosen.size(), moments.size()));
  }
  report.tables = {table_of(vehicles)};
  const Moments show(run, vehicles, chosen.size());
  for (const std::string& moment : chosen) report.frames.push_back(show(moment));
}

}  // namespace roadplane
