#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/kernels/mix_kernels.hpp"
#include "roadplane/network/network.hpp"

namespace roadplane {

/// What has been sent so far. Every agent sends the same to each of its neighbours; what is sent on
/// a link that is down counts, too.
struct Traffic {
  std::int64_t rounds = 0;             ///< the paper's count: X and D of one message are 2 rounds
  std::int64_t messages_per_link = 0;  ///< in each of a link's two directions
  std::int64_t bytes_per_link = 0;     ///< in each of a link's two directions

  std::int64_t messages(const Graph& graph) const;   ///< sent by all agents together
  double bytes_per_agent(const Graph& graph) const;  ///< sent by an agent, on average
};

Traffic operator+(const Traffic& a, const Traffic& b);
Traffic operator-(const Traffic& a, const Traffic& b);

/// How numbers travel between the agents that this process hosts and their neighbours, wherever
/// those are hosted. Solvers see agents through this seam only, so that they are written once: in
/// one process a message is a memory read, over MPI a neighbourhood exchange.
///
/// Values are kept in tables with one row per agent: first the hosted agents, ascending, then
/// (where neighbours live elsewhere) copies of theirs.
class Channel {
 public:
  using Link = WeightedRow;  ///< of a table; the weight is an entry of the mixing matrix

  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const Network& network() const { return network_; }
  std::span<const int> hosted() const { return hosted_; }  ///< agent numbers, ascending
  int hosted_count() const { return static_cast<int>(hosted_.size()); }
  int table_rows() const { return table_rows_; }  ///< hosted agents and copies of neighbours
  /// A hosted agent itself and its neighbours, ascending by agent number: sums over it do not
  /// depend on who hosts whom. After an exchange, those whose links were up in it: what a lost link
  /// weighs is added to the agent's own weight. Both ends do so, which needs no talking and leaves
  /// the weights symmetric and doubly stochastic.
  std::span<const Link> links(int hosted_row) const { return links_[hosted_row]; }
  /// Whether a hosted agent has left: whatever it holds, it does not count any more.
  bool gone(int hosted_row) const {
    return network_.faults.gone(hosted_[hosted_row], traffic_.messages_per_link);
  }

  /// One message on every link: afterwards the copies of neighbours' rows are up to date, where
  /// the link is up.
  /// `rounds` is what it counts for in the paper's reckoning.
  void exchange(std::span<double> table, int width, int rounds);
  /// The same with rows of so many bytes.
  void exchange(std::span<std::byte> table, int row_bytes, int rounds);

  /// The largest of the hosted agents' values and of everybody else's, passed on from neighbour
  /// to neighbour until it has crossed the network. NaN counts as infinite.
  double flood_max(double hosted_largest);
  /// The same for several values at once.
  void flood_max(std::span<double> hosted_largest);
  void flood_max(std::span<float> hosted_largest);

  /// For observers only, never needed by an algorithm and not counted as traffic: the rows of all
  /// agents, by agent number.
  virtual void observe(std::span<const double> hosted_rows, int width,
                       std::span<double> all_rows) const = 0;

  const Traffic& traffic() const { return traffic_; }

 protected:
  Channel(const Network& network, std::vector<int> hosted);

  virtual void fetch_neighbours(std::span<std::byte> table, int row_bytes) = 0;
  /// Passes the largest values on for so many rounds.
  virtual void flood(std::span<double> largest, int rounds) = 0;
  virtual void flood(std::span<float> largest, int rounds) = 0;

  /// Whom a hosted agent hears: its links; if it has left, all it had, though nobody hears it. So
  /// the process that plays it ends with the others.
  std::span<const Link> heard_links(int hosted_row) const {
    return gone(hosted_row) ? all_links_[hosted_row] : links_[hosted_row];
  }

  /// Rounds whose outcome is known without carrying them out: they count and take their time.
  void pass_rounds(int width, int count);

  /// The table row that holds an agent's values, for the constructor of an implementation: the
  /// neighbours hosted elsewhere get rows in the order of `remote`.
  void lay_out(std::span<const int> remote);

 private:
  void exchange_with_faults(std::span<std::byte> table, int row_bytes);
  void drop_links(std::int64_t round);

  const Network& network_;
  std::vector<int> hosted_;
  std::vector<std::vector<Link>> links_;
  std::vector<std::vector<Link>> all_links_;  ///< with lossy links only: those up and those down
  int table_rows_ = 0;
  Traffic traffic_;
};

/// All agents in this process.
class LocalChannel final : public Channel {
 public:
  /// The network must outlive the channel.
  explicit LocalChannel(const Network& network);

  void observe(std::span<const double> hosted_rows, int width,
               std::span<double> all_rows) const override;

 private:
  void fetch_neighbours(std::span<std::byte>, int) override {}  // every row is at home
  void flood(std::span<double> largest, int rounds) override {
    pass_rounds(static_cast<int>(largest.size()), rounds);
  }
  void flood(std::span<float> largest, int rounds) override {
    pass_rounds(static_cast<int>(largest.size() + 1) / 2, rounds);
  }
};

}  // namespace roadplane
