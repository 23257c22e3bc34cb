// Numbers, conversions and operations of the oracle and of arith's software formats: two implementations without a
// common line.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "arith/float/scale_float.hpp"
#include "arith/float/small_float.hpp"
#include "oracle/low_precision.hpp"
#include "tests/tier.hpp"

namespace assay::oracle {
namespace {

const NumberFormat& format(std::string_view name) { return *find_number_format(name); }

/// The rule of arith: overflow gives an infinity, a NaN or, in a format without both, the largest number.
Rule rule_of(const NumberFormat& to, Direction direction = Direction::even) {
  if (to.has_infinity()) {
    return {.direction = direction, .overflow = Overflow::infinity, .infinite = OfInfinity::infinity};
  }
  if (to.has_nan()) return {.direction = direction, .overflow = Overflow::nan, .infinite = OfInfinity::nan};
  return {.direction = direction, .nan = OfNan::max};
}

/// Compares T(x) for the number x of a code with the oracle's result.
template <class T, class Source>
::testing::AssertionResult agree(const NumberFormat& from, std::uint64_t code, Source x, const NumberFormat& to) {
  const Expected expected = converted(decode(from, code), to, rule_of(to));
  const std::uint64_t got = T(x).bits();
  if (fits(expected, to, got)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << from.name << ":" << to.name << " of " << code << ": " << got << ", not "
                                       << expected.code;
}

template <class T>
struct Target {
  using Number = T;
  std::string_view name;
};

/// Calls visit(target) for the formats that kernels compute with most.
template <class Visit>
void visit_usual(const Visit& visit) {
  visit(Target<binary16>{"f16"});
  visit(Target<bfloat16>{"bf16"});
  visit(Target<e4m3>{"e4m3fn"});
  visit(Target<e5m2>{"e5m2"});
}

/// Calls visit(target) for the other formats of arith with arithmetic.
template <class Visit>
void visit_rare(const Visit& visit) {
  visit(Target<e4m3_ieee>{"e4m3_ieee"});
  visit(Target<e3m4>{"e3m4"});
  visit(Target<e5m2fnuz>{"e5m2fnuz"});
  visit(Target<e4m3fnuz>{"e4m3fnuz"});
  visit(Target<e4m3b11fnuz>{"e4m3b11fnuz"});
  visit(Target<p3109<1>>{"p3109_p1"});
  visit(Target<p3109<2>>{"p3109_p2"});
  visit(Target<p3109<3>>{"p3109_p3"});
  visit(Target<p3109<4>>{"p3109_p4"});
  visit(Target<p3109<5>>{"p3109_p5"});
  visit(Target<p3109<6>>{"p3109_p6"});
  visit(Target<p3109<7>>{"p3109_p7"});
}
/// Calls visit(target) for all formats that both have.
template <class Visit>
void visit_all(const Visit& visit) {
  visit_usual(visit);
  visit_rare(visit);
  visit(Target<e3m2>{"e3m2"});
  visit(Target<e2m3>{"e2m3"});
  visit(Target<e2m1>{"e2m1"});
  visit(Target<e8m0>{"e8m0"});
  visit(Target<ue4m3>{"ue4m3"});
}

TEST(Formats, HaveTheSameNumbersInArith) {
  visit_all([](auto target) {
    using T = typename decltype(target)::Number;
    const NumberFormat& f = format(target.name);
    for (std::uint64_t code = 0; code <= f.mask(); ++code) {
      SCOPED_TRACE(std::string(target.name) + " " + std::to_string(code));
      const T x = T::of_bits(static_cast<typename T::Bits>(code));
      const auto value = static_cast<double>(x);
      const Number expected = decode(f, code);
      ASSERT_EQ(std::isnan(value), expected.kind == Number::Kind::nan);
      if (std::isnan(value)) continue;
      ASSERT_EQ(std::isinf(value), expected.kind == Number::Kind::infinite);
      ASSERT_EQ(std::signbit(value), expected.negative);
      if (std::isinf(value)) continue;
      ASSERT_EQ(std::abs(value), std::ldexp(static_cast<double>(expected.m), expected.e));
      ASSERT_EQ(T(value).bits(), x.bits());
    }
  });
}

TEST(Conversion, OfAllNumbersOfBinary16IsTheOneOfArith) {
  visit_all([](auto target) {
    using T = typename decltype(target)::Number;
    for (std::uint64_t code = 0; code <= format("f16").mask(); ++code) {
      const auto x = static_cast<double>(binary16::of_bits(static_cast<std::uint16_t>(code)));
      ASSERT_TRUE(agree<T>(format("f16"), code, x, format(target.name)));
    }
  });
}

TEST(Conversion, IsTheOneOfArithOnAllNumbersOfAtMost16Bits) {
  visit_usual([](auto source) {
    using Source = typename decltype(source)::Number;
    const NumberFormat& from = format(source.name);
    visit_usual([&](auto target) {
      using Number = typename decltype(target)::Number;
      for (std::uint64_t code = 0; code <= from.mask(); ++code) {
        const auto bits = static_cast<typename Source::Bits>(code);
        ASSERT_TRUE(agree<Number>(from, code, Source::of_bits(bits), format(target.name)));
      }
    });
  });
}

/// Half of the numbers have any pattern. The others lie near the range of the target and have few significant bits, so
/// that ties occur.
TEST(Conversion, IsTheOneOfArithOnNumbersOf32And64Bits) {
  const int count = test::of_tier(20'000, 8'500'000);  // times 63: 5·10^8 comparisons in the long form
  visit_all([&](auto target) {
    using Number = typename decltype(target)::Number;
    const NumberFormat& to = format(target.name);
    std::mt19937_64 random(3);
    for (int i = 0; i < count; ++i) {
      std::uint64_t bits = random();
      if (i % 2 != 0) {
        const auto range = static_cast<std::uint64_t>(-2 * to.emin + 2 * to.precision + 4);
        const std::uint64_t field = 1023 + random() % range - range / 2;
        bits = (bits & (std::uint64_t{1} << 63)) | field << 52 |
               ((bits >> 12 << (random() % 52)) & (~std::uint64_t{0} >> 12));
      }
      const auto wide = std::bit_cast<double>(bits);
      const auto single = static_cast<float>(wide);
      ASSERT_TRUE(agree<Number>(format("f64"), bits, wide, to));
      ASSERT_TRUE(agree<Number>(format("f32"), std::bit_cast<std::uint32_t>(single), single, to));
      const auto low = static_cast<std::uint32_t>(bits);
      ASSERT_TRUE(agree<Number>(format("f32"), low, std::bit_cast<float>(low), to));
    }
  });
}

/// An operation of MPFR, toward zero at 64 bits with a last bit of 1 if it was inexact: rounding that once more to at
/// most 11 bits gives the rounding of the exact result, in every direction.
class Exact {
 public:
  Exact() { mpfr_inits2(64, a_, b_, c_, result_, nullptr); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { mpfr_clears(a_, b_, c_, result_, nullptr); }

  /// operation(result, a, b, c, mode) returns MPFR's ternary value.
  template <class Operation>
  Number of(const Operation& operation, double a, double b, double c, mpfr_rnd_t mode = MPFR_RNDZ) {
    mpfr_set_d(a_, a, MPFR_RNDN);
    mpfr_set_d(b_, b, MPFR_RNDN);
    mpfr_set_d(c_, c, MPFR_RNDN);
    const bool is_inexact = operation(result_, a_, b_, c_, mode) != 0;
    Number result{.negative = mpfr_signbit(result_) != 0};
    if (mpfr_nan_p(result_) != 0) return {.kind = Number::Kind::nan};
    if (mpfr_inf_p(result_) != 0) result.kind = Number::Kind::infinite;
    if (mpfr_regular_p(result_) == 0) return result;
    mpz_t m;
    mpz_init(m);
    result.e = static_cast<int>(mpfr_get_z_2exp(m, result_));
    result.m = mpz_get_ui(m) | (is_inexact ? 1 : 0);
    mpz_clear(m);
    return result;
  }

 private:
  mpfr_t a_, b_, c_, result_;
};

constexpr std::array directions{Direction::even, Direction::up, Direction::down, Direction::zero};
constexpr std::array roundings{Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};

/// Compares arith's result of the operation on a, b, c with the oracle's rounding of the exact one, in all directions.
template <class T, class Operation, class Rounded>
void expect_rounded(std::string_view name, Exact& exact, const Operation& operation, const Rounded& rounded, T a, T b,
                    T c) {
  const NumberFormat& f = format(name);
  const auto of = [&](mpfr_rnd_t mode) {
    return exact.of(operation, static_cast<double>(a), static_cast<double>(b), static_cast<double>(c), mode);
  };
  const Number truth = of(MPFR_RNDZ);
  const Number downward = truth.m == 0 ? of(MPFR_RNDD) : truth;  // the sign of a zero
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const Expected expected =
        converted(directions[d] == Direction::down ? downward : truth, f, rule_of(f, directions[d]));
    const T got = rounded(a, b, c, roundings[d]);
    ASSERT_TRUE(fits(expected, f, got.bits()))
        << name << " direction " << d << " of " << static_cast<double>(a) << ", " << static_cast<double>(b) << ", "
        << static_cast<double>(c) << ": " << static_cast<double>(got);
  }
}

TEST(Operations, OfAllPairsOfTheRareFormatsOfArithAreRoundedOnce) {
  visit_rare([exact = std::make_shared<Exact>()](auto target) {
    using T = typename decltype(target)::Number;
    const auto each = [&](unsigned code) { return T::of_bits(static_cast<typename T::Bits>(code)); };
    const unsigned step = test::of_tier(5u, 1u);
    for (unsigned i = 0; i < 256; ++i) {
      const T a = each(i);
      const T c = each(i * 37 % 256);
      ASSERT_NO_FATAL_FAILURE(expect_rounded(
          target.name, *exact, [](auto& r, auto& x, auto&, auto&, auto mode) { return mpfr_sqrt(r, x, mode); },
          [](T x, T, T, Rounding to) { return T::root(x, to); }, a, a, a));
      for (unsigned j = i % step; j < 256; j += step) {
        const T b = each(j);
        const auto expect = [&](const auto& operation, const auto& rounded) {
          expect_rounded(target.name, *exact, operation, rounded, a, b, c);
        };
        ASSERT_NO_FATAL_FAILURE(
            expect([](auto& r, auto& x, auto& y, auto&, auto mode) { return mpfr_add(r, x, y, mode); },
                   [](T x, T y, T, Rounding to) { return T::add(x, y, to); }));
        ASSERT_NO_FATAL_FAILURE(
            expect([](auto& r, auto& x, auto& y, auto&, auto mode) { return mpfr_sub(r, x, y, mode); },
                   [](T x, T y, T, Rounding to) { return T::add(x, -y, to); }));
        ASSERT_NO_FATAL_FAILURE(
            expect([](auto& r, auto& x, auto& y, auto&, auto mode) { return mpfr_mul(r, x, y, mode); },
                   [](T x, T y, T, Rounding to) { return T::multiply(x, y, to); }));
        ASSERT_NO_FATAL_FAILURE(
            expect([](auto& r, auto& x, auto& y, auto&, auto mode) { return mpfr_div(r, x, y, mode); },
                   [](T x, T y, T, Rounding to) { return T::divide(x, y, to); }));
        ASSERT_NO_FATAL_FAILURE(
            expect([](auto& r, auto& x, auto& y, auto& z, auto mode) { return mpfr_fma(r, x, y, z, mode); },
                   [](T x, T y, T z, Rounding to) { return T::fused(x, y, z, to); }));
      }
    }
  });
}

}  // namespace
}  // namespace assay::oracle
