#pragma once
// From a GEMM case to its result: the arrays are moved to the executor, and C is taken back.

#include <span>
#include <vector>

#include "exec/array.hpp"
#include "kernels/gemm/arguments.hpp"
#include "properties/catalog/gemm/cases.hpp"

namespace assay::gemm {

/// The array of C after multiply(arguments) with pointers on the executor: of the first product, as its arguments say;
/// the strides of a batch are the case's.
template <class Multiply>
std::vector<double> run_gemm(const Executor& on, const GemmCase& c, Multiply&& multiply) {
  const auto transpose = [](int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; };
  const Array<double> a(on, std::span<const double>(c.a));
  const Array<double> b(on, std::span<const double>(c.b));
  const Array<double> result(on, std::span<const double>(c.c));
  multiply(GemmArguments{transpose(c.trans_a), transpose(c.trans_b), c.m, c.n, c.k, c.alpha, a.data(), c.lda, b.data(),
                         c.ldb, c.beta, result.data(), c.ldc});
  a.compare(c.a);
  b.compare(c.b);
  return result.take();
}

}  // namespace assay::gemm
