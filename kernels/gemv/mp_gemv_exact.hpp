#pragma once
// y ← α·op(A)·x + β·y in multiple precision, rounded once for each entry.
//
// A: m × n, column-major, leading dimension lda ≥ max(1, m): entry (i, j) is number i + j·lda. Entry i of a vector of
// length l with stride inc is number i·inc for inc > 0 and (i − l + 1)·inc for inc < 0, as in the reference BLAS.
// Indices have 64 bits.
//
// As in the reference BLAS: m = 0 or n = 0, or α = 0 and β = 1, leave y as it is; with α = 0 neither A nor x is read,
// with β = 0 y is not. Numbers between the strides and in rows m … lda − 1 are neither read nor written. Wrong
// arguments throw std::invalid_argument: a negative m or n, lda < max(1, m), a stride 0, an array that is too short or
// of other moduli, more than 2²⁸ terms in an entry, exponents of A or of x that are more than 2²⁹ apart.
//
// Each entry is RN(α·s + β·y) to P = ⌊log₂ √M⌋ bits, ties to even, where s is the exact sum of all products a·x,
// however far their exponents are apart; X ≤ 2^P, and a result of fewer bits is exact. Entries that are not computed
// keep their bits, even if these are P + 1. A number out of range among the operands of an entry makes the entry out of
// range. Theorem: docs/bounds/gemv.md, gemv.exact.1.
//
// Bit-identical on every executor, for every layout and order, by exactness: sums of aligned products modulo every m,
// whose integer is found by the Chinese remainder theorem. Requires numbers that are rounded
// (arith/residues/mp_number.hpp; not checked).

#include <cstddef>
#include <cstdint>
#include <memory>

#include "exec/executor.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv {

namespace detail {
struct GemvExactPlan;
}  // namespace detail

/// Numbers that lie on an executor in modulus planes: residue i of number k at digits[i·plane + k], and its sign and
/// exponent in one word.
struct MpPlanes {
  static constexpr std::int32_t zero = INT32_MIN;          ///< the word of a zero
  static constexpr std::int32_t exponent_limit = 1 << 28;  ///< of |exponent − exponent_offset|
  const std::uint32_t* digits;
  const std::int32_t* words;  ///< [k]: 2·(exponent − exponent_offset) + sign, or `zero`
  std::int64_t plane;         ///< at least the numbers of the array
  std::int64_t exponent_offset = 0;
};

/// y on an executor, with the members of a mp::MpArray in modulus planes: residue i of number k at digits[i·plane + k].
struct MpResultPlanes {
  std::uint32_t* digits;
  std::int32_t* sign;
  std::int32_t* exponent;
  Extended* lower;
  Extended* upper;
  std::int64_t plane;  ///< at least the numbers of the array
};

/// How a product of one shape is distributed over blocks. Making a plan takes about 10⁵ operations on the host; a plan
/// can be used for any number of products and any executor.
class MpGemvExactPlan {
 public:
  /// Throws std::invalid_argument for a negative m or n, and unless there are 8, 16, 32, 64 or 128 moduli.
  MpGemvExactPlan(int moduli, blas::Transpose trans, std::int64_t m, std::int64_t n);

  [[nodiscard]] int moduli() const noexcept { return moduli_; }
  [[nodiscard]] blas::Transpose trans() const noexcept { return trans_; }
  [[nodiscard]] std::int64_t m() const noexcept { return m_; }
  [[nodiscard]] std::int64_t n() const noexcept { return n_; }
  [[nodiscard]] const detail::GemvExactPlan& product() const noexcept { return *product_; }

  /// The memory on the executor, in bytes, that a product needs in addition to A, x and y.
  [[nodiscard]] std::size_t workspace() const noexcept { return workspace_; }

 private:
  int moduli_;
  blas::Transpose trans_;
  std::int64_t m_, n_;
  std::shared_ptr<const detail::GemvExactPlan> product_;
  std::size_t workspace_;
};

/// y ← α·op(A)·x + β·y on memory that lies on the executor. alpha and beta hold one number each on the host, of the
/// plan's moduli. `workspace` points to plan.workspace() bytes, aligned to 64. Requires: the arrays hold what is read
/// and written; y and the workspace overlap nothing else; no number out of range is read; |exponent − exponent_offset|
/// is at most MpPlanes::exponent_limit (none of it checked). Throws std::invalid_argument as above, and ExecutorError.
/// The launches are queued: the call does not wait (exec/launch.hpp), and allocates nothing on the executor. Cost: one
/// modular product, its alignment and one addition for each residue of each product; for each entry one conversion from
/// residues to limbs and back. For an entry with products far below its largest exponents, one pass over these products
/// for each further window of exponents that contains a product: none in the common case, at most one for each product.
void mp_gemv_exact(const Executor& on, const MpGemvExactPlan& plan, const mp::MpArray& alpha, const MpPlanes& a,
                   std::int64_t lda, const MpPlanes& x, std::int64_t incx, const mp::MpArray& beta,
                   const MpResultPlanes& y, std::int64_t incy, std::byte* workspace);

/// y afterwards, for arrays on the host, which are copied to the executor and back. alpha and beta hold one number
/// each; all arrays have alpha's number of moduli: 8, 16, 32, 64 or 128. The result has y's layout; the kernels read
/// modulus planes.
mp::MpArray mp_gemv_exact(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                          const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                          std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy);

}  // namespace assay::gemv
