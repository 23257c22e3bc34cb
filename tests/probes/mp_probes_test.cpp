#include "probes/mp/mp.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "oracle/residues.hpp"
#include "properties/catalog/mp/probed.hpp"
#include "properties/catalog/mp/result.hpp"
#include "tests/probes/probe_suite.hpp"

namespace assay::probes {

using oracle::Dyadic;

/// A probe with an optional operation.
template <class OfProbe, mp::Operation of>
struct MpTested {
  using Probe = OfProbe;
  static constexpr mp::Operation operation = of;
};

template <class Tested>
class MpProbe : public testing::Test {
 protected:
  using Probe = typename Tested::Probe;
  using Set = typename Probe::Set;
  using Input = typename Probe::Input;
  using Output = typename Probe::Output;
  static constexpr bool is_pair = std::is_same_v<Probe, mp::Pair<Set::n>>;
  const Probe probe{Tested::operation};
  const assay::mp::MpSystem& system = assay::mp::mp_system(Set::n);
  /// The bound of the property.
  const RelativeBound bound = is_pair ? system.unit : mp_difference_product_bound(system.unit);

  double factor() const {
    RelativeBound scaled = bound;
    scaled.numerator.mul_2exp(Probe::unit_places);
    return at_most(scaled);
  }
  Input input(std::uint64_t number) const {
    const auto k = static_cast<int>(number % Probe::classes);
    Stream stream(1, static_cast<std::uint64_t>(k), number);
    return probe.draw(stream, k);
  }
  Dyadic truth(const Input& input) const {
    const auto c = property_case(input);
    const Dyadic x = value_of_x(c);
    const Dyadic y = value_of_y(c);
    if constexpr (is_pair) {
      return Tested::operation == mp::Operation::add ? x + y : Tested::operation == mp::Operation::sub ? x - y : x * y;
    } else {
      return (x - y) * value_of_w(c);
    }
  }
  assay::mp::MpNumbers numbers(const Output& z) const {
    assay::mp::MpNumbers one{&system, assay::mp::mp_zeros(Set::n, 1)};
    std::copy(std::begin(z.digits.r), std::end(z.digits.r), one.array.digits.begin());
    one.array.sign[0] = z.sign;
    one.array.exponent[0] = z.exponent;
    one.array.lower[0] = z.magnitude.lower;
    one.array.upper[0] = z.magnitude.upper;
    return one;
  }
  /// Whether the oracle finds a rounded number within the bound.
  bool is_right(const Input& c, const Output& z) const {
    const assay::mp::MpNumbers one = numbers(z);
    for (const auto judge :
         {assay::mp::judge_digits, assay::mp::judge_enclosure, assay::mp::judge_width, assay::mp::judge_significand}) {
      if (judge(one, 0).verdict != Verdict::holds) return false;
    }
    Dyadic got;
    return component_value(one, 0, got) && judge_within(got, truth(c), bound, 0).verdict == Verdict::holds;
  }
  /// The correct result and others: one part changed in each.
  std::vector<Output> beside(const Output& z) const {
    std::vector<Output> all{z, assay::mp::zero<Set>(), assay::mp::out_of_range<Set>()};
    const auto changed = [&](auto change) {
      all.push_back(z);
      change(all.back());
    };
    changed([](Output& x) { x.sign ^= 1; });
    changed([](Output& x) { x.sign = 2; });
    changed([](Output& x) { ++x.exponent; });
    changed([](Output& x) { --x.exponent; });
    changed([](Output& x) { x.digits.r[0] ^= 1; });
    changed([](Output& x) { x.digits.r[Set::n] ^= 1; });
    changed([](Output& x) { x.digits.r[1] += Set::modulus(1); });
    // A word whose bound is 0 is set to 0 again.
    if (is_zero(z)) return all;
    changed([](Output& x) { x.magnitude.lower.exponent += 1; });
    changed([](Output& x) { x.magnitude.lower.exponent -= 1; });
    changed([](Output& x) { x.magnitude.upper.exponent += 1; });
    changed([](Output& x) { x.magnitude.upper = x.magnitude.lower; });
    // The last place changed by one unit or a few, all else as it should be.
    for (const int units : {-9, -1, 1, 9}) {
      changed([&](Output& x) {
        Dyadic X = system.base.integer(std::span<const std::uint32_t>(z.digits.r, Set::n));
        X += Dyadic(units);
        if (X.sign() <= 0) return;
        const std::vector<std::uint32_t> limbs = oracle::limbs_of(X, assay::rns::limbs<Set>);
        x.digits = assay::rns::from_limbs<Set>(limbs.data(), static_cast<int>(limbs.size()));
        x.magnitude = assay::rns::evaluate(x.digits);
      });
    }
    return all;
  }
  /// How many wrong results a judge proves, and how many correct results it fails to prove.
  struct Mistakes {
    int wrongly_proved = 0, not_proved = 0;
  };
  template <class Judge>
  Mistakes mistakes(std::uint64_t count, const Judge& is_proved) const {
    Mistakes found;
    for (std::uint64_t number = 0; number < count; ++number) {
      const Input c = input(number);
      for (const Output& z : beside(probe.run(c))) {
        const bool right = is_right(c, z);
        const bool proved = is_proved(c, z);
        found.wrongly_proved += proved && !right ? 1 : 0;
        found.not_proved += right && !proved ? 1 : 0;
      }
    }
    return found;
  }
  bool proves(const Input& c, const Output& z) const { return is_proved(probe.error(c, z), factor()); }
  static constexpr std::uint64_t few = Set::n > 32 ? 200 : 2000;
};
TYPED_TEST_SUITE_P(MpProbe);

TYPED_TEST_P(MpProbe, DrawsOperandsOfTheDomain) {
  const auto contains = [&] {
    if constexpr (TestFixture::is_pair)
      return assay::mp::mp_pair_domain(this->system).contains;
    else
      return assay::mp::mp_triple_domain(this->system).contains;
  }();
  std::vector<std::set<std::string>> seen(static_cast<std::size_t>(TestFixture::Probe::classes));
  for (std::uint64_t number = 0; number < 10 * this->few; ++number) {
    const auto c = this->input(number);
    ASSERT_TRUE(contains(property_case(c))) << TestFixture::Probe::Classes::names[number % seen.size()];
    seen[number % seen.size()].emplace(reinterpret_cast<const char*>(&c), sizeof(c));
  }
  for (const auto& each : seen) EXPECT_GT(each.size(), this->few / 2);
}

TYPED_TEST_P(MpProbe, ProvesEveryCase) {
  const double factor = this->factor();
  for (std::uint64_t number = 0; number < 5 * this->few; ++number) {
    const auto c = this->input(number);
    ASSERT_TRUE(is_proved(this->probe.error(c, this->probe.run(c)), factor))
        << TestFixture::Probe::Classes::names[number % TestFixture::Probe::classes] << ", case " << number;
  }
}

TYPED_TEST_P(MpProbe, ProvesWhatTheOracleFindsRight) {
  const auto found = this->mistakes(this->few / 4, [this](const auto& c, const auto& z) { return this->proves(c, z); });
  EXPECT_EQ(found.wrongly_proved, 0);
  EXPECT_EQ(found.not_proved, 0);
}

TYPED_TEST_P(MpProbe, BoundsTheErrorFromAboveAndNearly) {
  const double factor = this->factor();
  for (std::uint64_t number = 0; number < this->few; ++number) {
    const auto c = this->input(number);
    const auto z = this->probe.run(c);
    const double probed = ratio(this->probe.error(c, z), factor);
    Dyadic got;
    ASSERT_TRUE(component_value(this->numbers(z), 0, got));
    const double exact = judge_within(got, this->truth(c), this->bound, 0).tightness;
    ASSERT_GE(probed * (1 + 0x1p-40), exact);
    ASSERT_LE(probed, exact * (1 + 0x1p-40) + 0x1p-800);
  }
}

// Mistakes in a probe.

TYPED_TEST_P(MpProbe, WithoutALookAtTheNumberIsCaught) {
  const double factor = this->factor();
  const auto found = this->mistakes(40, [&](const auto& c, const auto& z) {
    using Set = typename TestFixture::Set;
    if (is_out_of_range(z)) return false;
    auto rounded = z;
    rns::IntegerOf<Set> X{};
    assay::rns::to_limbs<Set>(z.digits, X.word);
    rounded.digits = assay::rns::from_limbs<Set>(X.word, assay::rns::limbs<Set>);
    rounded.magnitude = assay::rns::evaluate(rounded.digits);
    return is_proved(this->probe.error(c, rounded), factor);
  });
  EXPECT_GT(found.wrongly_proved, 0);
}

TYPED_TEST_P(MpProbe, WithTheTruthOfAnotherOperandIsCaught) {
  const auto found = this->mistakes(40, [this](auto c, const auto& z) {
    c.at[1].X.word[0] ^= 1;
    return this->proves(c, z);
  });
  EXPECT_GT(found.wrongly_proved + found.not_proved, 0);
}

REGISTER_TYPED_TEST_SUITE_P(MpProbe, DrawsOperandsOfTheDomain, ProvesEveryCase, ProvesWhatTheOracleFindsRight,
                            BoundsTheErrorFromAboveAndNearly, WithoutALookAtTheNumberIsCaught,
                            WithTheTruthOfAnotherOperandIsCaught);

namespace {

using Tested =
    testing::Types<MpTested<mp::Pair<8>, mp::Operation::add>, MpTested<mp::Pair<16>, mp::Operation::sub>,
                   MpTested<mp::Pair<8>, mp::Operation::mul>, MpTested<mp::DifferenceProduct<8>, mp::Operation::sub>,
                   MpTested<mp::Pair<128>, mp::Operation::add>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mp, MpProbe, Tested);

}  // namespace
}  // namespace assay::probes
