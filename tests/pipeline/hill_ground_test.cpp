#include <gtest/gtest.h>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/synthetic/sequence.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

/// A hill and the least F1 of ground on each frame; the worst frame is 0.005 to 0.007 above it.
struct HillCase {
  const char* name;
  kitti::Hill hill;
  double bank_percent;
  double least_f1;
};

kitti::SceneOptions scene_of(const HillCase& hill) {
  kitti::SceneOptions options;
  options.seed = 31;
  options.frames = 10;
  options.points_per_frame = 30000;
  options.speed_mps = 40;
  options.hill = hill.hill;
  options.grade_percent = 10;
  options.bank_percent = hill.bank_percent;
  return options;
}

double ground_f1(const kitti::Frame& frame, const char* surface,
                 const std::filesystem::path& folder) {
  SegmentConfig config;
  config.save = "none";
  config.target = "ground";
  config.surface = surface;
  const FrameRecord record = segment_frame(frame, SegmentPlan(config), folder);
  if (!record.score || !record.score->labels) {
    ADD_FAILURE() << record.error;
    return 0;
  }
  return record.score->labels->f1;
}

TEST(HillGround, IsFoundAlsoWhereNoPlaneFits) {
  const test::TempDir folder;
  for (const HillCase& hill : {HillCase{"crest", kitti::Hill::crest, 0, 0.975},
                               HillCase{"dip", kitti::Hill::dip, 0, 0.960},
                               HillCase{"bank", kitti::Hill::none, 8, 0.978}}) {
    const auto street = kitti::write_sequence(scene_of(hill), folder / hill.name, {});
    const auto frames = kitti::open_dataset(street).frames;
    for (std::size_t k = 6; k < frames.size(); ++k) {  // on the hill, 24 m from the start
      const double relief = ground_f1(frames[k], "relief", folder / "out");
      EXPECT_GT(relief, hill.least_f1) << hill.name << " " << k;
      EXPECT_GT(relief, ground_f1(frames[k], "plane", folder / "out") + 0.03) << hill.name << k;
    }
  }
}

}  // namespace
}  // namespace roadplane
