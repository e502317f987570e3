// `compare` end to end: the same for everybody, tables that agree, budgets that are kept.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/compare/compare_tables.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "support/data.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

CompareConfig small_config() {
  CompareConfig config;
  config.common.agents = 8;
  config.solvers = "vrsgt,drsgd,rextra";
  config.baselines = "svd,ransac";
  config.budget = "rounds=300";
  config.save = "none";
  return config;
}

Comparison run(const CompareConfig& config, const std::vector<kitti::Frame>& frames,
               const std::vector<kitti::Frame>& tuned = {}, const fs::path& folder = {}) {
  return compare_frames(
      ComparePlan(config), frames, tuned, folder, [](const std::string&) {}, false);
}

/// All but the times.
json without_times(const Comparison& comparison) {
  json result = comparison_json(comparison);
  for (json& row : result["summary"]) {
    for (const char* time : {"start", "solve"}) EXPECT_EQ(row.erase(time), 1U);
  }
  for (json& frame : result["frames"]) {
    for (json& one : frame["runs"]) one.erase("ms");
    for (json& curve : frame["curves"]) curve.erase("seconds");
  }
  return result;
}

class Compare : public testing::Test {
 protected:
  test::TempDir folder_;
  fs::path street_ = test::write_street(folder_ / "street", 3);
  std::vector<kitti::Frame> frames_ = kitti::open_dataset(street_).frames;
};

TEST_F(Compare, EverybodyGetsTheSameShardsNetworkStartAndBudget) {
  const Comparison comparison = run(small_config(), {frames_[0]});
  ASSERT_EQ(comparison.frames.size(), 1U);
  const FrameComparison& frame = comparison.frames[0];
  ASSERT_EQ(frame.error, "");
  ASSERT_EQ(frame.records.size(), 3U * 2 + 2);
  ASSERT_EQ(frame.curves.size(), 6U);
  for (const CompareRecord& one : frame.records) {
    const CompareMethod& method = comparison.plan.methods[one.method];
    ASSERT_NE(one.record.status, FrameStatus::failed) << method.name << one.record.error;
    EXPECT_EQ(one.record.points, frame.points);
    if (method.is_baseline()) continue;
    EXPECT_LE(one.record.rounds, 300) << method.name;  // on robust a solve ends when it is at rest
    EXPECT_GE(one.record.rounds, method.objective == "l3" ? 295 : 80) << method.name;
  }
  for (const MethodCurve& curve : frame.curves) {
    for (const MethodCurve& other : frame.curves) {
      const bool same = comparison.plan.methods[curve.method].objective ==
                        comparison.plan.methods[other.method].objective;
      if (!same) continue;
      EXPECT_LT((curve.trace.front().mean - other.trace.front().mean).norm(), 1e-12);
    }
  }
}

TEST_F(Compare, IsDeterministicForASeedAndAnotherSeedIsAnotherDraw) {
  CompareConfig config = small_config();
  const json first = without_times(run(config, {frames_[0]}));
  EXPECT_EQ(first, without_times(run(config, {frames_[0]})));
  config.common.seed = 2;
  EXPECT_NE(first["summary"], without_times(run(config, {frames_[0]}))["summary"]);
}

TEST_F(Compare, RepeatingGivesMeanAndDeviationOverTheSeeds) {
  CompareConfig config = small_config();
  config.solvers = "drsgd";
  config.objectives = "l3";
  config.baselines = "svd";
  config.repeat = 3;
  const Comparison comparison = run(config, {frames_[0]});
  const auto& records = comparison.frames[0].records;
  ASSERT_EQ(records.size(), 6U);
  std::set<std::uint64_t> seeds;
  std::set<double> errors;
  for (const CompareRecord& one : records) {
    seeds.insert(one.seed);
    if (one.method == 0) errors.insert(one.record.score->recovery_error);
  }
  EXPECT_EQ(seeds, (std::set<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(errors.size(), 3U);
  EXPECT_NE(error_table(comparison).rows[0].cells[0].find("±"), std::string::npos);
  EXPECT_NE(comparison_latex(comparison).find("$\\pm$"), std::string::npos);
}

TEST_F(Compare, AllTablesTellTheSameNumbers) {
  const Comparison comparison = run(small_config(), {frames_[0], frames_[1]});
  const GroupedTable table = error_table(comparison);
  ASSERT_EQ(table.columns.size(), 2U);
  ASSERT_EQ(table.rows.size(), comparison.plan.methods.size() + 1);
  const std::string markdown = comparison_markdown(comparison);
  const std::string latex = comparison_latex(comparison);
  const json all = comparison_json(comparison);
  for (std::size_t m = 0; m < comparison.plan.methods.size(); ++m) {
    for (std::size_t f = 0; f < 2; ++f) {
      const std::string& cell = table.rows[m].cells[f];
      EXPECT_NE(markdown.find(cell), std::string::npos);
      EXPECT_NE(latex.find(cell), std::string::npos);
      const json& one = all["frames"][f]["runs"][m];
      EXPECT_EQ(one["method"], comparison.plan.methods[m].name);
      EXPECT_NEAR(one["recovery_error"].get<double>(), std::stod(cell), 0.006 * std::stod(cell));
    }
    const double a = all["frames"][0]["runs"][m]["recovery_error"];
    const double b = all["frames"][1]["runs"][m]["recovery_error"];
    EXPECT_DOUBLE_EQ(all["summary"][m]["recovery_error"]["median"], (a + b) / 2);
  }
  std::istringstream csv(comparison_csv(comparison));
  std::size_t lines = 0;
  std::string header;
  for (std::string line; std::getline(csv, line); ++lines) {
    if (lines == 0) header = line;
  }
  EXPECT_EQ(lines, 1 + 2 * comparison.plan.methods.size());
  EXPECT_NE(header.find("recovery_error"), std::string::npos);
  EXPECT_NE(latex.find("\\multicolumn{2}{c}"), std::string::npos);
}

TEST_F(Compare, EveryTableThatHasAScoreNamesItsScoring) {
  CompareConfig config = small_config();
  config.common.scoring = "patchworkpp";
  const Comparison comparison = run(config, {frames_[0]});
  for (const std::string& table :
       {comparison_text(comparison), comparison_markdown(comparison), comparison_csv(comparison)}) {
    EXPECT_NE(table.find("patchworkpp"), std::string::npos) << table;
    EXPECT_EQ(table.find("strict"), std::string::npos) << table;
  }
  EXPECT_NE(comparison_text(comparison).find("F1 patchworkpp"), std::string::npos);
  EXPECT_EQ(comparison_json(comparison)["scoring"], "patchworkpp");
}

TEST_F(Compare, TheTextFollowsTheNumbers) {
  Comparison comparison = run(small_config(), {frames_[0]});
  const auto sentence = [&] {
    for (const std::string& line : findings_of(comparison)) {
      if (line.starts_with("DRSGD, l3")) return line;
    }
    return std::string();
  };
  double vrsgt = 0;
  for (const CompareRecord& one : comparison.frames[0].records) {
    if (comparison.plan.methods[one.method].name == "VRSGT, l3") {
      vrsgt = one.record.score->recovery_error;
    }
  }
  for (const auto& [factor, verdict] :
       {std::pair{1.0, "as well as"}, {2.0, "worse than"}, {0.5, "better than"}}) {
    for (CompareRecord& one : comparison.frames[0].records) {
      if (comparison.plan.methods[one.method].name == "DRSGD, l3") {
        one.record.score->recovery_error = factor * vrsgt;
      }
    }
    EXPECT_NE(sentence().find(verdict), std::string::npos) << sentence();
  }
}

/// What differs from frame to frame cancels: one frame twice as hard for everybody changes nothing.
TEST_F(Compare, RatiosAreOfTheSameFrameAndSeed) {
  Comparison comparison = run(small_config(), {frames_[0], frames_[1]});
  const auto find = [&] {
    for (const std::string& line : findings_of(comparison)) {
      if (line.starts_with("REXTRA, l3")) return line.substr(0, line.find(';'));
    }
    return std::string();
  };
  const auto spoil = [&](std::size_t frame, const std::string& solver, double factor) {
    for (CompareRecord& one : comparison.frames[frame].records) {
      if (comparison.plan.methods[one.method].solver == solver) {
        one.record.score->recovery_error *= factor;
      }
    }
  };
  const std::string before = find();
  EXPECT_NE(before.find("2 pairs"), std::string::npos) << before;
  for (const char* solver : {"vrsgt", "rextra"}) spoil(1, solver, 100);
  EXPECT_EQ(find(), before);
  spoil(1, "rextra", 3);
  EXPECT_NE(find(), before);
}

TEST_F(Compare, TheCostOfAMethodThatDoesNotComeToRestIsItsBudget) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt,drsgd";
  config.objectives = "robust";
  config.baselines = "none";
  const Comparison comparison = run(config, {frames_[0]});
  const auto row = [&](const std::string& name) {
    const std::string text = comparison_text(comparison);
    const std::size_t begin = text.find("\n" + name) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  ASSERT_EQ(comparison.frames[0].records[0].record.termination, "converged");
  EXPECT_EQ(row("VRSGT").find("budget"), std::string::npos);
  const bool rests = comparison.frames[0].records[1].record.termination == "converged";
  EXPECT_EQ(row("DRSGD").find("budget") == std::string::npos, rests);
}

TEST_F(Compare, TheTerminalShowsEveryFrameInEightyColumns) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt,vrsgt-no-penalty,destiny,drsgd,drgta,dprgt,rextra,gossip-irls,all-reduce";
  config.repeat = 2;
  const std::string text = comparison_text(run(config, {frames_[0], frames_[1]}));
  std::istringstream lines(text);
  std::size_t of_second_frame = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    of_second_frame += line.starts_with("00/1 ") ? 1 : 0;
  }
  // Errors and distances of two objectives, errors of baselines; each solver's in some block.
  EXPECT_GE(of_second_frame, 5U) << text;
  EXPECT_NE(text.find("l3: from minimiser by frame"), std::string::npos) << text;
}

TEST_F(Compare, TheAblationAndTheCentralRowStandBesideTheSolvers) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt,vrsgt-no-penalty,gossip-newton,all-reduce";
  config.baselines = "none";
  const Comparison comparison = run(config, {frames_[0]});
  ASSERT_EQ(comparison.frames[0].error, "");
  const auto& records = comparison.frames[0].records;
  ASSERT_EQ(records.size(), 8U);
  EXPECT_EQ(comparison.plan.methods[3].name, "ALL-REDUCE (central), robust");
  EXPECT_LT(records[3].record.messages_per_link, records[2].record.messages_per_link / 2);
  for (std::size_t m = 0; m < 8; m += 4) {
    EXPECT_LT(records[m + 3].record.minimiser_distance.value(), 1e-5);
    EXPECT_NE(records[m].record.w, records[m + 1].record.w);  // without a penalty
  }
  EXPECT_NE(comparison_markdown(comparison).find("is central"), std::string::npos);
}

TEST_F(Compare, AStepThatLeavesTheStartUntouchedLoses) {
  CompareConfig config = small_config();
  config.solvers = "drsgd";
  config.baselines = "none";
  config.tune = true;
  config.tune_steps = "0.00001,0.05";
  const Comparison comparison = run(config, {frames_[0]}, {frames_[1]});
  ASSERT_EQ(comparison.tunings.size(), 2U);
  ASSERT_TRUE(comparison.tunings[1].best);  // l3, which begins far from the minimiser
  for (const Tuning& tuning : comparison.tunings) {
    if (tuning.best) {
      EXPECT_GT(tuning.best->step, 1e-4);
    }
  }
}

TraceEntry seen_at(std::int64_t messages, double distance) {
  TraceEntry entry;
  entry.traffic.messages_per_link = messages;
  entry.distance = distance;
  return entry;
}

TEST(Approach, IsTheMeanOfTheLogarithmFromTheStartToTheEndOfTheBudget) {
  const Graph graph = Graph::ring(4);
  const Budget budget{Budget::Kind::messages, 110};
  const auto of = [&](std::vector<TraceEntry> trace) { return approach(trace, budget, graph); };
  EXPECT_NEAR(of({seen_at(10, 0.1), seen_at(110, 0.1)}).value(), 0, 1e-12);  // standing still
  EXPECT_NEAR(of({seen_at(10, 0.1), seen_at(110, 0.001)}).value(), -1, 1e-12);
  EXPECT_NEAR(of({seen_at(10, 0.1), seen_at(60, 0.001)}).value(), -1.5, 1e-12);  // and at rest
  EXPECT_GT(of({seen_at(10, 0.1), seen_at(110, 1.0)}).value(), 0);
  TraceEntry unknown;
  EXPECT_FALSE(of({unknown}));
  EXPECT_FALSE(of({}));
}

TEST_F(Compare, ABadFrameIsRecordedAndTheOthersGoOn) {
  fs::resize_file(street_ / "velodyne/000001.bin", 1003);
  const Comparison comparison = run(small_config(), frames_);
  ASSERT_EQ(comparison.frames.size(), 3U);
  EXPECT_EQ(comparison.frames[0].error, "");
  EXPECT_NE(comparison.frames[1].error.find("000001.bin"), std::string::npos);
  EXPECT_EQ(comparison.frames[2].error, "");
  EXPECT_EQ(error_table(comparison).rows[0].cells[1], "-");
  EXPECT_NE(comparison_markdown(comparison).find("000001.bin"), std::string::npos);
}

TEST_F(Compare, StoppingEndsAfterTheRunUnderWayAndMediansCountWholeFramesOnly) {
  const CompareConfig config = small_config();
  const std::size_t methods = ComparePlan(config).methods.size();
  std::atomic<bool> stop{false};
  std::size_t lines = 0;
  const auto stop_in_second_frame = [&](const std::string&) { stop = ++lines == methods + 2; };
  const Comparison stopped =
      compare_frames(ComparePlan(config), frames_, {}, {}, stop_in_second_frame, stop);
  ASSERT_EQ(stopped.frames.size(), 2U);
  EXPECT_EQ(stopped.frames[1].records.size(), 2U);
  EXPECT_TRUE(stopped.frames[1].stopped);
  EXPECT_EQ(stopped.frames_done(), 1U);
  EXPECT_NE(comparison_markdown(stopped).find("Stopped after 1 of 3 frames"), std::string::npos);
  EXPECT_EQ(without_times(stopped)["summary"], without_times(run(config, {frames_[0]}))["summary"]);
}

TEST_F(Compare, StoppingWhileTuningComparesNothing) {
  CompareConfig config = small_config();
  config.tune = true;
  std::atomic<bool> stop{false};
  const auto stop_at_once = [&](const std::string& line) { stop = line.starts_with("tuned"); };
  const Comparison stopped =
      compare_frames(ComparePlan(config), {frames_[0]}, {frames_[1]}, {}, stop_at_once, stop);
  EXPECT_EQ(stopped.tunings.size(), 1U);
  EXPECT_TRUE(stopped.frames.empty());
}

TEST_F(Compare, TuningClimbsFromTheStepsGivenUntilItGetsWorseOnOtherFrames) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt,drsgd,gossip-irls";
  config.objectives = "l3";
  config.baselines = "none";
  config.budget = "rounds=200";
  config.tune = true;
  config.tune_steps = "0.005,500";  // the best lies between
  const Comparison comparison = run(config, {frames_[0]}, {frames_[1]});
  ASSERT_EQ(comparison.tunings.size(), 3U);
  EXPECT_EQ(comparison.tune_frames, (std::vector<std::string>{frames_[1].name()}));
  std::set<StepSchedule> schedules;
  std::set<int> gossips;
  for (const Tuning& tuning : comparison.tunings) {
    const std::string& name = comparison.plan.methods[tuning.method].name;
    ASSERT_TRUE(tuning.best) << name;
    EXPECT_EQ(comparison.plan.methods[tuning.method].settings, *tuning.best);
    EXPECT_EQ(tuning.edge, "") << name;
    if (name != "GOSSIP-IRLS, l3") {
      EXPECT_GT(tuning.best->step, 0.005) << name;
    }
    const auto best = std::find_if(tuning.trials.begin(), tuning.trials.end(),
                                   [&](const auto& t) { return t.settings == *tuning.best; });
    EXPECT_LT(best->score, -0.1) << name;  // nearer than the start
    for (const TuningTrial& trial : tuning.trials) {
      EXPECT_LE(best->score, trial.score) << name;
      schedules.insert(trial.settings.schedule);
      gossips.insert(trial.settings.gossip_rounds);
    }
  }
  EXPECT_EQ(schedules.size(), 3U);
  EXPECT_GE(gossips.size(), 2U);
  const std::string text = comparison_markdown(comparison);
  EXPECT_EQ(text.find("default"), std::string::npos);  // steps are numbers
  EXPECT_THROW(default_tune_frames(frames_, frames_), InputError);
  EXPECT_EQ(default_tune_frames(frames_, {frames_[0]}).size(), 2U);
}

TEST_F(Compare, FailuresAreTheWorstInTheMedianAndCounted) {
  CompareConfig config = small_config();
  config.solvers = "drsgd";
  config.objectives = "l3";
  config.baselines = "none";
  config.repeat = 3;
  Comparison comparison = run(config, {frames_[0]});
  auto& records = comparison.frames[0].records;
  ASSERT_EQ(records.size(), 3U);
  const auto median = [&] {
    return comparison_json(comparison)["summary"][0]["recovery_error"]["median"];
  };
  std::vector<double> errors;
  for (const CompareRecord& one : records) errors.push_back(one.record.score->recovery_error);
  std::sort(errors.begin(), errors.end());
  EXPECT_EQ(median(), errors[1]);
  const auto fail = [&](double error) {
    for (CompareRecord& one : records) {
      if (one.record.score && one.record.score->recovery_error == error) {
        one.record.status = FrameStatus::failed;
        one.record.score.reset();
      }
    }
  };
  fail(errors[0]);  // the best one fails: the worse of the others is the median
  EXPECT_EQ(median(), errors[2]);
  EXPECT_NE(comparison_markdown(comparison).find("1 of 3"), std::string::npos);
  fail(errors[1]);
  EXPECT_TRUE(median().is_null());
  EXPECT_NE(comparison_text(comparison).find("failed"), std::string::npos);
  EXPECT_NE(comparison_text(comparison).find("2 of 3"), std::string::npos);
}

TEST_F(Compare, JobsChangeNothing) {
  CompareConfig config = small_config();
  config.repeat = 2;
  const json one = without_times(run(config, frames_));
  config.jobs = 3;
  json several = without_times(run(config, frames_));
  EXPECT_EQ(one["frames"], several["frames"]);
  EXPECT_EQ(one["summary"], several["summary"]);
}

TEST_F(Compare, AStoppedComparisonGoesOnWhereItWas) {
  CompareConfig config = small_config();
  config.tune = true;
  config.solvers = "vrsgt,drsgd";
  config.objectives = "robust";
  config.repeat = 2;
  config.tune_steps = "0.1";
  const std::vector<kitti::Frame> compared{frames_[0], frames_[1]};
  const std::vector<kitti::Frame> tuned{frames_[2]};
  fs::create_directories(folder_ / "whole");
  fs::create_directories(folder_ / "parts");
  const json whole = without_times(run(config, compared, tuned, folder_ / "whole"));

  std::atomic<bool> stop{false};
  std::size_t lines = 0;
  const auto stop_on_the_way = [&](const std::string&) { stop = ++lines == 1 + 2 + 4 + 3; };
  compare_frames(ComparePlan(config), compared, tuned, folder_ / "parts", stop_on_the_way, stop);
  std::size_t later = 0;
  const Comparison resumed = compare_frames(
      ComparePlan(config), compared, tuned, folder_ / "parts", [&](const std::string&) { ++later; },
      false);
  EXPECT_EQ(later, 2 * 2 * 4 - 4 - 3);  // neither tuned nor run again
  EXPECT_EQ(without_times(resumed), whole);
}

TEST_F(Compare, StoredRunsThatCannotBeOfThisComparisonAreMadeAgain) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt";
  config.baselines = "svd";
  const std::vector<kitti::Frame> one{frames_[0]};
  const fs::path kept = folder_ / "kept";
  fs::create_directories(kept);
  const json whole = without_times(run(config, one, {}, kept));
  const fs::path file = kept / "runs" / one[0].sequence / (one[0].stem() + "-1.json");
  const json good = json::parse(read_text_file(file, 1 << 20));
  ASSERT_GT(good.at("curves").at(0).at("recovery_error").size(), 1U);
  json unknown = good;
  unknown["curves"][0]["method"] = -1;
  json short_of_errors = good;
  short_of_errors["curves"][0]["recovery_error"].erase(0);
  for (const json& bad : {unknown, short_of_errors}) {
    write_file_atomically(file, bad.dump());
    EXPECT_EQ(without_times(run(config, one, {}, kept)), whole);
    const json again = json::parse(read_text_file(file, 1 << 20));
    EXPECT_EQ(again["curves"][0]["method"], good["curves"][0]["method"]);
    EXPECT_EQ(again["curves"][0]["recovery_error"], good["curves"][0]["recovery_error"]);
  }
}

TEST_F(Compare, TheDefaultBudgetDoesNotDependOnTheStepsTuned) {
  CompareConfig config = small_config();
  config.budget = "";
  config.objectives = "robust";
  config.baselines = "none";
  config.solvers = "vrsgt";
  const auto messages = run(config, {frames_[0]}).frames[0].records[0].record.messages_per_link;
  config.solvers = "vrsgt,drsgd,rextra";
  config.tune = true;
  config.tune_steps = "0.02,0.1";  // with which the solve itself would take longer
  const Comparison tuned = run(config, {frames_[0]}, {frames_[1]});
  for (const CompareRecord& one : tuned.frames[0].records) {
    EXPECT_LE(static_cast<double>(one.record.messages_per_link),
              1.06 * static_cast<double>(messages) + 1);
  }
}

TEST_F(Compare, CurvesAndPanelsAreWritten) {
  CompareConfig config = small_config();
  config.save = "curves,frame-curves,panels";
  const fs::path out = folder_ / "out";
  const fs::path pictured = test::write_street(folder_ / "pictured", 1, true);
  const Comparison comparison = run(config, kitti::open_dataset(pictured).frames, {}, out);
  const FrameComparison& frame = comparison.frames[0];
  ASSERT_EQ(frame.error, "");
  EXPECT_TRUE(fs::exists(out / frame.panel));
  EXPECT_EQ(frame.curve_pictures.size(), 2U * 4 * 4);
  EXPECT_EQ(comparison.curve_pictures.size(), 2U * 6);
  std::vector<std::string> pictures = frame.curve_pictures;
  pictures.insert(pictures.end(), comparison.curve_pictures.begin(),
                  comparison.curve_pictures.end());
  for (const std::string& picture : pictures) {
    EXPECT_TRUE(fs::exists(out / picture)) << picture;
    EXPECT_TRUE(fs::exists((out / picture).replace_extension(".svg"))) << picture;
  }
  EXPECT_TRUE(fs::exists(out / "curves" / (frame.name + ".csv")));
  const std::string markdown = comparison_markdown(comparison);
  EXPECT_NE(markdown.find("curves/robust-minimiser_distance-messages.png"), std::string::npos);

  // What is gone or lost its content is made again where the comparison goes on.
  const auto bytes = fs::file_size(out / frame.panel);
  fs::resize_file(out / frame.panel, 0);
  run(config, kitti::open_dataset(pictured).frames, {}, out);
  EXPECT_EQ(fs::file_size(out / frame.panel), bytes);
}

TEST_F(Compare, CurvesOfSingleFramesAreMadeOnRequestOnly) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt";
  config.objectives = "robust";
  config.save = "curves";
  const Comparison comparison = run(config, {frames_[0], frames_[1]}, {}, folder_ / "out");
  EXPECT_EQ(comparison.curve_pictures.size(), 6U);
  for (const FrameComparison& frame : comparison.frames) {
    EXPECT_EQ(frame.error, "");
    EXPECT_TRUE(frame.curve_pictures.empty());
  }
}

TEST_F(Compare, TheTextNamesBudgetsOfObjectivesThatAreUsedOnly) {
  CompareConfig config = small_config();
  config.solvers = "vrsgt";
  config.budget = "";
  config.objectives = "robust";
  EXPECT_EQ(comparison_markdown(run(config, {frames_[0]})).find("on l3"), std::string::npos);
  config.objectives = "l3";
  EXPECT_NE(comparison_markdown(run(config, {frames_[0]})).find("on l3"), std::string::npos);
}

TEST_F(Compare, ThePapersProtocolIsNamedInTheText) {
  CompareConfig config = small_config();
  config.budget = "";
  config.protocol = "paper";
  config.solvers = "vrsgt,drsgd";
  config.objectives = "l3";
  const Comparison comparison = run(config, {frames_[0]});
  EXPECT_NE(protocol_of(comparison)[0].find("100 epochs"), std::string::npos);
  const auto& records = comparison.frames[0].records;
  EXPECT_NEAR(static_cast<double>(records[0].record.rounds),
              static_cast<double>(records[1].record.rounds), 0.1 * records[1].record.rounds);
}

TEST(ComparePlans, BadOnesNameTheField) {
  const auto refused = [](const char* field, const auto& spoil) {
    CompareConfig config;
    spoil(config);
    try {
      const ComparePlan plan(config);
      ADD_FAILURE() << field << " was accepted";
    } catch (const FieldError& error) {
      EXPECT_EQ(error.field(), field) << error.what();
    }
  };
  refused("solvers", [](auto& c) { c.solvers = "vrsgt,adam"; });
  refused("solvers", [](auto& c) { c.solvers = ""; });
  refused("solvers", [](auto& c) { c.solvers = "vrsgt,"; });
  refused("solvers", [](auto& c) { c.solvers = "vrsgt,vrsgt"; });
  refused("solvers", [](auto& c) { c.solvers = c.baselines = "none"; });
  refused("objectives", [](auto& c) { c.objectives = "l2"; });
  refused("objectives", [](auto& c) { c.objectives = ""; });
  refused("baselines", [](auto& c) { c.baselines = "svd,magic"; });
  refused("baselines", [](auto& c) { c.baselines = ""; });
  refused("budget", [](auto& c) { c.budget = "rounds=0"; });
  refused("budget", [](auto& c) { c.budget = "much"; });
  refused("protocol", [](auto& c) { c.protocol = "mine"; });
  refused("protocol", [](auto& c) { c.protocol = "paper"; });  // four solvers
  refused("protocol", [](auto& c) {
    c.protocol = "paper";
    c.solvers = "vrsgt";
    c.budget = "rounds=5";
  });
  refused("tune_steps", [](auto& c) { c.tune_steps = "0.1,x"; });
  refused("tune_steps", [](auto& c) { c.tune_steps = "0"; });
  refused("tune_steps", [](auto& c) { c.tune_steps = ""; });
  refused("tune_frames", [](auto& c) { c.tune_frames = "3"; });
  refused("trace_growth", [](auto& c) { c.common.trace_growth = 1; });
  refused("save", [](auto& c) { c.save = "ply"; });
  refused("topology", [](auto& c) { c.common.topology = "torus"; });
  refused("threshold", [](auto& c) { c.common.threshold = "5"; });
}

TEST(RealCompare, AnnotatedFrames) {
  ROADPLANE_KITTI_OR_SKIP(data);
  CompareConfig config;
  config.solvers = "vrsgt,drsgd";
  config.baselines = "irls";
  config.budget = "rounds=3000";
  config.objectives = "l3";
  config.save = "none";
  const auto frames = kitti::FrameSelection::parse("221,328").apply(
      kitti::open_dataset(data / "dpcp_annotations/09_29_071").frames);
  const Comparison comparison = run(config, frames);
  const auto error = [&](std::size_t frame, std::size_t record) {
    return comparison.frames[frame].records[record].record.score.value().recovery_error;
  };
  EXPECT_NEAR(error(0, 0), 1.02e-1, 0.02 * 1.02e-1);  // VRSGT, l3
  EXPECT_NEAR(error(1, 0), 4.13e-2, 0.02 * 4.13e-2);
  EXPECT_NEAR(error(0, 2), 9.01e-2, 0.02 * 9.01e-2);  // IRLS
  EXPECT_NEAR(error(1, 2), 1.91e-2, 0.02 * 1.91e-2);
  EXPECT_LT(error(1, 1), 1.2 * error(1, 0));  // DRSGD with a constant step does as well
  const auto gap = [&](std::size_t record) {
    return comparison.frames[1].records[record].record.gap.total();
  };
  EXPECT_LT(gap(0), 1e-9);
  EXPECT_GT(gap(1), 1e-7);  // what VRSGT wins is exactness
}

}  // namespace
}  // namespace roadplane
