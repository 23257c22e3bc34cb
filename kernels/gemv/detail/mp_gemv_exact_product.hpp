#pragma once
// The checked data of a call of the exact-accumulating GEMV, for any kernels and any way to launch them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_call.hpp"
#include "kernels/gemv/detail/workspace_parts.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::gemv::detail {

inline constexpr const char* routine = "mp_gemv_exact";
inline constexpr std::int64_t most_terms = std::int64_t{1} << 28;
static_assert(MpPlanes::zero == GemvExactOperand::zero && MpPlanes::exponent_limit == GemvExactPlan::exponent_limit);

inline bool is_out_of_range(const mp::MpArray& x, std::size_t k) { return x.exponent[k] == mp::out_of_range_exponent; }

inline bool is_zero(const mp::MpArray& x, std::size_t k) { return x.upper[k].fraction == 0 && !is_out_of_range(x, k); }

/// Whether the scalar is 1·2⁰.
inline bool is_one(const mp::MpArray& scalar) {
  return scalar.sign[0] == 0 && scalar.exponent[0] == 0 &&
         std::all_of(scalar.digits.begin(), scalar.digits.end(), [](std::uint32_t digit) { return digit == 1; });
}

inline void require_moduli(int moduli, const char* of = routine) {
  blas::require_argument(moduli == 8 || moduli == 16 || moduli == 32 || moduli == 64 || moduli == 128, of,
                         "there are 8, 16, 32, 64 or 128 moduli");
}

/// The words of sign and exponent of the entries that are read; their exponents are reduced by `offset`.
struct Metas {
  std::vector<std::int32_t> words;
  std::vector<bool> out_of_range;  ///< of each entry, in the order of `places`
  std::int64_t offset = 0;
};

/// place(i, j) of 0 ≤ i < rows, 0 ≤ j < columns are the entries that are read.
template <class Place>
Metas metas_of(const mp::MpArray& x, std::int64_t rows, std::int64_t columns, Place&& place, const char* too_far,
               const char* of = routine) {
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
  blas::require_argument(most - least <= 2 * std::int64_t{GemvExactPlan::exponent_limit}, of, too_far);
  metas.offset = most - GemvExactPlan::exponent_limit;
  for_each([&](std::size_t k) {
    if (is_zero(x, k) || is_out_of_range(x, k)) return;
    metas.words[k] = static_cast<std::int32_t>(2 * (x.exponent[k] - metas.offset) + x.sign[k]);
  });
  return metas;
}

/// The limbs of a number. Requires: one number (not checked).
inline GemvExactScalar scalar_of(const mp::MpArray& x) {
  return mp::with_moduli(x.n, routine, [&](auto set) {
    using Set = decltype(set);
    rns::Residues<Set> digits;
    std::copy(x.digits.begin(), x.digits.end(), digits.r);
    std::uint32_t words[rns::limbs<Set>];
    rns::to_limbs_crt<Set>(digits, words);
    GemvExactScalar scalar{};
    scalar.sign = x.sign[0];
    scalar.exponent = x.exponent[0];
    for (int k = 0; k < rns::limbs<Set> && k < GemvExactScalar::most_limbs; ++k) {
      scalar.limbs[k] = words[k];
      if (words[k] != 0) scalar.count = k + 1;
    }
    return scalar;
  });
}

/// Gives the plan its workspace.
inline void place(GemvExactPlan& plan, WorkspaceParts& parts) {
  plan.tops = parts.take<std::int32_t>(plan.tops_size());
  plan.partial = parts.take<std::uint32_t>(plan.partial_size());
  plan.bases = parts.take<std::int32_t>(plan.bases_size());
  plan.outside = parts.take<std::int32_t>(plan.outside_size());
  plan.listed = parts.take<std::int32_t>(plan.listed_size());
}

/// The checks that need no array.
inline void check_call(int moduli, std::int64_t m, std::int64_t n, const mp::MpArray& alpha, std::int64_t lda,
                       std::int64_t incx, const mp::MpArray& beta, std::int64_t incy) {
  using blas::require_argument;
  require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
  require_argument(alpha.length == 1 && beta.length == 1, routine, "alpha and beta are one number each");
  require_moduli(moduli);
  mp::require_mp_array(alpha, moduli, routine, "alpha");
  mp::require_mp_array(beta, moduli, routine, "beta");
}

/// The kernels of a call, each by launch(blocks, kernel, whether it is the first one).
template <class Call, class Launch>
void launch_call(const GemvExactPlan& plan, const mp::MpArray& alpha, const MpPlanes& a, std::int64_t lda,
                 const MpPlanes& x, std::int64_t incx, const mp::MpArray& beta, const MpResultPlanes& y,
                 std::int64_t incy, Launch&& launch) {
  const std::int64_t begin_x = blas::begin_of(plan.terms, incx);
  const std::int64_t begin_y = blas::begin_of(plan.outputs, incy);
  Call call{};
  call.plan = plan;
  call.plan.exponent_offset = a.exponent_offset + x.exponent_offset;
  if (plan.terms > 0) {
    call.a = {a.digits, a.words, a.plane, lda, false};
    call.x = {x.digits + begin_x, x.words + begin_x, x.plane, incx, false};
  }
  call.alpha = scalar_of(alpha);
  call.beta = scalar_of(beta);
  call.reads_y = !is_zero(beta, 0);
  call.y = {
      y.digits + begin_y, y.sign + begin_y, y.exponent + begin_y, y.lower + begin_y, y.upper + begin_y, y.plane, incy};
  bool first = true;
  call.kernels([&](std::size_t blocks, const auto& kernel) {
    launch(blocks, kernel, first);
    first = false;
  });
}

/// Marks the entries as out of range for which a number out of range was read. marks_a, marks_x: the marks of the
/// entries in the order of their indices, A by columns; empty if they were not read.
inline void mark_out_of_range(mp::MpArray& result, const MpGemvExactPlan& plan, const mp::MpArray& alpha,
                              const std::vector<bool>& marks_a, const std::vector<bool>& marks_x,
                              const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy) {
  const bool transposed = plan.trans() == blas::Transpose::yes;
  const std::int64_t outputs = transposed ? plan.n() : plan.m();
  const auto terms = static_cast<std::int64_t>(marks_x.size());
  const bool reads_y = !is_zero(beta, 0);
  const bool all = std::any_of(marks_x.begin(), marks_x.end(), [](bool b) { return b; }) ||
                   (terms > 0 && is_out_of_range(alpha, 0)) || is_out_of_range(beta, 0);
  const std::int64_t begin = blas::begin_of(outputs, incy);
  for (std::int64_t i = 0; i < outputs; ++i) {
    const auto k = static_cast<std::size_t>(begin + i * incy);
    bool marked = all || (reads_y && is_out_of_range(y, k));
    for (std::int64_t j = 0; j < terms && !marked; ++j) {
      marked = marks_a[static_cast<std::size_t>(transposed ? i * plan.m() + j : i + j * plan.m())];
    }
    if (!marked) continue;
    for (std::size_t d = 0; d <= static_cast<std::size_t>(y.n); ++d) result.digits[d * y.length + k] = 0;
    result.sign[k] = 0;
    result.exponent[k] = mp::out_of_range_exponent;
    result.lower[k] = result.upper[k] = {};
  }
}

/// mp_gemv_exact on memory of an executor, by the kernels of Call and launches as in launch_call.
template <template <bool> class Call, class Launch>
void product_in_memory(const MpGemvExactPlan& plan, const mp::MpArray& alpha, const MpPlanes& a, std::int64_t lda,
                       const MpPlanes& x, std::int64_t incx, const mp::MpArray& beta, const MpResultPlanes& y,
                       std::int64_t incy, std::byte* workspace, Launch&& launch) {
  const std::int64_t m = plan.m();
  const std::int64_t n = plan.n();
  check_call(plan.moduli(), m, n, alpha, lda, incx, beta, incy);
  const bool transposed = plan.trans() == blas::Transpose::yes;
  const std::int64_t terms = transposed ? m : n;
  const std::int64_t outputs = transposed ? n : m;
  const bool reads_a = !is_zero(alpha, 0);
  if (terms == 0 || outputs == 0 || (!reads_a && is_one(beta))) return;
  GemvExactPlan product = reads_a ? plan.product() : gemv_exact_plan(plan.moduli(), transposed, outputs, 0);
  if (reads_a) blas::require_argument(terms <= most_terms, routine, "an entry has at most 2^28 terms");
  WorkspaceParts parts(workspace);
  place(product, parts);
  // The step of a vector with at most one entry may be any number; steps are never multiplied beyond the indices.
  if (!reads_a || n <= 1) lda = std::max<std::int64_t>(1, m);
  if (!reads_a || terms <= 1) incx = 1;
  if (outputs <= 1) incy = 1;
  if (transposed) {
    launch_call<Call<true>>(product, alpha, a, lda, x, incx, beta, y, incy, launch);
  } else {
    launch_call<Call<false>>(product, alpha, a, lda, x, incx, beta, y, incy, launch);
  }
}

/// Numbers that a call on arrays reads, on the executor during the call.
class MpOperandOn {
 public:
  /// x in modulus planes, with the words of its numbers that are read.
  MpOperandOn(const Executor& on, const mp::MpArray& x, const Metas& metas)
      : x_(x), metas_(metas), digits_(on, std::span(x.digits)), words_(on, std::span(metas.words)) {}

  [[nodiscard]] MpPlanes planes() const {
    return {digits_.data(), words_.data(), static_cast<std::int64_t>(x_.length), metas_.offset};
  }
  /// After the call: checks that nothing was written.
  void compare() const {
    digits_.compare(std::span(x_.digits));
    words_.compare(std::span(metas_.words));
  }

 private:
  const mp::MpArray& x_;
  const Metas& metas_;
  Array<std::uint32_t> digits_;
  Array<std::int32_t> words_;
};

/// Numbers that a call on arrays overwrites, on the executor during the call.
class MpResultOn {
 public:
  /// y in modulus planes.
  MpResultOn(const Executor& on, const mp::MpArray& y)
      : n_(y.n),
        length_(y.length),
        digits_(on, std::span(y.digits)),
        sign_(on, std::span(y.sign)),
        exponent_(on, std::span(y.exponent)),
        lower_(on, std::span(y.lower)),
        upper_(on, std::span(y.upper)) {}

  [[nodiscard]] MpResultPlanes planes() const {
    return {digits_.data(), sign_.data(),  exponent_.data(),
            lower_.data(),  upper_.data(), static_cast<std::int64_t>(length_)};
  }
  /// After the call, in modulus planes.
  [[nodiscard]] mp::MpArray take() const {
    mp::MpArray y;
    y.n = n_;
    y.planes = true;
    y.length = length_;
    y.digits = digits_.take();
    y.sign = sign_.take();
    y.exponent = exponent_.take();
    y.lower = lower_.take();
    y.upper = upper_.take();
    return y;
  }

 private:
  int n_;
  std::size_t length_;
  Array<std::uint32_t> digits_;
  Array<std::int32_t> sign_, exponent_;
  Array<Extended> lower_, upper_;
};

/// mp_gemv_exact of arrays on the host, by the kernels of Call and launches on the executor as in launch_call.
template <template <bool> class Call, class Launch>
mp::MpArray product_of_arrays(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                              const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                              std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy,
                              Launch&& launch) {
  check_call(alpha.n, m, n, alpha, lda, incx, beta, incy);
  mp::require_mp_array(y, alpha.n, routine, "y");
  const bool transposed = trans == blas::Transpose::yes;
  const std::int64_t outputs = transposed ? n : m;
  const std::int64_t terms = transposed ? m : n;
  const bool empty = outputs == 0 || terms == 0;
  blas::require_argument(empty || blas::holds_vector(y.length, outputs, incy), routine, "y is too short");
  const bool reads_a = !empty && !is_zero(alpha, 0);
  if (reads_a) {
    blas::require_argument(terms <= most_terms, routine, "an entry has at most 2^28 terms");
    mp::require_mp_array(a, alpha.n, routine, "a");
    mp::require_mp_array(x, alpha.n, routine, "x");
    blas::require_argument(blas::holds_matrix(a.length, m, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.length, terms, incx), routine, "x is too short");
  }
  if (empty || (!reads_a && is_one(beta))) return y;
  const std::int64_t step_a = n <= 1 ? std::max<std::int64_t>(1, m) : lda;
  const std::int64_t step_x = terms <= 1 ? 1 : incx;
  const std::int64_t step_y = outputs <= 1 ? 1 : incy;
  const std::int64_t begin_x = blas::begin_of(terms, step_x);
  const mp::MpArray nothing = mp::mp_zeros(alpha.n, 0, true);
  const mp::MpArray planes_a = mp::with_layout(reads_a ? a : nothing, true);
  const mp::MpArray planes_x = mp::with_layout(reads_a ? x : nothing, true);
  const mp::MpArray planes_y = mp::with_layout(y, true);
  const Metas metas_a = metas_of(
      planes_a, reads_a ? m : 0, reads_a ? n : 0, [&](std::int64_t i, std::int64_t j) { return i + j * step_a; },
      "exponents of a are more than 2^29 apart");
  const Metas metas_x = metas_of(
      planes_x, reads_a ? terms : 0, 1, [&](std::int64_t i, std::int64_t) { return begin_x + i * step_x; },
      "exponents of x are more than 2^29 apart");

  const MpGemvExactPlan plan(alpha.n, trans, m, n);
  const MpOperandOn a_on(on, planes_a, metas_a);
  const MpOperandOn x_on(on, planes_x, metas_x);
  const MpResultOn y_on(on, planes_y);
  const Array<std::byte> workspace(on, plan.workspace());
  product_in_memory<Call>(plan, alpha, a_on.planes(), lda, x_on.planes(), incx, beta, y_on.planes(), incy,
                          workspace.data(), launch);
  wait(on);
  a_on.compare();
  x_on.compare();
  mp::MpArray result = y_on.take();
  mark_out_of_range(result, plan, alpha, metas_a.out_of_range, metas_x.out_of_range, beta, y, step_y);
  return mp::with_layout(result, y.planes);
}

}  // namespace assay::gemv::detail
