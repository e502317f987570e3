#include "unpacker.hpp"

#include <bzlib.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace roadplane::kitti {
namespace {

class Plain final : public Unpacker {
 public:
  Step step(std::span<const std::byte> packed, std::span<std::byte> plain) override {
    const std::size_t count = std::min(packed.size(), plain.size());
    std::copy_n(packed.begin(), count, plain.begin());
    return {count, count};
  }
};

class Lz4 final : public Unpacker {
 public:
  Lz4() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) {
      throw std::bad_alloc();
    }
  }
  ~Lz4() override { LZ4F_freeDecompressionContext(context_); }

  Step step(std::span<const std::byte> packed, std::span<std::byte> plain) override {
    std::size_t taken = packed.size();
    std::size_t made = plain.size();
    const std::size_t result =
        LZ4F_decompress(context_, plain.data(), &made, packed.data(), &taken, nullptr);
    return {taken, made, LZ4F_isError(result) != 0};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

class Zstd final : public Unpacker {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }

  Step step(std::span<const std::byte> packed, std::span<std::byte> plain) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{plain.data(), plain.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
    return {in.pos, out.pos, ZSTD_isError(result) != 0};
  }

 private:
  ZSTD_DStream* stream_;
};

class Bzip2 final : public Unpacker {
 public:
  Bzip2() { begin(); }
  ~Bzip2() override { BZ2_bzDecompressEnd(&stream_); }

  Step step(std::span<const std::byte> packed, std::span<std::byte> plain) override {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    const auto in = static_cast<unsigned>(std::min(packed.size(), kMost));
    const auto out = static_cast<unsigned>(std::min(plain.size(), kMost));
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(packed.data()));
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<char*>(plain.data());
    stream_.avail_out = out;
    const int result = BZ2_bzDecompress(&stream_);
    const Step step{in - stream_.avail_in, out - stream_.avail_out,
                    result != BZ_OK && result != BZ_STREAM_END};
    if (result == BZ_STREAM_END) {  // another may follow
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    return step;
  }

 private:
  void begin() {
    std::memset(&stream_, 0, sizeof stream_);
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  bz_stream stream_;
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(const std::string& compression) {
  if (compression.empty() || compression == "none") return std::make_unique<Plain>();
  if (compression == "lz4") return std::make_unique<Lz4>();
  if (compression == "zstd") return std::make_unique<Zstd>();
  if (compression == "bz2") return std::make_unique<Bzip2>();
  return nullptr;
}

}  // namespace roadplane::kitti
