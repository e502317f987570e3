// This solver and its centralised competitors in the same run on the same frames: how exact, how
// good the labels, how fast. Everything on one thread, from the points in memory to the hyperplane.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/plane.hpp"
#include "side_by_side_frames.hpp"
#include "side_by_side_methods.hpp"

namespace {

using namespace roadplane;
using namespace side_by_side;

constexpr double kThreshold = 0.011;  // |w'b| of a road point, the same rule for all methods

struct Score {
  double error = 1;             ///< recovery error; of the worst agent, where there are several
  double angle_deg = 90;        ///< of the same agent's normal
  double height_cm = INFINITY;  ///< of its plane at the middle of the near road points
  double f1 = 0;                ///< at kThreshold
  double best_f1 = 0;           ///< at the threshold that suits this frame and hyperplane best
  double wrong = 1;  ///< part of the runs that found another plane: PlaneDistance::far_apart
  double median_ms = 0;
  double best_ms = 0;
  double speedup = 0;  ///< the yardstick's median time by this one's
};

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// "0.0021, 0.0085"
std::string median_and_worst(const std::vector<Score>& scores, double Score::*field,
                             const char* format) {
  std::vector<double> values;
  for (const Score& score : scores) values.push_back(score.*field);
  char one[32];
  char other[32];
  std::snprintf(one, sizeof(one), format, median(values));
  std::snprintf(other, sizeof(other), format, *std::max_element(values.begin(), values.end()));
  return std::string(one) + ", " + other;
}

double f1_of(double hits, double taken, double road) {
  return taken + road > 0 ? 2 * hits / (taken + road) : 0;
}

/// F1 at kThreshold and the best of all thresholds.
void score_labels(const TruthFrame& frame, const Eigen::Vector4d& w, Score& score) {
  std::vector<std::pair<double, bool>> points;
  double road = 0;
  for (std::size_t k = 0; k < frame.scan.size(); ++k) {
    const bool is_road = frame.mask[k] != 0;
    road += is_road ? 1 : 0;
    const double residual = angular_residual(w, frame.scan[k]);
    if (std::isfinite(residual)) points.emplace_back(residual, is_road);
  }
  std::sort(points.begin(), points.end());
  double hits = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    hits += points[k].second ? 1 : 0;
    const double f1 = f1_of(hits, static_cast<double>(k + 1), road);
    score.best_f1 = std::max(score.best_f1, f1);
    if (points[k].first < kThreshold) score.f1 = f1;
  }
}

Score score_of(const TruthFrame& frame, const Run& run) {
  Score score;
  const auto finite = [](const Eigen::Vector4d& w) { return w.allFinite(); };
  if (run.w.empty() || !std::all_of(run.w.begin(), run.w.end(), finite)) return score;
  const auto worst =
      std::max_element(run.w.begin(), run.w.end(), [&](const auto& a, const auto& b) {
        return recovery_error(a, frame.w) < recovery_error(b, frame.w);
      });
  score.error = recovery_error(*worst, frame.w);
  const Eigen::Vector3d middle = middle_of_near_points(frame.scan, frame.mask);
  if (const auto off = plane_distance(*worst, frame.w, middle)) {
    score.angle_deg = off->angle_deg;
    score.height_cm = 100 * off->height_m;
    score.wrong = off->far_apart() ? 1 : 0;
  }
  score_labels(frame, *worst, score);
  return score;
}

Score measure(const TruthFrame& frame, const Method& method, int repeat) {
  std::vector<double> errors, angles, heights, f1, best_f1, wrong, milliseconds;
  for (int k = 0; k < repeat; ++k) {
    const Run run = method.run(frame, k);
    const Score score = score_of(frame, run);
    errors.push_back(score.error);
    angles.push_back(score.angle_deg);
    heights.push_back(score.height_cm);
    f1.push_back(score.f1);
    best_f1.push_back(score.best_f1);
    wrong.push_back(score.wrong);
    milliseconds.push_back(run.milliseconds);
  }
  return {median(errors),
          median(angles),
          median(heights),
          median(f1),
          median(best_f1),
          median(wrong),
          median(milliseconds),
          *std::min_element(milliseconds.begin(), milliseconds.end()),
          0};
}

/// Prints rows and remembers them for the medians and for the file.
class Table {
 public:
  explicit Table(const std::string& csv_file) {
    if (csv_file.empty()) return;
    csv_.open(csv_file);
    if (!csv_) throw InputError(csv_file, "a file that can be written", "none");
    csv_ << "frame,truth,scoring,points,method,error,angle_deg,height_cm,f1,best_f1,wrong,median_"
            "ms,best_ms,speedup\n";
  }

  void heading(const std::string& text) {
    std::printf("\n%s, scoring strict\n%-14s %10s %8s %8s %9s %9s %11s %11s %9s\n", text.c_str(),
                "method", "error", "deg", "cm", "F1@.011", "best F1", "ms (median)", "ms (best)",
                "speed-up");
  }

  void row(const std::string& method, const Score& s) {
    std::printf("%-14s %10.5f %8.3f %8.1f %9.4f %9.4f %11.3f %11.3f %8.1fx\n", method.c_str(),
                s.error, s.angle_deg, s.height_cm, s.f1, s.best_f1, s.median_ms, s.best_ms,
                s.speedup);
    std::fflush(stdout);
  }

  void record(const TruthFrame& frame, const std::string& method, const Score& s) {
    row(method, s);
    scores_[method].push_back(s);
    groups_[frame.group][method].push_back(s);
    if (!csv_.is_open()) return;
    csv_ << frame.name << ',' << frame.source << ",strict," << frame.scan.size() << ',' << method
         << ',' << s.error << ',' << s.angle_deg << ',' << s.height_cm << ',' << s.f1 << ','
         << s.best_f1 << ',' << s.wrong << ',' << s.median_ms << ',' << s.best_ms << ','
         << s.speedup << '\n';
  }

  void medians(const std::vector<Method>& methods, int frames) {
    heading("Median over " + std::to_string(frames) + " frames");
    for (const Method& method : methods) {
      const auto of = [&](double Score::*field) {
        std::vector<double> values;
        for (const Score& score : scores_[method.name]) values.push_back(score.*field);
        return median(values);
      };
      row(method.name, {of(&Score::error), of(&Score::angle_deg), of(&Score::height_cm),
                        of(&Score::f1), of(&Score::best_f1), of(&Score::wrong),
                        of(&Score::median_ms), of(&Score::best_ms), of(&Score::speedup)});
    }
  }

  /// One line per method and kind of frame: median and worst error, degrees and centimetres, number
  /// of wrong planes.
  void errors(const std::vector<Method>& methods) {
    std::printf("\n| method |");
    for (const auto& [group, all] : groups_) {
      std::printf(" %s: median, worst error, deg, cm, wrong of %zu |", group.c_str(),
                  all.begin()->second.size());
    }
    std::printf("\n|---|");
    for (std::size_t k = 0; k < groups_.size(); ++k) std::printf("---:|");
    for (const Method& method : methods) {
      std::printf("\n| %s |", method.name.c_str());
      for (auto& [group, all] : groups_) {
        const std::vector<Score>& scores = all[method.name];
        const auto wrong = std::count_if(scores.begin(), scores.end(),
                                         [](const Score& score) { return score.wrong > 0.5; });
        std::printf(" %s; %s; %s; %ld |", median_and_worst(scores, &Score::error, "%.4f").c_str(),
                    median_and_worst(scores, &Score::angle_deg, "%.2f").c_str(),
                    median_and_worst(scores, &Score::height_cm, "%.1f").c_str(),
                    static_cast<long>(wrong));
      }
    }
    std::printf("\n");
  }

 private:
  std::ofstream csv_;
  std::map<std::string, std::vector<Score>> scores_;
  std::map<std::string, std::map<std::string, std::vector<Score>>> groups_;  ///< by kind of frame
};

void compare(const TruthFrame& frame, const std::vector<Method>& methods, int repeat,
             Table& table) {
  std::vector<Score> scores;
  double yardstick_ms = 0;
  for (const Method& method : methods) {
    scores.push_back(measure(frame, method, repeat));
    if (method.name == kYardstick) yardstick_ms = scores.back().median_ms;
  }
  table.heading(frame.name + ": " + std::to_string(frame.scan.size()) +
                " points, truth: " + frame.source);
  for (std::size_t k = 0; k < methods.size(); ++k) {
    scores[k].speedup = yardstick_ms / scores[k].median_ms;
    table.record(frame, methods[k].name, scores[k]);
  }
}

void run(const std::string& data, int repeat, const std::string& csv_file) {
  const std::vector<Method> methods = all_methods();
  Table table(csv_file);
  const Visit visit = [&](const TruthFrame& frame) { compare(frame, methods, repeat, table); };
  int frames = 0;
  if (data.empty()) {
    std::printf("No data folder (--data or ROADPLANE_DATA): synthetic streets, exact planes.\n");
    frames = visit_synthetic_frames(visit);
  } else {
    frames = visit_frames_below(data, visit);
    if (frames == 0) throw InputError(data, "annotated or labelled frames below it", "none");
  }
  table.medians(methods, frames);
  table.errors(methods);
  std::printf(
      "\nEach method ran %d times a frame, RANSAC with another seed each time: the columns "
      "are medians\nof those runs. 'ground' takes the scan to shards, plane, relief and labels; "
      "the others stop at "
      "the plane.\nSpeed-up: the time of '%s' by the method's own.\n",
      repeat, kYardstick);
}

}  // namespace

int main(int argc, char** argv) {
  const char* environment = std::getenv("ROADPLANE_DATA");
  std::string data = environment == nullptr ? "" : environment;
  std::string csv_file;
  int repeat = 5;
  CLI::App app(
      "Compares this solver with gossip-IRLS, SVD, DPCP-IRLS, DPCP-PSGM and PCL's RANSAC.");
  app.add_option("--data", data, "folder with annotated or labelled frames [ROADPLANE_DATA]");
  app.add_option("--repeat", repeat, "runs of each method on each frame, 1 or more")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--csv", csv_file, "writes the rows to this file, too");
  CLI11_PARSE(app, argc, argv);
  try {
    run(data, repeat, csv_file);
  } catch (const std::exception& error) {
    std::cerr << "side_by_side: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
