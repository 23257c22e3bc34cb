#pragma once
// Random expansions, their exact values, and the structures and bounds that tests of expansions require.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>

#include "arith/expansion/expansion.hpp"
#include "arith/float/small_float.hpp"
#include "mpfr_reference.hpp"

namespace assay {

using reference::Exact;
using reference::power;
using reference::value;

/// A number of p bits whose exponent is e: every kind of significand in turn.
template <class T>
T number(std::mt19937_64& random, int e) {
  constexpr int p = FloatTraits<T>::precision;
  const std::uint64_t leading = std::uint64_t{1} << (p - 1);
  const std::uint64_t kind = random() % 8;
  const std::uint64_t m = kind == 0 ? leading : kind == 1 ? 2 * leading - 1 : leading | random() >> (65 - p);
  const T x = expansion::detail::scaled<T>(m, e - p + 1);
  return random() % 2 == 0 ? x : -x;
}

/// An ulp-nonoverlapping expansion of full words with x_0 near 1: gaps of p to p + 3 bits, sometimes a word equal to an
/// ulp of the one before, sometimes zeros at the end.
template <class T, int K>
Expansion<T, K> words(std::mt19937_64& random, bool zeros = true) {
  constexpr int p = FloatTraits<T>::precision;
  Expansion<T, K> x{};
  int e = 0;
  for (int i = 0; i < K; ++i) {
    const bool end = zeros && i > 0 && random() % 16 == 0;
    if (end) {
      for (; i < K; ++i) {
        x.x[i] = T(0);
      }
      break;
    }
    const bool ulp_of_last = i > 0 && random() % 8 == 0;
    x.x[i] = ulp_of_last ? expansion::detail::scaled<T>(1, e - p + 1) : number<T>(random, i == 0 ? 0 : e - p);
    e = ulp_of_last ? e - p + 1 : i == 0 ? 0 : e - p;
    e -= random() % 4 == 0 ? static_cast<int>(random() % 4) : 0;
  }
  return x;
}

template <class T, int K>
Exact exact(const Expansion<T, K>& x) {
  Exact sum(0.0);
  for (const T word : x.x) {
    sum = sum + Exact(value(word));
  }
  return sum;
}
template <class T, int N>
Exact sum_of(const T (&x)[N]) {
  Exact sum(0.0);
  for (const T word : x) {
    sum = sum + Exact(value(word));
  }
  return sum;
}

/// Whether |x_(i+1)| ≤ factor·ulp(x_i) for consecutive words and nothing follows a zero.
template <class T, int K>
testing::AssertionResult nonoverlapping(const Expansion<T, K>& x, double factor) {
  constexpr int p = FloatTraits<T>::precision;
  for (int i = 0; i + 1 < K; ++i) {
    const double here = value(x.x[i]);
    const double next = std::fabs(value(x.x[i + 1]));
    if (next > 0 && (here == 0 || next > factor * power(std::ilogb(here) - p + 1))) {
      return testing::AssertionFailure() << std::hexfloat << "word " << i << ": " << here << ", then " << next;
    }
  }
  return testing::AssertionSuccess();
}

/// The structure that the renormalization promises: 1/2 + 4u + u.
template <class T, int K>
testing::AssertionResult renormalized(const Expansion<T, K>& x) {
  return nonoverlapping(x, 0.5 + 5 * power(-FloatTraits<T>::precision));
}

/// Whether |error| ≤ factor·u^R·|size|.
template <class T>
testing::AssertionResult within(int r, double factor, const Exact& error, const Exact& size) {
  constexpr int p = FloatTraits<T>::precision;
  const Exact bound = Exact(factor) * Exact(power(-p * r)) * abs(size);
  return (abs(error) <= bound ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "error " << error << " of " << size;
}

inline double factorial(int n) { return n <= 1 ? 1.0 : n * factorial(n - 1); }

/// Calls f with the constants from, from + 1, …, to.
template <int from, int to, class F>
void for_constants(F&& f) {
  f(std::integral_constant<int, from>{});
  if constexpr (from < to) {
    for_constants<from + 1, to>(f);
  }
}

template <class T>
class ExpansionOf : public testing::Test {
 protected:
  /// check(constant r, a, b) for expansions a and b of r words, `repetitions` of them for each r from `from` to `to`.
  template <int from, int to, class Check>
  void for_pairs(int repetitions, const Check& check) {
    for_constants<from, to>([&](auto constant) {
      constexpr int r = constant;
      for (int repetition = 0; repetition < repetitions && !testing::Test::HasFatalFailure(); ++repetition) {
        const auto a = words<T, r>(random_);
        const auto b = words<T, r>(random_);
        check(constant, a, b);
      }
    });
  }

  std::mt19937_64 random_{7};
};
using ExpansionFormats = testing::Types<double, float, Toy<8>>;

}  // namespace assay
