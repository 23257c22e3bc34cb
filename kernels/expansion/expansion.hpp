#pragma once
// Expansion arithmetic as element-wise kernels with the number of words chosen at run time. Each operation is
// documented at the function of arith/expansion/expansion.hpp or arith/expansion/distillation.hpp that it names; the
// values are not checked. Arrays hold one expansion after the other: words i·k … i·k + k − 1 are those of element i.
//
// Every function throws std::invalid_argument with one line for a number of words that is not offered and for arrays
// whose sizes do not fit, and ExecutorError when the executor fails. Elements are independent: the bits do not depend
// on order or batch. Bit-identical on every executor by the same operations in the same order.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay::expansion {

enum class ExpansionOp {
  certified_add,
  quick_add,
  certified_mul,
  truncated_mul,
  quick_mul,
  div,
  reciprocal,
  rsqrt,
  sqrt,
};

/// z = x ∘ y, or z = f(x) with an empty y, all of k words.
/// double: k = 1 … 16. float: sums k = 1 … 16, the others k = 1 … 6, where the words reach the end of the range.
/// Toy<3>, Toy<4>, Toy<5>: certified_add with k = 1 … 4.
template <class T>
std::vector<T> expansion_op(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y = {});

/// How many words the operands and the result of a product have.
struct WordCounts {
  int x, y, z;
  friend constexpr bool operator==(const WordCounts&, const WordCounts&) = default;
};

/// z ≈ xy by the published truncated product, operands and results of different lengths; `expansion::binned_mul`.
/// double: 4 by 2 words in 3, 2 by 4 in 4, 3 by 3 in 5.
template <class T>
std::vector<T> expansion_binned_mul(const Executor& on, WordCounts words, std::span<const T> x, std::span<const T> y);

/// The sign of x − y: −1, 0 or 1; `expansion::compare`. double and float: k = 1 … 16.
template <class T>
std::vector<int> expansion_compare(const Executor& on, int k, std::span<const T> x, std::span<const T> y);

/// RN of the sum of the words; `expansion::nearest`. double and float: k = 1 … 16.
template <class T>
std::vector<T> expansion_nearest(const Executor& on, int k, std::span<const T> x);

/// The sum of the words as an integer, rounded toward zero; `expansion::to_int64`. double and float: k = 1 … 16.
template <class T>
std::vector<std::int64_t> expansion_to_int64(const Executor& on, int k, std::span<const T> x);

/// Expansions of integers; `expansion::from_integer`. double and float: k = 1 … 16.
template <class T>
std::vector<T> expansion_from_int64(const Executor& on, int k, std::span<const std::int64_t> n);

enum class Distillation { vec_sum, vec_sum_err_branch, vec_sum_err, renormalize, priest_renormalize };

/// n words in, m words out.
/// double and float: renormalize with m = n ≤ 16, with n = 2m ≤ 16 and with m ≤ n ≤ 5, the others with m = n ≤ 16.
/// Toy<3>, Toy<4>, Toy<5>: renormalize with m ≤ n ≤ 5, the others with m = n ≤ 5.
template <class T>
std::vector<T> distill(const Executor& on, Distillation what, int n, int m, std::span<const T> x);

}  // namespace assay::expansion
