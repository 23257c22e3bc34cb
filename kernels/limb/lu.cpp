#include "kernels/limb/lu.hpp"

#include "exec/array.hpp"
#include "exec/workspace.hpp"
#include "kernels/limb/detail/steps.hpp"

namespace assay::limb {
namespace {

using blas::Transpose;
using detail::from;
using detail::Steps;

/// *pivot = `first` and the number of the first x of the largest magnitude; NaN is larger than everything. One thread.
struct PivotBody {
  int limbs;
  std::int64_t length;
  FloatPlanes x;
  std::int32_t first;
  std::int32_t* pivot;

  ASSAY_HD void operator()(std::size_t) const {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < length; ++i) {
      if (is_less(best, i)) best = i;
    }
    *pivot = first + static_cast<std::int32_t>(best);
  }

 private:
  /// |x_i| < |x_j|
  [[nodiscard]] ASSAY_HD bool is_less(std::int64_t i, std::int64_t j) const {
    if (x.exponent[i] != x.exponent[j]) return x.exponent[i] < x.exponent[j];
    int k = limbs - 1;
    while (k > 0 && word(k, i) == word(k, j)) --k;
    return word(k, i) < word(k, j);
  }
  [[nodiscard]] ASSAY_HD std::uint32_t word(int k, std::int64_t i) const {
    return x.word[static_cast<std::size_t>(k) * x.plane + static_cast<std::size_t>(i)];
  }
};

/// Exchanges numbers `own` and *other of each row of numbers: number j of a row at j·step.
struct ExchangeBody {
  int limbs;
  FloatPlanes x;
  std::int32_t own;
  const std::int32_t* other;
  std::size_t step;

  ASSAY_HD void operator()(std::size_t j) const {
    const std::size_t a = static_cast<std::size_t>(own) + j * step;
    const std::size_t b = static_cast<std::size_t>(*other) + j * step;
    for (int k = 0; k < limbs; ++k) exchange(x.word + static_cast<std::size_t>(k) * x.plane, a, b);
    exchange(x.exponent, a, b);
    exchange(x.sign, a, b);
  }

 private:
  template <class T>
  ASSAY_HD static void exchange(T* numbers, std::size_t a, std::size_t b) {
    const T kept = numbers[a];
    numbers[a] = numbers[b];
    numbers[b] = kept;
  }
};

/// Queues the factorization.
void factorize(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda, std::int32_t* pivots,
               FloatPlanes row, FloatPlanes other, FloatPlanes d) {
  const auto size = static_cast<std::size_t>(n);
  const Steps steps(on, limbs, a, lda);
  for (std::int64_t k = 0; k < n; ++k) {
    const FloatPlanes column = steps.entry(k, k);
    const std::int64_t rest = n - k - 1;
    const auto own = static_cast<std::int32_t>(k);
    if (k > 0) {
      steps.multiply(Transpose::no, n - k, k, steps.entry(k, 0), steps.entry(0, k), d);
      steps.apply(LimbOp::sub, n - k, column, d);
    }
    queue_indices(on, 1, PivotBody{limbs, n - k, column, own, pivots + k});
    queue_indices(on, size, ExchangeBody{limbs, a, own, pivots + k, static_cast<std::size_t>(lda)});
    steps.copy(rest, column, 0, row);
    steps.apply(LimbOp::div, rest, from(column, 1), row);
    if (k > 0 && rest > 0) {
      steps.copy(k, steps.entry(k, 0), lda, row);
      steps.multiply(Transpose::yes, k, rest, steps.entry(0, k + 1), row, d);
      steps.copy(rest, steps.entry(k, k + 1), lda, other);
      steps.apply(LimbOp::sub, rest, other, d);
      steps.copy(rest, other, 1, steps.entry(k, k + 1), lda);
    }
  }
}

}  // namespace

void queue_limb_lu(const Executor& on, int limbs, std::int64_t n, FloatPlanes a, std::int64_t lda, std::int32_t* pivots,
                   FloatPlanes row, FloatPlanes other, FloatPlanes d) {
  factorize(on, limbs, n, a, lda, pivots, row, other, d);
}

LuFactor limb_lu(const Executor& on, std::int64_t n, const FloatArray& a, std::int64_t lda) {
  detail::require_square(a, n, lda, "limb_lu");
  const auto size = static_cast<std::size_t>(n);
  const FloatArrayOn matrix(on, a);
  const FloatArrayOn row(on, a.limbs, size);
  const FloatArrayOn other(on, a.limbs, size);
  const FloatArrayOn d(on, a.limbs, size);
  const Array<std::int32_t> pivots(on, size);
  factorize(on, a.limbs, n, matrix.planes(), lda, pivots.data(), row.planes(), other.planes(), d.planes());
  wait(on);
  LuFactor factor{matrix.take(a.limbs), pivots.take(), 0};
  for (const FloatArrayOn* each : {&row, &other, &d}) static_cast<void>(each->take(a.limbs));
  while (factor.failed < n && detail::is_regular(factor.lu, factor.failed * (lda + 1))) ++factor.failed;
  return factor;
}

FloatArray limb_lu_solve(const Executor& on, std::int64_t n, const FloatArray& lu, std::int64_t lda,
                         const std::vector<std::int32_t>& pivots, const FloatArray& b) {
  constexpr const char* routine = "limb_lu_solve";
  detail::require_square(lu, n, lda, routine);
  detail::require_right_side(b, n, lu.limbs, routine);
  blas::require_argument(std::cmp_equal(pivots.size(), n), routine, "there are n pivots");
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t pivot = pivots[static_cast<std::size_t>(k)];
    blas::require_argument(k <= pivot && pivot < n, routine, "pivot k is a row from k to the last one");
  }
  const FloatArrayOn matrix(on, lu);
  const FloatArrayOn unknowns(on, b);
  const FloatArrayOn scalar(on, lu.limbs, 1);
  const Array<std::int32_t> rows(on, pivots);
  const Steps steps(on, lu.limbs, matrix.planes(), lda);
  const FloatPlanes x = unknowns.planes();
  for (std::int64_t k = 0; k < n; ++k) {
    queue_indices(on, 1, ExchangeBody{lu.limbs, x, static_cast<std::int32_t>(k), rows.data() + k, {}});
  }
  for (std::int64_t j = 0; j < n; ++j) {
    steps.negate(from(x, j), scalar.planes());
    steps.add_multiple(n - j - 1, scalar.planes(), steps.entry(j + 1, j), from(x, j + 1));
  }
  for (std::int64_t j = n; j-- > 0;) {
    steps.apply(LimbOp::div, 1, from(x, j), steps.entry(j, j));
    steps.negate(from(x, j), scalar.planes());
    steps.add_multiple(j, scalar.planes(), steps.entry(0, j), x);
  }
  wait(on);
  matrix.compare(lu);
  rows.compare(pivots);
  static_cast<void>(scalar.take(lu.limbs));
  return unknowns.take(lu.limbs);
}

}  // namespace assay::limb
