#include <cmath>

#include "fuzz.hpp"
#include "roadplane/base/nearest_word.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/compare/budget.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/kitti/rigid_transform.hpp"
#include "roadplane/network/link_faults.hpp"
#include "roadplane/network/wire.hpp"
#include "roadplane/pipeline/topology.hpp"

namespace roadplane {
namespace {

void select(std::string_view text) {
  std::vector<kitti::Frame> frames(30);
  for (int k = 0; k < 30; ++k) frames[k].number = 3 * k;
  const auto chosen = kitti::FrameSelection::parse(text).apply(frames);
  require(!chosen.empty() && chosen.size() <= frames.size());
  for (std::size_t k = 1; k < chosen.size(); ++k) require(chosen[k - 1].number < chosen[k].number);
}

void fail_links(std::string_view text) {
  const LinkFaults faults = LinkFaults::parse(std::string(text), 1);
  require(faults.drop >= 0 && faults.drop < 1 && faults.sleep >= 0 && faults.sleep < 1);
  bool works = false;  // of a window of rounds in one at least
  for (int round = 0; round < faults.window(); ++round) works |= !faults.down(0, 1, round);
  require(works || faults.leaves());
}

void limit(std::string_view text) {
  const Threshold threshold = Threshold::parse(text);
  require(threshold.value > 0 && std::isfinite(threshold.value));
}

void turn(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return;  // a file's name
  const Eigen::Isometry3d transform = kitti::transform_from_text(std::string(text));
  const Eigen::Matrix3d r = transform.linear();
  require(transform.translation().allFinite());
  require((r * r.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-6);
}

void spend(std::string_view text) {
  const Budget budget = Budget::parse(std::string(text));
  require(budget.amount > 0 && std::isfinite(budget.amount));
}

void connect(std::string_view text) {
  if (text.ends_with(".json")) return;  // a file's name
  const Graph graph = make_graph(std::string(text), 9, 1);
  require(graph.size() == 9 && graph.diameter() < 9);
}

}  // namespace
}  // namespace roadplane

// Any text as what the command line has a small language for; its first byte says which.
void roadplane::fuzz(std::span<const std::byte> content) {
  if (content.empty()) return;
  const std::string_view text = as_text(content).substr(1);
  switch (std::to_integer<int>(content.front()) % 8) {
    case 0:
      return select(text);
    case 1:
      return limit(text);
    case 2:
      return fail_links(text);
    case 3:
      require(Wire::parse(std::string(text)).bits >= Wire::kFewest);
      return;
    case 4:
      return turn(text);
    case 5:
      return spend(text);
    case 6:
      return connect(text);
    default:
      constexpr std::string_view kKnown[] = {"vrsgt", "drsgd", "destiny"};
      nearest_word(text, kKnown);
      split_list(std::string(text));
  }
}
