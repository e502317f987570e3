#include "roadplane/viz/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "gnuplot.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::viz {
namespace {

/// Okabe and Ito's colours, dark ones first; in grey, dashes and marks tell the lines apart.
struct Style {
  const char* color;
  const char* dashes;
  int mark;
};
constexpr std::array<Style, 10> kStyles = {{{"#0072B2", "solid", 7},
                                            {"#D55E00", "(12,5)", 5},
                                            {"#009E73", "(3,4)", 9},
                                            {"#000000", "(14,4,3,4)", 4},
                                            {"#CC79A7", "(7,4)", 13},
                                            {"#56B4E9", "(20,5)", 6},
                                            {"#E69F00", "(3,4,12,4)", 8},
                                            {"#7F7F7F", "solid", 12},
                                            {"#8B4513", "(2,2)", 10},
                                            {"#6A3D9A", "(10,3,2,3,2,3)", 11}}};
constexpr std::size_t kMarksPerCurve = 8;

std::string terminal_for(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  std::ostringstream terminal;
  if (extension == ".png") {
    terminal << "pngcairo size " << kPlotWidth << ',' << kPlotHeight << " font 'Sans,20'";
  } else if (extension == ".svg") {
    terminal << "svg size " << kPlotWidth << ',' << kPlotHeight << " font 'Sans,24'";
  } else if (extension == ".pdf") {
    terminal << "pdfcairo size 6in,4in font 'Sans,14'";
  } else {
    throw InputError(file.string(), "a file name that ends in .png, .svg or .pdf",
                     extension.empty() ? "no ending" : extension);
  }
  return terminal.str();
}

/// In single quotes gnuplot takes everything literally but the quote itself, which is doubled.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    result += control ? ' ' : c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

/// The part of one axis that holds values.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool holds(double value) const { return value >= least && value <= most; }
};

struct Drawing {
  std::string data;  ///< a data block per curve, $curve0 and so on
  std::vector<std::size_t> counts;
  Extent x, y;
};

Drawing drawable(std::span<const Curve> curves, const PlotOptions& options) {
  const auto fits = [](double v, bool log) { return std::isfinite(v) && (!log || v > 0); };
  Drawing drawing;
  std::ostringstream data;
  data.precision(10);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Curve& curve = curves[k];
    if (curve.x.size() != curve.y.size()) {
      throw std::invalid_argument("write_plot: x and y of '" + curve.name + "' differ in length");
    }
    std::size_t count = 0;
    data << "$curve" << k << " << EOD\n";
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double x = curve.x[i];
      const double y = curve.y[i];
      if (!fits(x, options.log_x) || !fits(y, options.log_y)) continue;
      const bool band = i < curve.low.size() && i < curve.high.size() &&
                        fits(curve.low[i], options.log_y) && fits(curve.high[i], options.log_y);
      const double low = band ? curve.low[i] : y;
      const double high = band ? curve.high[i] : y;
      data << x << ' ' << y << ' ' << low << ' ' << high << '\n';
      drawing.x.add(x);
      drawing.y.add(low);
      drawing.y.add(high);
      ++count;
    }
    data << "EOD\n";
    drawing.counts.push_back(count);
  }
  drawing.data = data.str();
  return drawing;
}

/// Where an axis of less than two decades has its numbers, which powers of ten would be too few
/// for: at as few of their multiples as are enough or, where it is too short even for these, at
/// equal steps.
std::vector<double> short_log_tics(const Extent& shown) {
  constexpr std::size_t kEnough = 4;
  const std::vector<int> multiples[] = {{1, 2, 5}, {1, 2, 3, 5, 7}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (const std::vector<int>& digits : multiples) {
    std::vector<double> tics;
    for (double power = std::pow(10, std::floor(std::log10(shown.least))); power <= shown.most;
         power *= 10) {
      for (const int digit : digits) {
        if (shown.holds(digit * power)) tics.push_back(digit * power);
      }
    }
    if (tics.size() >= kEnough) return tics;
  }
  const double most_step = (shown.most - shown.least) / kEnough;
  double step = std::pow(10, std::floor(std::log10(most_step)));
  if (5 * step <= most_step) {
    step *= 5;
  } else if (2 * step <= most_step) {
    step *= 2;
  }
  std::vector<double> tics;
  for (double k = std::ceil(shown.least / step); k * step <= shown.most; ++k) {
    tics.push_back(k * step);
  }
  return tics;
}

/// What of an axis is shown. One without values would be an error to gnuplot, so it gets some.
Extent shown_of(const Extent& extent, char axis, bool log) {
  if (extent.least > extent.most) return {1, 10};
  if (extent.least == extent.most) {  // one value: leave room on both sides
    const double room = extent.least == 0 ? 1 : std::abs(extent.least) / 2;
    return {extent.least - room, extent.most + room};
  }
  if (axis == 'x' || !log) return extent;
  // A tenth of the height is left empty, not most of a decade.
  const double room = std::pow(extent.most / extent.least, 0.05);
  return {extent.least / room, extent.most * room};
}

void set_axis(std::ostream& script, char axis, const std::string& label, const Extent& extent,
              bool log) {
  const Extent shown = shown_of(extent, axis, log);
  script << "set " << axis << "label " << quoted(label) << " noenhanced\n";
  if (log || extent.least >= extent.most) {
    script << "set " << axis << "range [" << shown.least << ':' << shown.most << "]\n";
  } else if (axis == 'x') {
    script << "set autoscale xfix\n";  // no empty stretch at its end
  }
  if (!log) return;
  script << "set logscale " << axis << '\n';
  if (extent.most >= 100 * extent.least) {
    script << "set format " << axis << " '10^{%L}'\n";
    return;
  }
  script << "set format " << axis << " '%.10g'\nset " << axis << "tics (";
  const char* comma = "";
  for (const double tic : short_log_tics(shown)) {
    script << comma << tic;
    comma = ", ";
  }
  script << ")\n";
}

std::string plot_command(std::span<const Curve> curves, const Drawing& drawing) {
  std::ostringstream command;
  command << "plot ";
  for (std::size_t k = 0; k < curves.size(); ++k) {  // bands first: lines lie on them
    if (curves[k].low.empty() || drawing.counts[k] == 0) continue;
    command << "$curve" << k << " using 1:3:4 with filledcurves fc rgb '"
            << kStyles[k % kStyles.size()].color
            << "' fs transparent solid 0.18 noborder notitle, ";
  }
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Style& style = kStyles[k % kStyles.size()];
    if (k > 0) command << ", ";
    if (drawing.counts[k] == 0) {
      command << "NaN";  // keeps its place in the legend
    } else {
      command << "$curve" << k << " using 1:2";
    }
    command << " with linespoints lc rgb '" << style.color << "' lw 3 dt " << style.dashes << " pt "
            << style.mark << " ps 1.6 pi "
            << std::max<std::size_t>(1, drawing.counts[k] / kMarksPerCurve) << " title "
            << quoted(curves[k].name) << " noenhanced";
  }
  if (curves.empty()) command << "NaN notitle";
  command << '\n';
  return command.str();
}

/// What all pictures begin with.
std::string beginning(const std::filesystem::path& file, const PlotOptions& options) {
  std::ostringstream script;
  script << "set encoding utf8\nset terminal " << terminal_for(file) << '\n'
         << "set title " << quoted(options.title) << " noenhanced\n"
         << "set grid back lt 1 lw 1 lc rgb '#D0D0D0'\nset border lw 1.5\nset rmargin 5\n"
         << "set key below center horizontal Left reverse samplen 3 height 1 spacing 1.2\n";
  return script.str();
}

}  // namespace

void write_plot(const std::filesystem::path& file, std::span<const Curve> curves,
                const PlotOptions& options) {
  const Drawing drawing = drawable(curves, options);
  std::ostringstream script;
  script << beginning(file, options) << drawing.data;
  set_axis(script, 'x', options.x_label, drawing.x, options.log_x);
  set_axis(script, 'y', options.y_label, drawing.y, options.log_y);
  script << plot_command(curves, drawing);
  write_file_atomically(file, run_gnuplot(script.str()));
}

void write_plots(const std::filesystem::path& png, std::span<const Curve> curves,
                 const PlotOptions& options) {
  write_plot(png, curves, options);
  write_plot(std::filesystem::path(png).replace_extension(".svg"), curves, options);
}

void write_bars(const std::filesystem::path& png, std::span<const std::string> groups,
                std::span<const Bars> series, const PlotOptions& options) {
  Extent extent;
  std::ostringstream data;
  data << "$bars << EOD\n";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    data << '"' << groups[g] << '"';
    for (const Bars& bars : series) {
      data << ' ' << bars.values.at(g);
      if (std::isfinite(bars.values[g]) && bars.values[g] > 0) extent.add(bars.values[g]);
    }
    data << '\n';
  }
  data << "EOD\n";
  if (extent.least < extent.most) extent.add(extent.least / 2);  // the shortest bar is one, too
  const std::filesystem::path svg = std::filesystem::path(png).replace_extension(".svg");
  for (const std::filesystem::path& file : {png, svg}) {
    std::ostringstream script;
    script << beginning(file, options) << data.str()
           << "set style data histograms\nset style histogram clustered gap 1\n"
           << "set style fill solid 0.85 border -1\nset xtics scale 0 noenhanced\n";
    script << "set xlabel " << quoted(options.x_label) << " noenhanced\n";
    set_axis(script, 'y', options.y_label, extent, options.log_y);
    script << "plot ";
    for (std::size_t k = 0; k < series.size(); ++k) {
      script << (k > 0 ? ", " : "") << "$bars using " << k + 2 << ":xtic(1) lc rgb '"
             << kStyles[k % kStyles.size()].color << "' title " << quoted(series[k].name)
             << " noenhanced";
    }
    script << '\n';
    write_file_atomically(file, run_gnuplot(script.str()));
  }
}

}  // namespace roadplane::viz
