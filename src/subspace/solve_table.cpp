#include "roadplane/subspace/solve_table.hpp"

#include <fmt/format.h>

#include "observed.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

/// The hosted agents' points, out of a table that holds everybody's.
SharedPoints points_of(const NumberTable& table, const SolvePlan& plan, const Channel& channel,
                       std::uint64_t seed) {
  const Shards shards = make_shards(table.rows, plan.shards, plan.network.agents(), seed);
  SharedPoints points{{}, table.rows};
  for (const int agent : channel.hosted()) {
    const auto rows = shards[agent];
    Eigen::MatrixXd& shard = points.shards.emplace_back(table.columns, rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t c = 0; c < table.columns; ++c) {
        shard(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(j)) = table(rows[j], c);
      }
    }
  }
  return points;
}

/// What is found wrong with the points is said of their file.
template <class Step>
auto in_file(const std::string& path, const Step& step) {
  try {
    return step();
  } catch (const FieldError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(path, error);
  }
}

}  // namespace

Solved solve_table(const SolveConfig& config, const ProcessGroup& processes) {
  // Every process reads the table and keeps what its agents hold.
  std::optional<SolvePlan> plan;
  std::unique_ptr<Channel> channel;
  NumberTable table;
  processes.run_together([&] {
    SolvePlan::check(config);
    table = read_table(config.path);
    plan.emplace(config, table);
    return fmt::format("{}: {} x {}", config.path, table.rows, table.columns);
  });
  channel = processes.make_channel(plan->network);
  SharedPoints points = points_of(table, *plan, *channel, config.seed);
  table = {};

  // The agents solve it together.
  SubspaceFit fit;
  processes.run_together([&] {
    in_file(config.path, [&] {
      Ledger ledger(*channel);
      points = prepare(*channel, std::move(points), plan->preparation, ledger);
      fit = find_subspace(*channel, points, plan->subspace, ledger);
    });
    return std::string();
  });
  return observe_result(*channel, points, std::move(fit), *plan);
}

}  // namespace roadplane
