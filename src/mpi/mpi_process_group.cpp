#include "roadplane/mpi/mpi_process_group.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
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
  enum Kind : char { good = '=', failed = '!', bad_field = '?' };
  Kind kind = good;
  std::string text;  ///< of a bad field the packed error

  std::string reason() const {
    return kind == bad_field ? FieldError::unpacked(text).what() : text;
  }
  std::string packed() const { return static_cast<char>(kind) + text; }
  static Word unpacked(const std::string& s) { return {static_cast<Kind>(s.front()), s.substr(1)}; }
};

/// "rank 3: " where the leader has no part in it.
std::string prefix_of(std::size_t rank, const Communicator& ranks) {
  if (rank == 0) return "";
  return "rank " + std::to_string(ranks.world_rank(static_cast<int>(rank))) + ": ";
}

/// Every reason once, each by the first who has it.
AgreedError failure(const std::vector<Word>& words, const Communicator& ranks) {
  std::vector<std::size_t> first;
  for (std::size_t r = 0; r < words.size(); ++r) {
    const bool known = std::any_of(first.begin(), first.end(),
                                   [&](std::size_t f) { return words[f].text == words[r].text; });
    if (words[r].kind != Word::good && !known) first.push_back(r);
  }
  if (first.size() == 1 && words[first[0]].kind == Word::bad_field) {
    return AgreedError(FieldError::unpacked(words[first[0]].text), prefix_of(first[0], ranks));
  }
  std::string line;
  for (const std::size_t r : first) {
    line += (line.empty() ? "" : "; ") + prefix_of(r, ranks) + words[r].reason();
  }
  return AgreedError(line);
}

AgreedError difference(const std::vector<Word>& words, const Communicator& ranks) {
  const auto other = std::find_if(words.begin(), words.end(),
                                  [&](const Word& w) { return w.text != words.front().text; });
  const int rank = ranks.world_rank(static_cast<int>(other - words.begin()));
  return AgreedError("rank " + std::to_string(rank) + ": expected " + words.front().text +
                     " as on rank " + std::to_string(ranks.world_rank(0)) + ", found " +
                     other->text);
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

std::unique_ptr<Channel> MpiProcessGroup::make_channel(const Network& network,
                                                       std::span<const int> rank_of_agent) const {
  if (size() == 1) return std::make_unique<LocalChannel>(network);
  std::vector<int> hosts(rank_of_agent.begin(), rank_of_agent.end());
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  const bool has_part = std::binary_search(hosts.begin(), hosts.end(), rank());
  const Communicator part = ranks_.split(has_part ? 1 : 0);
  if (!has_part) return nullptr;
  std::vector<int> rank_in_part;  // a part keeps the order of the ranks
  for (const int rank : rank_of_agent) {
    const auto place = std::lower_bound(hosts.begin(), hosts.end(), rank);
    rank_in_part.push_back(static_cast<int>(place - hosts.begin()));
  }
  return std::make_unique<MpiChannel>(network, part, std::move(rank_in_part));
}

void MpiProcessGroup::run_together(const std::function<std::string()>& step) const {
  Word own;
  try {
    own.text = step();
  } catch (const FieldError& error) {
    own = {Word::bad_field, error.packed()};
  } catch (const std::exception& error) {  // whatever it is, the others must learn of it
    own = {Word::failed, reason_of(error)};
  }
  // Most of the time all is well; then one reduction is all it takes to know.
  const std::uint64_t hash = hash_of(own.text);
  std::array<std::uint64_t, 3> votes{own.kind == Word::good ? 0U : 1U, hash, ~hash};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, votes.data(), 3, MPI_UINT64_T, MPI_MAX, ranks_.handle().comm,
                 &request);
  wait(ranks_, request, kOthers);
  if (votes[0] == 0 && votes[1] == ~votes[2]) return;

  std::vector<Word> words;
  for (const std::string& text : all_gather(own.packed())) words.push_back(Word::unpacked(text));
  throw votes[0] != 0 ? failure(words, ranks_) : difference(words, ranks_);
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
