#pragma once
// Decimal strings that become multiple-precision numbers.

#include <string>
#include <utility>
#include <vector>

#include "oracle/decimal.hpp"
#include "properties/catalog/expansion/decimal.hpp"
#include "properties/catalog/mp/claims.hpp"

namespace assay::mp {

/// The string of (−1)^sign·D·10^exponent, D in limbs.
struct MpDecimalCase {
  int sign = 0;
  std::int64_t exponent = 0;
  std::vector<std::uint32_t> digits;
  static constexpr auto fields() {
    using C = MpDecimalCase;
    return std::tuple{field("sign", &C::sign), field("exponent", &C::exponent), field("digits", &C::digits)};
  }
};

inline std::string text_of(const MpDecimalCase& c) {
  return (c.sign != 0 ? "-" : "") + oracle::to_string(oracle::integer_of_limbs(c.digits)) + "e" +
         std::to_string(c.exponent);
}

inline Domain<MpDecimalCase> mp_decimal_domain(const MpSystem& system) {
  const std::size_t most = 2 * system.limbs + 8;
  const auto of = [&system, most](std::string name, unsigned weight, auto make) {
    return detail::mp_class<MpDecimalCase>(std::move(name), weight, system, [most, make](MpDraw& r) {
      const auto [digits, exponent] = make(r);
      return MpDecimalCase{r.sign(), exponent, oracle::limbs_of(digits, most)};
    });
  };
  const auto dense = [&of](std::string name, unsigned weight, int bits, int exponent) {
    return of(std::move(name), weight,
              [bits, exponent](MpDraw& r) { return std::pair(r.dense(bits), r.draw().between(-exponent, exponent)); });
  };
  Domain<MpDecimalCase> domain;
  domain.classes = {
      dense("few digits", 3, 20, 30),
      dense("as many digits as a significand has", 3, system.h, 100),
      dense("twice as many digits", 3, 2 * system.h, 100),
      dense("far exponents", 2, system.h, 2000),
      of("next to a number in residues", 6,
         [](MpDraw& r) {
           const int k = r.draw().between(1, 60);
           Dyadic digits = r.full();
           for (int i = 0; i < k; ++i) digits *= Dyadic(5);
           return std::pair(digits + Dyadic(r.draw().between(-1, 1)), -k);
         }),
  };
  domain.contains = [most](const MpDecimalCase& c) {
    return (c.sign == 0 || c.sign == 1) && c.digits.size() == most && c.exponent <= 2000 && c.exponent >= -2000;
  };
  domain.accepts = "strings ±De±k, D in " + std::to_string(most) + " limbs, k ≤ 2000";
  return domain;
}

/// run(text) is the number of a string.
template <class Run>
Property<MpDecimalCase, MpNumbers, oracle::Exact> decimal_property(std::string name, const MpSystem& system, Run run) {
  MpClaims<MpDecimalCase, oracle::Exact> claims = rounded_numbers<MpDecimalCase, oracle::Exact>();
  claims.push_back(of_instance(derived_unit, within("error", mp_decimal_1, system.unit)));
  claims.push_back(of_instance(published_unit, within("error_published", mp_decimal_1, system.published_unit)));
  claims.push_back(
      claim_spec("toward_zero", mp_decimal_1, [](const MpDecimalCase& c, const oracle::Exact&, const MpNumbers& z) {
        Dyadic got;
        return Judgement::of(
            component_value(z, 0, got) && oracle::Rational(abs(got)) <= abs(expansion::decimal_value(text_of(c))), 0);
      }));
  return {.name = std::move(name),
          .domain = mp_decimal_domain(system),
          .subject =
              [&system, run](const Executor&, const MpDecimalCase& c) {
                return MpNumbers{&system, run(text_of(c))};
              },
          .reference = [](const MpDecimalCase& c) -> oracle::Exact { return expansion::decimal_value(text_of(c)); },
          .claims = std::move(claims),
          .inexact =
              [](const MpDecimalCase& c, const oracle::Exact&, const MpNumbers& z) {
                Dyadic got;
                return !component_value(z, 0, got) || oracle::Rational(got) != expansion::decimal_value(text_of(c));
              },
          .quick_cases = quick_cases(system.n, 1000)};
}

}  // namespace assay::mp
