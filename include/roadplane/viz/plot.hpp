#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace roadplane::viz {

/// One line of a plot; x and y are of the same length, and so are low and high, if there is a band
/// around the line.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low = {};
  std::vector<double> high = {};
};

struct PlotOptions {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = true;
};

inline constexpr int kPlotWidth = 1200;  ///< [pixels] of a PNG picture
inline constexpr int kPlotHeight = 800;

/// Draws the curves with a legend and a grid, by gnuplot: a PNG, SVG or PDF picture as the file's
/// name ends. Lines differ in dashes and marks, not only in colour. Values that are not finite, or
/// not positive on a logarithmic axis, are left out. Texts are taken literally, whatever characters
/// they hold. Writes the file whole or not at all; a missing gnuplot is an InputError.
void write_plot(const std::filesystem::path& file, std::span<const Curve> curves,
                const PlotOptions& options);
/// The same as a PNG picture, whose name is given, and as SVG beside it.
void write_plots(const std::filesystem::path& png, std::span<const Curve> curves,
                 const PlotOptions& options);

/// A bar of every series in every group, side by side; values as many as groups.
struct Bars {
  std::string name;
  std::vector<double> values;
};
void write_bars(const std::filesystem::path& png, std::span<const std::string> groups,
                std::span<const Bars> series, const PlotOptions& options);

}  // namespace roadplane::viz
