// Bounds of matrix products against kernels in formats of few bits, where every theorem comes near to its bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "errorbounds/matmul.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Format;

constexpr Format toy{6, -6, 40};
constexpr Format wide{toy.precision + 11, toy.emin - 11, 60};

Dyadic rounded(const Dyadic& x, const Format& format) {
  return oracle::decode_finite(format, oracle::round(x, format, oracle::Rounding::nearest));
}
Dyadic in_toy(const Dyadic& x) { return rounded(x, toy); }

/// Terms of toy numbers, with many that are subnormal or have subnormal products.
class Terms {
 public:
  Dyadic number(int low, int high) {
    const auto significand = static_cast<std::int64_t>(32 + random_() % 32);
    const auto exponent = low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
    return in_toy(Dyadic::scaled(random_() % 2 == 0 ? significand : -significand, exponent - 5));
  }
  bool coin() { return random_() % 2 == 0; }
  void draw() {
    a.clear();
    b.clear();
    const std::uint64_t k = 1 + random_() % 4;
    const int low = coin() ? -9 : -3;
    for (std::uint64_t l = 0; l < k; ++l) {
      a.push_back(number(low, 1));
      b.push_back(number(low, 1));
    }
  }
  [[nodiscard]] Dyadic sum() const {
    Dyadic all;
    for (std::size_t l = 0; l < a.size(); ++l) all.add_mul(a[l], b[l]);
    return all;
  }
  [[nodiscard]] Dyadic magnitudes() const {
    Dyadic all;
    for (std::size_t l = 0; l < a.size(); ++l) all.add_mul(abs(a[l]), abs(b[l]));
    return all;
  }
  /// M of the theorems.
  [[nodiscard]] Dyadic lifted() const {
    const Dyadic least = Dyadic::scaled(1, toy.emin);
    Dyadic largest;
    for (std::size_t l = 0; l < a.size(); ++l) {
      const bool has_subnormal = abs(a[l]) < least || abs(b[l]) < least;
      if (a[l].is_zero() || b[l].is_zero() || !has_subnormal) continue;
      largest = std::max(largest, std::max(abs(a[l]), least) * std::max(abs(b[l]), least));
    }
    return largest;
  }
  std::vector<Dyadic> a, b;

 private:
  std::mt19937_64 random_{1};
};

void expect_within(const Dyadic& got, const Dyadic& exact, const Bound& bound, const char* what) {
  ASSERT_LE(abs(got - exact) * bound.denominator, bound.numerator) << what;
}

constexpr int trials = 4000;

TEST(MatmulBounds, HoldWhereSubnormalNumbersMayBecomeZero) {
  Terms terms;
  for (int i = 0; i < trials; ++i) {
    terms.draw();
    const auto flushed = [&](const Dyadic& x) {
      return abs(x) < Dyadic::scaled(1, toy.emin) && !(terms.coin() && terms.coin()) ? Dyadic() : x;
    };
    Dyadic sum;
    for (std::size_t l = 0; l < terms.a.size(); ++l) {
      const Dyadic product = flushed(in_toy(flushed(terms.a[l]) * flushed(terms.b[l])));
      sum = l == 0 ? product : flushed(in_toy(sum + product));
    }
    expect_within(sum, terms.sum(), flushed_product_bound(terms.a.size(), terms.magnitudes(), terms.lifted(), toy),
                  "flushed");
  }
}

TEST(MatmulBounds, HoldForWiderSumsThatAreRoundedOnceMore) {
  Terms terms;
  for (int i = 0; i < trials; ++i) {
    terms.draw();
    Dyadic sum;
    for (std::size_t l = 0; l < terms.a.size(); ++l) {
      sum = rounded(sum + rounded(terms.a[l] * terms.b[l], wide), wide);
    }
    expect_within(in_toy(sum), terms.sum(), wide_product_bound(terms.a.size(), terms.magnitudes(), toy), "wide");
  }
}

TEST(MatmulBounds, HoldForSumsThatBeginWithC) {
  Terms terms;
  for (int i = 0; i < trials; ++i) {
    terms.draw();
    const int scale = i % 4 - 2;
    const Dyadic power = Dyadic::scaled(1, scale);
    const Dyadic any = terms.number(-2, 1);
    const Dyadic addend = terms.number(-2, 1) * terms.number(-8, 3);
    const auto bound = [&](const Dyadic& alpha) {
      const auto of = [&](const Dyadic& T) { return inner_product_bound(terms.a.size() + 2, 0, T, toy, toy); };
      const Bound scaled = of(started_magnitude(terms.magnitudes(), alpha, addend, toy));
      const Bound nothing = of(0);
      const Dyadic larger = std::max(Dyadic(1), abs(alpha));
      const Bound both{scaled.numerator * nothing.denominator + larger * nothing.numerator * scaled.denominator,
                       scaled.denominator * nothing.denominator};
      return started_bound(both, alpha * terms.sum() + addend, alpha, addend, toy);
    };
    Dyadic divided = in_toy(in_toy(addend) * Dyadic::scaled(1, -scale));
    Dyadic multiplied = in_toy(addend);
    Dyadic fused = in_toy(addend);
    for (std::size_t l = 0; l < terms.a.size(); ++l) {
      const Dyadic product = in_toy(terms.a[l] * terms.b[l]);
      divided = in_toy(divided + product);
      multiplied = in_toy(multiplied + in_toy(any * product));
      fused = in_toy(fused + any * product);
    }
    const Dyadic sum = terms.sum();
    expect_within(in_toy(power * divided), power * sum + addend, bound(power), "divided");
    expect_within(multiplied, any * sum + addend, bound(any), "multiplied");
    expect_within(fused, any * sum + addend, bound(any), "fused");
  }
}

}  // namespace
}  // namespace assay
