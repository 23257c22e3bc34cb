#include "kernels/gemv/mp_gemv_exact.hpp"

#include <algorithm>
#include <limits>

#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_block.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::gemv {
namespace {

constexpr const char* routine = "mp_gemv_exact";
constexpr std::int64_t most_terms = std::int64_t{1} << 28;

/// Where entry 0 of a vector stands.
std::int64_t begin_of(std::int64_t length, std::int64_t stride) {
  return stride > 0 || length == 0 ? 0 : (1 - length) * stride;
}

bool is_out_of_range(const mp::MpArray& x, std::size_t k) { return x.exponent[k] == mp::out_of_range_exponent; }

bool is_zero(const mp::MpArray& x, std::size_t k) { return x.upper[k].fraction == 0 && !is_out_of_range(x, k); }

/// Whether the scalar is 1·2⁰.
bool is_one(const mp::MpArray& scalar) {
  return scalar.sign[0] == 0 && scalar.exponent[0] == 0 &&
         std::all_of(scalar.digits.begin(), scalar.digits.end(), [](std::uint32_t digit) { return digit == 1; });
}

/// The words of sign and exponent of the entries that are read; exponents are less `offset` there.
struct Metas {
  std::vector<std::int32_t> words;
  std::vector<bool> out_of_range;  ///< of each entry, in the order of `places`
  std::int64_t offset = 0;
};

/// place(i, j) of 0 ≤ i < rows, 0 ≤ j < columns are the entries that are read.
template <class Place>
Metas metas_of(const mp::MpArray& x, std::int64_t rows, std::int64_t columns, Place&& place, const char* too_far) {
  using detail::GemvExactOperand;
  using detail::GemvExactPlan;
  Metas metas;
  metas.words.assign(x.length, GemvExactOperand::zero);
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const auto for_each = [&](auto&& f) {
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t i = 0; i < rows; ++i) f(static_cast<std::size_t>(place(i, j)));
    }
  };
  for_each([&](std::size_t k) {
    metas.out_of_range.push_back(is_out_of_range(x, k));
    if (is_zero(x, k) || is_out_of_range(x, k)) return;
    most = std::max<std::int64_t>(most, x.exponent[k]);
    least = std::min<std::int64_t>(least, x.exponent[k]);
  });
  if (most < least) return metas;
  blas::require_argument(most - least <= 2 * std::int64_t{GemvExactPlan::exponent_limit}, routine, too_far);
  metas.offset = most - GemvExactPlan::exponent_limit;
  for_each([&](std::size_t k) {
    if (is_zero(x, k) || is_out_of_range(x, k)) return;
    metas.words[k] = static_cast<std::int32_t>(2 * (x.exponent[k] - metas.offset) + x.sign[k]);
  });
  return metas;
}

/// The limbs of a number. Requires: one number (not checked).
detail::GemvExactScalar scalar_of(const mp::MpArray& x) {
  return mp::with_moduli(x.n, routine, [&](auto set) {
    using Set = decltype(set);
    rns::Residues<Set> digits;
    std::copy(x.digits.begin(), x.digits.end(), digits.r);
    std::uint32_t words[rns::limbs<Set>];
    rns::to_limbs_crt<Set>(digits, words);
    detail::GemvExactScalar scalar{};
    scalar.sign = x.sign[0];
    scalar.exponent = x.exponent[0];
    for (int k = 0; k < rns::limbs<Set> && k < detail::GemvExactScalar::most_limbs; ++k) {
      scalar.limbs[k] = words[k];
      if (words[k] != 0) scalar.count = k + 1;
    }
    return scalar;
  });
}

/// What a call is about once its arguments are known to be right.
struct Shape {
  std::int64_t outputs, terms, rows, columns, lda, incx, incy;
};

template <bool transposed>
mp::MpArray run(const Executor& on, const Shape& shape, const mp::MpArray& alpha, const mp::MpArray& a,
                const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y) {
  const std::int64_t begin_x = begin_of(shape.terms, shape.incx);
  const std::int64_t begin_y = begin_of(shape.outputs, shape.incy);
  const Metas metas_a = metas_of(
      a, shape.rows, shape.columns, [&](std::int64_t i, std::int64_t j) { return i + j * shape.lda; },
      "exponents of a are more than 2^29 apart");
  const Metas metas_x = metas_of(
      x, shape.terms > 0 ? shape.terms : 0, 1, [&](std::int64_t i, std::int64_t) { return begin_x + i * shape.incx; },
      "exponents of x are more than 2^29 apart");
  const bool reads_y = !is_zero(beta, 0);

  detail::GemvExactCall<transposed> call{};
  call.plan = detail::gemv_exact_plan(alpha.n, transposed, shape.outputs, shape.terms);
  call.plan.exponent_offset = metas_a.offset + metas_x.offset;
  const mp::MpArray planes_a = mp::with_layout(a, true);
  const mp::MpArray planes_x = mp::with_layout(x, true);
  const mp::MpArray planes_y = mp::with_layout(y, true);
  const Array<std::uint32_t> digits_a(on, std::span(planes_a.digits));
  const Array<std::uint32_t> digits_x(on, std::span(planes_x.digits));
  const Array<std::int32_t> words_a(on, std::span(metas_a.words));
  const Array<std::int32_t> words_x(on, std::span(metas_x.words));
  const Array<std::uint32_t> digits_y(on, std::span(planes_y.digits));
  const Array<std::int32_t> sign_y(on, std::span(planes_y.sign));
  const Array<std::int32_t> exponent_y(on, std::span(planes_y.exponent));
  const Array<Extended> lower_y(on, std::span(planes_y.lower));
  const Array<Extended> upper_y(on, std::span(planes_y.upper));
  const Array<std::int32_t> tops(on, call.plan.tops_size());
  const Array<std::uint32_t> partial(on, call.plan.partial_size());
  const Array<std::int32_t> bases(on, call.plan.bases_size());
  const Array<std::int32_t> outside(on, call.plan.outside_size());
  const Array<std::int32_t> listed(on, call.plan.listed_size());
  call.plan.tops = tops.data();
  call.plan.partial = partial.data();
  call.plan.bases = bases.data();
  call.plan.outside = outside.data();
  call.plan.listed = listed.data();
  call.a = {digits_a.data(), words_a.data(), static_cast<std::int64_t>(a.length), shape.lda, false};
  call.x = {digits_x.data() + begin_x, words_x.data() + begin_x, static_cast<std::int64_t>(x.length), shape.incx,
            false};
  call.alpha = scalar_of(alpha);
  call.beta = scalar_of(beta);
  call.reads_y = reads_y;
  call.y = {digits_y.data() + begin_y,
            sign_y.data() + begin_y,
            exponent_y.data() + begin_y,
            lower_y.data() + begin_y,
            upper_y.data() + begin_y,
            static_cast<std::int64_t>(y.length),
            shape.incy};
  call.kernels([&](std::size_t blocks, const auto& kernel) { launch_blocks(on, blocks, kernel); });
  digits_a.compare(std::span(planes_a.digits));
  digits_x.compare(std::span(planes_x.digits));
  words_a.compare(std::span(metas_a.words));
  words_x.compare(std::span(metas_x.words));

  mp::MpArray result;
  result.n = y.n;
  result.planes = true;
  result.length = y.length;
  result.digits = digits_y.take();
  result.sign = sign_y.take();
  result.exponent = exponent_y.take();
  result.lower = lower_y.take();
  result.upper = upper_y.take();
  const bool none = std::any_of(metas_x.out_of_range.begin(), metas_x.out_of_range.end(), [](bool b) { return b; }) ||
                    (shape.terms > 0 && is_out_of_range(alpha, 0)) || is_out_of_range(beta, 0);
  for (std::int64_t i = 0; i < shape.outputs; ++i) {
    const auto k = static_cast<std::size_t>(begin_y + i * shape.incy);
    bool marked = none || (reads_y && is_out_of_range(y, k));
    for (std::int64_t j = 0; j < shape.terms && !marked; ++j) {
      marked = metas_a.out_of_range[static_cast<std::size_t>(transposed ? i * shape.rows + j : i + j * shape.rows)];
    }
    if (!marked) continue;
    for (std::size_t d = 0; d <= static_cast<std::size_t>(y.n); ++d) result.digits[d * y.length + k] = 0;
    result.sign[k] = 0;
    result.exponent[k] = mp::out_of_range_exponent;
    result.lower[k] = result.upper[k] = {};
  }
  return mp::with_layout(result, y.planes);
}

}  // namespace

mp::MpArray mp_gemv_exact(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                          const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                          std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy) {
  using blas::require_argument;
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  blas::require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  blas::require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
  blas::require_argument(alpha.length == 1 && beta.length == 1, routine, "alpha and beta are one number each");
  blas::require_argument(alpha.n == 8 || alpha.n == 16 || alpha.n == 32 || alpha.n == 64 || alpha.n == 128, routine,
                         "there are 8, 16, 32, 64 or 128 moduli");
  mp::require_mp_array(alpha, alpha.n, routine, "alpha");
  mp::require_mp_array(beta, alpha.n, routine, "beta");
  mp::require_mp_array(y, alpha.n, routine, "y");
  const bool transposed = trans == blas::Transpose::yes;
  Shape shape{transposed ? n : m, transposed ? m : n, m, n, lda, incx, incy};
  const bool empty = shape.outputs == 0 || shape.terms == 0;
  blas::require_argument(empty || blas::holds_vector(y.length, shape.outputs, incy), routine, "y is too short");
  const bool reads_a = !empty && !is_zero(alpha, 0);
  if (reads_a) {
    blas::require_argument(shape.terms <= most_terms, routine, "an entry has at most 2^28 terms");
    mp::require_mp_array(a, alpha.n, routine, "a");
    mp::require_mp_array(x, alpha.n, routine, "x");
    blas::require_argument(blas::holds_matrix(a.length, m, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.length, shape.terms, incx), routine, "x is too short");
  }
  if (empty || (!reads_a && is_one(beta))) return y;
  if (!reads_a) shape.terms = shape.rows = shape.columns = 0;
  // A step that is never taken may be any number; none of them is multiplied beyond the indices then.
  if (!reads_a || n <= 1) shape.lda = std::max<std::int64_t>(1, m);
  if (shape.terms <= 1) shape.incx = 1;
  if (shape.outputs <= 1) shape.incy = 1;
  const mp::MpArray nothing = mp::mp_zeros(alpha.n, 0, true);
  const mp::MpArray& matrix = reads_a ? a : nothing;
  const mp::MpArray& vector = reads_a ? x : nothing;
  return transposed ? run<true>(on, shape, alpha, matrix, vector, beta, y)
                    : run<false>(on, shape, alpha, matrix, vector, beta, y);
}

}  // namespace assay::gemv
