#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace roadplane::kitti {

/// The records of an MCAP file that are read or written: an opcode, the length of what follows as
/// 64 bits, and that. All numbers are little endian.
enum class McapOp : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  statistics = 0x0B,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

/// At both ends of a file.
inline constexpr std::array<std::uint8_t, 8> kMcapMagic{0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

inline constexpr std::uint64_t kMcapFooterBytes = 20;
inline constexpr std::uint64_t kMcapRecordBytes = 9;          ///< before what it holds
inline constexpr std::uint64_t kMcapMessageHeaderBytes = 22;  ///< of what a message record holds

}  // namespace roadplane::kitti
