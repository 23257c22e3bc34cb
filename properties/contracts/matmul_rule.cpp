// What contracts of matmul say of single entries.

#include <algorithm>
#include <memory>
#include <utility>

#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_numbers.hpp"
#include "properties/contracts/matmul_screen.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::contracts {
namespace {

using Kind = enclosures::EntryRule::Kind;

/// A bound of sums of k terms, and the formats that it refers to.
struct Floor {
  oracle::Format accumulator, result;
  BoundFloor floor;
  Floor(const MatmulBound& bound, std::uint64_t k, const oracle::Format& of_sums, const oracle::Format& of_results)
      : accumulator(of_sums), result(of_results), floor(bound, k, accumulator, result) {}
};

constexpr std::pair<const char*, Kind> rules[] = {{"correctly_rounded", Kind::rounded},
                                                  {"faithful", Kind::faithful},
                                                  {"exact_grid", Kind::on_grid},
                                                  {"finite", Kind::finite},
                                                  {"zeros", Kind::not_zero},
                                                  {"exceptional", Kind::exceptional}};

template <class N>
std::optional<enclosures::EntryRule> rule_of(const std::string& contract, const std::string& format, std::uint64_t k) {
  enclosures::EntryRule rule{Kind::within,
                             out<N>.precision,
                             out<N>.emin,
                             bits_of_partial_sums(format_of<typename N::In>(), N::accumulator, out<N>),
                             {}};
  if (const auto* const found = std::ranges::find(rules, contract, [](const auto& each) { return each.first; });
      found != std::end(rules)) {
    rule.kind = found->second;
    return rule;
  }
  for (const MatmulBound& each : matmul_bounds()) {
    if (contract != each.id || std::ranges::find(each.formats, format) == each.formats.end()) continue;
    const auto floor = std::make_shared<Floor>(each, k, N::accumulator, out<N>);
    rule.bound = [floor](double magnitude, double sum) { return floor->floor(magnitude, sum); };
    return rule;
  }
  return std::nullopt;
}

std::optional<enclosures::EntryRule> entry_rule(const std::string& contract, const std::string& format,
                                                std::uint64_t k) {
  std::optional<enclosures::EntryRule> rule;
  for_each_float_format([&]<class N>(const std::string& name, N) {
    if (name == format) rule = rule_of<N>(contract, format, k);
  });
  return rule;
}

const EntryRuleRegistration of_matmul("matmul", {EntryTerms::matrix_product, entry_rule});

}  // namespace
}  // namespace assay::contracts
