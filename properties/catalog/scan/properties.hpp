#pragma once
// The promises of exact scans.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/scan_theorems.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::scan {

using Case = sum::SumCase<double>;
using Values = std::vector<double>;
using Truth = std::vector<oracle::Dyadic>;

/// Several times the numbers of a tile.
inline constexpr std::size_t longest = 12000;

/// Numbers that a window of 100 bits just holds or just does not, and perhaps one far from it at any place.
inline Case draw_at_limit(Draw& draw) {
  const int spread = draw.between(30, 60);
  Case c = sum::detail::draw_terms<double>(draw, 1 + draw.below(draw.one_in(4) ? 9000 : 40), Significand::any, -spread,
                                           0, draw.one_in(3));
  if (draw.coin()) {
    c.x[draw.below(c.x.size())] = draw_number<double>(draw, Significand::any, draw.between(-1074, 1023));
  }
  return c;
}

/// The domain of accurate sums, with further classes.
inline Domain<Case> domain() {
  auto domain = sum::accurate_sum_domain<double>(sum::SumRoom::any, longest);
  domain.classes.push_back({"binades at the limit of 100 bits", 6, drawn<Case>(draw_at_limit)});
  domain.classes.push_back({"infinities and NaN", 4, drawn<Case>([](Draw& draw) -> Case {
                              const auto count = [&] { return draw.between(0, 2); };
                              return {sum::detail::draw_special_terms<double>(draw, {1 + count(), count(), count()})};
                            })});
  domain.features = {{"log2 of the numbers + 1, rounded up", 0, 14, 14,
                      [](const Case& c) { return static_cast<double>(std::bit_width(c.x.size())); }}};
  domain.contains = [](const Case& c) { return c.x.size() <= longest; };
  domain.accepts = "up to 12000 numbers, infinities and NaN among them";
  domain.traits = nullptr;
  return domain;
}

/// judge(k, number of terms, ŷₖ) for each sum whose terms are not all finite, or for each other one.
template <class Judge>
Judgement of_sums(const Case& c, const Values& y, bool exclusive, bool special, Judge judge) {
  const auto first =
      static_cast<std::size_t>(std::ranges::find_if(c.x, [](double each) { return !is_finite(each); }) - c.x.begin());
  Judgement worst;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::size_t terms = exclusive ? k : k + 1;
    if ((terms > first) == special) worst.worsen(judge(k, terms, y[k]));
  }
  worst.judged = y.size();
  return worst;
}

/// scan(on, x) gives the prefix sums.
template <class Scan>
Property<Case, Values, Truth> property(std::string name, bool exclusive, Scan scan) {
  return {
      .name = std::move(name),
      .domain = domain(),
      .subject = [scan](const Executor& on, const Case& c) { return scan(on, c.x); },
      .reference =
          [exclusive](const Case& c) {
            Truth truth;
            oracle::Dyadic sum;
            for (const double each : c.x) {
              if (exclusive) truth.push_back(sum);
              if (is_finite(each)) sum += value_of(each);
              if (!exclusive) truth.push_back(sum);
            }
            return truth;
          },
      .claims = {claim_spec(
                     "rounded", scan_rounded_1,
                     [exclusive](const Case& c, const Truth& truth, const Values& y) {
                       const auto zeros = static_cast<std::size_t>(
                           std::ranges::find_if(c.x, [](double each) { return !same_bits(each, -0.0); }) - c.x.begin());
                       return of_sums(c, y, exclusive, false, [&](std::size_t k, std::size_t terms, double got) {
                         return judge_rounded(bits_of(got), truth[k], oracle::binary64, oracle::Rounding::nearest,
                                              {.negative_zero = terms > 0 && terms <= zeros}, k);
                       });
                     }),
                 when(
                     "a number is infinite or NaN", [](const Case& c) { return !all_finite(c.x); },
                     satisfies("special_values", scan_special_values_1,
                               [exclusive](const Case& c, const Values& y) {
                                 Case terms;
                                 return of_sums(c, y, exclusive, true, [&](std::size_t, std::size_t count, double got) {
                                   while (terms.x.size() < count) {
                                     terms.x.push_back(c.x[terms.x.size()]);
                                   }
                                   return sum::special_results(terms, Values{got});
                                 });
                               }))},
      .quick_cases = 1000};
}

}  // namespace assay::scan
