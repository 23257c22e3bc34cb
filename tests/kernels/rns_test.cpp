#include "kernels/rns/rns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/residues/interval.hpp"

namespace assay::rns {
namespace {

using Words = std::vector<std::uint32_t>;
using Set = rns::Standard<16>;

constexpr int n = 16;
constexpr std::size_t count = 5;
const Executor host = Executor::host();

/// Integers of every length below M, the last of them dense.
Words limbs(std::uint32_t seed) {
  const auto length = static_cast<std::size_t>(rns_limbs(n));
  Words words(count * length);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k + 1 < length && k < 3 * i + 1; ++k) {
      seed = seed * 1664525 + 1013904223;
      words[i * length + k] = seed;
    }
  }
  return words;
}

rns::Residues<Set> element(const Words& words, std::size_t i) {
  rns::Residues<Set> x;
  for (int j = 0; j < Set::size; ++j) {
    x.r[j] = words[i * Set::size + static_cast<std::size_t>(j)];
  }
  return x;
}

template <class Expected>
void expect_each(const Words& z, const Expected& expected) {
  ASSERT_EQ(z.size(), count * Set::size);
  for (std::size_t i = 0; i < count; ++i) {
    const rns::Residues<Set> each = expected(i);
    for (int j = 0; j < Set::size; ++j) {
      EXPECT_EQ(element(z, i).r[j], each.r[j]) << i << ' ' << j;
    }
  }
}

class RnsKernels : public testing::Test {
 protected:
  const Words x = rns_from_limbs(host, n, limbs(1));
  const Words y = rns_from_limbs(host, n, limbs(2));
};

TEST(RnsLimbs, AreThoseOfTheSetsInArith) {
  EXPECT_EQ(rns_limbs(8), rns::limbs<rns::Standard<8>>);
  EXPECT_EQ(rns_limbs(16), rns::limbs<rns::Standard<16>>);
  EXPECT_EQ(rns_limbs(32), rns::limbs<rns::Standard<32>>);
  EXPECT_EQ(rns_limbs(64), rns::limbs<rns::Standard<64>>);
  EXPECT_EQ(rns_limbs(128), rns::limbs<rns::Standard<128>>);
}

TEST_F(RnsKernels, ApplyTheOperationToEveryElement) {
  expect_each(rns_op(host, RnsOp::add, n, x, y), [&](std::size_t i) { return add(element(x, i), element(y, i)); });
  expect_each(rns_op(host, RnsOp::sub, n, x, y), [&](std::size_t i) { return sub(element(x, i), element(y, i)); });
  expect_each(rns_op(host, RnsOp::mul, n, x, y), [&](std::size_t i) { return rns::mul(element(x, i), element(y, i)); });
}

TEST_F(RnsKernels, ScaleEveryElementByItsOwnPower) {
  const std::vector<std::int32_t> up{0, 1, 31, 100, 432};
  const std::vector<std::int64_t> down{1, 0, 32, 33, std::int64_t{1} << 33};
  expect_each(rns_scale_up(host, n, x, up), [&](std::size_t i) { return scale_up(element(x, i), up[i]); });
  expect_each(rns_scale_down(host, n, x, down), [&](std::size_t i) { return scale_down(element(x, i), down[i]); });
}

TEST_F(RnsKernels, DivideEveryElement) {
  const RnsQuotients z = rns_divide(host, n, x, y);
  expect_each(z.quotient, [&](std::size_t i) { return rns::divide(element(x, i), element(y, i)).quotient; });
  expect_each(z.remainder, [&](std::size_t i) { return rns::divide(element(x, i), element(y, i)).remainder; });
}

TEST_F(RnsKernels, EvaluateEveryElementInEveryForm) {
  const auto same = [](const Interval& a, const Interval& b) {
    return compare(a.lower, b.lower) == 0 && compare(a.upper, b.upper) == 0;
  };
  const auto general = rns_evaluate(host, RnsEvaluation::general, n, x);
  const auto fast = rns_evaluate(host, RnsEvaluation::fast, n, x);
  const auto mixed_radix = rns_evaluate(host, RnsEvaluation::mixed_radix, n, x);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(same(general[i], rns::evaluate(element(x, i))));
    EXPECT_TRUE(same(fast[i], rns::evaluate_fast(element(x, i))));
    EXPECT_TRUE(same(mixed_radix[i], rns::evaluate_mixed_radix(element(x, i))));
  }
}

TEST_F(RnsKernels, AnswerForEveryElement) {
  const Words large = rns_op(host, RnsOp::sub, n, Words(x.size(), 0), x);  // −X
  const auto signs = rns_sign(host, n, large);
  const auto order = rns_compare(host, n, x, y);
  const auto overflow = rns_overflows(host, n, x, x);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(signs[i], rns::sign(element(large, i)));
    EXPECT_EQ(order[i], rns::compare(element(x, i), element(y, i)));
    EXPECT_EQ(overflow[i], 0);
  }
}

TEST_F(RnsKernels, GiveTheLimbsBack) {
  EXPECT_EQ(rns_to_limbs(host, n, x), limbs(1));
  EXPECT_EQ(rns_to_limbs_crt(host, n, x), limbs(1));
}

TEST_F(RnsKernels, GiveTheMixedRadixDigits) {
  const Words digits = rns_mixed_radix(host, n, x);
  ASSERT_EQ(digits.size(), count * n);
  for (std::size_t i = 0; i < count; ++i) {
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(digits[i * n + static_cast<std::size_t>(j)], rns::mixed_radix(element(x, i)).v[j]);
    }
  }
}

TEST(RnsConversion, OfIntegersInBinary64ComesBack) {
  const std::vector<double> x{0.0, 1.0, 0x1.fffffffffffffp52, 0x1.8p400};
  for (const int moduli : {16, 32, 64, 128}) {
    EXPECT_EQ(rns_to_double(host, moduli, rns_from_double(host, moduli, x)), x);
  }
}

TEST(RnsConversion, OfExpansionsComesBackToTheirWords) {
  const std::vector<double> x{0x1.fffffffffffffp10, 0x1.23456789abcdep-50, -0x1p-900, -0x1.8p-970, 0.0, 0.0};
  for (const int moduli : {8, 16, 32, 64, 128}) {
    const RnsSignificands z = rns_from_expansion(host, moduli, 2, x);
    EXPECT_EQ(z.fits, (std::vector<std::int32_t>{1, 1, 1}));
    EXPECT_EQ(z.sign, (std::vector<std::int32_t>{0, 1, 0}));
    EXPECT_EQ(rns_to_expansion(host, moduli, 2, z.residues, z.sign, z.exponent), x);
  }
}

TEST(RnsConversion, OfAnExpansionThatIsTooLongSaysSo) {
  const std::vector<double> x{1.0, 0x1p-215, 1.0, 0x1p-216, std::numeric_limits<double>::infinity(), 1.0};
  const RnsSignificands z = rns_from_expansion(host, 8, 2, x);
  EXPECT_EQ(z.fits, (std::vector<std::int32_t>{1, 0, 0}));
  EXPECT_EQ(z.exponent, (std::vector<std::int32_t>{-215, 0, 0}));
}

/// The message of the exception that f throws.
template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing thrown";
}

TEST(RnsArguments, NameTheNumberOfModuliThatIsNotOffered) {
  EXPECT_EQ(message([] { rns_sign(host, 9, Words(10)); }), "there is no standard set of 9 moduli");
}

TEST(RnsArguments, AreWholeElements) {
  EXPECT_EQ(message([] { rns_sign(host, 8, Words(10)); }), "10 words are not a whole number of elements of 9 words");
  EXPECT_EQ(message([] { rns_from_expansion(host, 8, 2, std::vector<double>(3)); }),
            "3 numbers are not a whole number of expansions of 2 words");
}

TEST(RnsArguments, HaveEqualSizes) {
  EXPECT_EQ(message([] { rns_compare(host, 8, Words(18), Words(9)); }),
            "the operands have different sizes: 2 and 1 elements");
  EXPECT_EQ(message([] { rns_scale_up(host, 8, Words(18), std::vector<std::int32_t>(1)); }),
            "the operands have different sizes: 2 and 1 elements");
}

}  // namespace
}  // namespace assay::rns
