// 10⁶ integers through conversion, comparison and scaling at 8, 16 and 32 moduli, each result that of FLINT.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "arith/rns.hpp"
#include "properties/rns_cases.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

constexpr std::uint64_t integers = 1000000;

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

  /// f(X, its limbs, draw) for each integer, until one fails.
  template <class F>
  void for_each_integer(std::uint64_t stream, F f) {
    Draw draw{rc::Random(stream)};
    IntegerDraw integer(base<Set>(), draw);
    for (std::uint64_t i = 0; i < integers && !HasFatalFailure(); ++i) {
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

using Sets = testing::Types<rns::Standard<8>, rns::Standard<16>, rns::Standard<32>>;
TYPED_TEST_SUITE(RnsAgainstFlint, Sets);

TYPED_TEST(RnsAgainstFlint, ConvertsAMillionIntegersAndBack) {
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

}  // namespace
}  // namespace assay
