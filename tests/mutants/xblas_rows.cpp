// What BLAS in one, two and four words and exact triangular solves promise, for the mutants that break it.

#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"
#include "kernels/triangular/detail/substitution.hpp"
#include "kernels/triangular/rounded_trsv.hpp"

#include "mutated/X1/kernels/expansion/vectors.cpp"
#include "mutated/X10/kernels/expansion/triangular.cpp"
#include "mutated/X11/kernels/expansion/triangular.cpp"
#include "mutated/X12/kernels/expansion/triangular.cpp"
#include "mutated/X13/kernels/expansion/norm.cpp"
#include "mutated/X14/kernels/expansion/norm.cpp"
#include "mutated/X15/kernels/expansion/norm.cpp"
#include "mutated/X16/kernels/expansion/vectors.cpp"
#include "mutated/X17/kernels/expansion/vectors.cpp"
#include "mutated/X18/kernels/expansion/norm.cpp"
#include "mutated/X19/kernels/expansion/norm.cpp"
#include "mutated/X2/kernels/expansion/vectors.cpp"
#include "mutated/X20/kernels/expansion/matrices.cpp"
#include "mutated/X21/kernels/expansion/matrices.cpp"
#include "mutated/X3/kernels/expansion/vectors.cpp"
#include "mutated/X4/kernels/expansion/vectors.cpp"
#include "mutated/X5/kernels/expansion/matrices.cpp"
#include "mutated/X6/kernels/expansion/matrices.cpp"
#include "mutated/X7/kernels/expansion/matrices.cpp"
#include "mutated/X8/kernels/expansion/matrices.cpp"
#include "mutated/X9/kernels/expansion/triangular.cpp"
#include "mutated/Y1/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y2/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y3/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y4/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y5/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y6/kernels/triangular/rounded_trsv.cpp"
#include "mutated/Y7/kernels/triangular/rounded_trsv.cpp"

#include "properties/catalog/triangular/properties.hpp"
#include "properties/catalog/xblas/products.hpp"
#include "properties/catalog/xblas/solves.hpp"
#include "properties/catalog/xblas/words.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using xblas::diagonal;
using xblas::transpose;
using xblas::triangle;

auto asum(std::size_t words, auto sum) {
  return TypedModel(xblas::asum_property(
      "mutants.asum", words, [sum](const Executor& on, int w, const auto& c) { return sum(on, w, c.n, c.x, c.incx); }));
}
auto norm(std::size_t words, auto root) {
  return TypedModel(xblas::norm_property("mutants.nrm2", words, [root](const Executor& on, int w, const auto& c) {
    return root(on, w, c.n, c.x, c.incx);
  }));
}
auto dot(std::size_t words, auto sum) {
  return TypedModel(xblas::sum_property<xblas::DotCase>(
      "mutants.dot", words,
      [sum](const Executor& on, int w, const auto& c) { return sum(on, w, c.n, c.x, c.incx, c.y, c.incy); }));
}
auto axpy(std::size_t words, auto update) {
  return TypedModel(
      xblas::sum_property<xblas::AxpyCase>("mutants.axpy", words, [update](const Executor& on, int w, const auto& c) {
        return update(on, w, c.n, c.alpha, c.x, c.incx, c.y, c.incy);
      }));
}
auto symv(std::size_t words, auto product) {
  return TypedModel(xblas::entries_property<xblas::SymvCase>(
      "mutants.symv", words, expansion::vector_entry_lanes, [product](const Executor& on, int w, const auto& c) {
        return product(on, w, triangle(c.upper), c.n, c.alpha, c.a, c.lda, c.x, c.incx, c.beta, c.y, c.incy);
      }));
}
auto ger(std::size_t words, auto update) {
  return TypedModel(xblas::entries_property<xblas::GerCase>(
      "mutants.ger", words, 1, [update](const Executor& on, int w, const auto& c) {
        return update(on, w, c.m, c.n, c.alpha, c.x, c.incx, c.y, c.incy, c.a, c.lda);
      }));
}
auto syrk(std::size_t words, auto product) {
  return TypedModel(xblas::entries_property<xblas::SyrkCase>(
      "mutants.syrk", words, 1, [product](const Executor& on, int w, const auto& c) {
        return product(on, w, triangle(c.upper), transpose(c.trans), c.n, c.k, c.alpha, c.a, c.lda, c.beta, c.c, c.ldc);
      }));
}
auto trsv(std::size_t words, auto solve) {
  return TypedModel(
      xblas::solve_property<xblas::TrsvCase>("mutants.trsv", words, [solve](const Executor& on, int w, const auto& c) {
        return solve(on, w, triangle(c.upper), transpose(c.trans), diagonal(c.unit), c.n, c.a, c.lda, c.x, c.incx);
      }));
}
auto rounded(auto solve) {
  return TypedModel(triangular::rounded_property(
      "mutants.rounded_trsv", [solve](const Executor& on, const triangular::StridedSystem& c) {
        return solve(on, triangular::triangle(c), triangular::transpose(c), triangular::diagonal_kind(c), c.n, c.a,
                     c.lda, c.x, c.incx);
      }));
}
auto certified(auto solve) {
  return TypedModel(triangular::certified_property(
      "mutants.certified_trsv", [solve](const Executor& on, const triangular::StridedSystem& c) {
        return triangular::with_status(solve(on, triangular::triangle(c), triangular::transpose(c),
                                             triangular::diagonal_kind(c), c.n, c.a, c.lda, c.x, c.incx));
      }));
}

/// A function that is overloaded, as a value.
#define ASSAY_CALL(function) [](const auto&... arguments) { return function(arguments...); }

}  // namespace

Rows xblas_rows() {
  namespace e = assay::expansion;
  namespace t = assay::triangular;
  const auto right_trsv = ASSAY_CALL(e::expansion_trsv);
  const RightKernel right_axpy([&] { return axpy(2, ASSAY_CALL(e::expansion_axpy)); });
  const RightKernel right_two_words([&] { return trsv(2, right_trsv); });
  const RightKernel right_rounded([&] { return rounded(ASSAY_CALL(t::rounded_trsv)); });
  const RightKernel right_certified([&] { return certified(ASSAY_CALL(t::certified_trsv)); });
  return {
      kernel_row({"X1", "asum takes the sign of the first word, though it is 0", 16},
                 asum(2, ASSAY_CALL(e::x1::expansion_asum)), asum(2, ASSAY_CALL(e::expansion_asum))),
      kernel_row({"X2", "the tree in a block leaves out half of the lanes", 16},
                 dot(2, ASSAY_CALL(e::x2::expansion_dot)), dot(2, ASSAY_CALL(e::expansion_dot))),
      kernel_row({"X3", "axpy takes the first word of y alone", 16}, axpy(2, ASSAY_CALL(e::x3::expansion_axpy)),
                 right_axpy),
      kernel_row({"X4", "axpy takes the first word of alpha alone", 16}, axpy(2, ASSAY_CALL(e::x4::expansion_axpy)),
                 right_axpy),
      kernel_row({"X5", "with beta = 0, the start is multiplied by it", 16}, symv(1, ASSAY_CALL(e::x5::expansion_symv)),
                 symv(1, ASSAY_CALL(e::expansion_symv))),
      kernel_row({"X6", "both triangles of a lower one are written", 16}, syrk(2, ASSAY_CALL(e::x6::expansion_syrk)),
                 syrk(2, ASSAY_CALL(e::expansion_syrk))),
      kernel_row({"X7", "the last combination of lanes is missing", 16}, symv(2, ASSAY_CALL(e::x7::expansion_symv)),
                 symv(2, ASSAY_CALL(e::expansion_symv))),
      kernel_row({"X8", "beside a stored triangle, the other one is read", 16},
                 symv(4, ASSAY_CALL(e::x8::expansion_symv)), symv(4, ASSAY_CALL(e::expansion_symv))),
      kernel_row({"X9", "quotients have a digit fewer than words", 16}, trsv(4, ASSAY_CALL(e::x9::expansion_trsv)),
                 trsv(4, right_trsv)),
      kernel_row({"X10", "the last unknown of a panel does not take the others in", 16},
                 trsv(1, ASSAY_CALL(e::x10::expansion_trsv)), trsv(1, right_trsv)),
      kernel_row({"X11", "a unit diagonal is read", 16}, trsv(2, ASSAY_CALL(e::x11::expansion_trsv)), right_two_words),
      kernel_row({"X12", "the low words beside the diagonal are left out", 16},
                 trsv(2, ASSAY_CALL(e::x12::expansion_trsv)), right_two_words),
      kernel_row({"X13", "a norm without a scale", 16}, norm(1, ASSAY_CALL(e::x13::expansion_nrm2)),
                 norm(1, ASSAY_CALL(e::expansion_nrm2))),
      kernel_row({"X14", "the square of a later digit of a root is left out", 64},
                 norm(4, ASSAY_CALL(e::x14::expansion_nrm2)), norm(4, ASSAY_CALL(e::expansion_nrm2))),
      kernel_row({"X15", "roots have a digit fewer than words", 64}, norm(2, ASSAY_CALL(e::x15::expansion_nrm2)),
                 norm(2, ASSAY_CALL(e::expansion_nrm2))),
      kernel_row({"X16", "the tree of the partial sums leaves out half of them", 16},
                 dot(1, ASSAY_CALL(e::x16::expansion_dot)), dot(1, ASSAY_CALL(e::expansion_dot))),
      kernel_row({"X17", "a lane leaves out the terms behind its whole tiles", 16},
                 dot(1, ASSAY_CALL(e::x17::expansion_dot)), dot(1, ASSAY_CALL(e::expansion_dot))),
      kernel_row({"X18", "squares overflow", 16}, norm(1, ASSAY_CALL(e::x18::expansion_nrm2)),
                 norm(1, ASSAY_CALL(e::expansion_nrm2))),
      kernel_row({"X19", "squares underflow", 16}, norm(1, ASSAY_CALL(e::x19::expansion_nrm2)),
                 norm(1, ASSAY_CALL(e::expansion_nrm2))),
      kernel_row({"X20", "the last term of a run is added more than once", 16},
                 symv(2, ASSAY_CALL(e::x20::expansion_symv)), symv(2, ASSAY_CALL(e::expansion_symv))),
      kernel_row({"X21", "tiles overlap by a column", 16}, ger(4, ASSAY_CALL(e::x21::expansion_ger)),
                 ger(4, ASSAY_CALL(e::expansion_ger))),
      kernel_row({"Y1", "an unknown is rounded twice", 32}, rounded(ASSAY_CALL(t::y1::rounded_trsv)), right_rounded),
      kernel_row({"Y2", "the bound of the error takes entries with their signs", 32},
                 certified(ASSAY_CALL(t::y2::certified_trsv)), right_certified),
      kernel_row({"Y3", "the residual is that of the first words", 32}, certified(ASSAY_CALL(t::y3::certified_trsv)),
                 right_certified),
      kernel_row({"Y4", "a certificate leaves out the bound of the error", 32},
                 certified(ASSAY_CALL(t::y4::certified_trsv)), right_certified),
      kernel_row({"Y5", "every thread adds the right side", 32}, rounded(ASSAY_CALL(t::y5::rounded_trsv)),
                 right_rounded),
      kernel_row({"Y6", "of the bound of what three words lose, one 256th is taken", 256},
                 rounded(ASSAY_CALL(t::y6::rounded_trsv)), right_rounded),
      kernel_row({"Y7", "an unknown whose quotient is not certified is rounded twice", 256},
                 rounded(ASSAY_CALL(t::y7::rounded_trsv)), right_rounded),
  };
}

}  // namespace assay::mutants
