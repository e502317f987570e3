#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/synthetic/sequence.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/viz/image_file.hpp"
#include "run_segment.hpp"

namespace roadplane::app {
namespace {

struct Demo {
  int frames = 5;
  std::filesystem::path out;
};

int run(const Demo& demo, Ranks& ranks) {
  const std::filesystem::path out = demo.out.empty() ? fresh_run_path("demo") : demo.out;
  kitti::SceneOptions scene;
  scene.frames = demo.frames;
  fmt::print("1. A synthetic street: {} {} of a 64-beam scanner and a camera, exact truth\n",
             demo.frames, demo.frames == 1 ? "frame" : "frames");
  std::fflush(stdout);
  const auto sequence = kitti::write_sequence(scene, out / "street", viz::write_png);

  fmt::print("2. 16 agents, each with a sector of the scan, agree on the road plane\n");
  std::fflush(stdout);
  SegmentRun job;
  job.config.data.paths = {sequence.string()};
  job.config.save = "label,overlay,birdseye";
  job.config.overlay_style = "labels";
  job.report.report = true;
  job.out = out / "result";
  job.jobs = 2;
  const int code = run_segment(job, ranks);
  fmt::print(
      "\n3. Look at {0}/overlay/00/000000.png (road blue, the rest red)\n"
      "   and at  {0}/birdseye/00/000000.png (the same from above),\n"
      "   or open {0}/report.html in a browser: all of it, and the scans in 3-D\n",
      terminal_text(job.out.string()));
  return code;
}

}  // namespace

Run add_demo(CLI::App& app) {
  app.footer(
      "Writes DIR/street, a sequence in KITTI's odometry layout, and DIR/result, the run on it\n"
      "with its report.html.");
  auto demo = std::make_shared<Demo>();
  app.add_option("--frames", demo->frames, "Length of the sequence")
      ->check(in_range(1, 10000))
      ->capture_default_str();
  app.add_option("--out", demo->out, "A new folder (default: a new one below runs/)")
      ->type_name("DIR");
  return [demo](Ranks& ranks) { return run(*demo, ranks); };
}

}  // namespace roadplane::app
