#pragma once
// From a GEMM case to its result: the arrays are copied to the executor, and C is copied back.

#include <span>
#include <vector>

#include "exec/array.hpp"
#include "kernels/gemm/arguments.hpp"
#include "properties/draws/gemm/cases.hpp"
#include "properties/framework/offset_array.hpp"

namespace assay::gemm {

/// The array of C after multiply(arguments), with pointers on the executor to the first product; the strides of a batch
/// come from the case. If m + n + k is odd, the matrices lie at addresses that are multiples of 8, but not of 16.
template <class Multiply>
std::vector<double> run_gemm(const Executor& on, const GemmCase& c, Multiply&& multiply) {
  const auto transpose = [](int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; };
  const auto arguments = [&](const double* a, const double* b, double* result) {
    return GemmArguments{
        transpose(c.trans_a), transpose(c.trans_b), c.m, c.n, c.k, c.alpha, a, c.lda, b, c.ldb, c.beta, result, c.ldc};
  };
  if ((c.m + c.n + c.k) % 2 != 0) {
    const OffsetArray<double> a(on, c.a);
    const OffsetArray<double> b(on, c.b);
    const OffsetArray<double> result(on, c.c);
    multiply(arguments(a.data(), b.data(), result.data()));
    a.compare();
    b.compare();
    return result.take();
  }
  const Array<double> a(on, std::span<const double>(c.a));
  const Array<double> b(on, std::span<const double>(c.b));
  const Array<double> result(on, std::span<const double>(c.c));
  multiply(arguments(a.data(), b.data(), result.data()));
  a.compare(c.a);
  b.compare(c.b);
  return result.take();
}

}  // namespace assay::gemm
