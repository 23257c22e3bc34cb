// Triangular systems in one, two and four words.

#include "properties/catalog/xblas/solves.hpp"
#include "kernels/expansion/triangular.hpp"
#include "properties/catalog/xblas/words.hpp"

namespace assay::xblas {
namespace {

Numbers run(const Executor& on, int words, const TrsvCase& c) {
  return expansion::expansion_trsv(on, words, triangle(c.upper), transpose(c.trans), diagonal(c.unit), c.n, c.a, c.lda,
                                   c.x, c.incx);
}
Numbers run(const Executor& on, int words, const TrsmCase& c) {
  return expansion::expansion_trsm(on, words, c.right != 0 ? blas::Side::right : blas::Side::left, triangle(c.upper),
                                   transpose(c.trans), diagonal(c.unit), c.m, c.n, c.alpha, c.a, c.lda, c.b, c.ldb);
}

template <class Case>
void add(const std::string& name, std::size_t words) {
  Registration(solve_property<Case>(name + suffix_of(words), words,
                                    [](const Executor& on, int w, const Case& c) { return run(on, w, c); }));
}

const LateRegistration solves{"xblas", [] {
                                for (const std::size_t words : {1u, 2u, 4u}) {
                                  add<TrsvCase>("xblas.trsv", words);
                                  add<TrsmCase>("xblas.trsm", words);
                                }
                              }};

}  // namespace
}  // namespace assay::xblas
