#include "arith/residues/rns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "arith/residues/scaling.hpp"
#include "residue_reference.hpp"

namespace assay::rns {
namespace {

using reference::are_residues;
using reference::Integer;
using reference::product;
using reference::Rational;
using reference::residues;
using reference::samples;

/// Moduli whose tables lack the powers of two: operations that need none of them are right, and all others give 0.
struct WithoutPowers : Standard<2> {};

}  // namespace

template <>
const Tables<WithoutPowers>& tables<WithoutPowers>() {
  static const Tables<WithoutPowers> made = [] {
    Tables<WithoutPowers> t{};
    for (int i = 0; i < WithoutPowers::size; ++i) {
      t.m[i] = WithoutPowers::modulus(i);
      t.barrett[i] = ~std::uint64_t{0} / t.m[i];
    }
    return t;
  }();
  return made;
}

namespace {

template <class Set>
class TablesOf : public testing::Test {};
TYPED_TEST_SUITE(TablesOf, reference::Sets);

template <class Set>
class ResiduesOf : public testing::Test {};
TYPED_TEST_SUITE(ResiduesOf, reference::Sets);

TYPED_TEST(TablesOf, HoldTheProduct) {
  const auto& t = tables<TypeParam>();
  const Integer m = product<TypeParam>();
  EXPECT_EQ(Integer::of_limbs(t.product, limbs<TypeParam>), m);
  EXPECT_EQ(t.product_exponent, m.bits() - 1);
  for (int i = 0; i < TypeParam::size; ++i) {
    EXPECT_EQ(t.product_mod[i], m.modulo(t.m[i]));
  }
}

TYPED_TEST(TablesOf, EncloseTheReciprocalOfTheProductWithinTwoUlps) {
  const Interval& reciprocal = tables<TypeParam>().reciprocal_product;
  const Rational exact(1, product<TypeParam>());
  EXPECT_LT(Rational(reciprocal.lower), exact);
  EXPECT_LT(exact, Rational(reciprocal.upper));
  EXPECT_LE(Rational(reciprocal.upper),
            Rational(scale(to_extended(1 + 0x1p-51), reciprocal.lower.exponent)) * Rational(reciprocal.lower.fraction));
}

TYPED_TEST(TablesOf, HoldTheNeighboursOfEachReciprocal) {
  const auto& t = tables<TypeParam>();
  for (int i = 0; i < TypeParam::n; ++i) {
    EXPECT_EQ(t.reciprocal_rd[i], div_rd(1.0, static_cast<double>(t.m[i])));
    EXPECT_EQ(t.reciprocal_ru[i], div_ru(1.0, static_cast<double>(t.m[i])));
  }
}

TYPED_TEST(TablesOf, HoldInverses) {
  const auto& t = tables<TypeParam>();
  const Integer m = product<TypeParam>();
  Integer before = 1;
  for (int i = 0; i < TypeParam::n; ++i) {
    const Integer modulus = static_cast<long>(t.m[i]);
    const Integer cofactor = m / modulus;
    EXPECT_EQ((cofactor * Integer(static_cast<long>(t.w[i]))).modulo(t.m[i]), 1u);
    EXPECT_EQ((before * Integer(static_cast<long>(t.radix_inverse[i]))).modulo(t.m[i]), 1u);
    EXPECT_EQ(t.inverse32[i] * t.m[i], 1u);
    EXPECT_EQ(Integer(static_cast<long>(t.cofactor32[i])), cofactor % (Integer(1) << 32));
    before = before * modulus;
  }
}

TEST(StandardSet, HasTwiceThePrecisionOfItsName) {
  EXPECT_GE(product<Standard<8>>().bits(), 2 * 106 + 2);
  EXPECT_GE(product<Standard<16>>().bits(), 2 * 212 + 2);
  EXPECT_GE(product<Standard<32>>().bits(), 2 * 424 + 2);
  EXPECT_GE(product<Standard<64>>().bits(), 2 * 848 + 2);
  EXPECT_GE(product<Standard<128>>().bits(), 2 * 1696 + 2);
}

TEST(StandardSet, IsMadeOfTheLargestPrimesBelowTwoToThe27) {
  mpz_t next;
  mpz_init_set_ui(next, Standard<128>::modulus(127));
  for (int i = 127; i > 0; --i) {
    mpz_nextprime(next, next);
    EXPECT_EQ(mpz_get_ui(next), Standard<128>::modulus(i - 1));
  }
  mpz_nextprime(next, next);
  EXPECT_GT(mpz_get_ui(next), 1u << 27);
  mpz_clear(next);
}

/// The moduli from the smallest to the largest, with operands where a quotient is off by one.
void for_each_modulus(void (*f)(std::uint32_t m, std::uint64_t mu)) {
  for (const std::uint32_t m :
       {3u, 5u, 255u, 65537u, 134217689u, 134217727u, 1073741823u, 1073741825u, 2147483645u, 2147483647u}) {
    f(m, ~std::uint64_t{0} / m);
  }
}

TEST(Barrett, ReducesToTheRemainderAtEveryEndOfItsRange) {
  for_each_modulus([](std::uint32_t m, std::uint64_t mu) {
    const std::uint64_t square = std::uint64_t{m} * m;
    for (const std::uint64_t centre :
         {std::uint64_t{0}, std::uint64_t{m}, square - 1, square, square - m, ~std::uint64_t{0} / m * m,
          std::uint64_t{1} << 62, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      for (std::uint64_t d = 0; d < 5; ++d) {
        EXPECT_EQ(reduce(centre + d, m, mu), (centre + d) % m) << centre << ' ' << d << ' ' << m;
        EXPECT_EQ(reduce(centre - d, m, mu), (centre - d) % m) << centre << ' ' << d << ' ' << m;
      }
    }
  });
}

TEST(Shoup, MultipliesAnyWordByAnyConstant) {
  for_each_modulus([](std::uint32_t m, std::uint64_t mu) {
    for (const std::uint32_t c : {0u, 1u, 2u, m / 2, m - 2, m - 1}) {
      const std::uint32_t companion = shoup(c, m, mu);
      EXPECT_EQ(companion, (std::uint64_t{c} << 32) / m);
      for (const std::uint32_t x : {0u, 1u, 2u, m / 2, m - 1, m, ~0u - 1, ~0u}) {
        EXPECT_EQ(mul_shoup(x, c, companion, m), std::uint64_t{x} * c % m) << x << ' ' << c << ' ' << m;
      }
    }
  });
}

/// For long moduli the estimate of the quotient is often 1 too small.
TEST(Shoup, HasTheQuotientsOfConstantsOfAnyModulus) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 2000; ++i) {
    const auto m = static_cast<std::uint32_t>(random() >> (33 + i % 8)) | 3u;
    const auto c = static_cast<std::uint32_t>(random() % m);
    EXPECT_EQ(shoup(c, m, ~std::uint64_t{0} / m), (std::uint64_t{c} << 32) / m) << c << ' ' << m;
  }
}

TYPED_TEST(ResiduesOf, LimbsAreThoseOfTheInteger) {
  for (const Integer& x : samples<TypeParam>()) {
    const auto words = x.limbs(limbs<TypeParam>);
    EXPECT_TRUE(are_residues(from_limbs<TypeParam>(words.data(), limbs<TypeParam>), x));
  }
}

TYPED_TEST(ResiduesOf, LimbsMayExceedTheProduct) {
  const Integer x = (Integer(1) << (32 * (limbs<TypeParam> + 1))) - 1;
  const auto words = x.limbs(0);
  EXPECT_TRUE(are_residues(from_limbs<TypeParam>(words.data(), limbs<TypeParam> + 1), x));
}

/// Primes above 2³⁰ whose 2^(32k) modulo them are long: 64 bits do not hold a sum of nine words times these.
struct LongPowers {
  static constexpr int n = 8;
  static constexpr int guards = 0;
  static constexpr int size = n;
  static constexpr std::uint32_t modulus(int i) {
    constexpr std::uint32_t above[] = {5, 11, 35, 67, 71, 95, 115, 127};
    return 3 * (std::uint32_t{1} << 29) + above[i];
  }
};

TEST(LongModuli, ReduceEachWord) {
  const Integer x = (Integer(1) << (32 * (limbs<LongPowers> + 1))) - 1;
  const auto words = x.limbs(0);
  EXPECT_TRUE(are_residues(from_limbs<LongPowers>(words.data(), limbs<LongPowers> + 1), x));
}

TYPED_TEST(ResiduesOf, DoublesAreThoseOfTheirMagnitude) {
  for (const double x : {0.0, 1.0, -1.0, 0x1.fffffffffffffp52, -0x1.fffffffffffffp52, 0x1.5555555555555p63, 0x1p300,
                         -0x1.fffffffffffffp1023}) {
    Integer exact;
    mpz_t z;
    mpz_init(z);
    mpz_set_d(z, std::abs(x));
    std::vector<std::uint32_t> words(33);
    mpz_export(words.data(), nullptr, -1, 4, 0, 0, z);
    mpz_clear(z);
    EXPECT_TRUE(are_residues(residues_of<TypeParam>(x), Integer::of_limbs(words.data(), 33)));
  }
}

TYPED_TEST(ResiduesOf, WordsOf64BitsAreThoseOfTheWord) {
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32)};
    EXPECT_TRUE(are_residues(residues_of<TypeParam>(x), Integer::of_limbs(words, 2)));
  }
}

TYPED_TEST(ResiduesOf, SumsAndDifferencesAndProductsAreThoseOfTheIntegers) {
  const auto x = samples<TypeParam>();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Integer& y = x[(7 * i + 3) % x.size()];
    const auto a = residues<TypeParam>(x[i]);
    const auto b = residues<TypeParam>(y);
    EXPECT_TRUE(are_residues(add(a, b), x[i] + y));
    EXPECT_TRUE(are_residues(sub(a, b), x[i] - y));
    EXPECT_TRUE(are_residues(mul(a, b), x[i] * y));
    EXPECT_TRUE(are_residues(negate(a), Integer(0) - x[i]));
    EXPECT_TRUE(are_residues(complement(a), product<TypeParam>() - x[i]));
  }
}

TYPED_TEST(ResiduesOf, PowersOfTwoMayExceedTheTable) {
  const Integer x = product<TypeParam>() / 3;
  const int last = 32 * limbs<TypeParam>;
  for (const int k : {0, 1, 31, 32, 33, last - 1, last, last + 31, last + 32, last + 33, 2 * last + 40, 5 * last}) {
    EXPECT_TRUE(are_residues(scale_up(residues<TypeParam>(x), k), x << k)) << k;
  }
}

TYPED_TEST(ResiduesOf, ComeBackToTheirInteger) {
  for (const Integer& x : samples<TypeParam>()) {
    std::uint32_t by_mixed_radix[limbs<TypeParam>];
    std::uint32_t by_crt[limbs<TypeParam>];
    to_limbs(residues<TypeParam>(x), by_mixed_radix);
    to_limbs_crt(residues<TypeParam>(x), by_crt);
    EXPECT_EQ(Integer::of_limbs(by_mixed_radix, limbs<TypeParam>), x);
    EXPECT_EQ(Integer::of_limbs(by_crt, limbs<TypeParam>), x);
  }
}

TYPED_TEST(ResiduesOf, ExtendToTheGuards) {
  for (const Integer& x : samples<TypeParam>()) {
    auto base = residues<TypeParam>(x);
    for (int g = TypeParam::n; g < TypeParam::size; ++g) {
      base.r[g] = 12345;
    }
    EXPECT_TRUE(are_residues(extend(base), x));
  }
}

TYPED_TEST(ResiduesOf, AreEqualForEqualIntegersAlone) {
  const auto x = samples<TypeParam>();
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    EXPECT_EQ(equal(residues<TypeParam>(x[i]), residues<TypeParam>(x[i + 1])), x[i] == x[i + 1]);
    EXPECT_EQ(is_zero(residues<TypeParam>(x[i])), x[i] == 0);
  }
}

TEST(Equality, DoesNotAskForTheGuard) {
  using Set = Standard<8>;
  const Residues<Set> x = residues<Set>(Integer(5));
  Residues<Set> y = x;
  y.r[Set::n] = 6;
  EXPECT_TRUE(equal(x, y));
}

TEST(MixedRadix, DigitsAreThoseOfTheDefinition) {
  for (long x = 0; x < 315; ++x) {
    const auto digits = mixed_radix(residues<reference::Tiny>(x));
    EXPECT_EQ(digits.v[0], x % 5);
    EXPECT_EQ(digits.v[1], x / 5 % 9);
    EXPECT_EQ(digits.v[2], x / 45);
  }
}

TEST(UsersSet, ReconstructsEveryInteger) {
  for (long x = 0; x < 315; ++x) {
    std::uint32_t by_mixed_radix[1];
    std::uint32_t by_crt[1];
    to_limbs(residues<reference::Tiny>(x), by_mixed_radix);
    to_limbs_crt(residues<reference::Tiny>(x), by_crt);
    EXPECT_EQ(by_mixed_radix[0], x);
    EXPECT_EQ(by_crt[0], x);
  }
}

TEST(WithoutPowersOfTwo, IntegersBelow2To53HaveTheirResidues) {
  for (const double x : {0.0, 1.0, 1234567.0, 0x1p52 - 1, 0x1p52, 0x1p53 - 1}) {
    EXPECT_TRUE(are_residues(residues_of<WithoutPowers>(x), Integer(static_cast<long>(x)))) << x;
  }
}

TEST(WithoutPowersOfTwo, ResiduesAreShiftedByUpTo32Bits) {
  for (int q = 0; q < WithoutPowers::size; ++q) {
    const std::uint32_t x = WithoutPowers::modulus(q) - 1;
    for (const int c : {0, 1, 31, 32}) {
      EXPECT_EQ(shifted_up<WithoutPowers>(x, c, q), (std::uint64_t{x} << c) % WithoutPowers::modulus(q)) << c;
    }
    EXPECT_EQ(shifted_up<WithoutPowers>(x, 33, q), 0u);
  }
}

}  // namespace
}  // namespace assay::rns
