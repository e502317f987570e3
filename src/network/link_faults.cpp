#include "roadplane/network/link_faults.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr int kLongestOutage = 1000;
constexpr int kLargestLatencyUs = 1'000'000;

template <class Number>
Number parsed(const std::string& part, std::string_view text, std::string_view unit) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || std::string_view(stop, end) != unit) {
    throw FieldError("links",
                     "drop=SHARE, sleep=SHARE, outage=ROUNDS, leave=AGENT@ROUND or latency=TIMEus "
                     "(or ms)",
                     in_quotes(part));
  }
  return value;
}

/// Random numbers of one link, or of one agent, and one of its periods.
CounterRandom random_of(std::uint64_t seed, int agent, int other, std::int64_t period) {
  const auto [low, high] = std::minmax(agent, other);
  return {seed, RandomUse::links,
          (static_cast<std::uint32_t>(low) << 16) ^ static_cast<std::uint32_t>(high),
          static_cast<std::uint64_t>(period)};
}

}  // namespace

LinkFaults LinkFaults::parse(const std::string& text, std::uint64_t seed) {
  LinkFaults faults;
  faults.seed = seed;
  std::istringstream parts(text);
  std::set<std::string, std::less<>> named;
  for (std::string part; std::getline(parts, part, ',');) {
    const auto equals = std::min(part.find('='), part.size());
    const std::string_view name = std::string_view(part).substr(0, equals);
    if (!named.emplace(name).second) {
      throw FieldError("links", "each part once", std::string(name) + " twice");
    }
    const std::string_view value = std::string_view(part).substr(std::min(equals + 1, part.size()));
    if (name == "drop") {
      faults.drop = parsed<double>(part, value, "");
    } else if (name == "sleep") {
      faults.sleep = parsed<double>(part, value, "");
    } else if (name == "outage") {
      faults.outage = parsed<int>(part, value, "");
    } else if (name == "leave") {
      const auto at = std::min(value.find('@'), value.size());
      const std::string_view after = value.substr(std::min(at + 1, value.size()));
      faults.leaver = parsed<int>(part, value.substr(0, at), "");
      faults.leaves_after = parsed<std::int64_t>(part, after, "");
      require(faults.leaver >= 1, "leave", "agent 1 or a later one: agent 0 speaks for all",
              faults.leaver);
    } else {
      const bool in_ms = value.ends_with("ms");
      const int number = parsed<int>(part, name == "latency" ? value : "", in_ms ? "ms" : "us");
      // More milliseconds than there may be stay too many, whatever the unit.
      faults.latency_us = in_ms ? 1000 * std::min(number, kLargestLatencyUs) : number;
    }
  }
  faults.validate();
  if (faults.drop == 0 && faults.sleep == 0 && faults.outage != LinkFaults{}.outage) {
    throw FieldError("links", "drop=SHARE or sleep=SHARE beside outage", "\"" + text + "\"");
  }
  return faults;
}

void LinkFaults::validate() const {
  require(outage >= 1 && outage <= kLongestOutage, "outage", "1 to 1000 rounds", outage);
  const double most = static_cast<double>(outage) / (outage + 1);
  require(drop >= 0 && drop <= most, "drop",
          "a share from 0 to outage / (outage + 1) = " + in_digits(most) +
              ", since after an outage a link works for a round",
          drop);
  require(sleep >= 0 && sleep <= most, "sleep",
          "a share from 0 to outage / (outage + 1) = " + in_digits(most) +
              ", since after an outage an agent is awake for a round",
          sleep);
  require(leaver != 0, "leave", "agent 1 or a later one: agent 0 speaks for all", leaver);
  require(leaves_after >= 0, "leave", "a round from 0 on", static_cast<double>(leaves_after));
  if (latency_us < 0 || latency_us > kLargestLatencyUs) {
    throw FieldError("latency", "0us to 1000000us", std::to_string(latency_us) + "us");
  }
}

bool LinkFaults::asleep(int agent, std::int64_t round) const {
  const int length = outage + 1;
  if (sleep == 0 || round % length == outage) return false;
  return random_of(seed, agent, agent, 1 + round / length).uniform() * outage < sleep * length;
}

bool LinkFaults::down(int agent, int other, std::int64_t round) const {
  if (gone(agent, round) || gone(other, round)) return true;
  if (asleep(agent, round) || asleep(other, round)) return true;
  if (drop == 0) return false;
  const int length = outage + 1;
  const auto phase =
      sleep > 0 ? 0 : random_of(seed, agent, other, 0).below(static_cast<std::uint32_t>(length));
  const std::int64_t shifted = round + phase;
  if (shifted % length == outage) return false;
  return random_of(seed, agent, other, 1 + shifted / length).uniform() * outage < drop * length;
}

double LinkFaults::mean_links_down(const Graph& graph, std::int64_t first,
                                   std::int64_t last) const {
  if (!drops() || first >= last) return 0;
  std::int64_t count = 0;
  for (int agent = 0; agent < graph.size(); ++agent) {
    for (const int other : graph.neighbours(agent)) {
      if (other < agent) continue;
      for (std::int64_t round = first; round < last; ++round) count += down(agent, other, round);
    }
  }
  return static_cast<double>(count) / static_cast<double>(last - first);
}

double LinkFaults::up(int links) const {
  if (sleep == 0) return std::pow(1 - drop, links);
  const double length = outage + 1;
  const double working = std::pow(1 - drop * length / outage, links);  // in a round that may be bad
  const double awake = std::pow(1 - sleep * length / outage, links + 1);
  return (1 + outage * working * awake) / length;
}

// With W = I - L, L = sum_e w_e l_e, a link that is up in a share u of the rounds and two links of
// one agent that both are in a share v, the mean of W_t^2 is
// I - 2 u L + v L^2 + 2 (u - v) sum_e w_e^2 l_e, since l_e l_f = 0 for links without a common agent
// and l_e^2 = 2 l_e. That is at most I - 2 u L + v L^2 + 2 (u - v) w_max L. In an eigenvalue of L
// it is convex, so it is largest at one of the ends 1 - slem, 1 + slem.
double LinkFaults::contraction(double slem, double largest_weight) const {
  const double u = up(1);
  const double v = up(2);
  const auto mean_square = [&](double eigenvalue) {
    return 1 - 2 * u * eigenvalue + v * eigenvalue * eigenvalue +
           2 * (u - v) * largest_weight * eigenvalue;
  };
  return drops() ? std::sqrt(std::max(mean_square(1 - slem), mean_square(1 + slem))) : slem;
}

}  // namespace roadplane
