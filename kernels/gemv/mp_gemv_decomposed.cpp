#include "kernels/gemv/mp_gemv_decomposed.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <type_traits>

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/gemv/detail/mp_gemv_product_rounding.hpp"
#include "kernels/gemv/detail/mp_gemv_sums.hpp"
#include "kernels/gemv/detail/workspace_parts.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::gemv {
namespace {

constexpr const char* routine = "mp_gemv_decomposed";

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
void queue_products(const Executor& on, std::int64_t rows, std::int64_t columns, const detail::MpEntries<Set>& left,
                    const detail::MpEntries<Set>& right, const detail::MpEntries<Set>& b) {
  const auto row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows - 1)));
  const detail::MpProducts<Set> products{rows, columns, row_bits, left, right, b};
  queue_indices(on, products.indices(), detail::MpProductSigns<Set>{products});
  const detail::MpProductDigits<Set> digits{products};
  queue_blocks(on, digits.blocks(), digits);
  using Rounding = detail::MpProductRounding<Set>;
  const std::int64_t length = rows * columns;
  queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(length, Rounding::numbers)), Rounding{length, b.numbers});
}

/// Element-major numbers from a workspace.
template <class Set>
mp::MpView<Set> take_numbers(detail::WorkspaceParts& workspace, std::int64_t length) {
  const auto n = static_cast<std::size_t>(length);
  const std::size_t size = Set::size;
  auto* const digits = workspace.take<std::uint32_t>(n * size);
  auto* const sign = workspace.take<std::int32_t>(n);
  auto* const exponent = workspace.take<std::int32_t>(n);
  auto* const lower = workspace.take<Extended>(n);
  auto* const upper = workspace.take<Extended>(n);
  return {digits, sign, exponent, lower, upper, size, 1};
}

/// The checks that need no array.
void check_call(std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t incx, std::int64_t incy, int threads) {
  using blas::require_argument;
  require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
  require_argument(threads >= 1 && threads <= 32 && std::has_single_bit(static_cast<unsigned>(threads)), routine,
                   "threads are a power of two from 1 to 32");
}

}  // namespace

std::size_t mp_gemv_decomposed_workspace(int moduli, std::int64_t m, std::int64_t n) {
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  return mp::with_moduli(moduli, routine, [&](auto set) {
    using Set = decltype(set);
    detail::WorkspaceParts parts;
    for (const std::int64_t length : {m, n, m * n}) take_numbers<Set>(parts, length);
    return parts.bytes();
  });
}

template <class Set>
void mp_gemv_decomposed(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                        const mp::MpView<Set>& alpha, const mp::MpView<Set>& a, std::int64_t lda,
                        const mp::MpView<Set>& x, std::int64_t incx, const mp::MpView<Set>& beta,
                        const mp::MpView<Set>& y, std::int64_t incy, std::byte* workspace, int threads) {
  check_call(m, n, lda, incx, incy, threads);
  using Entries = detail::MpEntries<Set>;
  const bool transposed = trans == blas::Transpose::yes;
  const bool reads_y = beta.digits != nullptr;
  const std::int64_t outputs = transposed ? n : m;
  const std::int64_t inner = transposed ? m : n;
  if (outputs == 0 || inner == 0) return;
  const std::int64_t terms = alpha.digits != nullptr ? inner : 0;
  // The step of a vector with at most one entry may be any number; steps are never multiplied beyond the indices.
  if (n <= 1) lda = std::max<std::int64_t>(1, m);
  if (terms <= 1) incx = 1;
  if (outputs <= 1) incy = 1;
  detail::WorkspaceParts parts(workspace);
  const Entries to{y, blas::begin_of(outputs, incy), incy, 0};
  const Entries scaled_y{take_numbers<Set>(parts, outputs), 0, 1, 0};
  const mp::MpView<Set> scaled_x = take_numbers<Set>(parts, terms);
  const mp::MpView<Set> products = take_numbers<Set>(parts, outputs * terms);
  // B has the layout of op(A)ᵀ or op(A), the one that A has: entry i of the result and term j.
  const Entries b = transposed ? Entries{products, 0, terms, 1} : Entries{products, 0, 1, outputs};
  if (reads_y) queue_products<Set>(on, outputs, 1, to, {beta}, scaled_y);
  if (terms > 0) {
    queue_products<Set>(on, terms, 1, {x, blas::begin_of(terms, incx), incx, 0}, {alpha}, {scaled_x, 0, 1, 0});
    queue_products<Set>(on, m, n, {a, 0, 1, lda}, {scaled_x, 0, transposed ? 1 : 0, transposed ? 0 : 1},
                        {products, 0, 1, m});
  }
  const int sum_bits = std::countr_zero(static_cast<unsigned>(threads));
  using Reduction = detail::MpReductionBlock<Set>;
  queue_blocks(on, Reduction::blocks(outputs, sum_bits),
               Reduction{outputs, terms, sum_bits, !transposed, b, scaled_y, to, reads_y});
}

mp::MpArray mp_gemv_decomposed(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                               const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                               std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy,
                               int threads) {
  using blas::require_argument;
  check_call(m, n, lda, incx, incy, threads);
  require_argument(alpha.length == 1 && beta.length == 1, routine, "alpha and beta are one number each");
  mp::require_mp_array(alpha, alpha.n, routine, "alpha");
  mp::require_mp_array(beta, alpha.n, routine, "beta");
  mp::require_mp_array(y, alpha.n, routine, "y");
  const std::int64_t outputs = trans == blas::Transpose::yes ? n : m;
  const std::int64_t terms = trans == blas::Transpose::yes ? m : n;
  const bool empty = outputs == 0 || terms == 0;
  require_argument(empty || blas::holds_vector(y.length, outputs, incy), routine, "y is too short");
  const bool reads_a = !empty && !is_zero(alpha);
  if (reads_a) {
    mp::require_mp_array(a, alpha.n, routine, "a");
    mp::require_mp_array(x, alpha.n, routine, "x");
    require_argument(blas::holds_matrix(a.length, m, n, lda), routine, "a is too short");
    require_argument(blas::holds_vector(x.length, terms, incx), routine, "x is too short");
  }
  if (empty || (!reads_a && is_one(beta))) return y;
  return mp::with_moduli(alpha.n, routine, [&](auto set) {
    using Set = decltype(set);
    const mp::MpArray nothing = mp::mp_zeros(Set::n, 0);
    const mp::MpArrayOn<Set> factor_x(on, alpha);
    const mp::MpArrayOn<Set> factor_y(on, beta);
    const mp::MpArrayOn<Set> matrix(on, reads_a ? a : nothing);
    const mp::MpArrayOn<Set> vector(on, reads_a ? x : nothing);
    const mp::MpArrayOn<Set> result(on, y);
    // With α = 0 the call has no terms.
    const std::size_t bytes = mp_gemv_decomposed_workspace(Set::n, reads_a ? m : outputs, reads_a ? n : 0);
    const Array<std::byte> workspace(on, bytes);
    mp_gemv_decomposed<Set>(on, trans, m, n, reads_a ? factor_x.view() : mp::MpView<Set>{}, matrix.view(), lda,
                            vector.view(), incx, is_zero(beta) ? mp::MpView<Set>{} : factor_y.view(), result.view(),
                            incy, workspace.data(), threads);
    wait(on);
    factor_x.compare(alpha);
    factor_y.compare(beta);
    matrix.compare(reads_a ? a : nothing);
    vector.compare(reads_a ? x : nothing);
    return result.take();
  });
}

namespace detail {

/// Instantiates the overload of memory on the executor: the addresses keep the functions in the object file.
template <int... moduli>
struct InstantiateDecomposed {
  static constexpr std::tuple functions{&mp_gemv_decomposed<rns::Standard<moduli>>...};
};
template struct InstantiateDecomposed<8, 16, 32, 64, 128>;

}  // namespace detail
}  // namespace assay::gemv
