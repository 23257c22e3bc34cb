// Integers through conversion, comparison, scaling and division: each result equals FLINT's. In the quick tier 50 000
// through the first three at 8, 16 and 32 moduli, 2500 through these at 64 and 128 and through division; in the nightly
// tier 20 times as many. ASSAY_TIER, ASSAY_CASES and ASSAY_SEED are those of the program.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "arith/residues/interval.hpp"
#include "arith/residues/rns.hpp"
#include "properties/catalog/rns/cases.hpp"

namespace assay::rns {
namespace {

using oracle::Dyadic;

std::string setting(const char* variable, const char* otherwise) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : otherwise;
}

/// The number of integers, given their number in the quick tier.
std::uint64_t integers(std::uint64_t quick) {
  const std::uint64_t of_tier = setting("ASSAY_TIER", "quick") == "nightly" ? 20 * quick : quick;
  return std::stoull(setting("ASSAY_CASES", std::to_string(of_tier).c_str()));
}

/// A seed for each stream of integers.
std::uint64_t seed(std::uint64_t stream) { return (std::stoull(setting("ASSAY_SEED", "0")) << 32) + stream; }

template <class Set>
const oracle::ResidueSystem& base() {
  static const oracle::ResidueSystem system([] {
    std::vector<std::uint32_t> moduli;
    for (int i = 0; i < Set::n; ++i) moduli.push_back(Set::modulus(i));
    return moduli;
  }());
  return system;
}

template <class Set>
class RnsAgainstFlint : public testing::Test {
 protected:
  static constexpr auto words = static_cast<std::size_t>(rns::limbs<Set>);

  /// Calls f(X, its limbs, draw) for each integer, until one fails.
  template <class F>
  void for_each_integer(std::uint64_t stream, F f) {
    Draw draw{rc::Random(seed(stream))};
    IntegerDraw integer(base<Set>(), draw);
    const std::uint64_t count = integers(Set::n <= 32 ? 50000 : 2500);
    for (std::uint64_t i = 0; i < count && !this->HasFatalFailure(); ++i) {
      const Dyadic x = integer.at(i % 2 == 0 ? IntegerPlace::uniform : IntegerPlace::log_uniform);
      f(x, oracle::limbs_of(x, words), draw);
    }
  }

  static rns::Residues<Set> from_limbs(const std::vector<std::uint32_t>& limbs) {
    return rns::from_limbs<Set>(limbs.data(), static_cast<int>(limbs.size()));
  }
  /// Whether the residues, guards included, are those of x.
  static bool are_of(const rns::Residues<Set>& r, const Dyadic& x) {
    const std::vector<std::uint32_t> of_base = base<Set>().residues(x);
    return std::equal(of_base.begin(), of_base.end(), r.r) && r.r[Set::n] == oracle::residue(x, Set::modulus(Set::n));
  }
};

using Sets =
    testing::Types<rns::Standard<8>, rns::Standard<16>, rns::Standard<32>, rns::Standard<64>, rns::Standard<128>>;
TYPED_TEST_SUITE(RnsAgainstFlint, Sets);

TYPED_TEST(RnsAgainstFlint, ConvertsIntegersAndBack) {
  this->for_each_integer(1, [](const Dyadic& x, const std::vector<std::uint32_t>& limbs, Draw&) {
    const auto r = TestFixture::from_limbs(limbs);
    ASSERT_TRUE(TestFixture::are_of(r, x)) << to_string(x);
    std::vector<std::uint32_t> back(limbs.size());
    rns::to_limbs(r, back.data());
    ASSERT_EQ(back, limbs) << to_string(x);
    rns::to_limbs_crt(r, back.data());
    ASSERT_EQ(back, limbs) << to_string(x);
  });
}

TYPED_TEST(RnsAgainstFlint, ComparesPairs) {
  this->for_each_integer(2, [](const Dyadic& x, const std::vector<std::uint32_t>& limbs, Draw& draw) {
    IntegerDraw integer(base<TypeParam>(), draw);
    const Dyadic y = draw.coin() ? integer.reduced(x + integer.step()) : integer.at(IntegerPlace::log_uniform);
    const auto other = TestFixture::from_limbs(oracle::limbs_of(y, limbs.size()));
    ASSERT_EQ(rns::compare(TestFixture::from_limbs(limbs), other), (x - y).sign())
        << to_string(x) << ' ' << to_string(y);
  });
}

TYPED_TEST(RnsAgainstFlint, ScalesIntegers) {
  const auto most = static_cast<int>(base<TypeParam>().product().exponent() + 1);
  this->for_each_integer(3, [most](const Dyadic& x, const std::vector<std::uint32_t>& limbs, Draw& draw) {
    const int d = draw.between(0, most);
    const auto r = rns::scale_down(TestFixture::from_limbs(limbs), d);
    ASSERT_TRUE(TestFixture::are_of(r, oracle::floor_scaled(x, d))) << to_string(x) << ' ' << d;
  });
}

TYPED_TEST(RnsAgainstFlint, DividesPairs) {
  const auto domain = rns_pair_domain(base<TypeParam>());
  const std::uint64_t count = integers(2500);
  std::uint64_t divided = 0;
  for (std::uint64_t i = 0; divided < count; ++i) {
    const RnsPairCase c = domain.classes[i % domain.classes.size()].generator(rc::Random(seed(i)));
    const Dyadic y = oracle::integer_of_limbs(c.y);
    if (y.is_zero()) continue;
    ++divided;
    const Dyadic x = oracle::integer_of_limbs(c.x);
    const Dyadic q = oracle::floor_quotient(x, y);
    const auto z = rns::divide(this->from_limbs(c.x), this->from_limbs(c.y));
    ASSERT_TRUE(this->are_of(z.quotient, q)) << to_string(x) << ' ' << to_string(y);
    ASSERT_TRUE(this->are_of(z.remainder, x - q * y)) << to_string(x) << ' ' << to_string(y);
  }
}

}  // namespace
}  // namespace assay::rns
