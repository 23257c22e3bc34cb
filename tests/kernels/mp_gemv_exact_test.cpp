#include "kernels/gemv/mp_gemv_exact.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/launch.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_call.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"
#include "tests/kernels/mp_gemv_exact_reference.hpp"

namespace assay::gemv {
namespace {

class MpGemvExact : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Moduli, MpGemvExact, testing::Values(8, 16, 32, 64, 128), testing::PrintToStringParamName());

TEST_P(MpGemvExact, RoundsTheExactSumOnce) {
  const int n = GetParam();
  Draw draw(n, 1);
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const int terms : {1, 2, 31, 33, 65, 130}) {
      Gemv g = trans == blas::Transpose::yes ? drawn(draw, trans, terms, 3, 2) : drawn(draw, trans, 3, terms, 2);
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, TakesProductsFarBelowTheWindow) {
  const int n = GetParam();
  Draw draw(n, 2);
  for (const int spread : {20, 100, 4 * n}) {
    expect_rounded_once(n, drawn(draw, blas::Transpose::no, 4, 20, spread));
    expect_rounded_once(n, drawn(draw, blas::Transpose::yes, 20, 4, spread));
  }
}

TEST_P(MpGemvExact, ScalesAndAddsBeforeItRounds) {
  const int n = GetParam();
  Draw draw(n, 3);
  for (const int gap : {0, 2 * precision(n), 5 * precision(n), 1 << 20}) {
    for (const int direction : {-1, 1}) {
      Gemv g = drawn(draw, blas::Transpose::no, 5, 9, 30);
      g.alpha = draw.number_of_bits(precision(n), 3);
      g.beta = draw.number_of_bits(precision(n), 3);
      g.beta.exponent += direction * gap;
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, ASummandFarBelowDecidesATie) {
  const int n = GetParam();
  const int bits = precision(n);
  for (const int sign : {-1, 1}) {
    for (const long gap : {1L, 40L, 100L * bits}) {
      Gemv g;
      g.n = 2;
      g.a = {{Integer(1) << (bits - 1), 2}, {1, 1}};  // half an ulp above a number of P bits
      g.x = {{1, 0}, {1, 0}};
      g.beta = {sign, 0};
      g.y = {{1, 1 - gap}};
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, TiesGoToEven) {
  const int n = GetParam();
  const Integer even = Integer(1) << (precision(n) - 1);
  for (const int low : {1, 3}) {
    for (const int sign : {-1, 1}) {
      Gemv g;
      g.n = 2;
      g.a = {{even * Integer(sign), 1}, {low * sign, 0}};
      g.x = {{1, 0}, {1, 0}};
      g.y = {{}};
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, CancellationLeavesTheExactRest) {
  const int n = GetParam();
  Draw draw(n, 4);
  Gemv g = drawn(draw, blas::Transpose::no, 3, 17, 40);
  g.n = 35;
  g.a.resize(3 * 35);
  g.x.resize(35, {1, -3});
  for (std::size_t j = 0; j < 17; ++j) {
    g.x[17 + j] = g.x[j];
    for (std::size_t i = 0; i < 3; ++i) g.a[i + 3 * (17 + j)] = Number{-1, 0} * g.a[i + 3 * j];
  }
  g.a[3 * 34] = {};
  g.a[1 + 3 * 34] = {1, -90};
  g.a[2 + 3 * 34] = {-1, 2};
  expect_rounded_once(n, g);
}

TEST_P(MpGemvExact, AProductAtAnyDepthDecidesATie) {
  const int n = GetParam();
  const int depth = 27 * n + precision(n) + 2 + 2;  // the largest spread of three terms that is added at once
  Gemv g;
  g.n = 3;
  g.x = {{1, 0}, {1, 0}, {1, 0}};
  g.y = {{}};
  for (const int gap : {depth, depth + 1, 2 * depth, 1 << 20}) {
    for (const int sign : {-1, 1}) {
      // A number of P bits, half an ulp of it, and a product far below.
      g.a = {{Integer(1) << (precision(n) - 1), 1}, {1, 0}, {sign, 1 - gap}};
      const Integer low = sign > 0 ? Integer(1) : Integer(0);
      EXPECT_EQ(number_of(run(n, g), 0), (Number{(Integer(1) << (precision(n) - 1)) + low, 1})) << gap;
    }
  }
}

TEST_P(MpGemvExact, GivesTheSameBitsInEveryOrderAndLayout) {
  const int n = GetParam();
  Draw draw(n, 5);
  Gemv g = drawn(draw, blas::Transpose::no, 9, 40, 25);
  g.beta = {3, -1};
  const mp::MpArray reference = run(n, g);
  for (const Order order : {Order::descending, Order::shuffled}) {
    const mp::MpArray other = run(n, g, false, Executor::host(order, 7));
    EXPECT_EQ(mp::with_layout(other, true).digits, reference.digits);
    EXPECT_EQ(other.exponent, reference.exponent);
    EXPECT_EQ(other.sign, reference.sign);
  }
}

/// The residues that the kernels compute for a sum of `terms` products, when all residues are m − 1 and all exponents
/// are equal, in one part: terms·2^(W − 1) modulo every m.
template <bool transposed>
void expect_sum_of_maximal_residues(int n, std::int64_t terms) {
  const auto size = static_cast<std::size_t>(n) + 1;
  const auto count = static_cast<std::size_t>(terms);
  std::vector<std::uint32_t> digits(count * size);
  for (std::size_t k = 0; k < digits.size(); ++k) digits[k] = modulus(n, static_cast<int>(k / count)) - 1;
  const std::vector<std::int32_t> meta(count, 2 * 7);
  detail::GemvExactCall<transposed> call{};
  call.plan = detail::gemv_exact_plan(n, transposed, 1, terms);
  call.plan.sum_splits = call.plan.guard_splits = 1;
  std::vector<std::int32_t> tops(call.plan.tops_size());
  std::vector<std::int32_t> bases(call.plan.bases_size());
  std::vector<std::int32_t> outside(call.plan.outside_size());
  std::vector<std::int32_t> listed(call.plan.listed_size());
  std::vector<std::uint32_t> partial(call.plan.partial_size());
  call.plan.tops = tops.data();
  call.plan.bases = bases.data();
  call.plan.outside = outside.data();
  call.plan.listed = listed.data();
  call.plan.partial = partial.data();
  call.a = {digits.data(), meta.data(), terms, transposed ? terms : 1, false};
  call.x = {digits.data(), meta.data(), terms, 1, false};
  int kernels = 0;
  call.kernels([&](std::size_t blocks, const auto& kernel) {
    if (++kernels < 3) launch_blocks(Executor::host(), blocks, kernel);
  });
  EXPECT_EQ(outside[0], 0);
  for (std::size_t i = 0; i < size; ++i) {
    const Integer sum = Integer(static_cast<long>(terms)) << (call.plan.window - 1);
    EXPECT_EQ(partial[i], mpz_fdiv_ui(sum.get(), modulus(n, static_cast<int>(i)))) << "modulus " << i;
  }
}

TEST_P(MpGemvExact, SumsOfMaximalResiduesDoNotWrap) {
  for (const std::int64_t terms : {895, 897, 7000, 20001}) {
    expect_sum_of_maximal_residues<false>(GetParam(), terms);
    expect_sum_of_maximal_residues<true>(GetParam(), terms);
  }
}

TEST(MpGemvExactBlas, HonoursStridesAndLeadingDimension) {
  Draw draw(8, 6);
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const std::int64_t incx : {-3, 2}) {
      for (const std::int64_t incy : {-2, 3}) {
        Gemv g;
        g.trans = trans;
        g.m = 5;
        g.n = 4;
        g.lda = 7;
        g.incx = incx;
        g.incy = incy;
        g.beta = {5, 0};
        g.a = draw.numbers(7 * 4, 4);
        g.x = draw.numbers(13, 4);
        g.y = draw.numbers(13, 4);
        expect_rounded_once(8, g);
        const mp::MpArray before = array_of(8, g.y);
        const mp::MpArray after = run(8, g);
        const std::int64_t outputs = trans == blas::Transpose::yes ? g.n : g.m;
        std::vector<bool> written(before.length);
        for (std::int64_t i = 0; i < outputs; ++i) written[static_cast<std::size_t>(place(i, outputs, incy))] = true;
        for (std::size_t k = 0; k < before.length; ++k) {
          EXPECT_TRUE(written[k] || after.digits[k] == before.digits[k]);
        }
      }
    }
  }
}

/// An array of numbers out of range: each function that reads it passes them on.
mp::MpArray out_of_range(int n, std::size_t length) {
  mp::MpArray x = mp::mp_zeros(n, length, true);
  std::fill(x.exponent.begin(), x.exponent.end(), mp::out_of_range_exponent);
  return x;
}

TEST(MpGemvExactBlas, AlphaZeroReadsNeitherANorX) {
  const mp::MpArray y = array_of(8, {{3, 0}, {5, 1}});
  const mp::MpArray r = mp_gemv_exact(Executor::host(), blas::Transpose::no, 2, 2, array_of(8, {{}}),
                                      out_of_range(8, 4), 2, out_of_range(8, 2), 1, array_of(8, {{7, 0}}), y, 1);
  EXPECT_EQ(number_of(r, 0), (Number{21, 0}));
  EXPECT_EQ(number_of(r, 1), (Number{35, 1}));
}

TEST(MpGemvExactBlas, BetaZeroDoesNotReadY) {
  const mp::MpArray r =
      mp_gemv_exact(Executor::host(), blas::Transpose::no, 1, 1, array_of(8, {{1, 0}}), array_of(8, {{3, 0}}), 1,
                    array_of(8, {{5, 0}}), 1, array_of(8, {{}}), out_of_range(8, 1), 1);
  EXPECT_EQ(number_of(r, 0), (Number{15, 0}));
}

TEST(MpGemvExactBlas, LeavesYWhereThereIsNothingToDo) {
  const mp::MpArray y = out_of_range(8, 3);
  const mp::MpArray nothing = mp::mp_zeros(8, 0, true);
  const mp::MpArray one = array_of(8, {{1, 0}});
  const Executor on = Executor::host();
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 3, 0, one, nothing, 3, nothing, 1, one, y, 1).exponent, y.exponent);
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 0, 3, one, nothing, 1, nothing, 1, one, y, 1).exponent, y.exponent);
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 3, 2, array_of(8, {{}}), nothing, 3, nothing, 1, one, y, 1).exponent,
            y.exponent);
}

TEST(MpGemvExactSums, FoldProductsBeforeTheyLeave64Bits) {
  using Sums = detail::GemvExactSums<false>;
  using Set = rns::Standard<8>;
  constexpr int terms = 33 * Sums::chunk;  // 528 products per thread, each next to 2⁵⁴
  std::vector<std::uint32_t> digits;
  for (int i = 0; i < Set::size; ++i) digits.push_back(Set::modulus(i) - 1);
  const std::int32_t meta = 0;
  std::int32_t top = 16, base = 0, outside = 0;
  std::vector<std::uint32_t> partial(Set::n + detail::GemvExactPlan::group);
  detail::GemvExactPlan plan{};
  plan.n = Set::n;
  plan.size = Set::size;
  plan.outputs = 1;
  plan.terms = terms;
  plan.window = top + 1;
  plan.top_splits = plan.guard_splits = plan.sum_splits = 1;
  plan.pitch = static_cast<int>(partial.size());
  plan.tops = &top;
  plan.bases = &base;
  plan.outside = &outside;
  plan.partial = partial.data();
  const detail::GemvExactOperand same{digits.data(), &meta, 1, 0, false};  // every entry
  queue_blocks(Executor::host(), static_cast<std::size_t>(Sums::blocks(plan)), Sums{plan, same, same});
  for (int i = 0; i < Set::size; ++i) EXPECT_EQ(partial[static_cast<std::size_t>(i)], terms);  // (−1)·(−1) each
}

TEST(MpGemvExactBlas, HandsOnNumbersOutOfRange) {
  mp::MpArray a = array_of(8, {{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  a.exponent[2] = mp::out_of_range_exponent;  // row 0, column 1
  const mp::MpArray one = array_of(8, {{1, 0}});
  const mp::MpArray r = mp_gemv_exact(Executor::host(), blas::Transpose::no, 2, 2, one, a, 2,
                                      array_of(8, {{1, 0}, {1, 0}}), 1, array_of(8, {{}}), array_of(8, {{}, {}}), 1);
  EXPECT_EQ(r.exponent[0], mp::out_of_range_exponent);
  const mp::MpArray planes = mp::with_layout(r, true);
  for (std::size_t i = 0; i <= 8; ++i) EXPECT_EQ(planes.digits[2 * i], 0u);
  EXPECT_EQ(number_of(r, 1), (Number{6, 0}));
}

TEST(MpGemvExactBlas, KernelsReadNumbersOutOfRangeAsZeros) {
  mp::MpArray x = array_of(8, {{3, 5}, {-1, 2}, {7, 1}, {}});
  x.exponent[2] = mp::out_of_range_exponent;
  const detail::Metas metas = detail::metas_of(
      x, 4, 1, [](std::int64_t i, std::int64_t) { return i; }, "exponents of x are too far apart");
  EXPECT_EQ(metas.words[2], MpPlanes::zero);
  EXPECT_EQ(metas.words[3], MpPlanes::zero);
  EXPECT_EQ(metas.words[0] >> 1, 5 - metas.offset);
  EXPECT_EQ(metas.words[1], 2 * (2 - metas.offset) + 1);
  EXPECT_EQ(metas.out_of_range, (std::vector<bool>{false, false, true, false}));
}

/// Whether the kernel of the sums takes two neighbors of A at once.
template <class Kernel>
struct TakesPairs {
  static bool of(const Kernel&) { return false; }
};
template <bool transposed>
struct TakesPairs<detail::GemvExactSums<transposed>> {
  static bool of(const detail::GemvExactSums<transposed>& kernel) { return kernel.a.pairs; }
};
bool takes_pairs(const std::uint32_t* digits, const std::int32_t* meta, std::int64_t plane, std::int64_t step) {
  detail::GemvExactCall<true> call{};
  call.plan = detail::gemv_exact_plan(8, true, 2, 4);
  call.a = {digits, meta, plane, step, false};
  bool found = false;
  call.kernels(
      [&](std::size_t, const auto& kernel) { found |= TakesPairs<std::decay_t<decltype(kernel)>>::of(kernel); });
  return found;
}

TEST(MpGemvExactSums, TakeTwoNeighboursAtOnceWhereAllPairsAreAligned) {
  alignas(8) static const std::uint32_t digits[32] = {};
  alignas(8) static const std::int32_t meta[32] = {};
  for (int offset = 0; offset < 16; offset += 2) {
    for (const std::int64_t plane : {8, 10, 12}) {
      for (const std::int64_t step : {4, 6, 8}) EXPECT_TRUE(takes_pairs(digits + offset, meta + offset, plane, step));
    }
  }
  EXPECT_FALSE(takes_pairs(digits, meta, 9, 4));
  EXPECT_FALSE(takes_pairs(digits, meta, 8, 3));
  EXPECT_FALSE(takes_pairs(digits + 1, meta, 8, 4));
  EXPECT_FALSE(takes_pairs(digits, meta + 1, 8, 4));
}

TEST(MpGemvExactBlas, MarksResultsThatLeaveTheRangeOfExponents) {
  const long limit = mp::exponent_limit;
  const auto product = [](long e, long f) {
    return mp_gemv_exact(Executor::host(), blas::Transpose::no, 1, 1, array_of(8, {{1, 0}}), array_of(8, {{3, e}}), 1,
                         array_of(8, {{5, f}}), 1, array_of(8, {{}}), array_of(8, {{}}), 1);
  };
  EXPECT_EQ(product(limit, 1000).exponent[0], mp::out_of_range_exponent);
  EXPECT_EQ(product(-limit, -1000).exponent[0], mp::out_of_range_exponent);
  EXPECT_EQ(number_of(product(limit, -limit), 0), (Number{15, 0}));
  std::int32_t highest = 0;
  std::int32_t lowest = 0;
  for (long f = -400; f <= 400; ++f) {
    const std::int32_t high = product(limit, f).exponent[0];
    if (high != mp::out_of_range_exponent) highest = std::max(highest, high);
    const std::int32_t low = product(-limit, f).exponent[0];
    if (low != mp::out_of_range_exponent) lowest = std::min(lowest, low);
  }
  EXPECT_EQ(highest, limit);
  EXPECT_EQ(lowest, -limit);
}

TEST(MpGemvExactBlas, RejectsWrongArguments) {
  const mp::MpArray one = array_of(8, {{1, 0}});
  const auto call = [&](std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t incx, std::int64_t incy,
                        const mp::MpArray& a, const mp::MpArray& x, const mp::MpArray& y) {
    return mp_gemv_exact(Executor::host(), blas::Transpose::no, m, n, one, a, lda, x, incx, one, y, incy);
  };
  EXPECT_NO_THROW(call(1, 1, 1, 1, 1, one, one, one));
  EXPECT_THROW(call(-1, 1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, -1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(2, 1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 0, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 0, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 1, 0, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 2, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 1, 1, array_of(16, {{1, 0}}), one, one), std::invalid_argument);
  const mp::MpArray far = array_of(8, {{1, 1L << 30}, {1, -(1L << 30)}});
  EXPECT_THROW(call(1, 2, 1, 1, 1, far, far, one), std::invalid_argument);
}

}  // namespace
}  // namespace assay::gemv
