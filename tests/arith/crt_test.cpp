#include <gmp.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "arith/bits/traits.hpp"
#include "arith/residues/crt_integer.hpp"
#include "arith/residues/crt_moduli.hpp"
#include "gmp_reference.hpp"

namespace assay {
namespace {

using reference::Integer;

constexpr int words = crt::most_words + 1;

/// X of two's complement words.
Integer signed_integer(const std::uint32_t* x) {
  const Integer all = Integer::of_limbs(x, words);
  return x[words - 1] >> 31 != 0 ? all - (Integer(1) << 32 * words) : all;
}

Integer random_below(const Integer& limit, std::mt19937_64& random) {
  std::vector<std::uint32_t> x(crt::most_words + 1);
  for (std::uint32_t& word : x) word = static_cast<std::uint32_t>(random());
  return Integer::of_limbs(x.data(), static_cast<int>(x.size())) % limit;
}

TEST(CrtModuli, ArePairwiseCoprimeAndAtMost256) {
  for (int i = 0; i < crt::most_moduli; ++i) {
    EXPECT_LE(crt::modulus(i), 256);
    for (int j = 0; j < i; ++j) EXPECT_EQ(std::gcd(crt::modulus(i), crt::modulus(j)), 1);
  }
}

TEST(CrtModuli, BalanceResiduesWithMinus128ForBothModulo256) {
  EXPECT_EQ(crt::balanced(128, 256), -128);
  EXPECT_EQ(crt::balanced(-128, 256), -128);
  EXPECT_EQ(crt::balanced(127, 255), 127);
  EXPECT_EQ(crt::balanced(128, 255), -127);
  EXPECT_EQ(crt::balanced(-1000000, 251), -16);
}

TEST(CrtBasis, HasProductCofactorsAndInverses) {
  for (const int count : {1, 2, 15, 16, 31, 48, 49}) {
    const crt::Basis basis = crt::basis(count);
    Integer product = 1;
    for (int i = 0; i < count; ++i) product = product * Integer(crt::modulus(i));
    EXPECT_EQ(Integer::of_limbs(basis.product, crt::most_words), product);
    EXPECT_EQ(basis.words, (product.bits() + 31) / 32);
    for (int i = 0; i < count; ++i) {
      const Integer cofactor = Integer::of_limbs(basis.cofactor[i], crt::most_words);
      EXPECT_EQ(cofactor * Integer(crt::modulus(i)), product);
      EXPECT_EQ((cofactor * Integer(basis.inverse[i]) % Integer(crt::modulus(i))), Integer(1 % crt::modulus(i)));
    }
  }
}

/// round(±m·2^e), ties away from zero.
Integer rounded(std::uint64_t m, bool minus, int e) {
  const std::uint32_t halves[2] = {static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(m >> 32)};
  Integer x = Integer::of_limbs(halves, 2);
  x = e >= 0 ? x << e : (x + (Integer(1) << (-e - 1))) >> -e;
  return minus ? Integer(0) - x : x;
}

template <int W>
void expect_residues_of_rounded_integers(int longest) {
  std::mt19937_64 random(W);
  const crt::Basis basis = crt::basis(crt::most_moduli);
  const crt::ResidueTable<W> plain = crt::residue_table<W>(basis, false);
  const crt::ResidueTable<W> with_inverse = crt::residue_table<W>(basis, true);
  for (int e = -60; e <= longest - 53; ++e) {
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 53) - 1,
                                  std::uint64_t{1} << 52, std::uint64_t{random() >> 11}}) {
      for (const bool minus : {false, true}) {
        std::uint32_t w[W];
        crt::offset_words<W>(m, minus, e, w);
        const Integer x = rounded(m, minus, e);
        ASSERT_EQ(Integer::of_limbs(w, W) - (Integer(1) << (32 * W - 1)), x) << m << " " << e;
        for (int i = 0; i < crt::most_moduli; ++i) {
          const auto modulus = static_cast<std::uint32_t>(crt::modulus(i));
          const auto byte = static_cast<std::int8_t>(crt::residue<W>(plain, i, w) & 0xFF);
          EXPECT_EQ(Integer(byte).modulo(modulus), x.modulo(modulus));
          const auto scaled = static_cast<std::int8_t>(crt::residue<W>(with_inverse, i, w) & 0xFF);
          EXPECT_EQ(Integer(scaled).modulo(modulus), (x * Integer(basis.inverse[i])).modulo(modulus));
          EXPECT_LE(2 * byte, crt::modulus(i));
          EXPECT_GE(2 * byte, -crt::modulus(i));
        }
      }
    }
  }
}

TEST(CrtResidue, IsThatOfTheNearestIntegerOfTwoWords) { expect_residues_of_rounded_integers<2>(63); }
TEST(CrtResidue, IsThatOfTheNearestIntegerOfThreeWords) { expect_residues_of_rounded_integers<3>(95); }
TEST(CrtResidue, IsThatOfTheNearestIntegerOfElevenWords) { expect_residues_of_rounded_integers<11>(351); }

TEST(CrtReconstruct, GivesBackIntegersUpToItsBound) {
  std::mt19937_64 random(3);
  for (const int count : {1, 2, 8, 15, 16, 22, 27, 49}) {
    const crt::Basis basis = crt::basis(count);
    const Integer product = Integer::of_limbs(basis.product, crt::most_words);
    const Integer bound = product * Integer(1023) >> 11;
    std::vector<Integer> all{0, 1, bound, bound - 1};
    for (int i = 0; i < 20; ++i) all.push_back(random_below(bound, random));
    for (const Integer& magnitude : all) {
      for (const bool minus : {false, true}) {
        const Integer x = minus ? Integer(0) - magnitude : magnitude;
        std::int32_t s[crt::most_moduli] = {};
        for (int i = 0; i < count; ++i) {
          const auto m = static_cast<std::uint32_t>(crt::modulus(i));
          // Any representative, as a sum of products would be.
          const auto residue = static_cast<std::int32_t>((x * Integer(basis.inverse[i])).modulo(m));
          s[i] = residue + crt::modulus(i) * (static_cast<std::int32_t>(random() % 8000000) - 4000000);
        }
        std::uint32_t w[words];
        crt::reconstruct(basis, s, w);
        EXPECT_EQ(signed_integer(w), x) << count;
      }
    }
  }
}

TEST(CrtCombination, RoundsBothEndsOfAnInterval) {
  std::uint32_t x[words] = {};
  std::uint32_t d[words] = {1};
  x[1] = std::uint32_t{1} << 22;  // 2⁵⁴, whose neighbors below are 2 apart
  EXPECT_EQ(crt::combination(x, d, false, 0, 1, 0, 0), 0x1p54);
  EXPECT_EQ(crt::combination(x, d, true, 0, 1, 0, 0), 0x1p54);
  d[0] = 2;
  EXPECT_EQ(crt::combination(x, d, true, 0, 1, 0, 0), 0x1.fffffffffffffp53);
  d[0] = 3;
  EXPECT_EQ(crt::combination(x, d, false, 0, 1, 0, 0), 0x1.0000000000001p54);
}

TEST(CrtCombination, HasTheSignOfTheEndThatUnderflows) {
  const std::uint32_t x[words] = {};
  const std::uint32_t d[words] = {1};
  EXPECT_EQ(to_bits(crt::combination(x, d, true, -1200, 1, 0, 0)), to_bits(-0.0));
  EXPECT_EQ(to_bits(crt::combination(x, d, false, -1200, 1, 0, 0)), to_bits(0.0));
}

}  // namespace
}  // namespace assay
