// The report in a real browser: what its reader does with it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "browser/chromium.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/report.hpp"
#include "support/street.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// One browser and one report for all tests; each test opens the report afresh.
class ReportPage : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const fs::path program = test::find_chromium();
    if (program.empty()) return;
    folder_ = std::make_unique<test::TempDir>();
    const fs::path street = test::write_street(*folder_ / "street", 3, true);
    const std::string run = (*folder_ / "run").string();
    const std::string command = std::string(ROADPLANE_PROGRAM) + " segment " + street.string() +
                                " --save trace --quiet --report --out " + run;
    ASSERT_EQ(std::system(command.c_str()), 0);
    browser_ = std::make_unique<test::Chromium>(program);
  }
  static void TearDownTestSuite() {
    browser_.reset();
    folder_.reset();
  }
  void SetUp() override {
    if (!browser_) GTEST_SKIP() << "chromium is not installed";
    browser_->resize(1200, 900);
    browser_->open(*folder_ / "run/report.html");
  }
  void TearDown() override {
    if (!browser_) return;
    for (const std::string& problem : browser_->problems()) ADD_FAILURE() << problem;
  }

  static json value(const std::string& expression) { return browser_->evaluate(expression); }
  /// Whether it becomes true soon; what a page does in its own time is not to be waited for
  /// blindly.
  static bool soon(const std::string& condition) {
    return value(
        "new Promise(done => { const end = performance.now() + 20000;"
        "const look = () => { if (" +
        condition +
        ") done(true); else if (performance.now() > end) done(false);"
        "else setTimeout(look, 20); }; look(); })");
  }
  /// The middle of an element, or another place on it, in the window.
  static std::pair<double, double> place(const std::string& id, double share = 0.5) {
    const std::string element = "document.getElementById('" + id + "')";
    value(element + ".scrollIntoView({block: 'center'})");
    const json box = value("(({left, top, width, height}) => ({left, top, width, height}))(" +
                           element + ".getBoundingClientRect())");
    return {box["left"].get<double>() + share * box["width"].get<double>(),
            box["top"].get<double>() + 0.5 * box["height"].get<double>()};
  }
  static void choose(const std::string& id, const std::string& option) {
    value("(() => { const e = document.getElementById('" + id +
          "'); e.value = " + json(option).dump() +
          "; for (const t of ['input', 'change']) e.dispatchEvent(new Event(t)); })()");
  }

  static std::unique_ptr<test::TempDir> folder_;
  static std::unique_ptr<test::Chromium> browser_;
};
std::unique_ptr<test::TempDir> ReportPage::folder_;
std::unique_ptr<test::Chromium> ReportPage::browser_;

TEST_F(ReportPage, OpensFromDiskAndShowsTheRun) {
  EXPECT_EQ(value("document.getElementById('title').textContent"), "run");
  EXPECT_EQ(value("document.querySelectorAll('tbody tr').length"), 3);
  EXPECT_TRUE(value("document.getElementById('notes').hidden"));
  const std::string command = value("document.getElementById('command').textContent");
  EXPECT_NE(command.find("roadplane segment"), std::string::npos) << command;
  EXPECT_NE(command.find("--report"), std::string::npos) << command;
  EXPECT_NE(value("document.getElementById('config').textContent")
                .get<std::string>()
                .find("erdos-renyi:0.5"),
            std::string::npos);
  std::cout << "ready after " << value("performance.getEntriesByName('ready')[0].startTime")
            << " ms\n";
}

TEST_F(ReportPage, TheTableSortsByAnyColumnBothWays) {
  const auto column = [&](int k) {
    return value("[...document.querySelectorAll('tbody tr')].map(r => r.values[" +
                 std::to_string(k) + "])");
  };
  const int columns = value("document.querySelectorAll('thead th').length");
  ASSERT_GT(columns, 8);
  int changed = 0;
  for (int k = 0; k < columns; ++k) {
    const std::string head = "document.querySelectorAll('thead th')[" + std::to_string(k) + "]";
    value(head + ".firstChild.click()");
    EXPECT_EQ(value(head + ".getAttribute('aria-sort')"), "ascending");
    const auto up = column(k).get<std::vector<json>>();
    EXPECT_TRUE(std::is_sorted(up.begin(), up.end())) << json(up);
    value(head + ".firstChild.click()");
    EXPECT_EQ(value(head + ".getAttribute('aria-sort')"), "descending");
    const auto down = column(k).get<std::vector<json>>();
    EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend())) << json(down);
    changed += up != down ? 1 : 0;
  }
  EXPECT_GE(changed, 5);
  EXPECT_EQ(value("document.querySelectorAll('th[aria-sort]').length"), 1);
}

TEST_F(ReportPage, TheSliderMovesByKeyAndByHand) {
  EXPECT_GT(value("document.getElementById('left-picture').naturalWidth"), 0);
  EXPECT_GT(value("document.getElementById('right-picture').naturalWidth"), 0);
  const auto clip = [&] { return value("document.getElementById('left-picture').style.clipPath"); };
  EXPECT_EQ(clip(), "inset(0px 50% 0px 0px)");
  value("document.getElementById('slider').focus()");
  browser_->press_key("ArrowRight");
  EXPECT_TRUE(soon("document.getElementById('slider').value === '51'"));
  EXPECT_EQ(clip(), "inset(0px 49% 0px 0px)");

  const auto [x, y] = place("stack", 0.5);
  browser_->drag_mouse(x, place("stack", 0.25).first, y);
  EXPECT_TRUE(soon("document.getElementById('slider').value === '25'"));
  browser_->move_mouse(place("stack", 0.75).first, y);  // let go: it stays
  EXPECT_EQ(clip(), "inset(0px 75% 0px 0px)");
}

TEST_F(ReportPage, TheSliderComparesAnyTwoPictures) {
  const json names = value("[...document.getElementById('left').options].map(o => o.value)");
  EXPECT_EQ(names, json({"camera", "labels", "truth", "hits and misses", "agents"}));
  choose("right", "hits and misses");
  EXPECT_EQ(value("document.getElementById('right-tag').textContent"), "hits and misses");
  EXPECT_NE(value("document.getElementById('right-picture').src"),
            value("document.getElementById('left-picture').src"));
  EXPECT_EQ(value("document.querySelectorAll('#picture-key span').length"), 4);
  choose("left", "hits and misses");
  EXPECT_EQ(value("document.querySelectorAll('#picture-key span').length"), 4) << "none twice";
}

TEST_F(ReportPage, AnotherFrameIsAClickAway) {
  const json before = value("document.getElementById('left-picture').src");
  value("document.querySelectorAll('tbody tr')[2].cells[0].click()");
  EXPECT_EQ(value("document.getElementById('frame').value"), "00/000002");
  EXPECT_NE(value("document.getElementById('left-picture').src"), before);
  EXPECT_TRUE(value("document.getElementById('next').disabled"));
  value("document.getElementById('previous').click()");
  EXPECT_EQ(value("document.getElementById('frame').value"), "00/000001");
  EXPECT_EQ(value("document.querySelector('tr.chosen').dataset.frame"), "00/000001");
}

/// Draws the 3-D view and counts the colours on it, background and plane left out.
constexpr const char* kColorCount = R"((() => {
  document.getElementById('plane').checked = false;
  paintCloud(currentFrame());
  const gl = view.renderer.getContext();
  const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const pixels = new Uint8Array(4 * w * h);
  view.draw();
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const counts = {};
  for (let k = 0; k < pixels.length; k += 4) {
    const rgb = pixels.slice(k, k + 3).join();
    counts[rgb] = (counts[rgb] || 0) + 1;
  }
  return counts;
})())";

TEST_F(ReportPage, The3dViewShowsPointsInTheirColors) {
  value("document.getElementById('rotate').click()");
  const json labels = value(kColorCount);
  EXPECT_GT(labels.value("45,125,255", 0), 500) << "road";
  EXPECT_GT(labels.value("235,45,45", 0), 500) << "other";
  choose("colour", "hits and misses");
  EXPECT_GT(value(kColorCount).value("86,180,233", 0), 500) << "road found";
  choose("colour", "agent");
  EXPECT_GT(value(kColorCount).size(), 15U);
  choose("colour", "distance to the plane");
  EXPECT_GT(value(kColorCount).size(), 40U);
  EXPECT_EQ(value("document.getElementById('cloud-note').textContent"),
            "All " + std::to_string(value("currentFrame().cloud.points").get<int>()) +
                " points are shown.");
}

TEST_F(ReportPage, The3dViewTurnsByItselfAndByHand) {
  const auto [x, y] = place("scene");
  const std::string now = "view.camera.position.toArray().join()";
  const auto differs = [&](const json& before) { return soon(now + " !== " + before.dump()); };
  EXPECT_TRUE(differs(value(now))) << "it rotates";
  value("document.getElementById('rotate').click()");
  value("new Promise(requestAnimationFrame)");  // the last turn may be under way
  const json still = value(now);
  value("new Promise(done => setTimeout(done, 300))");
  EXPECT_EQ(value(now), still);
  browser_->drag_mouse(x, x + 80, y);
  EXPECT_TRUE(differs(still)) << "dragging turns it";
}

TEST_F(ReportPage, CurvesTellTheirValuesWhenPointedAt) {
  for (const std::string chart : {"along-chart", "trace-chart"}) {
    const std::string drawn = "Chart.getChart('" + chart + "')";
    EXPECT_GE(value(drawn + ".data.datasets[0].data.length"), 3) << chart;
    const auto [x, y] = place(chart);
    browser_->move_mouse(x, y);
    EXPECT_TRUE(soon(drawn + ".tooltip.opacity > 0")) << chart;
    EXPECT_GE(value(drawn + ".tooltip.dataPoints.length"), 1) << chart;
  }
  EXPECT_EQ(value("Chart.getChart('trace-chart').options.scales.y.type"), "logarithmic");
  choose("along-y", "F1");
  EXPECT_EQ(value("Chart.getChart('along-chart').data.datasets[0].data[1].y"),
            value("report.tables[0].rows[1].cells[report.tables[0].columns.findIndex("
                  "column => column.name === 'F1')]"));
}

TEST_F(ReportPage, FitsWideAndNarrowWindows) {
  for (const bool dark : {false, true}) {
    for (const int width : {1200, 400}) {
      browser_->resize(width, 800, dark);
      EXPECT_TRUE(soon("document.documentElement.scrollWidth <= " + std::to_string(width)))
          << value("document.documentElement.scrollWidth") << " of " << width;
      // A look at it: ROADPLANE_SCREENSHOTS=DIR keeps what the test saw.
      if (const char* keep = std::getenv("ROADPLANE_SCREENSHOTS")) {
        browser_->resize(width, value("document.documentElement.scrollHeight"), dark);
        value("new Promise(done => setTimeout(done, 300))");
        browser_->write_screenshot(
            fs::path(keep) / ("report_" + std::to_string(width) + (dark ? "_dark.png" : ".png")));
      }
    }
  }
}

TEST_F(ReportPage, TextsAreShownAndNeverRun) {
  const std::string nasty =
      "</script><script>window.harm = 1</script><img src=x onerror='window.harm = 1'>\"'&amp;\\ "
      "\xC3\xA9\xE2\x80\xA8 {{style}} <!--";
  viz::Report report;
  report.title = report.subtitle = report.origin = report.command = nasty;
  report.notes = {nasty};
  report.facts = report.config = {{nasty, nasty}};
  report.tables = {{nasty, {{nasty, nasty, viz::Report::Column::Form::text, 0}}, {}, nasty}};
  report.tables[0].rows = {{nasty, nasty, {nasty}}, {"", "", {std::monostate{}}}};
  report.frames = {{nasty, nasty, {}, {}, std::nullopt, {}}};
  const fs::path file = *folder_ / "na</sty'é.html";
  fs::create_directories(file.parent_path());
  write_file_atomically(file, viz::report_html(report));
  browser_->open(file);
  for (const char* id : {"title", "subtitle", "origin", "command", "notes", "frame-note"}) {
    EXPECT_EQ(value("document.getElementById('" + std::string(id) + "').textContent"), nasty) << id;
  }
  EXPECT_EQ(value("document.querySelector('tbody td').textContent"), nasty);
  EXPECT_EQ(value("document.getElementById('frame').value"), nasty);
  EXPECT_EQ(value("typeof window.harm"), "undefined");
  EXPECT_EQ(value("document.querySelectorAll('img').length"), 3) << "only the page's own";
}

/// A square of points on the ground that one method calls road and the other does not.
viz::Report two_methods() {
  Scan scan;
  for (int k = 0; k < 2500; ++k) {
    scan.push_back({float(k % 50) - 10, float(k / 50) - 25, -1.7F, 0});
  }
  const std::vector<std::vector<std::uint8_t>> road{std::vector<std::uint8_t>(2500, 1),
                                                    std::vector<std::uint8_t>(2500, 0)};
  const RgbImage image{4, 4, std::vector<std::uint8_t>(48, 100)};
  using Form = viz::Report::Column::Form;
  viz::Report report;
  report.tables = {{"",
                    {{"frame", "", Form::text, 0},
                     {"unknown", "", Form::fixed, 2},
                     {"error", "", Form::fixed, 2}},
                    {},
                    ""}};
  for (const std::string name : {"a/1", "a/2"}) {
    viz::Report::Frame frame;
    frame.name = name;
    frame.cloud = viz::pack_cloud({scan, {}, {}, {}}, road, 5000);
    for (const std::string method : {"first", "second"}) {
      frame.planes.push_back({method, Plane{{0, 0, 1}, 1.7}});
      frame.pictures.push_back(
          {method, viz::OverlayStyle::labels, viz::encode_jpeg(image, 10'000)});
      frame.curves.push_back({method, {{"rounds", {0, 10, 20}}, {"gap", {1, 1e-3, 1e-6}}}});
      report.tables[0].rows.push_back(
          {name, method, {name, std::monostate{}, method == "first" ? 1.0 : 2.0}});
    }
    report.frames.push_back(frame);
  }
  return report;
}

TEST_F(ReportPage, SeveralMethodsAreToldApart) {
  write_file_atomically(*folder_ / "two.html", viz::report_html(two_methods()));
  browser_->open(*folder_ / "two.html");
  value("document.getElementById('rotate').click()");
  EXPECT_FALSE(value("document.getElementById('method-label').hidden"));
  EXPECT_GT(value(kColorCount).value("45,125,255", 0), 500);
  EXPECT_EQ(value(kColorCount).value("235,45,45", 0), 0);
  choose("method", "second");
  EXPECT_EQ(value(kColorCount).value("45,125,255", 0), 0);
  EXPECT_GT(value(kColorCount).value("235,45,45", 0), 500);
  EXPECT_EQ(value("document.getElementById('left-tag').textContent"), "first");
  EXPECT_EQ(value("document.getElementById('right-tag').textContent"), "second");
  EXPECT_EQ(value("[...document.getElementById('along-y').options].map(o => o.value)"),
            json({"error"}))
      << "nothing is known of the other column";
  for (const std::string chart : {"along-chart", "trace-chart"}) {
    EXPECT_EQ(value("Chart.getChart('" + chart + "').data.datasets.map(d => d.label)"),
              json({"first", "second"}));
  }
  EXPECT_EQ(value("Chart.getChart('along-chart').data.datasets[1].data.map(p => p.y)"),
            json({2.0, 2.0}));
}

TEST_F(ReportPage, HeightAndTiltHaveIntervalsAtTheTopIsTheCommand) {
  for (const std::string chart : {"height-chart", "tilt-chart"}) {
    const std::string sets = "Chart.getChart('" + chart + "').data.datasets";
    ASSERT_EQ(value(sets + ".length"), 3) << "a line and the edges of its band";
    EXPECT_TRUE(value(sets + "[0].data.every((p, k) => " + sets + "[1].data[k].y < p.y && p.y < " +
                      sets + "[2].data[k].y)"));
    EXPECT_FALSE(value("Chart.getChart('" + chart + "').options.plugins.legend.display"));
  }
  EXPECT_TRUE(value("document.querySelector('header #command pre') !== null"));
}

/// Three frames of which two are in doubt, seen from above, with a picture of the camera.
viz::Report doubtful() {
  viz::Report report = two_methods();
  report.surface = "ground";
  report.facts = {{"frames", "3"}, {"suspect", "1"}, {"failed", "1"}};
  report.tables[0].columns.push_back({"note", "", viz::Report::Column::Form::text, 0});
  for (auto& row : report.tables[0].rows) row.cells.emplace_back(std::string("fine"));
  const std::string sentence(200, 'w');
  report.tables[0].rows[1].mark = "suspect";
  report.tables[0].rows[1].cells.back() = sentence;
  report.tables[0].rows[2].mark = "failed";
  report.frames[0].note = "suspect: " + sentence;
  const RgbImage square{90, 90, std::vector<std::uint8_t>(std::size_t{3} * 90 * 90, 80)};
  const RgbImage wide{120, 40, std::vector<std::uint8_t>(std::size_t{3} * 120 * 40, 120)};
  for (auto& picture : report.frames[0].pictures) picture.jpeg = viz::encode_jpeg(square, 10'000);
  report.frames[0].photo = viz::encode_jpeg(wide, 10'000);
  return report;
}

TEST_F(ReportPage, WhatIsInDoubtIsMarkedAndReadable) {
  write_file_atomically(*folder_ / "doubtful.html", viz::report_html(doubtful()));
  browser_->open(*folder_ / "doubtful.html");
  const auto color = [&](const std::string& selector) {
    return value("getComputedStyle(document.querySelector(\"" + selector + "\")).backgroundColor");
  };
  EXPECT_NE(color("tbody tr[data-mark=suspect]"), color("tbody tr:not([data-mark])"));
  EXPECT_NE(color("tbody tr[data-mark=failed]"), color("tbody tr[data-mark=suspect]"));
  EXPECT_NE(color("#facts [data-mark=failed]"), color("#facts [data-mark=frames]"));
  EXPECT_FALSE(value("document.getElementById('frame-note').hidden"));
  EXPECT_TRUE(
      value("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)("
            "document.querySelector('tr[data-mark=suspect] .sentence'))"))
      << "nothing of a note is cut off";
  // Seen from above: as high as it is wide, and no higher than the window.
  const json box = value(
      "(({width, height}) => ({width, height}))("
      "document.getElementById('stack').getBoundingClientRect())");
  EXPECT_NEAR(box["width"].get<double>(), box["height"].get<double>(), 2);
  EXPECT_LE(box["height"].get<double>(), 0.71 * 900);
  EXPECT_FALSE(value("document.getElementById('photo').hidden"));
  EXPECT_TRUE(soon("document.getElementById('photo-picture').naturalWidth === 120"));
  EXPECT_EQ(value("[...document.querySelectorAll('#picture-key span')].map(e => e.textContent)"),
            json({"ground", "other"}));
  value("document.getElementById('next').click()");
  EXPECT_TRUE(value("document.getElementById('photo').hidden"));
  EXPECT_TRUE(value("document.getElementById('frame-note').hidden"));
}

TEST_F(ReportPage, FramesBesideThePageAreReadWhenLookedAt) {
  viz::Report report = two_methods();
  for (auto& row : report.tables[0].rows) row.method.clear();
  report.tables[0].rows.push_back({"a/3", "", {std::string("a/3"), std::monostate{}, 3.0}});
  const fs::path page = *folder_ / "beside.html";
  fs::create_directories(*folder_ / "be#side");
  for (std::size_t k = 0; k < report.frames.size(); ++k) {
    viz::Report::Frame& frame = report.frames[k];
    const std::string file = "be#side/" + std::to_string(k) + ".js";
    write_file_atomically(*folder_ / file, viz::frame_script(frame, k));
    viz::Report::Frame beside;
    beside.name = frame.name;
    beside.thumbnail = frame.pictures[0].jpeg;
    beside.file = file;
    frame = std::move(beside);
  }
  fs::remove(*folder_ / "be#side/1.js");
  write_file_atomically(page, viz::report_html(report));
  browser_->allow("be%23side/");
  browser_->open(page);
  EXPECT_TRUE(soon("document.getElementById('left-picture').naturalWidth === 4"));
  EXPECT_EQ(value("currentFrame().curves.length"), 2);
  EXPECT_FALSE(value("document.getElementById('cloud').hidden"));
  EXPECT_EQ(value("document.querySelectorAll('td .thumb').length"), 4) << "two rows of each frame";
  EXPECT_EQ(value("document.querySelectorAll('td .without').length"), 1);
  value("document.querySelectorAll('tbody tr')[4].cells[0].click()");
  EXPECT_NE(value("document.getElementById('no-picture').textContent")
                .get<std::string>()
                .find("a/3 has no picture"),
            std::string::npos);
  EXPECT_EQ(value("document.getElementById('frame').value"), "a/1") << "and stays where it was";
  value("document.getElementById('next').click()");
  EXPECT_TRUE(
      soon("document.getElementById('frame-note').textContent.includes('must lie beside')"));
  EXPECT_TRUE(value("document.getElementById('no-picture').hidden"));
  for (const std::string& problem : browser_->problems()) {
    EXPECT_NE(problem.find("be%23side/1.js"), std::string::npos) << problem;
  }
  browser_->forget_problems();
  browser_->allow("");
}

TEST_F(ReportPage, AxesFitWhatMostFramesAndMethodsSay) {
  viz::Report report = two_methods();
  for (auto& frame : report.frames) {  // one method takes a hundred times the rounds
    frame.curves[1].columns["rounds"] = {0, 1000, 2000};
  }
  using Form = viz::Report::Column::Form;
  report.tables[0].columns = {{"frame", "", Form::text, 0},
                              {"height", "", Form::fixed, 2, "half"},
                              {"half", "", Form::fixed, 2}};
  report.tables[0].rows.clear();
  for (int k = 0; k < 60; ++k) {
    const double half = k == 30 ? 50 : 0.01;  // one wide interval
    const std::string name = "a/" + std::to_string(k + 1);
    report.tables[0].rows.push_back({name, "", {name, 1.7 + 0.001 * (k % 5), half}});
  }
  write_file_atomically(*folder_ / "axes.html", viz::report_html(report));
  browser_->open(*folder_ / "axes.html");
  const std::string height = "Chart.getChart('height-chart').scales.y";
  EXPECT_LT(value(height + ".max - " + height + ".min").get<double>(), 0.2);
  EXPECT_NE(value("document.getElementById('pose-note').textContent")
                .get<std::string>()
                .find("of up to 1 of 60"),
            std::string::npos);
  const std::string trace = "Chart.getChart('trace-chart').scales";
  EXPECT_EQ(value(trace + ".x.type"), "logarithmic");
  EXPECT_LE(value(trace + ".y.ticks.length"), 9);
  // No label of the frames' axis reaches into the next.
  EXPECT_TRUE(
      value("(() => { const s = Chart.getChart('height-chart').scales.x;"
            "const context = s.ctx; context.font = '12px sans-serif';"
            "const widest = Math.max(...s.ticks.map(t => context.measureText(t.label).width));"
            "return s.ticks.length < 2 || s.width / (s.ticks.length - 1) > widest; })()"));
}

TEST_F(ReportPage, ARunWithNothingToShowStillOpens) {
  viz::Report report;
  report.title = "empty";
  write_file_atomically(*folder_ / "empty.html", viz::report_html(report));
  browser_->open(*folder_ / "empty.html");
  EXPECT_EQ(value("document.title"), "empty \u2013 roadplane");
  EXPECT_TRUE(value("document.getElementById('frame-section').hidden"));
  EXPECT_TRUE(value("document.getElementById('curve-section').hidden"));
}

}  // namespace
}  // namespace roadplane
