// Operands of regular patterns, as in test suites for software floating point: zeros, ones, one bit, runs and
// alternating bits of the significand, at exponents at the ends of the range and around the precision. All pairs of
// them, compared with MPFR.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "arith/float/directed.hpp"
#include "arith/float/small_float.hpp"
#include "tests/arith/limb_float_reference.hpp"
#include "tests/arith/mpfr_reference.hpp"

namespace assay {
namespace {

using reference::Operation;
using reference::rounded;
using reference::same;
using reference::value;

/// Patterns of `width` bits: no bit, all, every second one, one bit, and runs from either end; of the last three kinds
/// every `step`-th, and always the shortest and the longest.
std::vector<std::uint64_t> patterns(int width, int step) {
  const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
  std::vector<std::uint64_t> all{0, ones, 0x5555555555555555 & ones, 0xaaaaaaaaaaaaaaaa & ones};
  for (int k = 0; k < width; ++k) {
    if (k % step != 0 && k != 1 && k < width - 2) continue;
    const std::uint64_t bit = std::uint64_t{1} << k;
    all.insert(all.end(), {bit, ones ^ bit, bit - 1, ones ^ (bit - 1)});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Numbers of T with these fractions: subnormal numbers, the smallest and largest normal ones, those around 1 and about
/// one precision away from it, and with an exponent field of ones infinities and NaNs.
template <class T>
std::vector<T> operands(int step) {
  using F = FloatTraits<T>;
  const auto largest_field = (std::uint64_t{1} << (F::width - F::precision)) - 1;
  const auto bias = static_cast<std::uint64_t>(1 - F::emin);
  std::vector<std::uint64_t> fields{0, 1, 2, bias - 1, bias, bias + 1, largest_field - 1, largest_field};
  constexpr auto p = static_cast<std::uint64_t>(F::precision);
  for (const std::uint64_t field : {bias - p - 1, bias - p, bias + p - 1, bias + p, bias / 2, bias + bias / 2}) {
    if (field <= largest_field) fields.push_back(field);
  }
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  std::vector<T> all;
  for (const std::uint64_t field : fields) {
    for (const std::uint64_t fraction : patterns(F::precision - 1, step)) {
      for (const std::uint64_t sign : {0, 1}) {
        all.push_back(
            from_bits<T>(static_cast<BitsOf<T>>(sign << (F::width - 1) | field << (F::precision - 1) | fraction)));
      }
    }
  }
  return all;
}

template <class T>
std::string described(T a, T b, double got, double want) {
  const auto bits = [](T x) { return std::to_string(static_cast<std::uint64_t>(to_bits(x))); };
  return std::string(FloatTraits<T>::name) + " of " + bits(a) + " and " + bits(b) + ": got " + std::to_string(got) +
         ", want " + std::to_string(want);
}

/// The four operations and the root in the rounding directions for which the host has no instructions.
template <class T>
class DirectedPatterns : public testing::Test {};
using NativeFormats = testing::Types<double, float>;
TYPED_TEST_SUITE(DirectedPatterns, NativeFormats);

template <class T>
T in_direction(Operation operation, Rounding to, T a, T b) {
  const auto choose = [to](T up, T down, T zero) { return to == Rounding::ru ? up : to == Rounding::rd ? down : zero; };
  switch (operation) {
    case Operation::add:
      return choose(add_ru(a, b), add_rd(a, b), add_rz(a, b));
    case Operation::subtract:
      return choose(sub_ru(a, b), sub_rd(a, b), sub_rz(a, b));
    case Operation::multiply:
      return choose(mul_ru(a, b), mul_rd(a, b), mul_rz(a, b));
    case Operation::divide:
      return choose(div_ru(a, b), div_rd(a, b), div_rz(a, b));
    default:
      return choose(sqrt_ru(a), sqrt_rd(a), sqrt_rz(a));
  }
}

constexpr Rounding steered[] = {Rounding::ru, Rounding::rd, Rounding::rz};

TYPED_TEST(DirectedPatterns, AreRoundedAsByMpfrInEveryPair) {
  const std::vector<TypeParam> all = operands<TypeParam>(std::is_same_v<TypeParam, double> ? 7 : 5);
  for (const TypeParam a : all) {
    for (const TypeParam b : all) {
      for (const Operation operation : {Operation::add, Operation::subtract, Operation::multiply, Operation::divide}) {
        for (const Rounding to : steered) {
          const double got = value(in_direction(operation, to, a, b));
          const double want = rounded<TypeParam>(operation, value(a), value(b), 0, to);
          ASSERT_TRUE(same(got, want)) << static_cast<int>(operation) << static_cast<int>(to) << ' '
                                       << described(a, b, got, want);
        }
      }
    }
  }
}

TYPED_TEST(DirectedPatterns, HaveTheRootsOfMpfrForEveryBit) {
  for (const TypeParam a : operands<TypeParam>(1)) {
    for (const Rounding to : steered) {
      const double got = value(in_direction(Operation::square_root, to, a, a));
      const double want = rounded<TypeParam>(Operation::square_root, value(a), 0, 0, to);
      ASSERT_TRUE(same(got, want)) << static_cast<int>(to) << ' ' << described(a, a, got, want);
    }
  }
}

/// Formats in software.
template <class T>
class SmallPatterns : public testing::Test {};
using SmallFormats = testing::Types<binary16, bfloat16, e5m2, e4m3, Toy<8>>;
TYPED_TEST_SUITE(SmallPatterns, SmallFormats);

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};

TYPED_TEST(SmallPatterns, AreRoundedAsByMpfrInEveryPair) {
  using T = TypeParam;
  const std::vector<T> all = operands<T>(1);
  for (const T a : all) {
    for (const T b : all) {
      for (const Rounding to : directions) {
        const auto check = [&](Operation operation, T got) {
          const double want = rounded<T>(operation, value(a), value(b), 0, to);
          ASSERT_TRUE(same(value(got), want))
              << static_cast<int>(operation) << static_cast<int>(to) << ' ' << described(a, b, value(got), want);
        };
        ASSERT_NO_FATAL_FAILURE(check(Operation::add, T::add(a, b, to)));
        ASSERT_NO_FATAL_FAILURE(check(Operation::subtract, T::add(a, -b, to)));
        ASSERT_NO_FATAL_FAILURE(check(Operation::multiply, T::multiply(a, b, to)));
        ASSERT_NO_FATAL_FAILURE(check(Operation::divide, T::divide(a, b, to)));
      }
    }
  }
}

TYPED_TEST(SmallPatterns, AreFusedAsByMpfrInEveryTriple) {
  using T = TypeParam;
  const std::vector<T> all = operands<T>(16);
  std::size_t turn = 0;
  for (const T a : all) {
    for (const T b : all) {
      for (const T c : all) {
        const Rounding to = directions[turn++ % 4];
        const double got = value(T::fused(a, b, c, to));
        const double want = rounded<T>(Operation::fused, value(a), value(b), value(c), to);
        ASSERT_TRUE(same(got, want)) << static_cast<int>(to) << ' ' << described(a, b, got, want) << ", c " << value(c);
      }
    }
  }
}

/// Numbers of limbs: limbs of ones, of one bit, alternating, and runs that end within a limb; exponents around the
/// precision and at the ends of the range; zeros, infinities and NaN.
template <int L>
std::vector<limb::Float<L>> limb_operands() {
  std::vector<limb::Float<L>> all{limb::zero<L>(false), limb::zero<L>(true), limb::infinity<L>(false),
                                  limb::infinity<L>(true), limb::nan<L>()};
  std::vector<limb::Float<L>> significands;
  const auto made = [&](auto word_of) {
    limb::Float<L> x{};
    for (int k = 0; k < L; ++k) x.word[k] = word_of(k);
    x.word[L - 1] |= std::uint32_t{1} << 31;
    significands.push_back(x);
  };
  made([](int) { return 0u; });
  made([](int) { return ~0u; });
  made([](int) { return 0xaaaaaaaau; });
  made([](int) { return 0x55555555u; });
  made([](int k) { return k == 0 ? 1u : 0u; });
  made([](int k) { return k == 0 ? ~1u : ~0u; });
  made([](int k) { return k == L - 1 ? 0x7fffffffu : ~0u; });
  made([](int k) { return k < L / 2 ? ~0u : 0u; });
  made([](int k) { return k < L / 2 ? 0u : ~0u; });
  made([](int k) { return k == L / 2 ? 0x00010000u : 0u; });
  for (const std::int32_t exponent : {0, 1, -31, 32, 32 * L - 1, 32 * L, 32 * L + 1, -32 * L, limb::least_exponent,
                                      limb::least_exponent + 1, limb::most_exponent}) {
    for (limb::Float<L> x : significands) {
      x.exponent = exponent;
      for (const std::uint32_t sign : {0u, 1u}) {
        x.sign = sign;
        all.push_back(x);
      }
    }
  }
  return all;
}

template <class Length>
class LimbPatterns : public testing::Test {};
using Lengths =
    testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>, std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(LimbPatterns, Lengths);

TYPED_TEST(LimbPatterns, HaveTheBitsOfMpfrInEveryPair) {
  constexpr int L = TypeParam::value;
  const std::vector<limb::Float<L>> all = limb_operands<L>();
  std::size_t turn = 0;
  for (const limb::Float<L>& x : all) {
    for (const limb::Float<L>& y : all) {
      const Rounding to = directions[turn % 4];
      // The addend of a fused operation: any number, or the rounded product with the other sign.
      const limb::Float<L> z = turn % 3 == 0 ? limb::negated(limb::mul(x, y, to)) : all[turn % all.size()];
      ++turn;
      for (const reference::LimbOperation operation : reference::limb_operations) {
        const limb::Float<L> got = reference::computed(operation, x, y, z, to);
        const reference::LimbFloat want = reference::expected(operation, x, y, z, to);
        ASSERT_TRUE(reference::has_bits(got, want))
            << "operation " << static_cast<int>(operation) << ", direction " << static_cast<int>(to)
            << ", x = " << to_string(reference::oracle_number(x)) << ", y = " << to_string(reference::oracle_number(y))
            << ", z = " << to_string(reference::oracle_number(z)) << ": " << to_string(reference::oracle_number(got))
            << ", not " << to_string(want);
      }
    }
  }
}

}  // namespace
}  // namespace assay
