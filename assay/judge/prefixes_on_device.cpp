// Prefix sums that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/prefixes.hpp"

namespace assay::judge {
namespace {

using enclosures::BlockCount;
constexpr std::int64_t prefix_length = enclosures::prefix_length;

constexpr std::int64_t most_of_host = std::int64_t{1} << 20;  // sums at the beginning, of which no bound is known

/// The numbers before the first stretch of which something is known; of the first one in any case. Errors: NoDevice
/// where others are not shown to keep the rule.
std::int64_t open_of(const enclosures::PrefixRule& rule, const std::vector<BlockCount>& counts, std::int64_t n) {
  const auto first = std::ranges::find(rule.stretches, 0, &enclosures::PrefixStretch::is_open);
  const std::int64_t open = std::max<std::int64_t>(1, first - rule.stretches.begin());
  for (std::size_t at = static_cast<std::size_t>(open); at < counts.size(); ++at) {
    const std::int64_t length = std::min(prefix_length, n - static_cast<std::int64_t>(at) * prefix_length);
    require_fit(counts[at].kept == length, "prefix sums that are not shown to keep the contract");
  }
  return std::min(n, open * prefix_length);
}

}  // namespace

assay_verdict judged_prefixes(assay_judge& judge, PrefixRules rules, std::span<const assay_tensor> arguments,
                              const assay_tensor& result, const Contract& contract) {
  require_fit(arguments.size() == 1 && arguments[0].ndim == 1 && result.ndim == 1, "such arrays");
  const assay_tensor& x = arguments[0];
  const std::int64_t n = x.shape[0];
  const auto type = element_of(x, "x");
  const bool are_alike = result.code == x.code && result.bits == x.bits && result.shape[0] == n;
  require_fit(are_alike && n > 0 && layout_of(x).strides[0] == 1 && layout_of(result).strides[0] == 1, "such vectors");
  require_fit(format_of(type) == judge.question.format, "numbers of another format than the judge has");
  const enclosures::PrefixScreen screen(type, reinterpret_cast<std::uint64_t>(x.data),
                                        reinterpret_cast<std::uint64_t>(result.data), n);
  const int emin = std::get<Words>(field(prototype_of(judge), "x").value).format.emin;
  const auto rule = rules(contract.id, judge.question.format, screen.totals(std::ldexp(1.0, emin)), n);
  require_fit(rule.has_value(), "a contract or numbers of this kind");
  const std::vector<BlockCount> counts = screen.screen(*rule);
  const std::int64_t open = open_of(*rule, counts, n);
  require_fit(open <= most_of_host, "prefix sums of which no bound is known");

  std::vector<std::byte> terms = copied(x.data, 0, open, enclosures::bytes_of(type));
  std::vector<std::byte> sums = copied(result.data, 0, open, enclosures::bytes_of(type));
  const std::array<std::int64_t, 1> shape{open};
  constexpr std::array<std::int64_t, 1> step{1};
  const std::array first{on_host(x, terms.data(), shape, step)};
  const auto told =
      judged_in_place(judge, contract, first, on_host(result, sums.data(), shape, step), static_cast<std::size_t>(n));
  require_fit(told && told->verdict == ASSAY_KEPT, "sums that the contract does not show to be kept");
  assay_verdict verdict = *told;
  for (const BlockCount& each : counts) verdict.ratio = std::max(verdict.ratio, each.nearest);
  verdict.components = verdict.judged = static_cast<std::size_t>(n);
  verdict.exactly = static_cast<std::size_t>(open);
  judge.in_place.of = nullptr;
  return verdict;
}

}  // namespace assay::judge
