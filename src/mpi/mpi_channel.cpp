#include "roadplane/mpi/mpi_channel.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "handle.hpp"

namespace roadplane {
namespace {

constexpr int kTag = 1;

/// Which agents' rows a pair of ranks exchanges.
struct Partner {
  int rank = 0;
  std::vector<int> send;     ///< rows of hosted agents that the partner's agents listen to
  std::vector<int> receive;  ///< agents hosted there that ours listen to, ascending
};

std::vector<Partner> find_partners(const Graph& graph, std::span<const int> hosted,
                                   std::span<const int> rank_of) {
  std::map<int, Partner> partners;
  for (std::size_t row = 0; row < hosted.size(); ++row) {
    for (const int neighbour : graph.neighbours(hosted[row])) {
      const int rank = rank_of[neighbour];
      if (rank == rank_of[hosted[row]]) continue;
      Partner& partner = partners[rank];
      partner.rank = rank;
      if (partner.send.empty() || partner.send.back() != static_cast<int>(row)) {
        partner.send.push_back(static_cast<int>(row));
      }
      partner.receive.push_back(neighbour);
    }
  }
  std::vector<Partner> list;
  for (auto& [rank, partner] : partners) {
    auto& receive = partner.receive;
    std::sort(receive.begin(), receive.end());
    receive.erase(std::unique(receive.begin(), receive.end()), receive.end());
    list.push_back(std::move(partner));
  }
  return list;
}

/// Every rank's share as hosted_agents() has it.
std::vector<int> even_shares(int agents, int ranks) {
  if (ranks > agents) throw std::invalid_argument("MPI: expected at most as many ranks as agents");
  std::vector<int> rank_of(static_cast<std::size_t>(agents));
  for (int rank = 0; rank < ranks; ++rank) {
    for (const int agent : hosted_agents(agents, rank, ranks)) rank_of[agent] = rank;
  }
  return rank_of;
}

std::vector<int> agents_of(std::span<const int> rank_of_agent, int rank) {
  std::vector<int> agents;
  for (std::size_t k = 0; k < rank_of_agent.size(); ++k) {
    if (rank_of_agent[k] == rank) agents.push_back(static_cast<int>(k));
  }
  return agents;
}

}  // namespace

std::vector<int> hosted_agents(int agents, int rank, int ranks) {
  const int first = agents / ranks * rank + std::min(rank, agents % ranks);
  std::vector<int> mine(agents / ranks + (rank < agents % ranks ? 1 : 0));
  std::iota(mine.begin(), mine.end(), first);
  return mine;
}

struct MpiChannel::Links {
  std::vector<Partner> partners;
  Communicator ranks;
  std::vector<std::byte> outgoing;    ///< rows for the partners, one after the other
  std::vector<MPI_Request> requests;  ///< a receive and a send each
};

MpiChannel::MpiChannel(const Network& network, const Communicator& ranks)
    : MpiChannel(network, ranks, even_shares(network.agents(), ranks.size())) {}

MpiChannel::MpiChannel(const Network& network, const Communicator& ranks,
                       std::vector<int> rank_of_agent)
    : Channel(network, agents_of(rank_of_agent, ranks.rank())),
      rank_of_agent_(std::move(rank_of_agent)) {
  between_ranks_ = std::make_unique<Links>(
      Links{find_partners(network.graph, hosted(), rank_of_agent_), ranks, {}, {}});
  std::vector<int> remote;
  for (const Partner& partner : between_ranks_->partners) {
    remote.insert(remote.end(), partner.receive.begin(), partner.receive.end());
  }
  lay_out(remote);
}

MpiChannel::~MpiChannel() = default;

// Plain sends and receives: short messages leave at once, which persistent requests do not in Open
// MPI. A neighbourhood collective is mostly faster by a tenth, once by more at several ranks to a
// core (docs/multi_host.md), but nobody can give up waiting for it.
void MpiChannel::fetch_neighbours(std::span<std::byte> table, int row_bytes) {
  Links& links = *between_ranks_;
  MPI_Comm comm = links.ranks.handle().comm;
  links.requests.clear();
  std::byte* copies = table.data() + static_cast<std::ptrdiff_t>(hosted_count()) * row_bytes;
  std::size_t rows = 0;
  for (const Partner& partner : links.partners) {
    const int bytes = static_cast<int>(partner.receive.size()) * row_bytes;
    MPI_Irecv(copies, bytes, MPI_BYTE, partner.rank, kTag, comm, &links.requests.emplace_back());
    copies += bytes;
    rows += partner.send.size();
  }
  links.outgoing.resize(rows * row_bytes);
  std::byte* out = links.outgoing.data();
  for (const Partner& partner : links.partners) {
    std::byte* message = out;
    for (const int row : partner.send) {
      out =
          std::copy_n(table.data() + static_cast<std::ptrdiff_t>(row) * row_bytes, row_bytes, out);
    }
    MPI_Isend(message, static_cast<int>(out - message), MPI_BYTE, partner.rank, kTag, comm,
              &links.requests.emplace_back());
  }
  if (!links.partners.empty()) wait(links.ranks, links.requests, "a neighbour");
}

/// A rank passes on the largest values that it has heard of, over any link that is up.
template <class Number>
void MpiChannel::pass_on(std::span<Number> largest, int rounds) {
  const auto width = static_cast<int>((largest.size_bytes() + sizeof(double) - 1) / sizeof(double));
  std::vector<double> table(static_cast<std::size_t>(table_rows()) * width);
  std::vector<Number> heard(largest.size());
  for (int round = 0; round < rounds; ++round) {
    for (int r = 0; r < hosted_count(); ++r) {
      std::memcpy(&table[static_cast<std::size_t>(r) * width], largest.data(),
                  largest.size_bytes());
    }
    exchange(table, width, 1);
    for (int r = 0; r < hosted_count(); ++r) {
      for (const Link& link : heard_links(r)) {
        std::memcpy(heard.data(), &table[static_cast<std::size_t>(link.row) * width],
                    largest.size_bytes());
        for (std::size_t c = 0; c < heard.size(); ++c) largest[c] = std::max(largest[c], heard[c]);
      }
    }
  }
}

template void MpiChannel::pass_on(std::span<double>, int);
template void MpiChannel::pass_on(std::span<float>, int);

void MpiChannel::observe(std::span<const double> hosted_rows, int width,
                         std::span<double> all_rows) const {
  const Communicator& ranks = between_ranks_->ranks;
  std::vector<int> counts(static_cast<std::size_t>(ranks.size()), 0);
  for (const int rank : rank_of_agent_) counts[static_cast<std::size_t>(rank)] += width;
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<double> by_rank(all_rows.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(hosted_rows.data(), static_cast<int>(hosted_rows.size()), MPI_DOUBLE,
                  by_rank.data(), counts.data(), starts.data(), MPI_DOUBLE, ranks.handle().comm,
                  &request);
  wait(ranks, request, "another rank");
  for (std::size_t agent = 0; agent < rank_of_agent_.size(); ++agent) {
    int& row = starts[static_cast<std::size_t>(rank_of_agent_[agent])];
    std::copy_n(&by_rank[static_cast<std::size_t>(row)], width, &all_rows[agent * width]);
    row += width;
  }
}

}  // namespace roadplane
