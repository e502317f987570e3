#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/recycled.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// Bad input that every process of a group knows of: all of them throw it.
class AgreedError : public std::runtime_error {
 public:
  /// Who and why, as one line.
  explicit AgreedError(const std::string& line) : std::runtime_error(line) {}
  /// All who refuse a field's value say the same; `who` is put before it.
  explicit AgreedError(const FieldError& error, const std::string& who = "")
      : std::runtime_error(who + error.what()), who_(who), field_error_(error) {}

  const std::string& who() const { return who_; }
  const std::optional<FieldError>& field_error() const { return field_error_; }

 private:
  std::string who_;
  std::optional<FieldError> field_error_;
};

/// The processes that work on one thing, each of them hosting some of the agents. All of them call
/// the same functions in the same order. What they exchange here serves reading, observing and
/// writing; the agents themselves talk through the channel.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual int rank() const = 0;  ///< in the group; 0 leads
  virtual int size() const = 0;
  bool leads() const { return rank() == 0; }

  /// The network must outlive the channel.
  virtual std::unique_ptr<Channel> make_channel(const Network& network) const = 0;
  /// The same where it is given which process hosts an agent: nothing for one that hosts none. All
  /// processes call it.
  virtual std::unique_ptr<Channel> make_channel(const Network& network,
                                                std::span<const int> rank_of_agent) const = 0;

  /// Every process does `step`, which gives a text that must be the same everywhere. If it throws
  /// somewhere or the texts differ, all of them throw an AgreedError that names who and why.
  virtual void run_together(const std::function<std::string()>& step) const = 0;

  virtual std::string broadcast(std::string text) const = 0;  ///< the leader's, for everybody
  virtual std::vector<std::string> all_gather(const std::string& own) const = 0;  ///< by rank
  virtual void all_reduce_sum(std::span<std::uint64_t> values) const = 0;         ///< for everybody

  /// The leader's vector of `count` values, each process's own ones at their positions; empty for
  /// the others.
  template <class T>
  RecycledVector<T> gather(std::span<const std::uint32_t> positions, std::span<const T> own,
                           std::size_t count) const {
    RecycledVector<T> whole(leads() ? count : 0);
    gather_bytes(positions, std::as_bytes(own), sizeof(T),
                 std::as_writable_bytes(std::span(whole)));
    return whole;
  }

 protected:
  virtual void gather_bytes(std::span<const std::uint32_t> positions,
                            std::span<const std::byte> own, std::size_t bytes_each,
                            std::span<std::byte> whole) const = 0;
};

/// whole[positions[k]] = values[k], each `bytes_each` long.
void place(std::span<const std::uint32_t> positions, std::span<const std::byte> values,
           std::size_t bytes_each, std::span<std::byte> whole);

/// One process that hosts all agents.
class SingleProcess final : public ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::unique_ptr<Channel> make_channel(const Network& network) const override {
    return std::make_unique<LocalChannel>(network);
  }
  std::unique_ptr<Channel> make_channel(const Network& network,
                                        std::span<const int>) const override {
    return make_channel(network);
  }
  void run_together(const std::function<std::string()>& step) const override { step(); }
  std::string broadcast(std::string text) const override { return text; }
  std::vector<std::string> all_gather(const std::string& own) const override { return {own}; }
  void all_reduce_sum(std::span<std::uint64_t>) const override {}

 private:
  void gather_bytes(std::span<const std::uint32_t> positions, std::span<const std::byte> own,
                    std::size_t bytes_each, std::span<std::byte> whole) const override {
    place(positions, own, bytes_each, whole);
  }
};

}  // namespace roadplane
