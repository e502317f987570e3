// segment_time DATASET [REPEATS]: how long segment_scan() takes for each frame, scan in memory, the
// least of REPEATS (30) in milliseconds, as lines "NAME ROAD GROUND". bench/python_time.py runs it
// beside the Python module.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_scan.hpp"

namespace {

using namespace roadplane;

double least_ms(const Scan& scan, const std::string& target, int repeats) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repeats; ++k) {
    Stopwatch watch;
    SegmentConfig config;  // as for a call from Python: the plan is part of it
    config.target = target;
    const Segmentation result = segment_scan(scan, SegmentPlan(config));
    least = std::min(least, watch.lap_ms());
    if (result.labels.road.size() != scan.size()) std::abort();
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: segment_time DATASET [REPEATS]\n");
    return 1;
  }
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 30;
  for (const kitti::Frame& frame : kitti::open_dataset(argv[1]).frames) {
    const Scan scan = kitti::load_scan(frame);
    std::printf("%s %.4f %.4f\n", frame.name().c_str(), least_ms(scan, "road", repeats),
                least_ms(scan, "ground", repeats));
  }
}
