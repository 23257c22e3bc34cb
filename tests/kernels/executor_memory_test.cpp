// Calls on memory that lies on the executor against the same calls on arrays of the host: equal bits, and wrong
// arguments throw with one line. On the host in two orders, and on a device if there is one.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/words/native_pair.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/gemv/mp_gemv_decomposed.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/pair/matrix_product.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/sum/summation.hpp"

namespace assay {
namespace {

using blas::Transpose;
using Span = std::span<const double>;

std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(), Executor::host(Order::shuffled, 5)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 draw(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(count);
  for (double& each : x) each = uniform(draw);
  return x;
}

template <class T>
Array<T> copied(const Executor& on, const std::vector<T>& x) {
  return Array<T>(on, std::span<const T>(x));
}

template <class T>
std::vector<T> taken(const Executor& on, const Array<T>& x) {
  wait(on);
  return x.take();
}

/// call() throws std::invalid_argument with one line that names the routine.
template <class Call>
void expect_refused(const std::string& routine, Call&& call) {
  try {
    call();
    ADD_FAILURE() << routine << " took wrong arguments";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(routine + ": ", 0), 0u) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

TEST(ExpansionGemvOnTheExecutor, HasTheBitsOfTheArrays) {
  constexpr std::int64_t m = 9, n = 66, lda = 11;
  for (const Executor& on : executors()) {
    for (const int words : {2, 3, 4, 8}) {
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        const auto k = static_cast<std::size_t>(words);
        const std::int64_t outputs = trans == Transpose::yes ? n : m;
        const std::int64_t terms = trans == Transpose::yes ? m : n;
        const auto a = numbers(static_cast<std::size_t>(lda * n) * k, 1);
        const auto x = numbers(static_cast<std::size_t>(2 * terms) * k, 2);
        const auto y = numbers(static_cast<std::size_t>(3 * outputs) * k, 3);
        const auto alpha = numbers(k, 4);
        const auto beta = numbers(k, 5);
        const Array<double> on_a = copied(on, a), on_x = copied(on, x), on_y = copied(on, y);
        expansion::expansion_gemv<double>(on, words, trans, m, n, alpha, on_a.data(), lda, on_x.data(), -2, beta,
                                          on_y.data(), 3);
        EXPECT_TRUE(same_bits(taken(on, on_y),
                              expansion::expansion_gemv<double>(Executor::host(), words, trans, m, n, Span(alpha),
                                                                Span(a), lda, Span(x), -2, Span(beta), Span(y), 3)));
      }
    }
  }
}

TEST(ExpansionGemvOnTheExecutor, ReadsNothingForAlphaZero) {
  std::vector<double> y{1, 2, 3, 4};
  const std::vector<double> zero(2), one{1, 0}, two{2, 0};
  const auto call = [&](const std::vector<double>& beta) {
    expansion::expansion_gemv<double>(Executor::host(), 2, Transpose::no, 2, 7, zero, nullptr, 2, nullptr, 1, beta,
                                      y.data(), 1);
  };
  call(one);
  EXPECT_EQ(y, (std::vector<double>{1, 2, 3, 4}));
  call(two);
  EXPECT_EQ(y, (std::vector<double>{6, 0, 14, 0}));
}

TEST(ExpansionGemvOnTheExecutor, RefusesWrongArguments) {
  std::vector<double> memory(8);
  const auto call = [&](int words, std::int64_t m, std::int64_t lda, std::int64_t incx, std::size_t scalar) {
    const std::vector<double> alpha(scalar, 1);
    expansion::expansion_gemv<double>(Executor::host(), words, Transpose::no, m, 1, alpha, memory.data(), lda,
                                      memory.data(), incx, alpha, memory.data() + 4, 1);
  };
  expect_refused("expansion_gemv", [&] { call(5, 1, 1, 1, 5); });
  expect_refused("expansion_gemv", [&] { call(2, -1, 1, 1, 2); });
  expect_refused("expansion_gemv", [&] { call(2, 2, 1, 1, 2); });
  expect_refused("expansion_gemv", [&] { call(2, 1, 1, 0, 2); });
  expect_refused("expansion_gemv", [&] { call(2, 1, 1, 1, 3); });
}

TEST(ExpansionGemmOnTheExecutor, HasTheBitsOfTheArrays) {
  constexpr std::int64_t m = 17, n = 5, k = 18, leading = 20;
  for (const Executor& on : executors()) {
    for (const int words : {2, 3, 4, 8}) {
      const auto size = static_cast<std::size_t>(words);
      const auto a = numbers(static_cast<std::size_t>(leading) * 18 * size, 1);
      const auto b = numbers(static_cast<std::size_t>(leading) * 18 * size, 2);
      const auto c = numbers(static_cast<std::size_t>(leading) * 5 * size, 3);
      const auto alpha = numbers(size, 4);
      const auto beta = numbers(size, 5);
      const Array<double> on_a = copied(on, a), on_b = copied(on, b), on_c = copied(on, c);
      expansion::expansion_gemm<double>(on, words, Transpose::yes, Transpose::no, m, n, k, alpha, on_a.data(), leading,
                                        on_b.data(), leading, beta, on_c.data(), leading);
      EXPECT_TRUE(same_bits(taken(on, on_c),
                            expansion::expansion_gemm<double>(Executor::host(), words, Transpose::yes, Transpose::no, m,
                                                              n, k, Span(alpha), Span(a), leading, Span(b), leading,
                                                              Span(beta), Span(c), leading)));
    }
  }
}

TEST(ExpansionGemmOnTheExecutor, RefusesWrongArguments) {
  std::vector<double> memory(8);
  const std::vector<double> alpha{1, 0};
  const auto call = [&](int words, std::int64_t m, std::int64_t lda, std::int64_t ldc) {
    expansion::expansion_gemm<double>(Executor::host(), words, Transpose::no, Transpose::no, m, 1, 1, alpha,
                                      memory.data(), lda, memory.data(), 1, alpha, memory.data() + 4, ldc);
  };
  expect_refused("expansion_gemm", [&] { call(5, 1, 1, 1); });
  expect_refused("expansion_gemm", [&] { call(3, 1, 1, 1); });
  expect_refused("expansion_gemm", [&] { call(2, -1, 1, 1); });
  expect_refused("expansion_gemm", [&] { call(2, 2, 1, 2); });
  expect_refused("expansion_gemm", [&] { call(2, 2, 2, 1); });
}

TEST(MatrixProductOnTheExecutor, HasTheBitsOfTheArrays) {
  const pair::ProductShape shape{65, 7, 19};
  const auto a = numbers(shape.m * shape.k, 1);
  const auto b = numbers(shape.k * shape.n, 2);
  const auto mapped = [](const std::vector<double>& x, auto f) {
    std::vector<decltype(f(0.0))> y;
    for (const double each : x) y.push_back(f(each));
    return y;
  };
  const auto single = [](double x) { return static_cast<float>(x); };
  const auto high = [](double x) { return pair::from_double(x).h; };
  const auto low = [](double x) { return pair::from_double(x).l; };
  for (const Executor& on : executors()) {
    const Array<double> c(on, shape.m * shape.n);
    const auto a_single = copied(on, mapped(a, single)), b_single = copied(on, mapped(b, single));
    pair::product_single(on, shape, a_single.data(), b_single.data(), c.data());
    EXPECT_TRUE(same_bits(taken(on, c), pair::product_single(Executor::host(), shape, a, b)));
    const auto want = pair::product_pair_planes(Executor::host(), shape, a, b);
    const auto a_pair = copied(on, mapped(a, pair::from_double)), b_pair = copied(on, mapped(b, pair::from_double));
    pair::product_pair(on, shape, a_pair.data(), b_pair.data(), c.data());
    EXPECT_TRUE(same_bits(taken(on, c), want));
    const auto a_high = copied(on, mapped(a, high)), b_high = copied(on, mapped(b, high));
    const auto a_low = copied(on, mapped(a, low)), b_low = copied(on, mapped(b, low));
    pair::product_pair(on, shape, pair::PairPlanes{a_high.data(), a_low.data()},
                       pair::PairPlanes{b_high.data(), b_low.data()}, c.data());
    EXPECT_TRUE(same_bits(taken(on, c), want));
    const Array<double> on_a = copied(on, a), on_b = copied(on, b);
    pair::product_double(on, shape, on_a.data(), on_b.data(), c.data());
    EXPECT_TRUE(same_bits(taken(on, c), pair::product_double(Executor::host(), shape, a, b)));
  }
}

/// Numbers of 40 random bits with exponents within ±9, in modulus planes.
template <class Set>
mp::MpArray mp_numbers(std::size_t count, unsigned seed) {
  std::mt19937 draw(seed);
  mp::MpArray x = mp::mp_zeros(Set::n, count, true);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t limbs[] = {static_cast<std::uint32_t>(draw()), static_cast<std::uint32_t>(draw() & 0xFF)};
    mp::mp_view<Set>(x).store(
        k, mp::from_limbs<Set>(limbs, 2, static_cast<std::int64_t>(draw() % 19) - 9, draw() % 2 != 0));
  }
  return x;
}

void expect_same(const mp::MpArray& got, const mp::MpArray& want) {
  EXPECT_EQ(got.digits, want.digits);
  EXPECT_EQ(got.sign, want.sign);
  EXPECT_EQ(got.exponent, want.exponent);
  EXPECT_TRUE(same_bits(got.lower, want.lower));
  EXPECT_TRUE(same_bits(got.upper, want.upper));
}

template <class Set>
void expect_decomposed(const Executor& on, Transpose trans) {
  constexpr std::int64_t m = 6, n = 37, lda = 8;
  const std::int64_t outputs = trans == Transpose::yes ? n : m;
  const std::int64_t terms = trans == Transpose::yes ? m : n;
  const mp::MpArray a = mp_numbers<Set>(static_cast<std::size_t>(lda * n), 1);
  const mp::MpArray x = mp_numbers<Set>(static_cast<std::size_t>(2 * terms), 2);
  const mp::MpArray y = mp_numbers<Set>(static_cast<std::size_t>(outputs), 3);
  const mp::MpArray alpha = mp_numbers<Set>(1, 4), beta = mp_numbers<Set>(1, 5);
  const mp::MpArrayOn<Set> on_a(on, a), on_x(on, x), on_y(on, y), on_alpha(on, alpha), on_beta(on, beta);
  const Array<std::byte> workspace(on, gemv::mp_gemv_decomposed_workspace(Set::n, m, n));
  gemv::mp_gemv_decomposed<Set>(on, trans, m, n, on_alpha.view(), on_a.view(), lda, on_x.view(), 2, on_beta.view(),
                                on_y.view(), -1, workspace.data());
  wait(on);
  expect_same(on_y.take(), gemv::mp_gemv_decomposed(Executor::host(), trans, m, n, alpha, a, lda, x, 2, beta, y, -1));
  on_a.compare(a);
  static_cast<void>(workspace.take());
}

TEST(MpGemvDecomposedOnTheExecutor, HasTheBitsOfTheArrays) {
  for (const Executor& on : executors()) {
    on.reset_audit();
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      expect_decomposed<rns::Standard<8>>(on, trans);
      expect_decomposed<rns::Standard<32>>(on, trans);
      expect_decomposed<rns::Standard<128>>(on, trans);
    }
    EXPECT_EQ(on.audit().guard_zone_violations, 0u);
    EXPECT_EQ(on.audit().input_changes, 0u);
  }
}

TEST(MpGemvDecomposedOnTheExecutor, ReadsNothingForScalarsWithoutDigits) {
  using Set = rns::Standard<8>;
  const Executor on = Executor::host();
  const mp::MpArray y = mp_numbers<Set>(3, 1);
  const mp::MpArrayOn<Set> on_y(on, y);
  const Array<std::byte> workspace(on, gemv::mp_gemv_decomposed_workspace(8, 3, 2));
  gemv::mp_gemv_decomposed<Set>(on, Transpose::no, 3, 2, {}, {}, 3, {}, 1, {}, on_y.view(), 1, workspace.data());
  for (const Extended& upper : on_y.take().upper) EXPECT_EQ(upper.fraction, 0);
}

TEST(MpGemvDecomposedOnTheExecutor, LeavesYWithoutTerms) {
  using Set = rns::Standard<8>;
  const Executor on = Executor::host();
  const mp::MpArray y = mp_numbers<Set>(3, 1), beta = mp_numbers<Set>(1, 2);
  const mp::MpArrayOn<Set> on_y(on, y), on_beta(on, beta);
  const Array<std::byte> workspace(on, gemv::mp_gemv_decomposed_workspace(8, 3, 0));
  gemv::mp_gemv_decomposed<Set>(on, Transpose::no, 3, 0, {}, {}, 3, {}, 1, on_beta.view(), on_y.view(), 1,
                                workspace.data());
  wait(on);
  expect_same(on_y.take(), y);
}

TEST(MpGemvDecomposedOnTheExecutor, RefusesWrongArguments) {
  using Set = rns::Standard<8>;
  const auto call = [](std::int64_t m, std::int64_t lda, std::int64_t incy, int threads) {
    gemv::mp_gemv_decomposed<Set>(Executor::host(), Transpose::no, m, 1, {}, {}, lda, {}, 1, {}, {}, incy, nullptr,
                                  threads);
  };
  expect_refused("mp_gemv_decomposed", [&] { call(-1, 1, 1, 32); });
  expect_refused("mp_gemv_decomposed", [&] { call(2, 1, 1, 32); });
  expect_refused("mp_gemv_decomposed", [&] { call(1, 1, 0, 32); });
  expect_refused("mp_gemv_decomposed", [&] { call(1, 1, 1, 3); });
  expect_refused("mp_gemv_decomposed", [] { gemv::mp_gemv_decomposed_workspace(9, 1, 1); });
  expect_refused("mp_gemv_decomposed", [] { gemv::mp_gemv_decomposed_workspace(8, -1, 1); });
}

/// The words of sign and exponent, less an offset.
std::vector<std::int32_t> words_of(const mp::MpArray& x, std::int64_t offset) {
  std::vector<std::int32_t> words;
  for (std::size_t k = 0; k < x.length; ++k) {
    const bool zero = x.upper[k].fraction == 0;
    words.push_back(zero ? gemv::MpPlanes::zero : static_cast<std::int32_t>(2 * (x.exponent[k] - offset) + x.sign[k]));
  }
  return words;
}

TEST(MpGemvExactOnTheExecutor, HasTheBitsOfTheArraysCallAfterCall) {
  using Set = rns::Standard<16>;
  constexpr std::int64_t m = 40, n = 37, lda = 41;
  for (const Executor& on : executors()) {
    on.reset_audit();
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      const std::int64_t outputs = trans == Transpose::yes ? n : m;
      const std::int64_t terms = trans == Transpose::yes ? m : n;
      const gemv::MpGemvExactPlan plan(Set::n, trans, m, n);
      const Array<std::byte> workspace(on, plan.workspace());
      const mp::MpArray a = mp_numbers<Set>(static_cast<std::size_t>(lda * n), 1);
      const mp::MpArray alpha = mp_numbers<Set>(1, 4), beta = mp_numbers<Set>(1, 5);
      const auto a_words = words_of(a, 7);
      const Array<std::uint32_t> a_digits = copied(on, a.digits);
      const Array<std::int32_t> a_on = copied(on, a_words);
      for (const unsigned seed : {2u, 12u}) {
        const mp::MpArray x = mp_numbers<Set>(static_cast<std::size_t>(2 * terms), seed);
        const mp::MpArray y = mp_numbers<Set>(static_cast<std::size_t>(outputs), seed + 1);
        const Array<std::uint32_t> x_digits = copied(on, x.digits), y_digits = copied(on, y.digits);
        const Array<std::int32_t> x_on = copied(on, words_of(x, -3));
        const Array<std::int32_t> sign = copied(on, y.sign), exponent = copied(on, y.exponent);
        const Array<Extended> lower = copied(on, y.lower), upper = copied(on, y.upper);
        gemv::mp_gemv_exact(on, plan, alpha, {a_digits.data(), a_on.data(), lda * n, 7}, lda,
                            {x_digits.data(), x_on.data(), 2 * terms, -3}, -2, beta,
                            {y_digits.data(), sign.data(), exponent.data(), lower.data(), upper.data(), outputs}, 1,
                            workspace.data());
        mp::MpArray got = y;
        got.digits = taken(on, y_digits);
        got.sign = sign.take();
        got.exponent = exponent.take();
        got.lower = lower.take();
        got.upper = upper.take();
        expect_same(got, gemv::mp_gemv_exact(Executor::host(), trans, m, n, alpha, a, lda, x, -2, beta, y, 1));
      }
      a_digits.compare(a.digits);
      static_cast<void>(workspace.take());
    }
    EXPECT_EQ(on.audit().guard_zone_violations, 0u);
    EXPECT_EQ(on.audit().input_changes, 0u);
  }
}

TEST(MpGemvExactOnTheExecutor, NeedsNoWorkspaceForNoEntries) {
  for (const Transpose trans : {Transpose::no, Transpose::yes}) {
    const bool transposed = trans == Transpose::yes;
    EXPECT_EQ(gemv::MpGemvExactPlan(8, trans, transposed ? 5 : 0, transposed ? 0 : 5).workspace(), 0u);
    EXPECT_GT(gemv::MpGemvExactPlan(8, trans, transposed ? 5 : 1, transposed ? 1 : 5).workspace(), 0u);
  }
}

TEST(MpGemvExactOnTheExecutor, RefusesWrongArguments) {
  const mp::MpArray one = mp_numbers<rns::Standard<8>>(1, 1);
  const gemv::MpGemvExactPlan plan(8, Transpose::no, 2, 1);
  const auto call = [&](const mp::MpArray& alpha, std::int64_t lda, std::int64_t incx) {
    gemv::mp_gemv_exact(Executor::host(), plan, alpha, {}, lda, {}, incx, one, {}, 1, nullptr);
  };
  expect_refused("mp_gemv_exact", [&] { call(one, 1, 1); });
  expect_refused("mp_gemv_exact", [&] { call(one, 2, 0); });
  expect_refused("mp_gemv_exact", [&] { call(mp_numbers<rns::Standard<16>>(1, 1), 2, 1); });
  expect_refused("mp_gemv_exact", [&] { call(mp_numbers<rns::Standard<8>>(2, 1), 2, 1); });
  expect_refused("mp_gemv_exact", [] { gemv::MpGemvExactPlan(9, Transpose::no, 1, 1); });
  expect_refused("mp_gemv_exact", [] { gemv::MpGemvExactPlan(8, Transpose::no, 1, -1); });
}

TEST(SumsOnTheExecutor, HaveTheBitsOfTheArrays) {
  const std::vector<double> x = numbers(1000, 1), y = numbers(1000, 2);
  const std::vector<std::size_t> offsets{0, 1, 3, 34, 99, 99, 1000};
  const std::size_t count = offsets.size() - 1;
  for (const Executor& on : executors()) {
    const Array<double> on_x = copied(on, x), on_y = copied(on, y), results(on, count);
    const Array<std::size_t> ends = copied(on, offsets);
    const auto expect_sum = [&](const auto& sum) {
      sum(on, on_x.data(), ends.data(), count, results.data());
      EXPECT_TRUE(same_bits(taken(on, results), sum(Executor::host(), x, offsets)));
    };
    const auto expect_dot = [&](const auto& dot) {
      dot(on, on_x.data(), on_y.data(), ends.data(), count, results.data());
      EXPECT_TRUE(same_bits(taken(on, results), dot(Executor::host(), x, y, offsets)));
    };
    expect_sum(sum::recursive_sum<double>);
    expect_sum(sum::pairwise_sum<double>);
    expect_sum(sum::sum_k<3, double>);
    expect_sum(sum::block_sum<double>);
    expect_sum(sum::block_sum2<double>);
    expect_dot(sum::recursive_dot<double>);
    expect_dot(sum::dot_k<4, double>);
    expect_dot(sum::block_dot2<double>);
    sum::block_sum<double>(on, nullptr, nullptr, 0, nullptr);
  }
}

TEST(ExactSumsOnTheExecutor, HaveTheBitsOfTheArrays) {
  const std::vector<double> x = numbers(70000, 1), y = numbers(70000, 2);
  const auto n = static_cast<std::int64_t>(x.size());
  for (const Executor& on : executors()) {
    const Array<double> on_x = copied(on, x), on_y = copied(on, y), result(on, 1);
    const Array<std::int64_t> workspace(on, sum::exact_sum_workspace());
    sum::exact_sum(on, on_x.data(), n, Rounding::ru, result.data(), workspace.data());
    EXPECT_EQ(taken(on, result).front(), sum::exact_sum(Executor::host(), x, Rounding::ru));
    sum::exact_dot(on, on_x.data(), on_y.data(), n, Rounding::rd, result.data(), workspace.data());
    EXPECT_EQ(taken(on, result).front(), sum::exact_dot(Executor::host(), x, y, Rounding::rd));
    const Array<double> on_z = copied(on, std::vector<double>(y.begin(), y.begin() + 7));
    gemv::exact_gemv(on, Transpose::no, 7, 10000, 2, on_x.data(), 7, on_y.data(), 1, 3, on_z.data(), 1);
    EXPECT_TRUE(same_bits(taken(on, on_z), gemv::exact_gemv(Executor::host(), Transpose::no, 7, 10000, 2, x, 7, y, 1, 3,
                                                            Span(y).first(7), 1)));
  }
}

}  // namespace
}  // namespace assay
