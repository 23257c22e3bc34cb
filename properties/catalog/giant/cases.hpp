#pragma once
// Cases with more elements than 32 bits can count: a seed and sizes. The operands are generated in the memory of the
// executor, and the exact results are known by construction or computed from the few entries that are read.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "exec/executor.hpp"
#include "kernels/sum/generated_terms.hpp"
#include "oracle/dyadic.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"

namespace assay::giant {

/// n terms that cancel in pairs, except for a few.
struct SumCase {
  std::int64_t n = 0;
  std::int64_t seed = 0;
  static constexpr auto fields() { return std::tuple{field("n", &SumCase::n), field("seed", &SumCase::seed)}; }
};

/// A of rows × columns with a leading dimension so large that the last places are beyond 2³¹.
struct GemvCase {
  int trans = 0;
  std::int64_t m = 0, n = 0, lda = 1;
  std::int64_t seed = 0;
  static constexpr auto fields() {
    using C = GemvCase;
    return std::tuple{field("trans", &C::trans), field("m", &C::m), field("n", &C::n), field("lda", &C::lda),
                      field("seed", &C::seed)};
  }
};

inline constexpr std::int64_t longest = (std::int64_t{1} << 32) + (1 << 20);
inline constexpr std::int64_t largest_array = 9 * (std::int64_t{1} << 29) + 4096;

/// The terms that are not canceled: at the first and the last places and around 2³⁰ in the first and the last half.
sum::SingleTerms single_terms_of(const SumCase& c);
/// The place of a single term.
std::int64_t place_of(const SumCase& c, const sum::SingleTerm& term);

/// Σ x_i, and Σ x_i·y_i with symmetric powers y of the same seed.
oracle::Dyadic exact_sum_of(const SumCase& c);
oracle::Dyadic exact_dot_of(const SumCase& c);
/// y = op(A)·x, x_l = 1 + l·2⁻²⁰, entry by entry.
std::vector<oracle::Dyadic> exact_product_of(const GemvCase& c);
double entry_of_x(std::int64_t l);

/// A sum of n terms in binary32: 1, u, u, …, or terms of [1, 2) of one sign or of both.
std::vector<float> terms_of(const SumCase& c);
oracle::Dyadic exact_sum_of_terms(const SumCase& c);
/// n around 2²⁴, for which nu is about 1.
Domain<SumCase> long_sum_domain();

/// The most terms of AccSum, NearSum and FastAccSum in binary64: 2²⁶ − 2.
inline constexpr std::int64_t most_accurate = (std::int64_t{1} << 26) - 2;

/// Terms of a sum to the last bit, at the limits of the algorithms' conditions: terms of one sign nearly as large as
/// their binade allows; a pair that cancels, a term at the threshold of stopping and small terms whose errors have one
/// sign; residues of FastAccSum that are as large as possible; terms of both signs.
std::vector<double> accurate_terms_of(const SumCase& c);
oracle::Dyadic exact_sum_of_accurate_terms(const SumCase& c);
/// The largest allowed number of terms, or one or two fewer, and numbers of terms around 2²⁵.
Domain<SumCase> accurate_sum_domain();

/// About 10⁸ terms that cancel in pairs except for four.
Domain<SumCase> hundred_million_domain();

/// More than 2³¹ terms; more than 2³² if `most` allows it.
Domain<SumCase> sum_domain(std::int64_t most);
Domain<GemvCase> gemv_domain();

/// The results to nearest of the exact forms on generated operands. Errors: ExecutorError if memory is short.
double sum_of(const Executor& on, const SumCase& c);
double dot_of(const Executor& on, const SumCase& c);
std::vector<double> product_of(const Executor& on, const GemvCase& c);

}  // namespace assay::giant
