#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "command.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/scan_file.hpp"

namespace roadplane::app {
namespace {

struct Info {
  std::string path;
  std::string sequence;
};

std::string points_of(const kitti::Frame& frame) {
  try {
    const bool plain = frame.scan.extension() == ".bin";  // its size tells
    return std::to_string(plain ? kitti::count_points(frame.scan) : kitti::load_scan(frame).size());
  } catch (const InputError& error) {
    return std::string("bad scan: ") + error.what();
  }
}

int run(const Info& info) {
  std::optional<std::string> sequence;
  if (!info.sequence.empty()) sequence = info.sequence;
  const kitti::Dataset dataset = kitti::open_dataset(info.path, sequence);
  std::set<std::string> sequences;
  for (const kitti::Frame& frame : dataset.frames) sequences.insert(frame.sequence);
  fmt::print("{}: {}, {} frame{} in {} sequence{}\n\n", info.path, to_string(dataset.layout),
             dataset.frames.size(), dataset.frames.size() == 1 ? "" : "s", sequences.size(),
             sequences.size() == 1 ? "" : "s");
  std::size_t width = 5;
  for (const kitti::Frame& frame : dataset.frames) width = std::max(width, frame.name().size());
  fmt::print("{:<{}}  {:>8}  besides the scan\n", "frame", width, "points");
  for (const kitti::Frame& frame : dataset.frames) {
    fmt::print("{:<{}}  {:>8}  {}\n", frame.name(), width, points_of(frame), frame.contents());
  }
  return kAllGood;
}

}  // namespace

Run add_info(CLI::App& app) {
  app.footer(
      "Prints the layout and a line a frame: its points, and what there is besides the scan.\n"
      "\n"
      "Examples:\n"
      "  roadplane info kitti/2011_09_26\n"
      "  roadplane info odometry --sequence 04");
  auto info = std::make_shared<Info>();
  app.add_option("path", info->path, "A folder or a scan")->required()->type_name("PATH");
  app.add_option("--sequence", info->sequence, "One sequence or drive of a dataset of several")
      ->type_name("NAME");
  return [info] { return run(*info); };
}

}  // namespace roadplane::app
