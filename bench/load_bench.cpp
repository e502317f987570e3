// How long it takes from a warm .bin file of 120000 points to unit columns, next to a plain read of
// the same file, which is the least that any loader has to do.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/scan_file.hpp"

namespace {

using namespace roadplane;

constexpr std::size_t kPoints = 120000;

/// A scan like KITTI's: rings of points around the sensor, in a file that goes away at the end.
class WarmFile {
 public:
  WarmFile() {
    std::string name = (std::filesystem::temp_directory_path() / "load_bench-XXXXXX.bin").string();
    const int file = ::mkstemps(name.data(), 4);  // 4: ".bin"
    if (file >= 0) ::close(file);
    path_ = name;
    Scan scan(kPoints);
    for (std::size_t k = 0; k < kPoints; ++k) {
      const double angle = static_cast<double>(k) * 2 * M_PI * 64 / kPoints;
      const double range_m = 4 + 50.0 * static_cast<double>(k) / kPoints;
      scan[k] = {static_cast<float>(range_m * std::cos(angle)),
                 static_cast<float>(range_m * std::sin(angle)), -1.7F, 0.3F};
    }
    kitti::write_scan(path_, scan);
  }
  ~WarmFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  WarmFile(const WarmFile&) = delete;
  WarmFile& operator=(const WarmFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

const std::filesystem::path& warm_path() {
  static const WarmFile file;
  return file.path();
}

void plain_read(benchmark::State& state) {
  std::vector<char> buffer(kPoints * sizeof(Point));
  for (auto _ : state) {
    const int file = ::open(warm_path().c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    ::close(file);
    if (got != static_cast<ssize_t>(buffer.size())) state.SkipWithError("the file is too short");
    benchmark::DoNotOptimize(buffer.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(buffer.size()));
}

void read_scan(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kitti::read_scan(warm_path()).data());
}

void homogenise(benchmark::State& state) {
  const Scan scan = kitti::read_scan(warm_path());
  HomogeneousCloud cloud;
  for (auto _ : state) {
    cloud.assign(scan);
    benchmark::DoNotOptimize(cloud.groups());
  }
}

/// The whole way; the cloud is reused from frame to frame, as in a sequence.
void load_and_homogenise(benchmark::State& state) {
  HomogeneousCloud cloud;
  for (auto _ : state) {
    cloud.assign(kitti::read_scan(warm_path()));
    benchmark::DoNotOptimize(cloud.groups());
  }
}

/// The process of one agent of sixteen reads that agent's points only.
void load_share_of_one_in_16(benchmark::State& state) {
  for (auto _ : state) {
    const kitti::ScanReader scan(warm_path());
    benchmark::DoNotOptimize(take_share(scan, ShardKind::contiguous, 16, 1, 8, 1).points.data());
  }
}

BENCHMARK(plain_read)->Unit(benchmark::kMicrosecond);
BENCHMARK(read_scan)->Unit(benchmark::kMicrosecond);
BENCHMARK(homogenise)->Unit(benchmark::kMicrosecond);
BENCHMARK(load_and_homogenise)->Unit(benchmark::kMicrosecond);
BENCHMARK(load_share_of_one_in_16)->Unit(benchmark::kMicrosecond);

}  // namespace
