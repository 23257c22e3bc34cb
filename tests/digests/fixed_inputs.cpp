// Kernels that no property of the catalog calls: the forms of gemm that take arrays on the host, the C interface, and
// steps of engines whose results are exact, so that executors agree on their bits.

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/array.hpp"
#include "kernels/eft/error_free.hpp"
#include "kernels/eft/pair_digest.hpp"
#include "kernels/gemm/assay_blas.h"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/gemm/scan.hpp"
#include "kernels/rns/rns.hpp"
#include "tests/digests/fixed_inputs.hpp"

namespace assay {
namespace {

/// A batch of products with gaps between columns and between matrices; A is transposed.
struct Products {
  static constexpr std::int64_t m = 5, n = 4, k = 7, lda = 8, ldb = 9, ldc = 6, batch = 3;
  static constexpr std::int64_t stride_a = 42, stride_b = 37, stride_c = 25;
  static constexpr double alpha = 0x1.8p3, beta = -0x1.5555555555555p-2;
  std::vector<double> a, b, c;
  Products() {
    Sequence sequence(1);
    a = sequence.numbers(2 * stride_a + lda * m);
    b = sequence.numbers(2 * stride_b + ldb * n);
    c = sequence.numbers(2 * stride_c + ldc * n);
  }
  Digest digest() const {
    Digest inputs;
    for (const auto* each : {&a, &b, &c}) inputs.add(words_of(*each));
    return inputs;
  }
};

Digests gemm_of_arrays(const Executor& on, std::uint64_t) {
  using P = Products;
  const P p;
  const Digest inputs = p.digest();
  Digest outputs;
  outputs.add(words_of(gemm::gemm(on, blas::Transpose::yes, blas::Transpose::no, P::m, P::n, P::k, P::alpha, p.a,
                                  P::lda, p.b, P::ldb, P::beta, p.c, P::ldc)));
  outputs.add(words_of(gemm::gemm_strided_batched(on, blas::Transpose::yes, blas::Transpose::no, P::m, P::n, P::k,
                                                  P::alpha, p.a, P::lda, P::stride_a, p.b, P::ldb, P::stride_b, P::beta,
                                                  p.c, P::ldc, P::stride_c, P::batch)));
  return {inputs.value(), outputs.value()};
}

void require_success(assayStatus_t status) {
  if (status != ASSAY_STATUS_SUCCESS) throw std::runtime_error(assayGetMessage());
}

/// The same products by all four functions of the C interface, each on a C of its own.
Digests c_interface(const Executor& on, std::uint64_t) {
  using P = Products;
  const P p;
  const Digest inputs = p.digest();
  Digest outputs;
  assayHandle_t handle = nullptr;
  require_success(on.kind() == Executor::Kind::host ? assayCreateHost(&handle) : assayCreate(&handle, on.device()));
  const std::unique_ptr<const void, void (*)(assayHandle_t)> destroyed_at_the_end(
      handle, [](assayHandle_t h) { static_cast<void>(assayDestroy(h)); });
  const Array<double> a(on, std::span(p.a));
  const Array<double> b(on, std::span(p.b));
  const auto run = [&](const auto& product) {
    const Array<double> c(on, std::span(p.c));
    require_success(product(c.data()));
    outputs.add(words_of(c.take()));
  };
  const double alpha = P::alpha;
  const double beta = P::beta;
  run([&](double* c) {
    return assayDgemm(handle, ASSAY_OP_T, ASSAY_OP_N, P::m, P::n, P::k, &alpha, a.data(), P::lda, b.data(), P::ldb,
                      &beta, c, P::ldc);
  });
  run([&](double* c) {
    return assayDgemm_64(handle, ASSAY_OP_C, ASSAY_OP_N, P::m, P::n, P::k, &alpha, a.data(), P::lda, b.data(), P::ldb,
                         &beta, c, P::ldc);
  });
  run([&](double* c) {
    return assayDgemmStridedBatched(handle, ASSAY_OP_T, ASSAY_OP_N, P::m, P::n, P::k, &alpha, a.data(), P::lda,
                                    P::stride_a, b.data(), P::ldb, P::stride_b, &beta, c, P::ldc, P::stride_c,
                                    P::batch);
  });
  run([&](double* c) {
    return assayDgemmStridedBatched_64(handle, ASSAY_OP_T, ASSAY_OP_N, P::m, P::n, P::k, &alpha, a.data(), P::lda,
                                       P::stride_a, b.data(), P::ldb, P::stride_b, &beta, c, P::ldc, P::stride_c,
                                       P::batch);
  });
  return {inputs.value(), outputs.value()};
}

/// The integers of every line. Its bounds of sums are excluded: they may differ between executors.
Digests scan(const Executor& on, std::uint64_t) {
  constexpr std::int64_t rows = 9, columns = 70;
  std::vector<double> x = Sequence(2).numbers(rows * columns);
  x[5] = INFINITY;
  x[rows + 6] = -0x3p-1074;
  Digest inputs;
  Digest outputs;
  inputs.add(words_of(x));
  const Array<double> input(on, std::span<const double>(x));
  const gemm::GemmLines by_row{input.data(), rows, columns, 1, rows, nullptr, 1};
  for (const gemm::GemmLines& of : {by_row, by_row.across()}) {
    const Array<gemm::GemmLine> lines(on, static_cast<std::size_t>(of.lines));
    gemm::gemm_scan(on, of, lines.data());
    const gemm::GemmScanSummary summary = gemm::gemm_scan_summary(on, lines.data(), of.lines);
    outputs.add_all<std::int32_t>(std::vector{summary.most_bits, summary.top, summary.low, summary.non_finite});
    for (const gemm::GemmLine& line : lines.take()) {
      outputs.add_all<std::int32_t>(std::vector{line.top, line.low, line.non_finite});
    }
  }
  return {inputs.value(), outputs.value()};
}

/// Every second operand against some first ones, among them 1, the largest number and a NaN.
template <class Op>
Digests all_pairs(const Executor& on, std::uint64_t) {
  Digest inputs;
  Digest outputs;
  for (const std::uint32_t first : {0x0001u, 0x3c00u, 0x7bffu, 0x7e00u, 0x9234u}) {
    inputs.add(std::uint64_t{first});
    outputs.add_all<std::uint64_t>(eft::pair_digests<Op>(on, first, 1));
  }
  return {inputs.value(), outputs.value()};
}

/// Digits of numbers below 2^(32·limbs − 32), which is below the product of the moduli.
Digests mixed_radix(const Executor& on, std::uint64_t) {
  Digest inputs;
  Digest outputs;
  Sequence sequence(3);
  for (const int n : {8, 16, 32, 64, 128}) {
    const auto limbs = static_cast<std::size_t>(rns::rns_limbs(n));
    std::vector<std::uint32_t> x(4 * limbs);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = (i + 1) % limbs == 0 ? 0 : static_cast<std::uint32_t>(sequence.next());
    }
    inputs.add_all<std::uint32_t>(x);
    outputs.add_all<std::uint32_t>(rns::rns_mixed_radix(on, n, rns::rns_from_limbs(on, n, x)));
  }
  return {inputs.value(), outputs.value()};
}

Digests int8_product(const Executor& on, std::uint64_t) {
  constexpr std::int64_t m = 16, n = 32, k = 48, batch = 2;
  Sequence sequence(4);
  const auto a = sequence.integers<std::int8_t>(m * k * batch, 127);
  const auto b = sequence.integers<std::int8_t>(n * k * batch, 127);
  const auto c = sequence.integers<std::int32_t>(m * n * batch, 1000);
  Digest inputs;
  Digest outputs;
  inputs.add_all<std::int8_t>(a);
  inputs.add_all<std::int8_t>(b);
  inputs.add_all<std::int32_t>(c);
  const Array<std::int8_t> x(on, std::span(a));
  const Array<std::int8_t> y(on, std::span(b));
  for (const bool accumulate : {false, true}) {
    const Array<std::int32_t> z(on, std::span(c));
    gemm::cublas::int8_product(on, m, n, k, x.data(), k, m * k, y.data(), k, n * k, z.data(), m, m * n, batch,
                               accumulate);
    outputs.add_all<std::int32_t>(z.take());
  }
  return {inputs.value(), outputs.value()};
}

/// Products of integers, which are exact in binary64 in every order.
Digests dgemm_of_integers(const Executor& on, std::uint64_t) {
  constexpr std::int64_t m = 6, n = 5, k = 9, batch = 2;
  Sequence sequence(5);
  const auto a = sequence.integers<double>(m * k * batch, 1 << 20);
  const auto b = sequence.integers<double>(n * k * batch, 1 << 20);
  const auto c = sequence.integers<double>(m * n * batch, 1 << 20);
  Digest inputs;
  Digest outputs;
  for (const auto* each : {&a, &b, &c}) inputs.add(words_of(*each));
  const Array<double> x(on, std::span(a));
  const Array<double> y(on, std::span(b));
  for (const bool transposed : {false, true}) {
    const Array<double> z(on, std::span(c));
    gemm::cublas::dgemm(on, transposed, !transposed, m, n, k, 2, x.data(), transposed ? k : m, m * k, y.data(),
                        transposed ? k : n, n * k, -3, z.data(), m, m * n, batch);
    outputs.add(words_of(z.take()));
  }
  return {inputs.value(), outputs.value()};
}

}  // namespace

std::vector<DigestSubject> fixed_inputs() {
  std::vector<DigestSubject> subjects{
      {.name = "fixed_inputs.assay_blas", .run = c_interface},
      {.name = "fixed_inputs.cublas_dgemm", .run = dgemm_of_integers},
      {.name = "fixed_inputs.cublas_int8_product", .run = int8_product},
      {.name = "fixed_inputs.gemm_of_arrays", .run = gemm_of_arrays},
      {.name = "fixed_inputs.gemm_scan", .run = scan},
      {.name = "fixed_inputs.pair_digests_two_prod", .run = all_pairs<eft::TwoProd<binary16>>},
      {.name = "fixed_inputs.pair_digests_two_sum", .run = all_pairs<eft::TwoSum<binary16>>},
      {.name = "fixed_inputs.rns_mixed_radix", .run = mixed_radix},
  };
  for (const auto& more : {single_results(), small_formats()})
    subjects.insert(subjects.end(), more.begin(), more.end());
  return subjects;
}

}  // namespace assay
