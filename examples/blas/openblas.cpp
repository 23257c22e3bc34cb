// OpenBLAS on the host, by one thread: then the order of its operations is that of its kernels for this processor.
//
// Refuted, with counterexamples in corpora/: that results are correctly rounded. Not refuted: grade A, scaling by
// powers of two bit for bit, and what BLAS and IEEE arithmetic say of zeros, infinities and NaNs.

#include <cblas.h>

#include <algorithm>

#include "gemm.hpp"

namespace {

using blas::GemmCase;

constexpr assay::Source any_order =
    "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX 34(2), 2013, and "
    "docs/bounds/gemm_grades.md: products added in any order";

/// One thread, from before the first product on.
void by_one_thread() {
  static const bool set = (openblas_set_num_threads(1), true);
  static_cast<void>(set);
}

CBLAS_TRANSPOSE transpose(int flag) { return flag != 0 ? CblasTrans : CblasNoTrans; }
blasint number(std::int64_t x) { return static_cast<blasint>(x); }

void dgemm(const GemmCase& c, const double* a, const double* b, double* out) {
  by_one_thread();
  cblas_dgemm(CblasColMajor, transpose(c.trans_a), transpose(c.trans_b), number(c.m), number(c.n), number(c.k), c.alpha,
              a, number(c.lda), b, number(c.ldb), c.beta, out, number(c.ldc));
}

/// Requires: n ≤ 1, and k > 0 where n = 1 (not checked). The step of x is ldb where op(B) is a stored row.
void dgemv(const GemmCase& c, const double* a, const double* x, double* y) {
  by_one_thread();
  if (c.n == 0) return;
  cblas_dgemv(CblasColMajor, transpose(c.trans_a), number(c.trans_a != 0 ? c.k : c.m),
              number(c.trans_a != 0 ? c.m : c.k), c.alpha, a, number(c.lda), x, c.trans_b != 0 ? number(c.ldb) : 1,
              c.beta, y, 1);
}

/// The case with the first column of op(B) and of C alone. With k = 0 none: there the standard leaves y as it is.
GemmCase first_column(GemmCase c) {
  c.n = c.k > 0 ? std::min<std::int64_t>(c.n, 1) : 0;
  const auto length = [&](std::int64_t last_place) { return static_cast<std::size_t>(c.n == 0 ? 0 : last_place + 1); };
  c.b.resize(length(c.trans_b != 0 ? (c.k - 1) * c.ldb : c.k - 1));
  c.c.resize(length(c.m - 1));
  return c;
}

blas::GemmProperty openblas(std::string name, blas::Multiply multiply) {
  blas::GemmProperty property = blas::gemm_property(
      std::move(name), multiply, any_order, {"correctly_rounded"},
      [multiply](const assay::Executor& on, const GemmCase& c) { return blas::multiplied(multiply, on, c); });
  property.host_only = true;
  return property;
}

blas::GemmProperty openblas_dgemv() {
  blas::GemmProperty property = openblas("gemm.openblas_dgemv", dgemv);
  for (auto& each : property.domain.classes) {
    each.generator = rc::Gen<GemmCase>([generator = std::move(each.generator)](const rc::Random& random, int size) {
      return rc::shrinkable::just(first_column(generator(random, size).value()));
    });
  }
  property.domain.contains = [contains = std::move(property.domain.contains)](const GemmCase& c) {
    return c.n <= 1 && (c.n == 0 || c.k > 0) && contains(c);
  };
  property.domain.accepts += "; n ≤ 1";
  return property;
}

const assay::Registration all[] = {assay::Registration(openblas("gemm.openblas_dgemm", dgemm)),
                                   assay::Registration(openblas_dgemv())};

}  // namespace
