#include "roadplane/results/metrics.hpp"

#include <gtest/gtest.h>

#include <set>

namespace roadplane {
namespace {

TEST(Metrics, HaveKeysOfTheirOwn) {
  std::set<std::string_view> keys;
  for (const Metric& m : metrics()) {
    EXPECT_TRUE(keys.insert(m.key).second) << m.key;
    EXPECT_FALSE(m.heading().empty()) << m.key;
    EXPECT_EQ(&metric(m.key), &m);
  }
  EXPECT_THROW(metric("beauty"), std::invalid_argument);
}

TEST(Metrics, AreTextWhereTheirFormatSaysSo) {
  FrameRecord record;
  record.points = 10;
  record.note = record.error = record.began = "something";
  record.score = FrameScore{};
  record.score->labels.emplace();
  record.tilt_deg_95 = record.height_m_95 = Interval{};
  record.relief = FrameRelief{};
  record.road_width.fill(FrameWidth{});
  record.minimiser_distance = 0;
  for (const Metric& m : metrics()) {
    const auto value = m.value(record);
    ASSERT_TRUE(value) << m.key;
    EXPECT_EQ(std::holds_alternative<std::string>(*value),
              m.format.form == MetricFormat::Form::text)
        << m.key;
  }
}

TEST(Metrics, AreWrittenWithTheirUnitAndDigits) {
  FrameRecord record;
  record.plane.normal = Eigen::Vector3d(0, 3, 4).normalized();
  record.plane.offset_m = 1.73456;
  record.w = record.plane.hyperplane();
  record.rounds = 169;
  record.bytes_per_agent = 32074;
  const auto text = [&](const char* key) { return metric(key).text(metric(key).shown(record)); };
  EXPECT_EQ(metric("height_m").heading(), "height m");
  EXPECT_EQ(text("height_m"), "1.735");
  EXPECT_EQ(text("tilt_deg"), "36.87");
  EXPECT_EQ(text("rounds"), "169");
  EXPECT_EQ(text("bytes_per_agent"), "3.21e+04");
  EXPECT_EQ(text("sent_kb"), "32.1");
  EXPECT_EQ(text("f1"), "-");
  EXPECT_EQ(text("road_share"), "-") << "of no points";
  EXPECT_EQ(metric("ms.solve").short_key(), "solve");
  EXPECT_EQ(metric("rounds").short_key(), "rounds");
}

TEST(Metrics, OfAFailedFrameTimesAreRecordedButNotShown) {
  FrameRecord record;
  record.status = FrameStatus::failed;
  record.ms.solve = 3;
  EXPECT_TRUE(metric("ms.solve").value(record));
  EXPECT_FALSE(metric("ms.solve").shown(record));
  EXPECT_FALSE(metric("plane.offset_m").value(record));
}

}  // namespace
}  // namespace roadplane
