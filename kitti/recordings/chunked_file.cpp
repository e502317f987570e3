#include "chunked_file.hpp"

#include <algorithm>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::size_t kMostIdle = 8;  ///< streams, of some 100 kB each

}  // namespace

ChunkedFile::ChunkedFile(const std::filesystem::path& path) : file_(path), where_(path.string()) {}

void ChunkedFile::add_chunk(const Block& block) { chunks_.push_back({block}); }

void ChunkedFile::add_index_entry(std::uint32_t connection, std::int64_t time_ns,
                                  std::uint64_t offset) {
  const auto chunk = static_cast<std::uint32_t>(chunks_.size() - 1);
  chunks_.back().indexed = true;
  catalog_.add(connection, {time_ns, offset, chunk});
}

BlockStream ChunkedFile::open_chunk(std::uint32_t chunk) const {
  const Block& block = chunks_[chunk].block;
  return {file_, block, where_ + ": chunk at byte " + std::to_string(block.begin)};
}

void ChunkedFile::scan_chunk(std::uint32_t chunk, bool messages) {
  try {
    BlockStream stream = open_chunk(chunk);
    scan_records(stream, chunk, messages);
  } catch (const InputError& error) {
    remarks_.push_back(std::string(error.what()) + "; what comes before is used");
  }
}

void ChunkedFile::finish() {
  std::size_t unindexed = 0;
  for (std::uint32_t k = 0; k < chunks_.size(); ++k) {
    if (chunks_[k].indexed) continue;
    scan_chunk(k, true);
    ++unindexed;
  }
  if (unindexed > 0) {
    add_remark(std::to_string(unindexed) + " of " + std::to_string(chunks_.size()) +
               " chunks without an index, so read through");
  }
  for (const std::uint32_t chunk : catalog_.chunks_of_strangers()) {
    if (chunks_[chunk].indexed && catalog_.has_strangers()) scan_chunk(chunk, false);
  }
  if (const std::uint64_t left = catalog_.strangers(); left > 0) {
    add_remark(std::to_string(left) + " messages of a connection that nothing describes left out");
  }
  topics_ = catalog_.topics();
}

BlockStream ChunkedFile::stream_before(const MessagePlace& place) const {
  if (place.chunk == MessagePlace::kNoChunk) return {file_, whole_file(), where_};
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& each) {
      return each.first == place.chunk && each.second.position() <= place.offset;
    });
    if (found != idle_.rend()) {
      BlockStream stream = std::move(found->second);
      idle_.erase(std::next(found).base());
      return stream;
    }
  }
  return open_chunk(place.chunk);
}

void ChunkedFile::keep(BlockStream stream, std::uint32_t chunk) const {
  if (chunk == MessagePlace::kNoChunk || stream.rest() == 0) return;
  const std::lock_guard lock(mutex_);
  if (idle_.size() == kMostIdle) idle_.erase(idle_.begin());
  idle_.emplace_back(chunk, std::move(stream));
}

FileBytes ChunkedFile::read(const RecordedTopic& topic, const MessagePlace& place,
                            std::uint64_t most) const {
  BlockStream stream = stream_before(place);
  stream.skip(place.offset - stream.position());
  const Message message = read_message_header(stream);
  if (!catalog_.belongs(message.connection, topic)) {
    throw InputError(stream.where(),
                     "a message of " + topic.name + " at its byte " + std::to_string(place.offset),
                     "one of another topic");
  }
  if (message.bytes > stream.rest()) {
    throw InputError(stream.where(), std::to_string(message.bytes) + " more bytes",
                     std::to_string(stream.rest()));
  }
  FileBytes bytes = stream.read(std::min(message.bytes, most));
  keep(std::move(stream), place.chunk);
  return bytes;
}

}  // namespace roadplane::kitti
