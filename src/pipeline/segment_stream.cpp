#include "roadplane/pipeline/segment_stream.hpp"

#include <fmt/format.h>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/pipeline/frame_track.hpp"
#include "roadplane/pipeline/segment_scan.hpp"

namespace roadplane {
namespace {

FrameRecord segment(std::span<const std::byte> bytes, const kitti::Frame& frame,
                    const SegmentPlan& plan, FrameTrack& track) {
  Stopwatch watch;
  const kitti::RawFormat format = frame.reading.format.value_or(kitti::RawFormat::kitti);
  LocalChannel channel(plan.network);
  const ScanShare share =
      whole_share(kitti::decode_scan(bytes, format, frame.reading, frame.scan.string()),
                  plan.shards, plan.network.agents(), plan.seed);
  track.come_to(frame, std::nullopt);
  const ScanPart scan{frame, share.points, share.shards, share.scan_points, watch.lap_ms()};
  return segment_points(scan, plan, channel, Residuals::left_out, std::ref(track)).record;
}

}  // namespace

void segment_stream(kitti::ScanStream& stream, const kitti::DataConfig& data,
                    const SegmentPlan& plan, const Answer& answer) {
  kitti::Frame frame;
  frame.sequence = "stdin";
  frame.reading = reading_of(data);
  const std::size_t point_bytes =
      kitti::point_bytes(frame.reading.format.value_or(kitti::RawFormat::kitti));
  std::vector<std::byte> bytes;
  FrameTrack track;
  while (stream.next(bytes, point_bytes)) {
    Stopwatch watch;
    const std::size_t number = stream.scans() - 1;
    frame.number = static_cast<int>(number);
    frame.scan = fmt::format("stdin/{:06}", number);
    if (number % kChunk == 0) track = FrameTrack();
    FrameRecord record;
    try {
      record = segment(bytes, frame, plan, track);
    } catch (const InputError& error) {
      record = with_error(record_of(frame, bytes.size() / point_bytes), FrameStatus::failed,
                          error.what());
    }
    answer(record, watch.lap_ms());
  }
}

}  // namespace roadplane
