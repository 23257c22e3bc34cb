#include "kernels/gemv/mp_gemv_decomposed.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/gemv/detail/mp_gemv_decomposed_block.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::gemv {
namespace {

constexpr const char* routine = "mp_gemv_decomposed";

/// Where entry 0 of a vector stands.
std::int64_t begin_of(std::int64_t length, std::int64_t stride) {
  return stride > 0 || length == 0 ? 0 : (1 - length) * stride;
}

bool is_zero(const mp::MpArray& scalar) {
  return scalar.upper[0].fraction == 0 && scalar.exponent[0] != mp::out_of_range_exponent;
}

/// Whether the scalar is 1·2⁰.
bool is_one(const mp::MpArray& scalar) {
  return scalar.sign[0] == 0 && scalar.exponent[0] == 0 &&
         std::all_of(scalar.digits.begin(), scalar.digits.end(), [](std::uint32_t digit) { return digit == 1; });
}

/// b = left ∘ right, rounded, by three kernels.
template <class Set>
void multiply(const Executor& on, std::int64_t rows, std::int64_t columns, const detail::MpEntries<Set>& left,
              const detail::MpEntries<Set>& right, const detail::MpEntries<Set>& b) {
  const auto row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows - 1)));
  const detail::MpProducts<Set> products{rows, columns, row_bits, left, right, b};
  launch_indices(on, products.indices(), detail::MpProductSigns<Set>{products});
  const detail::MpProductDigits<Set> digits{products};
  launch_blocks(on, digits.blocks(), digits);
  using Rounding = detail::MpProductRounding<Set>;
  const std::int64_t length = rows * columns;
  launch_blocks(on, static_cast<std::size_t>((length - 1) / Rounding::numbers + 1), Rounding{length, b.numbers});
}

/// What a call is about once its arguments are known to be right.
struct Shape {
  bool transposed;
  std::int64_t outputs, terms, lda, incx, incy;
  bool reads_y;
  int threads;
};

template <class Set>
mp::MpArray run(const Executor& on, const Shape& shape, const mp::MpArray& alpha, const mp::MpArray& a,
                const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y) {
  using Entries = detail::MpEntries<Set>;
  const auto [transposed, outputs, terms, lda, incx, incy, reads_y, threads] = shape;
  const auto entries = static_cast<std::size_t>(outputs) * static_cast<std::size_t>(terms);
  const mp::MpArrayOn<Set> result(on, y);
  const Entries to{result.view(), begin_of(outputs, incy), incy, 0};
  const mp::MpArrayOn<Set> start(on, reads_y ? static_cast<std::size_t>(outputs) : 0, false);
  const Entries scaled_y{start.view(), 0, 1, 0};
  if (reads_y) {
    const mp::MpArrayOn<Set> factor(on, beta);
    multiply<Set>(on, outputs, 1, to, {factor.view()}, scaled_y);
    factor.compare(beta);
  }
  const mp::MpArrayOn<Set> products(on, entries, false);
  // B has the layout of op(A)ᵀ or op(A) that A has: entry i of the result and term j.
  const Entries b = transposed ? Entries{products.view(), 0, terms, 1} : Entries{products.view(), 0, 1, outputs};
  if (terms > 0) {
    const mp::MpArrayOn<Set> factor(on, alpha);
    const mp::MpArrayOn<Set> matrix(on, a);
    const mp::MpArrayOn<Set> vector(on, x);
    const mp::MpArrayOn<Set> scaled_x(on, static_cast<std::size_t>(terms), false);
    multiply<Set>(on, terms, 1, {vector.view(), begin_of(terms, incx), incx, 0}, {factor.view()},
                  {scaled_x.view(), 0, 1, 0});
    if (transposed) {
      multiply<Set>(on, terms, outputs, {matrix.view(), 0, 1, lda}, {scaled_x.view(), 0, 1, 0},
                    {products.view(), 0, 1, terms});
    } else {
      multiply<Set>(on, outputs, terms, {matrix.view(), 0, 1, lda}, {scaled_x.view(), 0, 0, 1},
                    {products.view(), 0, 1, outputs});
    }
    factor.compare(alpha);
    matrix.compare(a);
    vector.compare(x);
  }
  const int sum_bits = std::countr_zero(static_cast<unsigned>(threads));
  using Reduction = detail::MpReductionBlock<Set>;
  launch_blocks(on, Reduction::blocks(outputs, sum_bits),
                Reduction{outputs, terms, sum_bits, !transposed, b, scaled_y, to, reads_y});
  return result.take();
}

}  // namespace

mp::MpArray mp_gemv_decomposed(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                               const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                               std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy,
                               int threads) {
  using blas::require_argument;
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  blas::require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  blas::require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
  blas::require_argument(threads >= 1 && threads <= 32 && std::has_single_bit(static_cast<unsigned>(threads)), routine,
                         "threads are a power of two from 1 to 32");
  blas::require_argument(alpha.length == 1 && beta.length == 1, routine, "alpha and beta are one number each");
  mp::require_mp_array(alpha, alpha.n, routine, "alpha");
  mp::require_mp_array(beta, alpha.n, routine, "beta");
  mp::require_mp_array(y, alpha.n, routine, "y");
  const bool transposed = trans == blas::Transpose::yes;
  Shape shape{transposed, transposed ? n : m, transposed ? m : n, lda, incx, incy, !is_zero(beta), threads};
  const bool empty = shape.outputs == 0 || shape.terms == 0;
  blas::require_argument(empty || blas::holds_vector(y.length, shape.outputs, incy), routine, "y is too short");
  const bool reads_a = !empty && !is_zero(alpha);
  if (reads_a) {
    mp::require_mp_array(a, alpha.n, routine, "a");
    mp::require_mp_array(x, alpha.n, routine, "x");
    blas::require_argument(blas::holds_matrix(a.length, m, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.length, shape.terms, incx), routine, "x is too short");
  }
  if (empty || (!reads_a && is_one(beta))) return y;
  // A step that is never taken may be any number; none of them is multiplied beyond the indices then.
  if (!reads_a) shape.terms = 0;
  if (n <= 1) shape.lda = std::max<std::int64_t>(1, m);
  if (shape.terms <= 1) shape.incx = 1;
  if (shape.outputs <= 1) shape.incy = 1;
  return mp::with_moduli(alpha.n, routine,
                         [&](auto set) { return run<decltype(set)>(on, shape, alpha, a, x, beta, y); });
}

}  // namespace assay::gemv
