#pragma once
// Arithmetic on residues as element-wise kernels, with the set of moduli rns::Standard<n>, n = 8, 16, 32, 64 or 128,
// chosen at run time. Each operation is documented at the function of arith/residues/rns.hpp,
// arith/residues/interval.hpp or arith/limbs/integer.hpp that it names; the values are not checked. Arrays hold one
// element after the other: residues n + 1 words an element, the guard last; integers ⌈27n/32⌉ words of 32 bits, least
// significant first; mixed-radix digits n words.
//
// Every function throws std::invalid_argument with one line for an n that is not offered and for arrays whose sizes do
// not fit, and ExecutorError when the executor fails. Elements are independent: the bits do not depend on order or
// batch. Bit-identical on every executor by the same operations in the same order.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/float/extended_range.hpp"
#include "exec/executor.hpp"

namespace assay::rns {

/// The words of 32 bits of an integer below M, for n base moduli: ⌈27n/32⌉.
constexpr int rns_limbs(int n) { return (27 * n + 31) / 32; }

enum class RnsOp { add, sub, mul };

/// x ∘ y; `rns::add`, `rns::sub`, `rns::mul`.
std::vector<std::uint32_t> rns_op(const Executor& on, RnsOp op, int n, std::span<const std::uint32_t> x,
                                  std::span<const std::uint32_t> y);

/// x·2^k, an exponent an element; `rns::scale_up`.
std::vector<std::uint32_t> rns_scale_up(const Executor& on, int n, std::span<const std::uint32_t> x,
                                        std::span<const std::int32_t> k);

/// ⌊x/2^d⌋, an exponent an element; `rns::scale_down`.
std::vector<std::uint32_t> rns_scale_down(const Executor& on, int n, std::span<const std::uint32_t> x,
                                          std::span<const std::int64_t> d);

struct RnsQuotients {
  std::vector<std::uint32_t> quotient, remainder;
};

/// ⌊x/y⌋ and x mod y; `rns::divide`.
RnsQuotients rns_divide(const Executor& on, int n, std::span<const std::uint32_t> x, std::span<const std::uint32_t> y);

/// `general`: `rns::evaluate`. `mixed_radix`: `rns::evaluate_mixed_radix`. `fast`: `rns::evaluate_fast`.
enum class RnsEvaluation { general, mixed_radix, fast };

/// I(X/M).
std::vector<Interval> rns_evaluate(const Executor& on, RnsEvaluation form, int n, std::span<const std::uint32_t> x);

/// The sign of X − Y: −1, 0 or 1; `rns::compare`.
std::vector<int> rns_compare(const Executor& on, int n, std::span<const std::uint32_t> x,
                             std::span<const std::uint32_t> y);

/// 1 for 0 < X < M/2, −1 for X > M/2, 0 for 0; `rns::sign`.
std::vector<int> rns_sign(const Executor& on, int n, std::span<const std::uint32_t> x);

/// 1 for X + Y ≥ M, otherwise 0; `rns::overflows`.
std::vector<int> rns_overflows(const Executor& on, int n, std::span<const std::uint32_t> x,
                               std::span<const std::uint32_t> y);

/// Residues of integers; `rns::from_limbs`.
std::vector<std::uint32_t> rns_from_limbs(const Executor& on, int n, std::span<const std::uint32_t> limbs);

/// The integers of residues; `rns::to_limbs`, by mixed-radix digits, and `rns::to_limbs_crt`.
std::vector<std::uint32_t> rns_to_limbs(const Executor& on, int n, std::span<const std::uint32_t> x);
std::vector<std::uint32_t> rns_to_limbs_crt(const Executor& on, int n, std::span<const std::uint32_t> x);

/// `rns::mixed_radix`.
std::vector<std::uint32_t> rns_mixed_radix(const Executor& on, int n, std::span<const std::uint32_t> x);

/// Residues of |x| for integers x; `rns::residues_of`.
std::vector<std::uint32_t> rns_from_double(const Executor& on, int n, std::span<const double> x);

/// RN(X); `limb::nearest`.
std::vector<double> rns_to_double(const Executor& on, int n, std::span<const std::uint32_t> x);

/// Numbers (−1)^sign·X·2^exponent; X = 0 with sign, exponent and `fits` 0 if the range does not hold a number.
struct RnsSignificands {
  std::vector<std::uint32_t> residues;
  std::vector<std::int32_t> sign, exponent, fits;
};

/// Expansions of k ≥ 1 words, exactly, with an odd X or X = 0; `limb::sum`. `fits`: 1 where X < M.
RnsSignificands rns_from_expansion(const Executor& on, int n, int k, std::span<const double> x);

/// (−1)^sign·X·2^exponent as an expansion of k ≥ 1 words, or its first words if k words do not hold it;
/// `limb::leading_words`.
std::vector<double> rns_to_expansion(const Executor& on, int n, int k, std::span<const std::uint32_t> residues,
                                     std::span<const std::int32_t> sign, std::span<const std::int32_t> exponent);

}  // namespace assay::rns
