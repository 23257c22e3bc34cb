#pragma once
// What the entries of a matrix product are exactly, and enclosures of those that are too many for that.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "oracle/dyadic.hpp"
#include "oracle/product_enclosure.hpp"
#include "properties/contracts/matmul_cases.hpp"

namespace assay::contracts {

/// An entry of the results, and where it stands.
struct MatmulEntry {
  std::int64_t p, i, j;
  std::size_t place;
};

/// What IEEE arithmetic gives for an entry: the exact sum, or what the infinities and NaNs among its terms make of it.
enum class EntryKind { finite, nan, plus_infinity, minus_infinity };

/// What the exact product has at one entry.
struct MatmulTerms {
  EntryKind kind = EntryKind::finite;
  oracle::Dyadic sum;         ///< Σ aₗbₗ; 0 where the kind is not finite
  oracle::Dyadic magnitudes;  ///< Σ |aₗbₗ|
  /// M, the largest |aₗ|⁺|bₗ|⁺ of the terms other than 0 with a subnormal factor, |x|⁺ = max(|x|, the smallest normal
  /// number); 0 without one.
  oracle::Dyadic lifted;
  long grid = 0;        ///< every aₗbₗ is a multiple of 2^grid
  int factor_bits = 0;  ///< the aₗ and bₗ have at most so many significant bits
};

/// The entries of the case whose truth is computed: all of a case of at most 2¹⁷ products, else those in up to 24 rows
/// and 24 columns of up to three products of the batch, the first and the last of each among them.
std::vector<MatmulEntry> judged_entries(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k);

/// These entries with their exact terms. The last case of a thread is kept, so that claims about one
/// case share them. Requires: lists of the lengths that the dimensions say (not checked).
struct MatmulTruth {
  std::vector<MatmulEntry> entries;
  std::vector<MatmulTerms> terms;
  /// The sums rounded to binary64, and numbers that the magnitudes do not fall below.
  std::vector<double> sums, magnitudes;
};
template <FloatingPoint T>
const MatmulTruth& matmul_truth(const MatmulCase<T>& c);

/// The exact terms of the entry at that place of the results.
template <FloatingPoint T>
MatmulTerms matmul_terms(const MatmulCase<T>& c, std::size_t place);

/// The exact entries of a case, each computed when it is asked for: 0 where an infinity or a NaN is among the terms.
template <FloatingPoint T>
class MatmulExact {
 public:
  MatmulExact() = default;
  explicit MatmulExact(const MatmulCase<T>& c) : of_(std::make_shared<const MatmulCase<T>>(c)) {}
  [[nodiscard]] std::size_t size() const { return of_ == nullptr ? 0 : of_->results(); }
  [[nodiscard]] oracle::Dyadic computed(std::size_t place) const { return matmul_terms(*of_, place).sum; }

 private:
  std::shared_ptr<const MatmulCase<T>> of_;
};

/// Rows `first` to `first + count` of product p of the batch.
struct MatmulRows {
  std::int64_t p, first, count;
  bool operator==(const MatmulRows&) const = default;
};

/// What arithmetic in binary64 knows of an entry: its sum differs from `value` by at most `radius`, the magnitudes of
/// its terms add up to at least `magnitude`, and each term is a multiple of 2^grid. The radius is a NaN where an
/// infinity or a NaN is among the terms.
struct EnclosedEntry {
  std::size_t place;
  double value, radius, magnitude;
  long grid;
};

/// The entries of some rows, enclosed.
struct MatmulPart {
  MatmulRows rows;
  std::int64_t columns;
  std::size_t first_place;
  oracle::ProductEnclosure all;
  std::vector<long> grid_of_row, grid_of_column;

  [[nodiscard]] std::size_t size() const { return all.value.size(); }
  [[nodiscard]] EnclosedEntry entry(std::size_t i) const {
    const std::size_t row = i / static_cast<std::size_t>(columns);
    return {first_place + i, all.value[i], all.radius[i], all.magnitude[i],
            grid_of_row[row] + grid_of_column[i - row * static_cast<std::size_t>(columns)]};
  }
};

/// So many products of exact entries are computed for one claim about one case, beside those that matmul_truth has.
inline constexpr std::int64_t most_exact_products = 2'000'000'000;

/// How many entries a case has that needs more than 2³⁶ products of numbers, so that those of matmul_truth are judged
/// alone, a sample; 0 for other cases.
template <FloatingPoint T>
std::size_t matmul_sample_of(const MatmulCase<T>& c);

/// The rows of all products, in parts of up to 2²⁴ entries or of one row, if matmul_truth has a part of the entries
/// alone and there are at most 2³⁶ products; else none.
template <FloatingPoint T>
std::vector<MatmulRows> matmul_parts(const MatmulCase<T>& c);

/// The enclosed entries of these rows, valid until the next call in this thread. Those of the last case are kept, up to
/// 2²⁴ entries.
template <FloatingPoint T>
const MatmulPart& matmul_part(const MatmulCase<T>& c, const MatmulRows& rows);

/// The exact terms of all entries of these rows, valid until the next call in this thread. Those of the last case are
/// kept, up to 2¹⁸ entries.
template <FloatingPoint T>
const MatmulTruth& matmul_truth_of(const MatmulCase<T>& c, const MatmulRows& rows);

/// What IEEE arithmetic gives for the entry at that place.
template <FloatingPoint T>
EntryKind matmul_kind(const MatmulCase<T>& c, std::size_t place);

}  // namespace assay::contracts
