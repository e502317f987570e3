#include "roadplane/viz/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <stdexcept>

#include "base64.hpp"
#include "report_assets.hpp"
#include "roadplane/viz/image_file.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

using nlohmann::json;

std::string base64_of(std::string_view text) { return base64(std::as_bytes(std::span(text))); }

/// The data block of a page.
std::string data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

TEST(Base64, IsAsInTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_of("\xFB\xFF\xBF"), "+/+/");
}

TEST(ReportPage, HoldsTheLibrariesWhole) {
  const std::string page = report_html({});
  for (const auto part :
       {assets::style(), assets::script(), assets::three(), assets::orbit(), assets::chart()}) {
    EXPECT_GT(part.size(), 1000U);
    EXPECT_NE(page.find(part), std::string::npos);
    EXPECT_EQ(part.find("</script"), std::string_view::npos) << "would end its own element";
  }
  EXPECT_EQ(page.find("{{"), page.find("{{", page.find(assets::three()))) << "a place left empty";
  EXPECT_FALSE(std::regex_search(page.substr(0, page.find("id=\"data\"")),
                                 std::regex("(src|href)=\"(?!data:,)")))
      << "needs another file";
  EXPECT_LT(page.size(), 1'300'000U);
}

TEST(ReportPage, GivesBackEveryTextAsItWas) {
  const std::string nasty = "</script><!--<script>\"'&\\\n\t\xE2\x80\xA8 {{data}} \xF0\x9F\x9A\x97";
  Report report;
  report.title = nasty;
  report.notes = {nasty, ""};
  report.facts = {{nasty, nasty}};
  report.tables = {{"", {{nasty, "", Report::Column::Form::fixed, 2}}, {}, ""}};
  report.tables[0].rows = {
      {"", "", {nasty}}, {"", "", {1.5}}, {"", "", {std::monostate{}}}, {"", "", {std::nan("")}}};
  const std::string text = data_of(report_html(report));
  EXPECT_EQ(text.find('<'), std::string::npos);
  const json data = json::parse(text);
  EXPECT_EQ(data["title"], nasty);
  EXPECT_EQ(data["notes"], json({nasty, ""}));
  EXPECT_EQ(data["facts"], json::array({json::array({nasty, nasty})}));
  EXPECT_EQ(data["tables"][0]["columns"][0]["name"], nasty);
  EXPECT_EQ(data["tables"][0]["rows"][0]["cells"][0], nasty);
  EXPECT_EQ(data["tables"][0]["rows"][1]["cells"][0], 1.5);
  EXPECT_TRUE(data["tables"][0]["rows"][2]["cells"][0].is_null());
  EXPECT_TRUE(data["tables"][0]["rows"][3]["cells"][0].is_null());
}

TEST(ReportPage, AFileNameThatIsNoUnicodeDoesNotMatter) {
  Report report;
  report.title = "broken \xFF\xC3 name";
  const json data = json::parse(data_of(report_html(report)));
  EXPECT_NE(data["title"].get<std::string>().find(" name"), std::string::npos);
}

TEST(ReportPage, CurvesAreKeptToWhatCanBeSeen) {
  Report report;
  report.frames.emplace_back().curves.push_back(
      {"a", {{"gap", {1.0 / 3, 2e-300, std::nan(""), INFINITY}}, {"rounds", {0, 1, 2, 3}}}});
  const json curve = json::parse(data_of(report_html(report)))["frames"][0]["curves"][0];
  EXPECT_EQ(curve["name"], "a");
  EXPECT_EQ(curve["columns"]["gap"].dump(), "[0.333333,2e-300,null,null]");
  EXPECT_EQ(curve["columns"]["rounds"], json({0, 1, 2, 3}));
}

TEST(ReportPage, ColorsAreThoseOfThePictures) {
  const json data = json::parse(data_of(report_html({})));
  for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
    const auto looks = Palette(style).looks();
    const json& colors = data["palettes"][std::string(to_string(style))];
    ASSERT_EQ(colors.size(), looks.size());
    for (std::size_t k = 0; k < looks.size(); ++k) {
      const Color c = looks[k].color;
      EXPECT_EQ(colors[k], json({c.r, c.g, c.b}));
    }
  }
}

/// Points whose x is their number, all on the same spot otherwise.
Scan numbered(std::size_t count) {
  Scan scan(count);
  for (std::size_t i = 0; i < count; ++i) scan[i] = {float(i + 1) / 100, 1, -2, 0};
  return scan;
}

TEST(ReportCloud, KeepsPlacesAndEveryMethodsLabels) {
  const Scan scan = numbered(50);
  constexpr std::size_t kMethods = 11;  // more than a byte of bits
  std::vector<std::vector<std::uint8_t>> road(kMethods, std::vector<std::uint8_t>(50));
  std::vector<std::uint8_t> truth(50);
  std::vector<std::uint16_t> owner(50);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t m = 0; m < kMethods; ++m) road[m][i] = (i * 7 + m * 3) % 5 < 2 ? 1 : 0;
    truth[i] = i % 3 == 0 ? 1 : 0;
    owner[i] = static_cast<std::uint16_t>(i);
  }
  const ReportCloud packed = pack_cloud({scan, {}, truth, owner}, road, 100);
  ASSERT_EQ(packed.points, 50U);
  EXPECT_EQ(packed.of, 50U);
  ASSERT_EQ(packed.road.size(), 100U);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(packed.xyz[3 * i] * packed.quantum_m, scan[i].x, packed.quantum_m);
    EXPECT_NEAR(packed.xyz[3 * i + 2] * packed.quantum_m, -2, packed.quantum_m);
    for (std::size_t m = 0; m < kMethods; ++m) {
      EXPECT_EQ(packed.road[2 * i + m / 8] >> (m % 8) & 1, road[m][i]);
    }
    EXPECT_EQ(packed.truth[i], truth[i]);
    EXPECT_EQ(packed.agents[i], i % 16);
  }
}

TEST(ReportCloud, ThinsOutEvenlyAndLeavesOutWhatCannotBeDrawn) {
  Scan scan = numbered(1000);
  scan[10] = {NAN, 0, 0, 0};
  scan[11] = {0, 0, 0, 0};
  scan[12] = {1e6F, 0, 0, 0};  // would make a metre of the quantum
  const std::vector<std::vector<std::uint8_t>> road(1, std::vector<std::uint8_t>(1000));
  const ReportCloud packed = pack_cloud({scan, {}, {}, {}}, road, 100);
  EXPECT_EQ(packed.points, 100U);
  EXPECT_EQ(packed.of, 1000U);
  EXPECT_LT(packed.quantum_m, 0.001);
  EXPECT_TRUE(packed.truth.empty());
  EXPECT_TRUE(packed.agents.empty());
  for (std::size_t k = 1; k < 100; ++k) {
    const double gap = (packed.xyz[3 * k] - packed.xyz[3 * k - 3]) * packed.quantum_m;
    EXPECT_NEAR(gap, 0.1, 0.035);
  }
  EXPECT_EQ(pack_cloud({{}, {}, {}, {}}, {}, 100).points, 0U);
  EXPECT_THROW(pack_cloud({std::span(scan).first(5), {}, {}, {}}, road, 9), std::invalid_argument);
}

TEST(EncodeJpeg, KeepsToTheBytesItMayTake) {
  RgbImage image = plain_photo(640, 200);
  std::mt19937 generator(3);
  for (auto& byte : image.rgb) byte = static_cast<std::uint8_t>(generator() & 0xFF);  // the worst
  const ScratchFolder folder("jpeg");
  std::size_t before = 1'000'000;
  for (const std::size_t most : {300'000U, 60'000U, 20'000U, 3'000U}) {
    const auto jpeg = encode_jpeg(image, most);
    EXPECT_LE(jpeg.size(), most);
    EXPECT_LT(jpeg.size(), before) << "as good as fits";
    before = jpeg.size();
    std::ofstream(folder / "a.jpg", std::ios::binary)
        .write(reinterpret_cast<const char*>(jpeg.data()),
               static_cast<std::streamsize>(jpeg.size()));
    const RgbImage decoded = read_image(folder / "a.jpg");
    EXPECT_NEAR(double(decoded.width) / decoded.height, 3.2, 0.05);
  }
  EXPECT_EQ(read_image(folder / "a.jpg").width < 640, true);
  EXPECT_THROW(encode_jpeg(image, 10), std::invalid_argument);
  EXPECT_THROW(encode_jpeg({}, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace roadplane::viz
