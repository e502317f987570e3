// Recovery errors on the two annotated frames, against values measured by other implementations.
#include <gtest/gtest.h>

#include "baseline_data.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "support/data.hpp"

namespace roadplane {
namespace {

struct Known {
  std::string_view name;
  double error_221;
  double error_328;
};

class AnnotatedFrames : public testing::Test {
 protected:
  struct Loaded {
    Scan scan;
    Eigen::Vector4d truth;
  };

  static Loaded load(const std::filesystem::path& kitti, int number) {
    for (const kitti::Frame& frame :
         kitti::open_dataset(kitti / "dpcp_annotations/09_29_071").frames) {
      if (frame.number != number) continue;
      Loaded loaded{kitti::load_scan(frame), {}};
      loaded.truth = kitti::load_ground_truth(frame, loaded.scan)->hyperplane;
      return loaded;
    }
    throw std::runtime_error("no annotated frame " + std::to_string(number));
  }

  static double median_ransac_error(const Loaded& frame, double threshold_m) {
    std::vector<double> errors;
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      const auto result = fit_ransac(frame.scan, {.threshold_m = threshold_m, .seed = seed});
      errors.push_back(recovery_error(result.w, frame.truth));
    }
    return test::median(errors);
  }
};

TEST_F(AnnotatedFrames, DeterministicBaselinesReachTheKnownErrors) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Loaded frame_221 = load(kitti, 221);
  const Loaded frame_328 = load(kitti, 328);
  for (const Known& known :
       {Known{"svd", .1534, .0966}, Known{"psgm", .0922, .0195}, Known{"irls", .0901, .0191}}) {
    const auto error = [&](const Loaded& frame) {
      return recovery_error(run_baseline(known.name, frame.scan).w, frame.truth);
    };
    EXPECT_NEAR(error(frame_221), known.error_221, 0.03 * known.error_221) << known.name;
    EXPECT_NEAR(error(frame_328), known.error_328, 0.03 * known.error_328) << known.name;
  }
}

TEST_F(AnnotatedFrames, RansacIsWhatPclSegmentationGives) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  // pcl::SACSegmentation of PCL 1.13 as it comes, which always seeds with this number.
  constexpr std::uint32_t kPclSeed = 12345;
  const auto expect = [&](int number, double threshold_m, double error, double inliers) {
    const Loaded frame = load(kitti, number);
    const auto result = fit_ransac(frame.scan, {.threshold_m = threshold_m, .seed = kPclSeed});
    EXPECT_NEAR(recovery_error(result.w, frame.truth), error, 0.01 * error) << number;
    EXPECT_NEAR(static_cast<double>(result.inliers), inliers, 0.001 * inliers) << number;
  };
  expect(221, 0.05, .003805, 22551);
  expect(221, 0.15, .003243, 39379);
  expect(328, 0.05, .003882, 29755);
  expect(328, 0.15, .008168, 48592);
}

TEST_F(AnnotatedFrames, RansacComesCloseToTheKnownErrors) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  // Wide on purpose: over 31 seeds the error of one setting spreads by a factor of 9 to 28, and the
  // median of these 5 seeds lies up to 2.8 times above the known value.
  constexpr double kFactor = 3;
  const Loaded frame_221 = load(kitti, 221);
  const Loaded frame_328 = load(kitti, 328);
  const auto expect_about = [&](double found, double known) {
    EXPECT_LT(found, kFactor * known);
    EXPECT_GT(found, known / kFactor);
  };
  expect_about(median_ransac_error(frame_221, 0.15), .0022);
  expect_about(median_ransac_error(frame_328, 0.15), .0035);
  expect_about(median_ransac_error(frame_221, 0.05), .0036);
  expect_about(median_ransac_error(frame_328, 0.05), .0020);
}

}  // namespace
}  // namespace roadplane
