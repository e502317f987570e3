#include "roadplane/mpi/mpi_process_group.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "handle.hpp"
#include "roadplane/mpi/mpi_channel.hpp"

namespace roadplane {
namespace {

constexpr const char* kOthers = "the other ranks";
constexpr int kGatherTag = 30'000;             // none of the channel's
constexpr std::size_t kGatherPiece = 1 << 20;  // values in a message: bounds the leader's memory

/// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// What a process says after a step: its text, or why it has none.
struct Word {
  bool failed = false;
  std::string text;

  std::string packed() const { return (failed ? "!" : "=") + text; }
  static Word unpacked(const std::string& s) { return {s.front() == '!', s.substr(1)}; }
};

/// "why", or "rank 3: why" where the leader has no part in it, and so on for every other reason.
std::string reasons(const std::vector<Word>& words, const Communicator& ranks) {
  std::map<std::string, std::vector<int>> by_reason;
  std::vector<std::string> order;
  for (std::size_t r = 0; r < words.size(); ++r) {
    if (!words[r].failed) continue;
    auto& who = by_reason[words[r].text];
    if (who.empty()) order.push_back(words[r].text);
    who.push_back(static_cast<int>(r));
  }
  std::string line;
  for (const std::string& reason : order) {
    const auto& who = by_reason[reason];
    if (!line.empty()) line += "; ";
    if (who.front() != 0) line += "rank " + std::to_string(ranks.world_rank(who.front())) + ": ";
    line += reason;
  }
  return line;
}

std::string difference(const std::vector<Word>& words, const Communicator& ranks) {
  const auto other = std::find_if(words.begin(), words.end(),
                                  [&](const Word& w) { return w.text != words.front().text; });
  const int rank = ranks.world_rank(static_cast<int>(other - words.begin()));
  return "rank " + std::to_string(rank) + ": expected " + words.front().text + " as on rank " +
         std::to_string(ranks.world_rank(0)) + ", found " + other->text;
}

int as_int(std::size_t bytes) { return static_cast<int>(bytes); }

void send_pieces(const Communicator& ranks, std::span<const std::uint32_t> positions,
                 std::span<const std::byte> values, std::size_t bytes_each) {
  MPI_Comm comm = ranks.handle().comm;
  for (std::size_t first = 0; first < positions.size(); first += kGatherPiece) {
    const std::size_t count = std::min(kGatherPiece, positions.size() - first);
    std::array<MPI_Request, 2> requests{};
    MPI_Isend(&positions[first], as_int(count), MPI_UINT32_T, 0, kGatherTag, comm, &requests[0]);
    MPI_Isend(&values[first * bytes_each], as_int(count * bytes_each), MPI_BYTE, 0, kGatherTag,
              comm, &requests[1]);
    wait(ranks, requests, kOthers);
  }
}

void receive_pieces(const Communicator& ranks, int from, std::size_t total, std::size_t bytes_each,
                    std::span<std::byte> whole) {
  MPI_Comm comm = ranks.handle().comm;
  std::vector<std::uint32_t> positions(std::min(kGatherPiece, total));
  std::vector<std::byte> values(positions.size() * bytes_each);
  for (std::size_t first = 0; first < total; first += kGatherPiece) {
    const std::size_t count = std::min(kGatherPiece, total - first);
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(positions.data(), as_int(count), MPI_UINT32_T, from, kGatherTag, comm, &requests[0]);
    MPI_Irecv(values.data(), as_int(count * bytes_each), MPI_BYTE, from, kGatherTag, comm,
              &requests[1]);
    wait(ranks, requests, kOthers);
    place(std::span(positions).first(count), values, bytes_each, whole);
  }
}

}  // namespace

std::unique_ptr<Channel> MpiProcessGroup::make_channel(const Network& network) const {
  if (size() == 1) return std::make_unique<LocalChannel>(network);
  return std::make_unique<MpiChannel>(network, ranks_);
}

void MpiProcessGroup::run_together(const std::function<std::string()>& step) const {
  Word own;
  try {
    own.text = step();
  } catch (const std::exception& error) {  // whatever it is, the others must learn of it
    own = {true, error.what()};
  }
  // Most of the time all is well; then one reduction is all it takes to know.
  const std::uint64_t hash = hash_of(own.text);
  std::array<std::uint64_t, 3> votes{own.failed ? 1U : 0U, hash, ~hash};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, votes.data(), 3, MPI_UINT64_T, MPI_MAX, ranks_.handle().comm,
                 &request);
  wait(ranks_, request, kOthers);
  if (votes[0] == 0 && votes[1] == ~votes[2]) return;

  std::vector<Word> words;
  for (const std::string& text : all_gather(own.packed())) words.push_back(Word::unpacked(text));
  throw AgreedError(InputError(votes[0] != 0 ? reasons(words, ranks_) : difference(words, ranks_)));
}

std::string MpiProcessGroup::broadcast(std::string text) const {
  MPI_Comm comm = ranks_.handle().comm;
  std::uint64_t length = text.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, comm, &request);
  wait(ranks_, request, kOthers);
  text.resize(length);
  MPI_Ibcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm, &request);
  wait(ranks_, request, kOthers);
  return text;
}

std::vector<std::string> MpiProcessGroup::all_gather(const std::string& own) const {
  MPI_Comm comm = ranks_.handle().comm;
  const int length = static_cast<int>(own.size());
  std::vector<int> lengths(size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm, &request);
  wait(ranks_, request, kOthers);
  std::vector<int> starts(size());
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(starts.back() + lengths.back(), '\0');
  MPI_Iallgatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
                  comm, &request);
  wait(ranks_, request, kOthers);
  std::vector<std::string> texts;
  for (int r = 0; r < size(); ++r) texts.push_back(all.substr(starts[r], lengths[r]));
  return texts;
}

void MpiProcessGroup::all_reduce_sum(std::span<std::uint64_t> values) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                 MPI_SUM, ranks_.handle().comm, &request);
  wait(ranks_, request, kOthers);
}

void MpiProcessGroup::barrier() const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(ranks_.handle().comm, &request);
  wait(ranks_, request, kOthers);
}

void MpiProcessGroup::gather_bytes(std::span<const std::uint32_t> positions,
                                   std::span<const std::byte> own, std::size_t bytes_each,
                                   std::span<std::byte> whole) const {
  std::vector<std::uint64_t> counts(size(), 0);
  counts[rank()] = positions.size();
  all_reduce_sum(counts);
  if (!leads()) return send_pieces(ranks_, positions, own, bytes_each);
  place(positions, own, bytes_each, whole);
  for (int r = 1; r < size(); ++r) {
    receive_pieces(ranks_, r, counts[r], bytes_each, whole);
  }
}

}  // namespace roadplane
