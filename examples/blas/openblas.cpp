// OpenBLAS on the host, by one thread: then its kernels for this processor determine the order of its operations.
//
// Refuted, with counterexamples in corpora/: that results are correctly rounded. Refuted only on processors with
// AVX-512, and therefore not in corpora/: that dgemm reads neither A nor B with α = 0; a NaN in them comes through. Not
// refuted, with any kernel of the library: grade A, scaling by powers of two bit for bit, and the rules of IEEE
// arithmetic for zeros, infinities and NaNs.

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "gemm.hpp"

namespace {

using blas::GemmCase;

constexpr assay::TheoremText any_order =
    "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX 34(2), 2013, and "
    "docs/bounds/gemm.md: products added in any order";

/// One thread, from before the first product on.
void by_one_thread() {
  static const bool set = (openblas_set_num_threads(1), true);
  static_cast<void>(set);
}

CBLAS_TRANSPOSE transpose(assay::blas::Transpose flag) {
  return flag == assay::blas::Transpose::yes ? CblasTrans : CblasNoTrans;
}
blasint number(std::int64_t x) { return static_cast<blasint>(x); }

void dgemm(const assay::gemm::GemmArguments& g) {
  by_one_thread();
  cblas_dgemm(CblasColMajor, transpose(g.trans_a), transpose(g.trans_b), number(g.m), number(g.n), number(g.k), g.alpha,
              g.a, number(g.lda), g.b, number(g.ldb), g.beta, g.c, number(g.ldc));
}

/// Requires: n ≤ 1, and k > 0 if n = 1 (not checked). The increment of x is the step between the entries of a column of
/// op(B).
void dgemv(const assay::gemm::GemmArguments& g) {
  by_one_thread();
  if (g.n == 0) return;
  const bool flipped = g.trans_a == assay::blas::Transpose::yes;
  cblas_dgemv(CblasColMajor, transpose(g.trans_a), number(flipped ? g.k : g.m), number(flipped ? g.m : g.k), g.alpha,
              g.a, number(g.lda), g.b, number(g.row_step_b()), g.beta, g.c, 1);
}

blas::GemmProperty openblas(std::string name, blas::Multiply multiply, const std::set<std::string>& refuted) {
  blas::GemmProperty property =
      blas::gemm_property(std::move(name), multiply, any_order, refuted,
                          [multiply](const assay::Executor& on, const assay::gemm::GemmCase& c) {
                            return blas::multiplied(multiply, on, c);
                          });
  property.host_only = true;
  return property;
}

/// Cases with α = 0 have a property of their own: their claims fail on some processors.
blas::GemmProperty openblas_dgemm() {
  blas::GemmProperty property = openblas("gemm.openblas_dgemm", dgemm, {"rounded"});
  for (assay::gemm::GemmClaim& claim : property.claims) {
    if (claim.info.id != "not_read") continue;
    assay::gemm::restrict_claim(
        claim, [](const assay::gemm::GemmCase& c) { return c.reads_ab(); }, "α ≠ 0, k > 0");
  }
  return property;
}

/// The case with α = 0 and NaN throughout A and B.
assay::gemm::GemmCase without_product(assay::gemm::GemmCase c) {
  c.alpha = 0;
  for (auto* array : {&c.a, &c.b}) std::fill(array->begin(), array->end(), std::numeric_limits<double>::quiet_NaN());
  return c;
}

/// The kernels for AVX-512 have a separate path for small matrices (OpenBLAS 0.3.21), which reads A and B although α =
/// 0.
blas::GemmProperty openblas_dgemm_alpha_zero() {
  const std::string_view core = openblas_get_corename();
  const bool reads = core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids";
  blas::GemmProperty property = openblas("gemm.openblas_dgemm_alpha_zero", dgemm,
                                         reads ? std::set<std::string>{"not_read"} : std::set<std::string>{});
  std::erase_if(property.claims, [](const assay::gemm::GemmClaim& claim) { return claim.info.id != "not_read"; });
  assay::gemm::change_cases(property.domain, without_product);
  property.domain.contains = [contains = std::move(property.domain.contains)](const assay::gemm::GemmCase& c) {
    return c.alpha == 0 && contains(c);
  };
  property.domain.accepts += "; α = 0";
  return property;
}

blas::GemmProperty openblas_dgemv() {
  blas::GemmProperty property = openblas("gemm.openblas_dgemv", dgemv, {"rounded"});
  property.domain = assay::gemm::gemv_domain({.exceptional = true});
  return property;
}

const assay::Registration all[] = {assay::Registration(openblas_dgemm()),
                                   assay::Registration(openblas_dgemm_alpha_zero()),
                                   assay::Registration(openblas_dgemv())};

}  // namespace
