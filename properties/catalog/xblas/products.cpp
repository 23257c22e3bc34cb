// BLAS 1, 2 and 3 in one, two and four words, except for triangular systems.

#include "properties/catalog/xblas/products.hpp"
#include "properties/catalog/xblas/words.hpp"

namespace assay::xblas {
namespace {

Numbers run(const Executor& on, int words, const DotCase& c) {
  return expansion::expansion_dot(on, words, c.n, c.x, c.incx, c.y, c.incy);
}
Numbers run(const Executor& on, int words, const AsumCase& c) {
  return expansion::expansion_asum(on, words, c.n, c.x, c.incx);
}
Numbers run(const Executor& on, int words, const AxpyCase& c) {
  return expansion::expansion_axpy(on, words, c.n, c.alpha, c.x, c.incx, c.y, c.incy);
}
Numbers run(const Executor& on, int, const GemvCase& c) {
  return expansion::dot2_gemv(on, transpose(c.trans), c.m, c.n, c.alpha[0], c.a, c.lda, c.x, c.incx, c.beta[0], c.y,
                              c.incy);
}
Numbers run(const Executor& on, int, const GemmCase& c) {
  return expansion::dot2_gemm(on, transpose(c.transa), transpose(c.transb), c.m, c.n, c.k, c.alpha[0], c.a, c.lda, c.b,
                              c.ldb, c.beta[0], c.c, c.ldc);
}
Numbers run(const Executor& on, int words, const SymvCase& c) {
  return expansion::expansion_symv(on, words, triangle(c.upper), c.n, c.alpha, c.a, c.lda, c.x, c.incx, c.beta, c.y,
                                   c.incy);
}
Numbers run(const Executor& on, int words, const GerCase& c) {
  return expansion::expansion_ger(on, words, c.m, c.n, c.alpha, c.x, c.incx, c.y, c.incy, c.a, c.lda);
}
Numbers run(const Executor& on, int words, const SyrkCase& c) {
  return expansion::expansion_syrk(on, words, triangle(c.upper), transpose(c.trans), c.n, c.k, c.alpha, c.a, c.lda,
                                   c.beta, c.c, c.ldc);
}

constexpr auto call = [](const Executor& on, int words, const auto& c) { return run(on, words, c); };

template <class Case>
void add_sum(const std::string& name, std::size_t words) {
  Registration(sum_property<Case>(name + suffix_of(words), words, call));
}

template <class Case>
void add_entries(const std::string& name, std::size_t words, std::uint64_t lanes) {
  Registration(entries_property<Case>(name + suffix_of(words), words, lanes, call));
}

void add_products() {
  for (const std::size_t words : {1u, 2u, 4u}) {
    add_sum<AxpyCase>("xblas.axpy", words);
    add_sum<DotCase>("xblas.dot", words);
    Registration(asum_property("xblas.asum" + suffix_of(words), words, call));
    Registration(
        norm_property("xblas.nrm2" + suffix_of(words), words, [](const Executor& on, int w, const AsumCase& c) {
          return expansion::expansion_nrm2(on, w, c.n, c.x, c.incx);
        }));
    add_entries<SymvCase>("xblas.symv", words, expansion::vector_entry_lanes);
    add_entries<GerCase>("xblas.ger", words, 1);
    add_entries<SyrkCase>("xblas.syrk", words, 1);
  }
  add_entries<GemvCase>("xblas.gemv", 1, expansion::vector_entry_lanes);
  add_entries<GemmCase>("xblas.gemm", 1, 1);
}

const LateRegistration products{"xblas", add_products};

}  // namespace
}  // namespace assay::xblas
