// picture_time DATASET [THREADS] [FRAMES]: overlays a second from the scan's file to the picture's,
// and pictures a second that are encoded alone, both with 1 and with THREADS (2) threads, in one
// run; labels a second without pictures, next to as many bytes plainly read and written: these two
// by turns, and of each the median. FRAMES (100) are done a measurement, the dataset's again and
// again.
//
// Every measurement writes into a folder of its own: to replace a file takes the file system longer
// than to write one (ext4 sends it to the disk at once). So may writing where many files were
// removed some minutes ago, by a run before this one; TMPDIR=/dev/shm leaves the disk out.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "roadplane/base/parallel_for.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "roadplane/viz/image_file.hpp"

namespace {

using namespace roadplane;
namespace fs = std::filesystem;

class Bench {
 public:
  Bench(std::vector<kitti::Frame> frames, std::size_t count)
      : frames_(std::move(frames)),
        count_(count),
        out_(fs::temp_directory_path() / "roadplane_picture_time") {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    std::error_code ignored;
    fs::remove_all(out_, ignored);
  }

  /// Frames a second.
  double segment(const std::string& save, const std::string& format, std::size_t threads) {
    SegmentConfig config;
    config.save = save;
    config.truth = "none";
    config.image_format = format;
    const SegmentPlan plan(config);
    const fs::path folder = fresh_folder();
    return rate(threads, [&](std::size_t k) {
      const std::string round = std::to_string(k / frames_.size());
      const auto record = segment_frame(frames_[k % frames_.size()], plan, folder / round);
      if (record.status == FrameStatus::failed || record.status == FrameStatus::incomplete) {
        std::fprintf(stderr, "%s: %s\n", record.name.c_str(), record.error.c_str());
        std::exit(2);
      }
    });
  }

  /// The pictures of segment("overlay", "png"), which must have been the first.
  std::vector<RgbImage> pictures() const {
    std::vector<RgbImage> images;
    for (const kitti::Frame& frame : frames_) {
      images.push_back(
          viz::read_image(out_ / "0/0/overlay" / frame.sequence / (frame.stem() + ".png")));
    }
    return images;
  }

  /// Frames a second whose scan's bytes are read and whose labels' are written, and no more.
  double copy(std::size_t threads) {
    const fs::path folder = fresh_folder();
    return rate(threads, [&](std::size_t k) {
      thread_local std::vector<char> buffer;
      std::ifstream in(frames_[k % frames_.size()].scan, std::ios::binary);
      buffer.resize(fs::file_size(frames_[k % frames_.size()].scan));
      in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      std::ofstream out(folder / std::to_string(k), std::ios::binary);
      out.write(buffer.data(), static_cast<std::streamsize>(buffer.size() / sizeof(Point) * 4));
      if (!in || !out) std::exit(2);
    });
  }

  /// Pictures a second.
  double encode(const std::vector<RgbImage>& images, bool png, std::size_t threads) const {
    return rate(threads, [&](std::size_t k) {
      const RgbImage& image = images[k % images.size()];
      const auto bytes = png ? viz::encode_png(image) : viz::encode_jpeg(image);
      if (bytes.empty()) std::exit(2);
    });
  }

 private:
  /// What was written before goes to the disk first, not meanwhile.
  fs::path fresh_folder() {
    fs::path folder = out_ / std::to_string(folders_++);
    fs::create_directories(folder);
    ::sync();
    return folder;
  }

  double rate(std::size_t threads, const std::function<void(std::size_t)>& task) const {
    Stopwatch watch;
    parallel_for(static_cast<int>(threads), count_, task);
    return 1000.0 * static_cast<double>(count_) / watch.lap_ms();
  }

  std::vector<kitti::Frame> frames_;
  std::size_t count_;
  fs::path out_;
  int folders_ = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double mean_kb(const std::vector<RgbImage>& images, bool png) {
  double bytes = 0;
  for (const RgbImage& image : images) {
    bytes += static_cast<double>((png ? viz::encode_png(image) : viz::encode_jpeg(image)).size());
  }
  return bytes / static_cast<double>(images.size()) / 1000;
}

void print_formats(Bench& bench, const std::vector<std::size_t>& threads) {
  const std::vector<RgbImage> images = bench.pictures();
  std::printf("%-8s %8s %12s %16s %7s %6s\n", "saved", "threads", "frames/s", "encoding alone/s",
              "ratio", "kB");
  for (const bool png : {true, false}) {
    for (const std::size_t count : threads) {
      const double whole = bench.segment("overlay", png ? "png" : "jpeg", count);
      const double alone = bench.encode(images, png, count);
      std::printf("%-8s %8zu %12.1f %16.1f %7.2f %6.0f\n", png ? "png" : "jpeg", count, whole,
                  alone, alone / whole, mean_kb(images, png));
    }
  }
}

void print_labels(Bench& bench, const std::vector<std::size_t>& threads) {
  constexpr int kRounds = 5;
  std::printf("%-8s %8s %12s %16s %7s\n", "saved", "threads", "frames/s", "bytes alone/s", "ratio");
  for (const std::size_t count : threads) {
    std::vector<double> whole, alone;
    for (int round = 0; round < kRounds; ++round) {
      whole.push_back(bench.segment("label", "png", count));
      alone.push_back(bench.copy(count));
    }
    std::printf("%-8s %8zu %12.1f %16.1f %7.2f\n", "label", count, median(whole), median(alone),
                median(alone) / median(whole));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: picture_time DATASET [THREADS] [FRAMES]\n");
    return 1;
  }
  const auto number = [&](int k, int usual) {
    return static_cast<std::size_t>(std::max(1, argc > k ? std::atoi(argv[k]) : usual));
  };
  std::vector<kitti::Frame> frames;
  for (const kitti::Frame& frame : kitti::open_dataset(argv[1]).frames) {
    if (frame.image && frame.calibration) frames.push_back(frame);
  }
  if (frames.empty()) {
    std::fprintf(stderr, "picture_time: expected frames with pictures and calibration in %s\n",
                 argv[1]);
    return 2;
  }
  const std::size_t count = std::max(number(3, 100), frames.size());
  Bench bench(std::move(frames), count);
  bench.segment("overlay", "png", 1);  // warms up, and makes the pictures
  const std::vector<std::size_t> threads{1, number(2, 2)};
  print_formats(bench, threads);
  print_labels(bench, threads);
}
