#pragma once
// What may be promised of the error of an entry of a matrix product: bounds by the units and libraries that compute it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/bound.hpp"
#include "errorbounds/judgement.hpp"
#include "errorbounds/theorem.hpp"
#include "oracle/format.hpp"
#include "properties/contracts/matmul_truth.hpp"

namespace assay::contracts {

/// One entry of k terms, and the formats of its accumulator, of its result and of its factors.
struct MatmulSum {
  std::uint64_t k;
  const MatmulTerms& terms;
  oracle::Format accumulator;
  oracle::Format result;
  oracle::Format input = oracle::binary32;
};

/// αs + βc of such a sum s.
struct EpilogueOfSum {
  oracle::Dyadic alpha;
  oracle::Dyadic addend;                ///< βc
  bool has_subnormal_start = false;     ///< c is subnormal
  std::optional<bool> is_on_grid = {};  ///< is_on_grid() of the entry, where it is known
  [[nodiscard]] oracle::Dyadic exact(const MatmulSum& sum) const { return alpha * sum.terms.sum + addend; }
};

/// How a sum in the accumulator becomes the result.
enum class MatmulEnding {
  stored,    ///< rounded to nearest, where the result has another format
  included,  ///< the bound has the rounding; the accumulator has no more range than the result
  flushed    ///< as stored, and what is below the normal numbers may become 0
};

/// A contract about the error of every entry.
struct MatmulBound {
  const char* id;
  const TheoremWords* theorem;
  const char* instance;              ///< for which of its numbers the theorem is promised; empty for all
  std::vector<std::string> implies;  ///< ids of contracts that every kernel then keeps, too
  std::vector<std::string> formats;  ///< "IN:OUT" or "IN", in which it is promised
  Bound (*of)(const MatmulSum& sum);
  MatmulEnding ending = MatmulEnding::stored;
  /// So many more terms make up for βc as a term; 0: there is no contract for sums that begin with c.
  std::uint64_t terms_of_start = 0;
};

/// All of them, the strongest of each kind first.
std::span<const MatmulBound> matmul_bounds();

/// Which bound B of a sum it is, for theorems about B: "B of tensor_core.chain.1, b = 16, F = 25, m = 23".
std::string instance_of(const MatmulBound& bound);

/// The id of the contract for sums that begin with c: "from_c_…".
std::string started_id(const MatmulBound& bound);

/// The bound of an entry. Where an accumulator of another format comes before the result, its rounding is included.
Bound bound_of(const MatmulBound& bound, const MatmulSum& sum);

/// The fewest bits of what holds partial sums in a kernel of one of the contracts, for inputs, accumulator and result
/// of these formats: an entry is on a grid only if the magnitudes of its terms add up to at most that many bits of it.
int bits_of_partial_sums(const oracle::Format& input, const oracle::Format& accumulator, const oracle::Format& result);

/// Whether the data of the entry are so short that every kernel of a bound computes it exactly, and the result is a
/// number of its format: theorem matmul.exact_grid.1.
bool is_on_grid(const MatmulSum& sum);
/// The same of αs + βc.
bool is_on_grid(const MatmulSum& sum, const EpilogueOfSum& epilogue);

/// Whether no sum of the entry overflows in the result's format, in any order and with any roundings: theorem
/// matmul.finite.1.
bool stays_finite(const MatmulSum& sum);
/// The same of αs + βc, and of the sums that begin with βc/α.
bool stays_finite(const MatmulSum& sum, const EpilogueOfSum& epilogue);

/// The pattern `got` of the entry at `place` is within the bound, is the rounding of a number within the bound where
/// the result's format may overflow, and is exact where the entry is on a grid. Nothing where the theorem does not
/// speak, because the accumulator may overflow.
std::optional<Judgement> judge_entry(const MatmulBound& bound, const MatmulSum& sum, std::uint64_t got,
                                     std::size_t place);
/// The same of αs + βc, computed in the accumulator's format and stored as the result is.
std::optional<Judgement> judge_epilogue(const MatmulBound& bound, const MatmulSum& sum, const EpilogueOfSum& epilogue,
                                        std::uint64_t got, std::size_t place);
/// The same of sums that begin with c. Requires: bound.terms_of_start > 0 (not checked).
std::optional<Judgement> judge_started(const MatmulBound& bound, const MatmulSum& sum, const EpilogueOfSum& epilogue,
                                       std::uint64_t got, std::size_t place);

}  // namespace assay::contracts
