// Functions of two numbers at all pairs of special values. The right results are those of the C library.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "properties/formulas/door/operation.hpp"
#include "tests/formulas/small_numbers.hpp"

namespace assay::formulas {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> special_values() {
  std::vector<float> values{nan};
  for (const float x : {0.0F, 0x1p-149F, 0x1.fffffcp-127F, 0x1p-126F, 0.5F, 1.0F, 2.0F, 2.5F, 3.0F, 0x1.fffffep23F,
                        0x1p24F, 0x1.fffffep127F, infinity}) {
    values.insert(values.end(), {x, -x});
  }
  return values;
}

/// What the contracts of f32 say of a function at all pairs.
class Pairs {
 public:
  using Function = float (*)(float, float);
  struct Pair {
    float x;
    float y;
    float right;
  };

  Pairs(const std::string& formula, Function function)
      : typed_(typed(std::make_shared<const Formula>(formula_named(formula)), "f32")),
        machines_(ladder(*typed_.formula, oracle::binary32)),
        case_{{}, {{}, {}}} {
    for (const float x : special_values()) {
      for (const float y : special_values()) {
        pairs_.push_back({x, y, function(x, y)});
        case_.words[0].push_back(bits_of(oracle::binary32, x));
        case_.words[1].push_back(bits_of(oracle::binary32, y));
      }
    }
    case_.lengths = {static_cast<std::int64_t>(pairs_.size())};
    truth_ = std::make_unique<Truth>(typed_, case_, machines_);
  }

  /// Pairs at which a contract refuses the right result.
  std::vector<Pair> refused() const {
    return where([&](std::size_t i) { return !is_kept(i, pairs_[i].right); });
  }
  /// Pairs at which no contract refuses `wrong`, which is not the right result.
  std::vector<Pair> kept(float wrong) const {
    return where([&](std::size_t i) {
      const float right = pairs_[i].right;
      const bool is_right = right == wrong || (std::isnan(right) && std::isnan(wrong));
      return is_said(i) && !is_right && is_kept(i, wrong);
    });
  }
  /// Pairs of which nothing is said.
  std::vector<Pair> unsaid() const {
    return where([&](std::size_t i) { return !is_said(i); });
  }

 private:
  template <class F>
  std::vector<Pair> where(const F& holds) const {
    std::vector<Pair> found;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (holds(i)) found.push_back(pairs_[i]);
    }
    return found;
  }
  bool is_said(std::size_t i) const {
    return truth_->is_number(i) ? truth_->is_said(0, i) : truth_->kinds(i) != every_kind;
  }
  /// By `exceptional`, or else by all machines.
  bool is_kept(std::size_t i, float result) const {
    const std::uint64_t got = bits_of(oracle::binary32, result);
    if (!truth_->is_number(i)) return (kinds_of_result(oracle::binary32, got) & truth_->kinds(i)) != 0;
    for (std::size_t m = 0; m < machines_.size(); ++m) {
      if (!truth_->is_said(m, i)) continue;
      const bool has_bound = truth_->bounds(m)[i].is_finite();
      const Judgement judgement =
          has_bound ? judge_machine(got, truth_->exact()[i], truth_->bound(m, i), machines_[m], typed_.result, i)
                    : judge_outcome(got, truth_->exact()[i], truth_->outcomes(m)[i], machines_[m], typed_.result, i);
      if (judgement.verdict != Verdict::holds) return false;
    }
    return true;
  }

  Typed typed_;
  std::vector<Machine> machines_;
  Case case_;
  std::vector<Pair> pairs_;
  std::unique_ptr<Truth> truth_;
};

using Pair = Pairs::Pair;

::testing::AssertionResult all(const std::vector<Pair>& pairs, bool (*holds)(const Pair&)) {
  for (const Pair& each : pairs) {
    if (!holds(each)) return ::testing::AssertionFailure() << each.x << ", " << each.y << ", right is " << each.right;
  }
  return ::testing::AssertionSuccess();
}

bool never(const Pair&) { return false; }
bool is_infinite(const Pair& pair) { return std::isinf(pair.x) || std::isinf(pair.y); }
bool is_positive(const Pair& pair) { return pair.right > 0; }

TEST(SpecialPairs, PowersAreThoseOfIEEE754) {
  const Pairs pairs("pow_of", [](float x, float y) { return std::pow(x, y); });
  EXPECT_TRUE(all(pairs.refused(), never));
  EXPECT_TRUE(all(pairs.unsaid(), [](const Pair& pair) {  // powers that overflow
    return std::isfinite(pair.x) && pair.x != 0 && std::abs(pair.right) >= 0x1.fffffep127F;
  }));
  EXPECT_EQ(pairs.unsaid().size(), 84);
  const auto is_one = [](const Pair& pair) {  // by IEEE 754; NaN by exp(y ln x), and any number by `exceptional`
    return pair.right == 1 && (!std::isfinite(pair.x) || !std::isfinite(pair.y));
  };
  EXPECT_TRUE(all(pairs.kept(nan), is_one));
  EXPECT_TRUE(all(pairs.kept(1.5F), is_one));
  for (const float wrong : {infinity, -infinity}) {
    EXPECT_TRUE(all(pairs.kept(wrong), [](const Pair& pair) {  // the sign of a zero is free
      return pair.x == 0 && std::fmod(pair.y, 2.0F) == -1;
    }));
  }
}

TEST(SpecialPairs, AnglesAreThoseOfIEEE754) {
  const Pairs pairs("atan2_of", [](float y, float x) { return std::atan2(y, x); });
  EXPECT_TRUE(all(pairs.refused(), never));
  EXPECT_TRUE(all(pairs.unsaid(), [](const Pair& pair) { return pair.x == 0 && pair.y <= 0; }));  // y and x: the sign
  EXPECT_EQ(pairs.unsaid().size(), 26);                                                           // of zero decides
  for (const float wrong : {nan, infinity, -infinity}) EXPECT_TRUE(all(pairs.kept(wrong), never));
  EXPECT_TRUE(all(pairs.kept(1.5F), [](const Pair& pair) {
    const bool may_be_zero = std::abs(pair.x) < 0x1p-125F;  // its sign is free
    return is_infinite(pair) && (is_positive(pair) || may_be_zero);
  }));
}

TEST(SpecialPairs, HypotenusesAreThoseOfIEEE754) {
  const Pairs pairs("hypot_of", [](float x, float y) { return std::hypot(x, y); });
  EXPECT_TRUE(all(pairs.refused(), never));
  EXPECT_TRUE(all(pairs.unsaid(), never));
  EXPECT_TRUE(all(pairs.kept(nan), is_infinite));               // ∞/∞ by the way with quotients
  EXPECT_TRUE(all(pairs.kept(infinity), [](const Pair& pair) {  // the square of the largest number overflows
    return pair.right >= 0x1.fffffep127F;
  }));
  for (const float wrong : {-infinity, 1.5F}) EXPECT_TRUE(all(pairs.kept(wrong), never));
}

void expect_rests(const Pairs& pairs) {
  EXPECT_TRUE(all(pairs.refused(), never));
  EXPECT_TRUE(all(pairs.unsaid(), never));
  for (const float wrong : {nan, infinity, -infinity}) EXPECT_TRUE(all(pairs.kept(wrong), never));
  EXPECT_TRUE(all(pairs.kept(1.5F), [](const Pair& pair) { return std::isinf(pair.y) && is_positive(pair); }));
}

TEST(SpecialPairs, RestsAreThoseOfIEEE754) {
  expect_rests({"fmod_of", [](float x, float y) { return std::fmod(x, y); }});
  expect_rests({"remainder_of", [](float x, float y) { return std::remainder(x, y); }});
}

}  // namespace
}  // namespace assay::formulas
