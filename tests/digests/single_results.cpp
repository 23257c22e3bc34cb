#include <span>

#include "exec/array.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/pair/matrix_product.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/sum/summation.hpp"
#include "tests/digests/fixed_inputs.hpp"

namespace assay {
namespace {

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};

/// Numbers of T and then the same again, times `factor`.
template <class T>
std::vector<T> twice(std::uint64_t start, std::size_t count, double factor) {
  std::vector<T> x;
  for (const double each : Sequence(start).numbers(count / 2)) x.push_back(static_cast<T>(each));
  for (std::size_t i = 0; i < count / 2; ++i) x.push_back(static_cast<T>(static_cast<double>(x[i]) * factor));
  return x;
}

/// Numbers whose sum is far smaller than they are.
template <class T>
std::vector<T> numbers_that_cancel(std::uint64_t start, std::size_t count) {
  return twice<T>(start, count, sizeof(T) == 8 ? -0x1.00000000001p0 : -0x1.0001p0);
}

/// Digests over vectors of several lengths whose sums cancel. `add(x, inputs, outputs)` adds the results, and the
/// inputs other than x.
template <class T, class Add>
Digests of_lengths(std::uint64_t start, const Add& add) {
  Digest inputs;
  Digest outputs;
  for (const std::size_t count : {2u, 64u, 402u}) {
    const std::vector<T> x = numbers_that_cancel<T>(start, count);
    inputs.add(words_of(x));
    add(std::span<const T>(x), inputs, outputs);
  }
  return {inputs.value(), outputs.value()};
}

template <class T>
Digests sums(const Executor& on, std::uint64_t) {
  return of_lengths<T>(11, [&](std::span<const T> s, Digest&, Digest& outputs) {
    outputs.add(words_of(std::vector<T>{sum::recursive_sum<T>(on, s), sum::pairwise_sum<T>(on, s),
                                        sum::kahan_sum<T>(on, s), sum::neumaier_sum<T>(on, s), sum::sum2<T>(on, s),
                                        sum::sum_k<3, T>(on, s), sum::sum_k<4, T>(on, s), sum::block_sum<T>(on, s),
                                        sum::block_sum2<T>(on, s), sum::acc_sum<T>(on, s), sum::near_sum<T>(on, s),
                                        sum::fast_acc_sum<T>(on, s), sum::prec_sum<T>(on, 2, s)}));
    outputs.add(words_of(sum::acc_sum_k<T>(on, 3, s)));
    outputs.add(static_cast<std::uint64_t>(sum::acc_sign<T>(on, s)));
  });
}

template <class T>
Digests dots(const Executor& on, std::uint64_t) {
  return of_lengths<T>(12, [&](std::span<const T> s, Digest& inputs, Digest& outputs) {
    const std::vector<T> y = twice<T>(13, s.size(), 1);
    const std::span<const T> t(y);
    inputs.add(words_of(y));
    outputs.add(words_of(std::vector<T>{sum::recursive_dot<T>(on, s, t), sum::dot2<T>(on, s, t),
                                        sum::dot_k<3, T>(on, s, t), sum::dot_k<4, T>(on, s, t),
                                        sum::block_dot<T>(on, s, t), sum::block_dot2<T>(on, s, t)}));
    if constexpr (sizeof(T) == 4) {
      outputs.add(words_of(std::vector{sum::dot_f32_in_f64(on, s, t), sum::block_dot_f32_in_f64(on, s, t)}));
    }
  });
}

/// By superaccumulators: with expansions in front of them, by blocks, and by blocks on the executor's memory.
Digests exact_sums(const Executor& on, std::uint64_t) {
  Digest inputs;
  Digest outputs;
  const std::vector<double> x = numbers_that_cancel<double>(14, 402);
  const std::vector<double> y = twice<double>(15, 402, 1);
  inputs.add(words_of(x));
  inputs.add(words_of(y));
  const Array<double> x_there(on, std::span<const double>(x));
  const Array<double> y_there(on, std::span<const double>(y));
  const auto n = static_cast<std::int64_t>(x.size());
  for (const Rounding to : directions) {
    for (const int words : {0, 3, 4, 6, 8}) {
      outputs.add(
          words_of(std::vector{sum::accumulator_sum(on, words, to, x), sum::accumulator_dot(on, words, to, x, y)}));
    }
    outputs.add(words_of(std::vector{sum::exact_sum(on, x, to), sum::exact_dot(on, x, y, to)}));
    const Array<double> results(on, 2);
    const Array<std::int64_t> workspace(on, sum::exact_sum_workspace());
    sum::exact_sum(on, x_there.data(), n, to, results.data(), workspace.data());
    sum::exact_dot(on, x_there.data(), y_there.data(), n, to, results.data() + 1, workspace.data());
    wait(on);
    outputs.add(words_of(results.take()));
  }
  return {inputs.value(), outputs.value()};
}

/// y ← α·Aᵀx + β·y on the executor's memory, with gaps in all three.
Digests exact_gemv_there(const Executor& on, std::uint64_t) {
  constexpr std::int64_t m = 20, n = 7, lda = 23;
  Sequence sequence(16);
  const std::vector<double> a = sequence.numbers(lda * n);
  const std::vector<double> x = sequence.numbers(2 * m);
  const std::vector<double> y = sequence.numbers(3 * n);
  Digest inputs;
  Digest outputs;
  for (const auto* each : {&a, &x, &y}) inputs.add(words_of(*each));
  const Array<double> a_there(on, std::span<const double>(a));
  const Array<double> x_there(on, std::span<const double>(x));
  for (const Rounding to : directions) {
    const Array<double> y_there(on, std::span<const double>(y));
    gemv::exact_gemv(on, blas::Transpose::yes, m, n, 0x1.8p-3, a_there.data(), lda, x_there.data(), 2, -3.0,
                     y_there.data(), -3, to);
    wait(on);
    outputs.add(words_of(y_there.take()));
  }
  return {inputs.value(), outputs.value()};
}

Digests products(const Executor& on, std::uint64_t) {
  constexpr pair::ProductShape shape{19, 17, 23};
  Sequence sequence(17);
  const std::vector<double> a = sequence.numbers(shape.m * shape.k);
  const std::vector<double> b = sequence.numbers(shape.k * shape.n);
  Digest inputs;
  Digest outputs;
  for (const auto* each : {&a, &b}) inputs.add(words_of(*each));
  outputs.add(words_of(pair::product_single(on, shape, a, b)));
  outputs.add(words_of(pair::product_double(on, shape, a, b)));
  outputs.add(words_of(pair::product_pair_interleaved(on, shape, a, b)));
  outputs.add(words_of(pair::product_pair_planes(on, shape, a, b)));
  return {inputs.value(), outputs.value()};
}

/// Some entries of a product, and all of them, which copies rows and columns first.
Digests recomputed_entries(const Executor& on, std::uint64_t) {
  constexpr std::int64_t m = 12, n = 10, k = 31;
  Sequence sequence(18);
  const std::vector<double> a = sequence.numbers(m * k);
  const std::vector<double> b = sequence.numbers(k * n);
  const std::vector<double> c = sequence.numbers(m * n);
  Digest inputs;
  Digest outputs;
  for (const auto* each : {&a, &b, &c}) inputs.add(words_of(*each));
  const Array<double> a_there(on, std::span<const double>(a));
  const Array<double> b_there(on, std::span<const double>(b));
  for (const std::uint64_t step : {1u, 7u}) {
    std::vector<std::uint64_t> entries;
    for (std::uint64_t i = 0; i < m * n; i += step) entries.push_back(i);
    const Array<std::uint64_t> entries_there(on, std::span<const std::uint64_t>(entries));
    const Array<double> c_there(on, std::span<const double>(c));
    const gemm::GemmArguments g{.m = m,
                                .n = n,
                                .k = k,
                                .alpha = 0x1.8p-3,
                                .a = a_there.data(),
                                .lda = m,
                                .b = b_there.data(),
                                .ldb = k,
                                .beta = -3,
                                .c = c_there.data(),
                                .ldc = m};
    gemm::recompute_entries(on, g, c_there.data(), entries_there.data(), entries.size());
    wait(on);
    outputs.add(words_of(c_there.take()));
  }
  return {inputs.value(), outputs.value()};
}

}  // namespace

std::vector<DigestSubject> single_results() {
  return {
      {.name = "fixed_inputs.dots", .run = dots<double>},
      {.name = "fixed_inputs.dots.f32", .run = dots<float>},
      {.name = "fixed_inputs.exact_gemv", .run = exact_gemv_there},
      {.name = "fixed_inputs.exact_sums", .run = exact_sums},
      {.name = "fixed_inputs.products", .run = products},
      {.name = "fixed_inputs.recompute_entries", .run = recomputed_entries},
      {.name = "fixed_inputs.sums", .run = sums<double>},
      {.name = "fixed_inputs.sums.f32", .run = sums<float>},
  };
}

}  // namespace assay
