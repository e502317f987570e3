#include "roadplane/viz/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "roadplane/viz/image_file.hpp"
#include "support/input_error.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

constexpr Color kFirstBlue{0x00, 0x72, 0xB2};
constexpr Color kSecondOrange{0xD5, 0x5E, 0x00};

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Curve falling(const std::string& name, double start, double rate) {
  Curve curve{name, {}, {}};
  for (int k = 0; k <= 100; ++k) {
    curve.x.push_back(k);
    curve.y.push_back(start * std::exp(-rate * k));
  }
  return curve;
}

/// Where the pixels of a colour are.
struct Patch {
  std::vector<int> x, y;

  Patch(const RgbImage& image, Color color) {
    for (int v = 0; v < image.height; ++v) {
      for (int u = 0; u < image.width; ++u) {
        if (pixel(image, u, v) != color) continue;
        x.push_back(u);
        y.push_back(v);
      }
    }
  }
  /// Mean row of what lies in these columns and above the legend; -1 if nothing does.
  double row(int from, int to) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < from || x[i] >= to || y[i] > 640) continue;
      sum += y[i];
      ++count;
    }
    return count == 0 ? -1 : sum / count;
  }
};

TEST(Plot, DrawsCurvesWhereTheirValuesAre) {
  const ScratchFolder folder("plot");
  // Both straight lines on a logarithmic axis: 1 to 1e-8 and constant 1e-4.
  const Curve curves[] = {falling("falls", 1, 8 * std::log(10.0) / 100), falling("stays", 1e-4, 0)};
  write_plot(folder / "a.png", curves, {"Two lines", "rounds", "StaGap"});
  const RgbImage image = read_image(folder / "a.png");
  EXPECT_EQ(image.width, kPlotWidth);
  EXPECT_EQ(image.height, kPlotHeight);
  const Patch blue(image, kFirstBlue);
  const Patch orange(image, kSecondOrange);
  ASSERT_GT(blue.x.size(), 500U);
  ASSERT_GT(orange.x.size(), 500U);
  const double left = blue.row(250, 350);
  const double middle = blue.row(600, 700);
  const double right = blue.row(950, 1050);
  EXPECT_LT(left + 100, middle);
  EXPECT_NEAR(middle - left, right - middle, 8);  // equal columns, equal decades
  EXPECT_NEAR(orange.row(250, 350), orange.row(950, 1050), 4);
  EXPECT_LT(left, orange.row(600, 700));
  EXPECT_GT(right, orange.row(600, 700));
  EXPECT_EQ(folder.files(), 1U);  // no temporary file left behind
}

TEST(Plot, LeavesOutWhatALogarithmicAxisCannotShow) {
  const ScratchFolder folder("plot_log");
  Curve clean = falling("c", 1, 0.1);
  Curve spoilt = clean;
  const double bad[] = {0, -1, std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
  for (const double y : bad) {
    spoilt.x.push_back(50);
    spoilt.y.push_back(y);
    spoilt.x.push_back(y == 0 ? -5 : y);
    spoilt.y.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  write_plot(folder / "clean.svg", {&clean, 1}, {});
  write_plot(folder / "spoilt.svg", {&spoilt, 1}, {});
  EXPECT_EQ(content(folder / "clean.svg"), content(folder / "spoilt.svg"));
}

TEST(Plot, TakesAnyTextLiterally) {
  const ScratchFolder folder("plot_text");
  const std::string odd = "it's a_b^{2} \"q\" `id` @x $curve0 \\n %d β=0.1\n# <&>";
  const Curve curves[] = {falling(odd, 1, 0.1), falling("", 1, 0.2)};
  write_plot(folder / "text.svg", curves, {odd, odd, odd});
  const std::string svg = content(folder / "text.svg");
  // SVG needs an entity for < and &.
  const std::string shown = "it's a_b^{2} \"q\" `id` @x $curve0 \\n %d β=0.1 # &lt;&amp;>";
  int count = 0;
  for (auto at = svg.find(shown); at != std::string::npos; at = svg.find(shown, at + 1)) ++count;
  EXPECT_GE(count, 4) << svg;  // title, two axes, legend
}

TEST(Plot, NumbersALogarithmicAxisHoweverShort) {
  const ScratchFolder folder("plot_short");
  const auto numbers = [&](double least, double most) {
    const Curve curve{"c", {1000, 2000}, {most, least}};
    write_plot(folder / "a.svg", {&curve, 1}, {});
    const std::string svg = content(folder / "a.svg");
    std::string all;
    const std::string begin = "<tspan font-family=\"Sans\" >";
    for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
      const auto from = at + begin.size();
      const std::string word = svg.substr(from, svg.find('<', from) - from);
      if (std::atof(word.c_str()) > 0 && std::atof(word.c_str()) < 500) all += word + " ";
    }
    return all;
  };
  EXPECT_EQ(numbers(1e-3, 5e-2), "0.001 0.002 0.005 0.01 0.02 0.05 ");
  EXPECT_EQ(numbers(3e-3, 2e-2), "0.003 0.005 0.007 0.01 0.02 ");
  EXPECT_EQ(numbers(5e-3, 5e-3), "0.003 0.004 0.005 0.006 0.007 ");
  EXPECT_EQ(numbers(2.1e-3, 2.9e-3), "0.0022 0.0024 0.0026 0.0028 ");
  EXPECT_EQ(numbers(2.3e-3, 2.3001e-3),
            "0.0023 0.00230002 0.00230004 0.00230006 0.00230008 0.0023001 ");
}

TEST(Plot, DrawsEmptySingleAndManyCurves) {
  const ScratchFolder folder("plot_edge");
  EXPECT_NO_THROW(write_plot(folder / "none.png", {}, {}));
  const Curve zero[] = {{"all zero", {1, 2}, {0, 0}}, {"empty", {}, {}}};
  EXPECT_NO_THROW(write_plot(folder / "zero.png", zero, {}));
  const Curve point[] = {{"a point", {0}, {1e-3}}};
  write_plot(folder / "point.png", point, {});
  EXPECT_GT(Patch(read_image(folder / "point.png"), kFirstBlue).x.size(), 20U);
  std::vector<Curve> many;
  for (int k = 0; k < 20; ++k) many.push_back(falling("c" + std::to_string(k), 1, 0.01 * k));
  PlotOptions options;
  options.log_x = true;
  options.log_y = false;
  write_plot(folder / "many.pdf", many, options);
  EXPECT_EQ(content(folder / "many.pdf").rfind("%PDF", 0), 0U);
}

TEST(Plot, SaysWhatIsWrong) {
  const ScratchFolder folder("plot_bad");
  const Curve curve = falling("c", 1, 0.1);
  const std::span<const Curve> one(&curve, 1);
  test::expect_one_line([&] { write_plot(folder / "a.bmp", one, {}); }, (folder / "a.bmp").string(),
                        ".bmp");
  test::expect_one_line([&] { write_plot(folder / "no/such.png", one, {}); },
                        (folder / "no/such.png").string(), "No such file");
  const Curve crooked{"crooked", {1, 2}, {1}};
  EXPECT_THROW(write_plot(folder / "a.png", {&crooked, 1}, {}), std::invalid_argument);
  EXPECT_EQ(folder.files(), 0U);
}

/// For a scope, programs are looked for in another folder.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~OtherPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Plot, SaysHowToGetGnuplotAndWhatItComplainsOf) {
  const ScratchFolder folder("plot_program");
  const Curve curve = falling("c", 1, 0.1);
  const OtherPath path(folder.path().string());
  const auto draw = [&] { write_plot(folder / "a.png", {&curve, 1}, {}); };
  test::expect_one_line(draw, "gnuplot", "no such program");
  EXPECT_NE(test::input_error_of(draw).find("gnuplot-nox"), std::string::npos);

  std::ofstream(folder / "gnuplot") << "#!/bin/sh\necho '\n  line 3: unknown terminal\n' >&2\n"
                                       "exit 1\n";
  std::filesystem::permissions(folder / "gnuplot", std::filesystem::perms::owner_all);
  test::expect_one_line(draw, "gnuplot", "line 3: unknown terminal");
  EXPECT_EQ(folder.files(), 1U);
}

}  // namespace
}  // namespace roadplane::viz
