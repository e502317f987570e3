#include "packed_message.hpp"

#include <algorithm>
#include <array>

#include "block_stream.hpp"
#include "roadplane/base/input_error.hpp"
#include "unpacker.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::array kMagic{std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

}  // namespace

bool is_packed(std::span<const std::byte> message) {
  return message.size() >= kMagic.size() && std::ranges::equal(message.first(4), kMagic);
}

FileBytes unpacked(std::span<const std::byte> message, std::uint64_t most,
                   const std::string& where) {
  const auto unpacker = make_unpacker("zstd");
  FileBytes plain;
  while (plain.size() < most) {
    const std::size_t before = plain.size();
    if (before >= kMostMessageBytes) {
      throw InputError(where, "at most " + std::to_string(kMostMessageBytes) + " bytes", "more");
    }
    plain.resize(before + std::max(kPieceBytes, before));
    const Unpacker::Step step = unpacker->step(message, std::span(plain).subspan(before));
    plain.resize(before + step.made);
    message = message.subspan(step.taken);
    if (step.bad) throw InputError(where, "a message packed by zstd", "other bytes");
    if (step.taken == 0 && step.made == 0) break;
  }
  plain.resize(std::min<std::uint64_t>(plain.size(), most));
  return plain;
}

}  // namespace roadplane::kitti
