// BLAS with entries of one, two and four words; triangular and general systems in binary64.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bench/kernel_times/operands.hpp"
#include "bench/kernel_times/rows.hpp"
#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"
#include "kernels/refine/certified_solve.hpp"
#include "kernels/triangular/rounded_trsv.hpp"

namespace assay::bench {
namespace {

using blas::Diagonal;
using blas::Side;
using blas::Transpose;
using blas::Triangle;

constexpr int offered_words[] = {1, 2, 4};

std::string words_name(int words) { return std::to_string(words) + (words == 1 ? " word" : " words"); }

/// 1 as an entry of W words, and a number below 1.
std::vector<double> one(int words) {
  std::vector<double> x(static_cast<std::size_t>(words));
  x[0] = 1;
  return x;
}
std::vector<double> half(int words) {
  std::vector<double> x = one(words);
  x[0] = 0.5;
  return x;
}

}  // namespace

void time_vectors(const Rows& rows) {
  const Executor& on = rows.on();
  const std::int64_t n = rows.size(std::int64_t{1} << 24, 3000);
  for (const int words : offered_words) {
    const std::string numbers = words_name(words);
    const std::string length = std::to_string(n);
    const DeviceArray<double> x = entries(on, words, n, 1);
    const DeviceArray<double> y = entries(on, words, n, 2);
    const DeviceArray<double> result(on, expansion::norm_workspace(words, n));
    const std::vector<double> alpha = half(words);
    const double bytes = 8.0 * words * static_cast<double>(n);
    rows.time("expansion_axpy", numbers, length, 3 * bytes,
              [&] { expansion::expansion_axpy(on, words, n, alpha, x.data(), 1, y.data(), 1); });
    rows.time("expansion_dot", numbers, length, 2 * bytes,
              [&] { expansion::expansion_dot(on, words, n, x.data(), 1, y.data(), 1, result.data()); });
    rows.time("expansion_asum", numbers, length, bytes,
              [&] { expansion::expansion_asum(on, words, n, x.data(), 1, result.data()); });
    rows.time("expansion_nrm2", numbers, length, bytes,
              [&] { expansion::expansion_nrm2(on, words, n, x.data(), 1, result.data()); });
  }
}

void time_matrices(const Rows& rows) {
  const Executor& on = rows.on();
  const std::int64_t n = rows.size(4096, 40);
  const std::int64_t small = rows.size(1024, 12);
  const auto area = static_cast<double>(n * n);
  {
    const DeviceArray<double> a = entries(on, 1, n * n, 1);
    const DeviceArray<double> b = entries(on, 1, small * small, 2);
    const DeviceArray<double> c = entries(on, 1, small * small, 3);
    const DeviceArray<double> x = entries(on, 1, n, 4);
    const DeviceArray<double> y = entries(on, 1, n, 5);
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      rows.time(trans == Transpose::no ? "dot2_gemv N" : "dot2_gemv T", words_name(1), shape(n, n),
                8 * (area + 2.0 * static_cast<double>(n)),
                [&] { expansion::dot2_gemv(on, trans, n, n, 1, a.data(), n, x.data(), 1, 0, y.data(), 1); });
    }
    rows.time("dot2_gemm", words_name(1), shape(small, small), 24 * static_cast<double>(small * small), [&] {
      expansion::dot2_gemm(on, Transpose::no, Transpose::no, small, small, small, 1, a.data(), small, b.data(), small,
                           0, c.data(), small);
    });
  }
  for (const int words : offered_words) {
    const std::string numbers = words_name(words);
    const double width = 8.0 * words;
    const DeviceArray<double> a = entries(on, words, n * n, 1);
    const DeviceArray<double> c = entries(on, words, small * small, 2);
    const DeviceArray<double> x = entries(on, words, n, 3);
    const DeviceArray<double> y = entries(on, words, n, 4);
    const std::vector<double> alpha = half(words);
    const std::vector<double> zero(static_cast<std::size_t>(words));
    rows.time("expansion_ger", numbers, shape(n, n), width * (2 * area + 2 * static_cast<double>(n)),
              [&] { expansion::expansion_ger(on, words, n, n, alpha, x.data(), 1, y.data(), 1, a.data(), n); });
    rows.time("expansion_symv", numbers, shape(n, n), width * (triangle(n) + 2 * static_cast<double>(n)), [&] {
      expansion::expansion_symv(on, words, Triangle::lower, n, alpha, a.data(), n, x.data(), 1, zero, y.data(), 1);
    });
    rows.time("expansion_syrk", numbers, shape(small, small),
              width * (static_cast<double>(small * small) + triangle(small)), [&] {
                expansion::expansion_syrk(on, words, Triangle::lower, Transpose::no, small, small, alpha, a.data(),
                                          small, zero, c.data(), small);
              });
  }
}

void time_triangular(const Rows& rows) {
  const Executor& on = rows.on();
  const std::int64_t n = rows.size(2048, 30);
  const std::int64_t sides = rows.size(256, 4);
  for (const int words : offered_words) {
    const std::string numbers = words_name(words);
    const double width = 8.0 * words;
    const DeviceArray<double> a = near_identity(on, words, n, 1);
    const DeviceArray<double> b = entries(on, words, n * sides, 2);
    const DeviceArray<double> workspace(on, static_cast<std::size_t>(n * sides * std::max(words, 2)));
    rows.time("expansion_trsv", numbers, shape(n, n), width * (triangle(n) + 2 * static_cast<double>(n)), [&] {
      expansion::expansion_trsv(on, words, Triangle::lower, Transpose::no, Diagonal::stored, n, a.data(), n, b.data(),
                                1, workspace.data());
    });
    rows.time("expansion_trsm", numbers, shape(n, sides), width * (triangle(n) + 2 * static_cast<double>(n * sides)),
              [&] {
                expansion::expansion_trsm(on, words, Side::left, Triangle::lower, Transpose::no, Diagonal::stored, n,
                                          sides, one(words), a.data(), n, b.data(), n, workspace.data());
              });
  }
  const DeviceArray<double> a = near_identity(on, 1, n, 1);
  const DeviceArray<double> x = entries(on, 1, n, 2);
  for (const Transpose trans : {Transpose::no, Transpose::yes}) {
    rows.time(trans == Transpose::no ? "rounded_trsv N" : "rounded_trsv T", "binary64", shape(n, n),
              8 * (triangle(n) + 2 * static_cast<double>(n)), [&] {
                triangular::rounded_trsv(on, Triangle::lower, trans, Diagonal::stored, n, a.data(), n, x.data(), 1);
              });
  }
}

void time_systems(const Rows& rows) {
  const Executor& on = rows.on();
  for (const std::int64_t n : {rows.size(256, 6), rows.size(1024, 12)}) {
    const std::vector<double> a = entries(on, 1, n * n, 1).all();
    const std::vector<double> b = entries(on, 1, n, 2).all();
    rows.time("certified_solve", "binary64", shape(n, n), 8 * static_cast<double>(n * n + 2 * n), [&] {
      const refine::CertifiedSolution solution = refine::certified_solve(on, n, a, b);
      if (solution.status != refine::SolveStatus::certified) throw std::runtime_error("a system is not certified");
    });
  }
}

}  // namespace assay::bench
