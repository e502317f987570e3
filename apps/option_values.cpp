#include "option_values.hpp"

#include <initializer_list>
#include <span>

#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/solver/registry.hpp"

namespace roadplane::app {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

struct Values {
  std::string_view command;  ///< empty: of every command that has the option
  std::string_view option;
  std::initializer_list<const char*> words;
};

// A command's own values come before those of all commands.
const std::initializer_list<Values> kValues{
    {"solve", "--objective", {"pca", "l3", "robust"}},
    {"solve", "--format", {"csv", "npy"}},
    {"solve", "--shards", {"contiguous", "interleaved", "random"}},
    {"solve", "--start", {"auto", "random", "spectral"}},
    {"solve", "--truth", {}},
    {"compare", "--save", {"curves", "frame-curves", "panels", "none"}},
    {"completion", "SHELL", {"bash", "zsh", "fish"}},
    {"fleet", "--save", {"label", "picture", "none"}},
    {"fleet", "--topology", {"radio", "ring", "path", "star", "complete", "grid"}},
    {"", "--target", {"auto", "road", "ground", "plane"}},
    {"", "--surface", {"auto", "plane", "relief", "road"}},
    {"", "--objective", {"robust", "l3"}},
    {"", "--objectives", {"robust", "l3", "robust,l3"}},
    {"", "--protocol", {"equal", "paper"}},
    {"", "--scoring", {"strict", "patchworkpp", "patchwork"}},
    {"", "--truth", {"auto", "road", "ground", "reference", "none"}},
    {"", "--format", {"auto", "kitti", "nuscenes", "xyz", "xyzi", "xyzir"}},
    {"", "--topology", {"erdos-renyi:0.5", "ring", "star", "complete", "grid", "path"}},
    {"", "--mixing", {"metropolis", "lazy-metropolis", "max-degree"}},
    {"", "--wire", {"auto", "full", "single", "half", "bits=8"}},
    {"", "--shards", {"azimuth", "contiguous", "interleaved", "random"}},
    {"",
     "--save",
     {"label", "overlay", "birdseye", "edges", "ply", "pcd", "relief", "trace", "mcap", "none"}},
    {"", "--overlay-style", {"labels", "truth", "agents"}},
    {"", "--image-format", {"png", "jpeg"}},
    {"", "--report-frames", {"20", "all"}},
    {"", "--color", {"auto", "always", "never"}},
    {"", "--normalise", {"none", "points", "features"}},
    {"", "--whiten", {"auto", "yes", "no"}},
    {"", "--schedule", {"constant", "inverse-sqrt", "inverse"}},
    {"", "--hill", {"none", "crest", "dip", "grade"}},
};

}  // namespace

std::vector<std::string> option_values(std::string_view command, std::string_view option) {
  if (option == "--solver") return words_of(solver_names());
  if (option == "--loss") return words_of(robust_loss_names());
  if (Words words = research_values(option); !words.empty()) return words;
  for (const Values& values : kValues) {
    if (values.option == option && (values.command.empty() || values.command == command)) {
      return {values.words.begin(), values.words.end()};
    }
  }
  return {};
}

}  // namespace roadplane::app
