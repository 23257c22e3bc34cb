// Rotations, the two-norm, and BLAS 2 with multiple-precision numbers.

#include "kernels/mp/blas2.hpp"

#include "kernels/mp/blas1.hpp"
#include "properties/catalog/mp/blas_properties.hpp"

namespace assay::mp {

namespace {

void blas2(const MpSystem& system) {
  Registration{rot_property(named("rot", system), system, [](const Executor& on, const Vectors& v) {
    MpPair z = mp_rot(on, v.length, v.x, v.incx, v.y, v.incy, v.alpha, v.beta);
    MpArray both = with_layout(z.x, false);
    append(with_layout(z.y, false), both);
    return both;
  })};
  Registration{nrm2_property(named("nrm2", system), system,
                             [](const Executor& on, const Vectors& v) { return mp_nrm2(on, v.length, v.x, v.incx); })};
  Registration{
      rank_one_property(named("ger", system), system, false, mp_ger_1, [](const Executor& on, const Matrices& e) {
        return mp_ger(on, e.m, e.n, e.alpha, e.x, e.incx, e.y, e.incy, e.a, e.lda);
      })};
  Registration{rank_one_property(
      named("syr", system), system, true, mp_syr_1,
      [](const Executor& on, const Matrices& e) { return mp_syr(on, e.uplo, e.n, e.alpha, e.x, e.incx, e.a, e.lda); })};
  Registration{symv_property(named("symv", system), system, [](const Executor& on, const Matrices& e) {
    return mp_symv(on, e.uplo, e.n, e.alpha, e.a, e.lda, e.x, e.incx, e.beta, e.y, e.incy);
  })};
}

const LateRegistration matrix_operations{"mp", [] {
                                           for (const int n : {8, 16, 32, 64, 128}) blas2(mp_system(n));
                                         }};

}  // namespace

}  // namespace assay::mp
