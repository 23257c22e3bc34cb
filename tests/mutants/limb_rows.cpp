// What numbers of limbs promise, for the mutants that break it.

#include "properties/catalog/limb/blas_properties.hpp"
#include "properties/catalog/limb/cholesky_properties.hpp"
#include "properties/catalog/limb/lu_properties.hpp"
#include "properties/catalog/limb/operation_property.hpp"
#include "tests/mutants/device/limb_mutants.hpp"
#include "tests/mutants/rows.hpp"

#include "mutated/L31/kernels/limb/cholesky.cpp"
#include "mutated/L32/kernels/limb/cholesky.cpp"
#include "mutated/L33/kernels/limb/cholesky.cpp"
#include "mutated/L34/kernels/limb/cholesky.cpp"
#include "mutated/L35/kernels/limb/lu.cpp"
#include "mutated/L36/kernels/limb/lu.cpp"
#include "mutated/L37/kernels/limb/lu.cpp"
#include "mutated/L38/kernels/limb/lu.cpp"

namespace assay::mutants {

namespace {

using Mistakes = std::vector<std::pair<Planted, LimbMistake>>;

/// The rows of an operation: its results have MPFR's bits.
template <class Case>
Rows operation_rows(const char* name, limb::LimbOp op, oracle::LimbOperation truth,
                    const std::vector<InputClass<Case>>& classes, const AnyTheorem auto& theorem, const char* formula,
                    const Mistakes& mistakes) {
  return rows_of(mistakes, [&](LimbMistake mistake) {
    auto promise = limb::limb_operation_property<Case>(
        std::string("mutants.limb_") + name,
        [op, mistake](const Executor& on, Rounding to, const limb::FloatArray& x, const limb::FloatArray& y,
                      const limb::FloatArray& z) { return limb_op_with(mistake, on, op, to, x, y, z); },
        truth, limb_mutant_limbs, classes, theorem, formula);
    promise.quick_cases = 2000;
    return TypedModel(std::move(promise));
  });
}

void append(Rows& rows, Rows more) { rows.insert(rows.end(), more.begin(), more.end()); }

Rows axpy_rows() {
  return rows_of(Mistakes{{{"L21", "axpy rounds its product", 40}, LimbMistake::l21},
                          {{"L22", "axpy does not read y", 40}, LimbMistake::l22},
                          {{"L23", "axpy rounds toward zero", 40}, LimbMistake::l23}},
                 [](LimbMistake mistake) {
                   return TypedModel(limb::limb_axpy_property(
                       "mutants.limb_axpy", limb_mutant_limbs,
                       [mistake](const Executor& on, const limb::FloatArray& alpha, const limb::FloatArray& x,
                                 const limb::FloatArray& y) { return limb_axpy_with(mistake, on, alpha, x, y); }));
                 });
}

Rows dot_rows() {
  return rows_of(Mistakes{{{"L24", "the last term of a dot product is left out", 40}, LimbMistake::l24},
                          {{"L25", "the tree of a dot product lacks its last level", 40}, LimbMistake::l25},
                          {{"L26", "a dot product reads its second operand in reverse", 40}, LimbMistake::l26}},
                 [](LimbMistake mistake) {
                   return TypedModel(limb::limb_dot_property(
                       "mutants.limb_dot", limb_mutant_limbs,
                       [mistake](const Executor& on, const limb::FloatArray& x, const limb::FloatArray& y) {
                         return limb_dot_with(mistake, on, x, y);
                       }));
                 });
}

Rows gemv_rows_of_limbs() {
  return rows_of(
      Mistakes{{{"L27", "the leading dimension is taken for the number of rows", 40}, LimbMistake::l27},
               {{"L28", "the tree adds neighboring threads, which belong to other rows", 40}, LimbMistake::l28},
               {{"L29", "y is not scaled", 40}, LimbMistake::l29},
               {{"L30", "the last row is not stored", 40}, LimbMistake::l30}},
      [](LimbMistake mistake) {
        return TypedModel(limb::limb_gemv_property(
            "mutants.limb_gemv", limb_mutant_limbs,
            [mistake](const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                      const limb::FloatArray& alpha, const limb::FloatArray& a, std::int64_t lda,
                      const limb::FloatArray& x, const limb::FloatArray& beta, const limb::FloatArray& y) {
              return limb_gemv_with(mistake, on, trans, m, n, alpha, a, lda, x, beta, y);
            }));
      });
}

auto cholesky(limb::LimbCholesky factorize, limb::LimbCholeskySolve solve) {
  return TypedModel(
      limb::limb_cholesky_property("mutants.limb_cholesky", limb_mutant_limbs, std::move(factorize), std::move(solve)));
}

Rows cholesky_rows() {
  namespace l = assay::limb;
  const RightKernel right([&] { return cholesky(l::limb_cholesky, l::limb_cholesky_solve); });
  return {kernel_row({"L31", "rows of a factor are n numbers apart, not the leading dimension", 40},
                     cholesky(l::l31::limb_cholesky, l::limb_cholesky_solve), right),
          kernel_row({"L32", "a pivot takes no column before it in", 40},
                     cholesky(l::l32::limb_cholesky, l::limb_cholesky_solve), right),
          kernel_row({"L33", "a pivot of 0 is taken for a positive one", 40},
                     cholesky(l::l33::limb_cholesky, l::limb_cholesky_solve), right),
          kernel_row({"L34", "the second unknown is not taken into those behind it", 40},
                     cholesky(l::limb_cholesky, l::l34::limb_cholesky_solve), right)};
}

auto lu(limb::LimbLu factorize, limb::LimbLuSolve solve) {
  return TypedModel(
      limb::limb_lu_property("mutants.limb_lu", limb_mutant_limbs, std::move(factorize), std::move(solve)));
}

Rows lu_rows() {
  namespace l = assay::limb;
  const RightKernel right([&] { return lu(l::limb_lu, l::limb_lu_solve); });
  return {
      kernel_row({"L35", "the pivot is the first number of its column", 40}, lu(l::l35::limb_lu, l::limb_lu_solve),
                 right),
      kernel_row({"L36", "the rows of L are not exchanged", 40}, lu(l::l36::limb_lu, l::limb_lu_solve), right),
      kernel_row({"L37", "pivots are compared by their exponents", 128}, lu(l::l37::limb_lu, l::limb_lu_solve), right),
      kernel_row({"L38", "the rows of the right side are not exchanged", 40}, lu(l::limb_lu, l::l38::limb_lu_solve),
                 right)};
}

}  // namespace

Rows limb_rows() {
  constexpr int L = limb_mutant_limbs;
  using limb::LimbOp;
  using Truth = oracle::LimbOperation;
  Rows rows;
  append(rows, operation_rows(
                   "add", LimbOp::add, Truth::add, limb::detail::sum_classes(L), limb_add_1, "x + y",
                   Mistakes{{{"L1", "a tie is rounded away from zero", 40}, LimbMistake::l1},
                            {{"L6", "bits of an addend below the window are forgotten", 40}, LimbMistake::l6},
                            {{"L7", "a difference with bits below the window borrows nothing", 40}, LimbMistake::l7},
                            {{"L9", "a difference keeps the sign of the first operand", 40}, LimbMistake::l9},
                            {{"L10", "an exact zero has the sign + in RD", 40}, LimbMistake::l10}}));
  append(rows, operation_rows(
                   "mul", LimbOp::mul, Truth::mul, limb::detail::product_classes(L), limb_mul_1, "xy",
                   Mistakes{{{"L3", "a significand that overflows does not raise the exponent", 128}, LimbMistake::l3},
                            {{"L4", "half of the least number is rounded up", 40}, LimbMistake::l4},
                            {{"L5", "a directed rounding overflows to infinity", 40}, LimbMistake::l5},
                            {{"L11", "the product of the lowest limbs is left out", 256}, LimbMistake::l11}}));
  append(rows, operation_rows(
                   "div", LimbOp::div, Truth::div, limb::detail::quotient_classes(L), limb_div_1, "x/y",
                   Mistakes{{{"L12", "the digit of a quotient is corrected once at most", 40}, LimbMistake::l12},
                            {{"L13", "the remainder of a quotient does not count in rounding", 256}, LimbMistake::l13},
                            {{"L14", "the estimate of a digit may exceed a limb", 40}, LimbMistake::l14},
                            {{"L19", "the difference of exponents has 32 bits", 40}, LimbMistake::l19}}));
  append(rows, operation_rows(
                   "sqrt", LimbOp::sqrt, Truth::sqrt, limb::detail::root_classes(L), limb_sqrt_1, "√x",
                   Mistakes{{{"L2", "what lies below the integer does not count in rounding", 128}, LimbMistake::l2},
                            {{"L15", "the root of an odd exponent is rounded toward zero", 40}, LimbMistake::l15},
                            {{"L16", "the double of a root loses the carry of a limb", 40}, LimbMistake::l16},
                            {{"L17", "a digit of a root is corrected by one too few", 40}, LimbMistake::l17}}));
  append(rows,
         operation_rows(
             "fma", LimbOp::fma, Truth::fma, limb::detail::fused_classes(L), limb_fma_1, "xy + z",
             Mistakes{{{"L8", "the window of the fused operation has no guard limb", 260}, LimbMistake::l8},
                      {{"L18", "the product is rounded before the sum of the fused operation", 40}, LimbMistake::l18},
                      {{"L20", "an infinite addend of the fused operation is a number", 40}, LimbMistake::l20}}));
  append(rows, axpy_rows());
  append(rows, dot_rows());
  append(rows, gemv_rows_of_limbs());
  append(rows, cholesky_rows());
  append(rows, lu_rows());
  return rows;
}

}  // namespace assay::mutants
