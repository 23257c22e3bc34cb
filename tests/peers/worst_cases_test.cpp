// Elementary functions at arguments whose values lie very near a number or a midpoint of binary64 (worst_cases.inc):
// the reference values of the oracle, and the functions of double words and quad doubles, compared with MPFR.

#include <gtest/gtest.h>

#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "arith/words/elementary.hpp"
#include "oracle/decode.hpp"
#include "oracle/elementary.hpp"
#include "oracle/round.hpp"
#include "worst_case_functions.hpp"

namespace assay {
namespace {

using reference::Real;
using reference::worst_case_functions;
using reference::WorstCaseFunction;

struct WorstCase {
  const char* function;
  double x;
};
constexpr WorstCase worst_cases[] = {
#include "worst_cases.inc"
};

/// f(x) at 53 bits, which is normal for every case.
double by_mpfr(const WorstCaseFunction& f, double x, mpfr_rnd_t direction) {
  Real argument(53);
  Real value(53);
  mpfr_set_d(argument.x, x, MPFR_RNDN);
  f.mpfr(value.x, argument.x, direction);
  return mpfr_get_d(value.x, MPFR_RNDN);
}

/// check(function, x) for every case, and for −x if the function is odd or even.
template <class Check>
void for_each_case(const Check& check) {
  for (const WorstCaseFunction& f : worst_case_functions) {
    for (const WorstCase& each : worst_cases) {
      if (std::strcmp(each.function, f.name) != 0) continue;
      check(f, each.x);
      if (!std::isnan(by_mpfr(f, -each.x, MPFR_RNDN))) check(f, -each.x);
    }
  }
}

TEST(WorstCases, HoldSeveralNearABoundaryForEveryFunction) {
  for (const WorstCaseFunction& f : worst_case_functions) {
    int near = 0;
    for (const WorstCase& each : worst_cases) {
      if (std::strcmp(each.function, f.name) != 0) continue;
      const double distance = reference::distance_from_a_boundary(f, each.x);
      EXPECT_LT(distance, 0x1p-26) << f.name << " of " << each.x;
      EXPECT_GT(distance, 0) << f.name << " of " << each.x;
      ++near;
    }
    EXPECT_GE(near, 4) << f.name;
  }
}

TEST(WorstCases, AreRoundedByTheOracleAsByMpfrInEveryDirection) {
  for_each_case([](const WorstCaseFunction& f, double x) {
    const oracle::Exact value = oracle::elementary(f.function, oracle::exact(x));
    for (const auto& [ours, theirs] :
         {std::pair{oracle::Rounding::nearest, MPFR_RNDN}, std::pair{oracle::Rounding::up, MPFR_RNDU},
          std::pair{oracle::Rounding::down, MPFR_RNDD}, std::pair{oracle::Rounding::zero, MPFR_RNDZ}}) {
      const auto rounded = std::bit_cast<double>(static_cast<std::uint64_t>(round(value, oracle::binary64, ours)));
      EXPECT_EQ(rounded, by_mpfr(f, x, theirs)) << f.name << " of " << std::hexfloat << x;
    }
  });
}

template <class W>
using WordFunction = W (*)(const W&);

template <class W>
constexpr std::pair<const char*, WordFunction<W>> word_functions[] = {
    {"exp", elementary::exp<W>},     {"expm1", elementary::expm1<W>}, {"log", elementary::log<W>},
    {"log1p", elementary::log1p<W>}, {"sin", elementary::sin<W>},     {"cos", elementary::cos<W>},
    {"tan", elementary::tan<W>},     {"atan", elementary::atan<W>},   {"sinh", elementary::sinh<W>},
    {"cosh", elementary::cosh<W>},   {"tanh", elementary::tanh<W>}};

/// For a function of words: its first word is the nearest number, and its error is within elementary.result.1:
/// (2^(1 − K) + 2⁻⁴⁰)u^K of the value. Half an ulp of the first word differs from the distance to a boundary by at
/// least 2⁻⁵⁰ of it, and the error is far below.
template <class W, int K>
void expect_near_values() {
  for_each_case([](const WorstCaseFunction& f, double x) {
    for (const auto& [name, function] : word_functions<W>) {
      if (std::strcmp(name, f.name) != 0) continue;
      const auto words = elementary::detail::words_of(function(elementary::detail::one_word<W>(x)));
      EXPECT_EQ(words.w[0], by_mpfr(f, x, MPFR_RNDN)) << f.name << " of " << std::hexfloat << x;
      Real argument(53);
      Real value(400);
      Real error(400);
      mpfr_set_d(argument.x, x, MPFR_RNDN);
      f.mpfr(value.x, argument.x, MPFR_RNDN);
      mpfr_set(error.x, value.x, MPFR_RNDN);
      for (const double word : words.w) mpfr_sub_d(error.x, error.x, word, MPFR_RNDN);
      mpfr_div(error.x, error.x, value.x, MPFR_RNDN);
      mpfr_mul_2ui(error.x, error.x, 53 * K, MPFR_RNDN);
      EXPECT_LE(std::abs(mpfr_get_d(error.x, MPFR_RNDA)), std::ldexp(1, 1 - K) + 0x1p-40)
          << f.name << " of " << std::hexfloat << x;
    }
  });
}

TEST(WorstCases, OfDoubleWordsHaveTheNearestNumberAsTheirFirstWord) { expect_near_values<DoubleWord<double>, 2>(); }
TEST(WorstCases, OfQuadDoublesHaveTheNearestNumberAsTheirFirstWord) { expect_near_values<QuadDouble<double>, 4>(); }

}  // namespace
}  // namespace assay
