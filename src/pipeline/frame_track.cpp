#include "roadplane/pipeline/frame_track.hpp"

#include <algorithm>

namespace roadplane {
namespace {

constexpr int kGap = 10;  // times the usual spacing, at which a track is cut

ScanMotion motion_between(const Eigen::Isometry3d& last, const Eigen::Isometry3d& now) {
  return (now.inverse() * last).matrix().topRows<3>();
}

std::vector<int> numbers_of(const std::vector<kitti::Frame>& frames, const std::string& sequence) {
  std::vector<int> numbers;
  for (const kitti::Frame& frame : frames) {
    if (frame.sequence == sequence) numbers.push_back(frame.number);
  }
  return numbers;
}

}  // namespace

int usual_spacing(std::span<const int> numbers) {
  std::vector<int> spacings;
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] > numbers[k - 1]) spacings.push_back(numbers[k] - numbers[k - 1]);
  }
  if (spacings.empty()) return 1;
  const auto middle = spacings.begin() + static_cast<std::ptrdiff_t>(spacings.size() / 2);
  std::nth_element(spacings.begin(), middle, spacings.end());
  return *middle;
}

void FrameTrack::come_to(const kitti::Frame& frame, const std::optional<Eigen::Isometry3d>& pose) {
  motion_.reset();
  if (last_) {
    const auto apart = static_cast<std::int64_t>(frame.number) - last_->number;
    const bool follows = last_->sequence == frame.sequence && apart > 0 &&
                         apart <= static_cast<std::int64_t>(kGap) * spacing_;
    if (!follows) {
      tracker_.forget();
    } else if (pose && last_->pose) {
      motion_ = motion_between(*last_->pose, *pose);
    }
  }
  last_ = Seen{frame.sequence, frame.number, pose};
}

std::vector<std::size_t> chunks_of(const std::vector<kitti::Frame>& frames) {
  std::vector<std::size_t> chunks;
  std::size_t in_chunk = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const bool begins =
        k > 0 && (in_chunk == kChunk || frames[k].sequence != frames[k - 1].sequence);
    if (begins) in_chunk = 0;
    chunks.push_back(k == 0 ? 0 : chunks.back() + (begins ? 1 : 0));
    ++in_chunk;
  }
  return chunks;
}

std::vector<FrameChain> chains_of(const std::vector<kitti::Frame>& frames,
                                  const std::vector<bool>& done, bool track) {
  const std::vector<std::size_t> chunks = chunks_of(frames);
  std::vector<FrameChain> chains;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const bool same_sequence = k > 0 && frames[k].sequence == frames[k - 1].sequence;
    const int spacing = same_sequence ? chains.back().spacing
                                      : usual_spacing(numbers_of(frames, frames[k].sequence));
    const bool goes_on = track && k > 0 && chunks[k] == chunks[k - 1];
    if (!goes_on) chains.push_back({{}, {}, spacing});
    (done[k] ? chains.back().before : chains.back().to_do).push_back(&frames[k]);
  }
  std::erase_if(chains, [](const FrameChain& chain) { return chain.to_do.empty(); });
  return chains;
}

}  // namespace roadplane
