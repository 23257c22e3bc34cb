// What vectors and matrices of multiple-precision numbers promise, for the mutants that break it.

#include <algorithm>
#include <utility>

#include "kernels/gemv/detail/mp_gemm_engine.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/blas2.hpp"
#include "mutated/M1/kernels/mp/detail/rank_one.hpp"
#include "mutated/M10/kernels/mp/detail/sums.hpp"
#include "mutated/M11/arith/residues/mp_square_root.hpp"
#include "mutated/M12/arith/residues/mp_square_root.hpp"
#include "mutated/M13/kernels/mp/detail/mirror.hpp"
#include "mutated/M14/kernels/mp/detail/mirror.hpp"
#include "mutated/M15/kernels/mp/detail/mirror.hpp"
#include "mutated/M16/arith/residues/mp_number.hpp"
#include "mutated/M17/arith/residues/mp_number.hpp"
#include "mutated/M18/arith/residues/mp_number.hpp"
#include "mutated/M19/oracle/mpfr_value.cpp"
#include "mutated/M2/kernels/mp/detail/rank_one.hpp"
#include "mutated/M22/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M23/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M24/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M25/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M26/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M27/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M28/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M29/kernels/gemv/detail/mp_gemm_engine.hpp"
#include "mutated/M3/kernels/mp/detail/rank_one.hpp"
#include "mutated/M4/kernels/mp/detail/rank_one.hpp"
#include "mutated/M5/kernels/mp/detail/rotation.hpp"
#include "mutated/M6/kernels/mp/detail/rotation.hpp"
#include "mutated/M7/kernels/mp/detail/rotation.hpp"
#include "mutated/M8/kernels/mp/detail/sums.hpp"
#include "mutated/M9/kernels/mp/detail/sums.hpp"
#include "properties/catalog/mp/blas_properties.hpp"
#include "properties/catalog/mp/conversions.hpp"
#include "properties/catalog/mp/decimals.hpp"
#include "properties/catalog/mp/gemm_properties.hpp"
#include "properties/catalog/mp/range.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using mp::Matrices;
using mp::MpArray;
using mp::MpPair;
using mp::range_result;
using mp::Vectors;
using Eight = rns::Standard<8>;

const mp::MpSystem& system_of_eight() { return mp::mp_system(Eight::n); }

/// Every mistake shows within so many cases.
auto promise(auto property) {
  property.quick_cases = 200;
  return TypedModel(std::move(property));
}

auto ger(auto run) { return promise(mp::rank_one_property("mutants.mp_ger", system_of_eight(), false, mp_ger_1, run)); }
auto syr(auto run) { return promise(mp::rank_one_property("mutants.mp_syr", system_of_eight(), true, mp_syr_1, run)); }
auto symv(auto run) { return promise(mp::symv_property("mutants.mp_symv", system_of_eight(), run)); }
auto rot(auto run) {
  return promise(mp::rot_property("mutants.mp_rot", system_of_eight(), [run](const Executor& on, const Vectors& v) {
    const MpPair z = run(on, v);
    MpArray both = mp::with_layout(z.x, false);
    mp::append(mp::with_layout(z.y, false), both);
    return both;
  }));
}
auto decimal(auto run) { return promise(mp::decimal_property("mutants.mp_decimal", system_of_eight(), run)); }
auto range(auto run) { return promise(mp::range_property("mutants.mp_range", system_of_eight(), run)); }
auto nrm2(auto run) { return promise(mp::nrm2_property("mutants.mp_nrm2", system_of_eight(), run)); }

/// A product of matrices by a call that is made of its copies.
template <class Call>
auto gemm_by() {
  return promise(mp::mp_gemm_property("mutants.mp_gemm", Eight::n, [](const auto&... arguments) {
    return gemm::detail::mp_gemm_of_arrays<Call>(arguments...);
  }));
}

/// An update of rank one with the kernel update(executor, m, n, x, incx, y, incy, a, lda), which needs no α.
template <class Update>
MpArray with_alpha(const Executor& on, const Matrices& e, bool symmetric, const Update& update) {
  if (e.m == 0 || e.n == 0 || (e.alpha.upper[0].fraction == 0)) return e.a;
  const MpArray scaled = mp::mp_scal(on, e.m, e.alpha, e.x, e.incx);
  return symmetric ? update(on, e.m, e.n, scaled, e.incx, e.x, e.incx, e.a, e.lda)
                   : update(on, e.m, e.n, scaled, e.incx, e.y, e.incy, e.a, e.lda);
}

/// A symmetric product with the matrix that is made of one triangle by mirror(triangle, n, a, lda).
template <class Mirror>
MpArray with_mirror(const Executor& on, const Matrices& e, const Mirror& mirror) {
  return gemv::mp_gemv_exact(on, blas::Transpose::no, e.n, e.n, e.alpha, mirror(e.uplo, e.n, e.a, e.lda),
                             std::max<std::int64_t>(1, e.n), e.x, e.incx, e.beta, e.y, e.incy);
}

#define ASSAY_GER(copy)                                                                             \
  [](const Executor& on, const Matrices& e) {                                                       \
    return with_alpha(on, e, false, [](const Executor& where, const auto&... arguments) {           \
      return mp::copy::detail::rank_one<Eight>(where, mp::copy::detail::MpPart::all, arguments...); \
    });                                                                                             \
  }
#define ASSAY_SYR(copy)                                                                                 \
  [](const Executor& on, const Matrices& e) {                                                           \
    return with_alpha(on, e, true, [&](const Executor& where, const auto&... arguments) {               \
      return mp::copy::detail::rank_one<Eight>(where, mp::copy::detail::part_of(e.uplo), arguments...); \
    });                                                                                                 \
  }
#define ASSAY_SYMV(copy)                                                                                          \
  [](const Executor& on, const Matrices& e) {                                                                     \
    return with_mirror(on, e, [](const auto&... arguments) { return mp::copy::detail::mirrored(arguments...); }); \
  }
#define ASSAY_ROT(copy)                                                                                       \
  [](const Executor& on, const Vectors& v) {                                                                  \
    const auto z = mp::copy::detail::rotated<Eight>(on, v.length, v.x, v.incx, v.y, v.incy, v.alpha, v.beta); \
    return MpPair{z.x, z.y};                                                                                  \
  }
#define ASSAY_NRM2(copy) \
  [](const Executor& on, const Vectors& v) { return mp::copy::detail::norm<Eight>(on, v.length, v.x, v.incx); }

/// A norm by the square root of a sum, for squares that are in range.
#define ASSAY_ROOT(copy)                                            \
  [](const Executor& on, const Vectors& v) {                        \
    MpArray sum = mp::mp_sum_of_squares(on, v.length, v.x, v.incx); \
    const mp::MpView<Eight> at = mp::mp_view<Eight>(sum);           \
    at.store(0, mp::copy::scaled_sqrt(at.load(0), 0));              \
    return sum;                                                     \
  }

/// The product, where that is asked for, of numbers of a copy of their header; the right results otherwise.
#define ASSAY_RANGE(copy)                                                             \
  [](const Executor& on, int operation, MpArray x, MpArray y) {                       \
    if (operation != mp::range_mul) return range_result(on, operation, x, y);         \
    const auto number = [](MpArray& from) {                                           \
      const auto a = mp::mp_view<Eight>(from).load(0);                                \
      return mp::copy::Number<Eight>{a.digits, a.magnitude, a.exponent, a.sign};      \
    };                                                                                \
    const auto z = mp::copy::mul(number(x), number(y));                               \
    MpArray result = mp::mp_zeros(Eight::n, 1);                                       \
    mp::mp_view<Eight>(result).store(0, {z.digits, z.magnitude, z.exponent, z.sign}); \
    return result;                                                                    \
  }

}  // namespace

Rows mp_blas_rows() {
  const auto from_value = [](const oracle::Dyadic& x) { return mp::mp_from_values(Eight::n, std::span(&x, 1)); };
  const int h = system_of_eight().h;
  const RightKernel right_decimal([&] {
    return decimal([](const std::string& text) { return mp::mp_from_decimals(Eight::n, std::span(&text, 1)); });
  });
  const RightKernel right_ger([&] {
    return ger([](const Executor& on, const Matrices& e) {
      return mp::mp_ger(on, e.m, e.n, e.alpha, e.x, e.incx, e.y, e.incy, e.a, e.lda);
    });
  });
  const RightKernel right_syr([&] {
    return syr([](const Executor& on, const Matrices& e) {
      return mp::mp_syr(on, e.uplo, e.n, e.alpha, e.x, e.incx, e.a, e.lda);
    });
  });
  const RightKernel right_symv([&] {
    return symv([](const Executor& on, const Matrices& e) {
      return mp::mp_symv(on, e.uplo, e.n, e.alpha, e.a, e.lda, e.x, e.incx, e.beta, e.y, e.incy);
    });
  });
  const RightKernel right_rot([&] {
    return rot([](const Executor& on, const Vectors& v) {
      return mp::mp_rot(on, v.length, v.x, v.incx, v.y, v.incy, v.alpha, v.beta);
    });
  });
  const RightKernel right_nrm2([&] {
    return nrm2([](const Executor& on, const Vectors& v) { return mp::mp_nrm2(on, v.length, v.x, v.incx); });
  });
  const RightKernel right_range([&] { return range(range_result); });
  const RightKernel right_gemm([] { return gemm_by<gemm::detail::MpGemmCall>(); });
  return {
      kernel_row({"M1", "the diagonal of a lower triangle is not written", 24}, syr(ASSAY_SYR(m1)), right_syr),
      kernel_row({"M2", "both triangles are written", 24}, syr(ASSAY_SYR(m2)), right_syr),
      kernel_row({"M3", "a column begins behind the last row of the one before", 16}, ger(ASSAY_GER(m3)), right_ger),
      kernel_row({"M4", "the stride of x is 1", 16}, ger(ASSAY_GER(m4)), right_ger),
      kernel_row({"M5", "a rotation takes the new x for y", 16}, rot(ASSAY_ROT(m5)), right_rot),
      kernel_row({"M6", "a rotation has one sine with the wrong sign", 16}, rot(ASSAY_ROT(m6)), right_rot),
      kernel_row({"M7", "a rotation reads y with the stride 1", 16}, rot(ASSAY_ROT(m7)), right_rot),
      kernel_row({"M8", "entries below the largest exponent by 64 are left out of a norm", 16}, nrm2(ASSAY_NRM2(m8)),
                 right_nrm2),
      kernel_row({"M9", "the last step of the tree of a norm is missing", 16}, nrm2(ASSAY_NRM2(m9)), right_nrm2),
      kernel_row({"M10", "a norm is not scaled back", 16}, nrm2(ASSAY_NRM2(m10)), right_nrm2),
      kernel_row({"M11", "half of an odd exponent is rounded toward zero", 16}, nrm2(ASSAY_ROOT(m11)), right_nrm2),
      kernel_row({"M12", "a root has a limb too few", 200}, nrm2(ASSAY_ROOT(m12)), right_nrm2),
      kernel_row({"M13", "the other triangle is read below the diagonal", 24}, symv(ASSAY_SYMV(m13)), right_symv),
      kernel_row({"M14", "the leading dimension of a symmetric matrix is the number of its rows", 40},
                 symv(ASSAY_SYMV(m14)), right_symv),
      kernel_row({"M15", "a mirrored matrix reads modulus planes with the length of the copy", 32},
                 symv(ASSAY_SYMV(m15)), right_symv),
      kernel_row({"M16", "an exponent below the least one is kept", 64}, range(ASSAY_RANGE(m16)), right_range),
      kernel_row({"M17", "half of the range of exponents is out of range", 64}, range(ASSAY_RANGE(m17)), right_range),
      kernel_row({"M18", "an exponent out of range becomes the nearest one in range", 64}, range(ASSAY_RANGE(m18)),
                 right_range),
      kernel_row(
          {"M19", "a decimal string is rounded to nearest before it is truncated", 200},
          decimal([=](const std::string& text) { return from_value(oracle::m19::truncated_decimal(text, h + 32)); }),
          right_decimal),
      kernel_row({"M20", "a decimal string keeps a limb less than a significand has", 64},
                 decimal([=](const std::string& text) { return from_value(oracle::truncated_decimal(text, h - 32)); }),
                 right_decimal),
      kernel_row({"M21", "the minus of a decimal string is lost", 16},
                 decimal([=](const std::string& text) { return from_value(abs(oracle::truncated_decimal(text, h))); }),
                 right_decimal),
      kernel_row({"M22", "lines with exponents too far apart are summed up modulo the moduli", 200},
                 gemm_by<gemm::detail::m22::MpGemmCall>(), right_gemm),
      kernel_row({"M23", "residues for further primes lack the multiple of the product", 64},
                 gemm_by<gemm::detail::m23::MpGemmCall>(), right_gemm),
      kernel_row({"M24", "slices of both factors stand in the same order", 64},
                 gemm_by<gemm::detail::m24::MpGemmCall>(), right_gemm),
      kernel_row({"M25", "a row computed alone begins with what a column left", 64},
                 gemm_by<gemm::detail::m25::MpGemmCall>(), right_gemm),
      kernel_row({"M26", "what ends below the sum is cut off", 200}, gemm_by<gemm::detail::m26::MpGemmCall>(),
                 right_gemm),
      kernel_row({"M27", "results are cut off", 200}, gemm_by<gemm::detail::m27::MpGemmCall>(), right_gemm),
      kernel_row({"M28", "every panel takes the exponents of the first columns", 64},
                 gemm_by<gemm::detail::m28::MpGemmCall>(), right_gemm),
      kernel_row({"M29", "all lines of a panel are aligned to the first", 64}, gemm_by<gemm::detail::m29::MpGemmCall>(),
                 right_gemm),
  };
}

}  // namespace assay::mutants
