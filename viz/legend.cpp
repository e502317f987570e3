#include "legend.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "splat.hpp"

namespace roadplane::viz {
namespace {

constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kFontCapital = 21;  // [px] height of a capital at scale 1
constexpr int kSuper = 4;            // text is drawn this much larger and averaged: crisper edges
constexpr double kMinCapital = 5.5;  // [px] smaller text cannot be read
constexpr std::size_t kMaxCharacters = 72;
constexpr Color kText{240, 240, 240};
constexpr Color kBox{12, 14, 18};
constexpr double kBoxOpacity = 0.78;

std::string shortened(const std::string& text) {
  if (text.size() <= kMaxCharacters) return text;
  return text.substr(0, kMaxCharacters - 3) + "...";
}

double text_width(const std::string& text, double capital) {
  int baseline = 0;
  return cv::getTextSize(text, kFont, kSuper * capital / kFontCapital, 1, &baseline).width /
         static_cast<double>(kSuper);
}

/// Draws on a canvas that is kSuper times the size; (x, y) is the left end of the base line.
void put_text(const std::string& text, double x, double y, double capital, cv::Mat& canvas) {
  const int thickness = std::max(1, static_cast<int>(std::lround(0.14 * capital * kSuper)));
  cv::putText(
      canvas, text,
      {static_cast<int>(std::lround(x * kSuper)), static_cast<int>(std::lround(y * kSuper))}, kFont,
      kSuper * capital / kFontCapital, 255, thickness, cv::LINE_8);
}

cv::Mat shrunk(const cv::Mat& canvas) {
  cv::Mat result;
  cv::resize(canvas, result, canvas.size() / kSuper, 0, 0, cv::INTER_AREA);
  return result;
}

/// Blends `color` where the mask is set; what lies outside the picture is cut off.
void blend_mask(const cv::Mat& mask, int left, int top, Color color, double opacity,
                RgbImage& image) {
  const int weight = static_cast<int>(std::lround(256 * opacity));
  const std::uint8_t ink[3] = {color.r, color.g, color.b};
  for (int y = std::max(0, -top); y < std::min(mask.rows, image.height - top); ++y) {
    const std::uint8_t* strength = mask.ptr(y);
    std::uint8_t* row = image.rgb.data() + std::size_t{3} * (top + y) * image.width;
    for (int x = std::max(0, -left); x < std::min(mask.cols, image.width - left); ++x) {
      if (strength[x] == 0) continue;
      std::uint8_t* pixel = row + std::ptrdiff_t{3} * (left + x);
      for (int c = 0; c < 3; ++c) {
        pixel[c] += static_cast<std::uint8_t>((ink[c] - pixel[c]) * strength[x] * weight / 65280);
      }
    }
  }
}

/// All lengths in pixels of the picture.
struct Layout {
  double capital = 0;
  double line() const { return 1.85 * capital; }
  double padding() const { return 0.9 * capital; }
  double dot() const { return 0.42 * capital; }  ///< radius
  double dot_advance() const { return 1.4 * capital; }
  double entry_gap() const { return 1.2 * capital; }

  double entry_width(const KeyEntry& entry) const {
    if (entry.text.empty()) return dot_advance();
    return dot_advance() + text_width(entry.text, capital) + entry_gap();
  }
};

cv::Size2d box_size(const Layout& layout, const std::vector<std::string>& lines,
                    const std::vector<KeyEntry>& key) {
  double width = 0;
  for (const auto& line : lines) width = std::max(width, text_width(line, layout.capital));
  double key_width = key.empty() ? 0 : -layout.entry_gap();
  for (const auto& entry : key) key_width += layout.entry_width(entry);
  const auto rows = static_cast<double>(lines.size() + (key.empty() ? 0 : 1));
  return {std::ceil(std::max(width, key_width) + 2 * layout.padding()),
          std::ceil((rows - 1) * layout.line() + layout.capital + 2 * layout.padding())};
}

/// The largest layout up to `scale` that leaves most of the picture free; 0 if there is none.
Layout fitting_layout(const std::vector<std::string>& lines, const std::vector<KeyEntry>& key,
                      double scale, const RgbImage& image) {
  constexpr double kCapital = 8;       // [px] at scale 1
  constexpr double kLeastCapital = 7;  // [px] small pictures give the legend more room
  Layout layout{std::max(kLeastCapital, kCapital * scale)};
  const cv::Size2d box = box_size(layout, lines, key);
  const double shrink =
      std::min({1.0, 0.75 * image.width / box.width, 0.45 * image.height / box.height});
  layout.capital *= shrink;
  if (layout.capital < kMinCapital) layout.capital = 0;
  return layout;
}

void draw_key(const std::vector<KeyEntry>& key, const Layout& layout, int margin, double base,
              cv::Mat& text, RgbImage& image) {
  const DiscShape shape{layout.dot(), 1};
  std::vector<Color> colors;
  std::vector<Splat> dots;
  double x = layout.padding();
  for (const auto& entry : key) {
    dots.push_back({.x = Splat::position(margin + x + layout.dot()),
                    .y = Splat::position(margin + base - layout.capital / 2),
                    .color = static_cast<std::uint16_t>(colors.size())});
    colors.push_back(entry.color);
    put_text(entry.text, x + layout.dot_advance(), base, layout.capital, text);
    x += layout.entry_width(entry);
  }
  DiscPainter({&shape, 1}, colors).paint(dots, image);
}

}  // namespace

void draw_legend(const std::vector<std::string>& lines, const std::vector<KeyEntry>& key,
                 double scale, RgbImage& image) {
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const auto& line : lines) texts.push_back(shortened(line));
  if (texts.empty() && key.empty()) return;
  const Layout layout = fitting_layout(texts, key, scale, image);
  if (layout.capital == 0) return;

  const cv::Size size = box_size(layout, texts, key);
  const int margin = static_cast<int>(std::lround(layout.capital));
  blend_mask(cv::Mat(size, CV_8U, 255), margin, margin, kBox, kBoxOpacity, image);

  cv::Mat canvas(size * kSuper, CV_8U, cv::Scalar(0));
  double base = layout.padding() + layout.capital;
  for (const auto& text : texts) {
    put_text(text, layout.padding(), base, layout.capital, canvas);
    base += layout.line();
  }
  draw_key(key, layout, margin, base, canvas, image);
  blend_mask(shrunk(canvas), margin, margin, kText, 1, image);
}

void draw_label(const std::string& text, double x, double y, double height_px, Color color,
                RgbImage& image) {
  if (height_px < kMinCapital) return;
  const double width = text_width(text, height_px);
  const cv::Size size(static_cast<int>(width + height_px), static_cast<int>(2 * height_px));
  cv::Mat canvas(size * kSuper, CV_8U, cv::Scalar(0));
  put_text(text, 0.5 * height_px, 1.5 * height_px, height_px, canvas);
  const int left = static_cast<int>(std::lround(x - size.width / 2.0));
  const int top = static_cast<int>(std::lround(y - size.height / 2.0));
  blend_mask(cv::Mat(size, CV_8U, 255), left, top, kBox, kBoxOpacity, image);
  blend_mask(shrunk(canvas), left, top, color, 1, image);
}

}  // namespace roadplane::viz
