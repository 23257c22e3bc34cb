#include "assay/conversions/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/conversions/codes.hpp"
#include "assay/conversions/stochastic_inputs.hpp"
#include "oracle/quantization.hpp"

namespace assay::conversions {
namespace {

using oracle::Chances;
using oracle::Rule;

constexpr double first_kind = 1e-9;
constexpr double second_kind = 1e-9;
constexpr std::size_t draws_of_binade = 512;
constexpr std::size_t most_near = 64;  // all distances up to here are tested, and powers of two above

/// The codes of n conversions of one input in one call.
std::vector<std::uint64_t> drawn(const StochasticQuestion& question, const StochasticConversion& conversion,
                                 std::uint64_t input, std::size_t draws) {
  const std::vector<std::uint64_t> inputs(draws, input);
  std::vector<std::uint64_t> codes(draws);
  conversion(inputs, {}, codes);
  for (std::uint64_t& each : codes) each = without_extension(*question.to, each);
  return codes;
}

Chances chances_of(const StochasticQuestion& question, std::uint64_t input, oracle::Draw draw) {
  const Rule rest{.direction = oracle::Direction::outward};
  return oracle::chances(decode(*question.from, input), *question.to, rest, draw, question.bits);
}

double probability(const StochasticQuestion& question, std::uint64_t words) {
  return std::ldexp(static_cast<double>(words), -question.bits);
}

}  // namespace

double evidence_against(double probability, std::uint64_t far, std::uint64_t draws) {
  const auto term = [&](std::uint64_t seen, double of) {
    if (seen == 0) return 0.0;
    if (of == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(seen) * std::log(static_cast<double>(seen) / (static_cast<double>(draws) * of));
  };
  return term(far, probability) + term(draws - far, 1 - probability);
}

Drawn drawn_by(const StochasticQuestion& question, const StochasticConversion& conversion) {
  Drawn told;
  const auto draws = static_cast<double>(question.draws);
  const auto count = [&](std::uint64_t input, std::size_t times) {
    if (question.most && is_smaller(*question.most, decode(*question.from, input))) return;
    const Chances of = chances_of(question, input, oracle::Draw::carry);
    if (of.near == of.far) return;
    const std::vector<std::uint64_t> codes = drawn(question, conversion, input, times);
    const auto far = std::ranges::count_if(codes, [&](std::uint64_t each) { return fits(of.far, *question.to, each); });
    told.frequencies.push_back({input, codes.size(), static_cast<std::uint64_t>(far)});
  };
  for (const std::uint64_t input : inputs_of_frequencies(*question.from, *question.to, question.bits)) {
    count(input, question.draws);
  }
  for (const std::uint64_t input : inputs_of_binades(*question.from, *question.to, question.seed)) {
    count(input, draws_of_binade);
  }

  const std::uint64_t middle = input_of_agreements(*question.from, *question.to);
  const std::vector<std::uint64_t> codes = drawn(question, conversion, middle, question.draws);
  const std::vector<std::uint64_t> again = drawn(question, conversion, middle, question.draws);
  const auto compare = [&](std::size_t distance, const std::vector<std::uint64_t>& others) {
    Agreement of{distance, codes.size() - distance, 0};
    for (std::size_t i = 0; i < of.pairs; ++i) of.alike += codes[i] == others[i + distance] ? 1 : 0;
    told.agreements.push_back(of);
  };
  compare(0, again);
  for (std::size_t distance = 1; distance <= codes.size() / 2; distance += distance < most_near ? 1 : distance) {
    compare(distance, codes);
  }

  // The slack is larger than the error of the evidence.
  const auto tests = static_cast<double>(told.frequencies.size() + told.agreements.size());
  const double limit = std::log(2 * tests / first_kind) + 1e-3;
  for (int each = 0; each < oracle::draws; ++each) {
    const auto draw = static_cast<oracle::Draw>(each);
    double most = limit;
    std::optional<Refusal> worst;
    for (const Frequency& seen : told.frequencies) {
      const std::uint64_t words = chances_of(question, seen.input, draw).words;
      const double against = evidence_against(probability(question, words), seen.far, seen.draws);
      if (against <= most) continue;
      most = against;
      worst = Refusal{draw, seen, words};
    }
    if (worst) told.refused.push_back(*worst);
  }
  double most = limit;
  for (const Agreement& each : told.agreements) {
    const double against = evidence_against(0.5, each.alike, each.pairs);
    if (against <= most) continue;
    most = against;
    told.dependent = each;
  }
  told.first_kind = first_kind;
  told.second_kind = second_kind;
  const auto deviation = [&](double of) {
    return (std::sqrt(limit) + std::sqrt(-std::log(second_kind))) / std::sqrt(2 * of);
  };
  told.deviation = deviation(draws);
  told.deviation_of_binades = deviation(draws_of_binade);
  constexpr double least_told = 1e-300;
  const double reach = std::max(0.0, 0.25 - std::sqrt(limit / draws));
  told.shared = std::max(least_told, std::exp(-2 * draws * reach * reach));
  return told;
}

}  // namespace assay::conversions
