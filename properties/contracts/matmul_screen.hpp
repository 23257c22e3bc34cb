#pragma once
// Enclosures in binary64 show most entries of a product to be within a bound, and the others are judged exactly: the
// entries of a large product that no exact truth was computed of, and, because it is faster, those that it was.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "oracle/format.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_truth.hpp"
#include "properties/contracts/violations.hpp"

namespace assay::contracts {

/// Numbers of binary64 that no bound of a claim falls below, from numbers that Σ|aₗbₗ| and |Σaₗbₗ| do not fall below:
/// no bound falls where these rise (theorem matmul.enclosure.3).
class BoundFloor {
 public:
  /// The bound of sums of k terms; the other arguments live as long as the object.
  BoundFloor(const MatmulBound& bound, std::uint64_t k, const oracle::Format& accumulator, const oracle::Format& result)
      : bound_(bound), k_(k), accumulator_(accumulator), result_(result) {}

  double operator()(double magnitude, double sum);

 private:
  const MatmulBound& bound_;
  std::uint64_t k_;
  const oracle::Format& accumulator_;
  const oracle::Format& result_;
  std::unordered_map<std::uint64_t, double> known_;
};

/// Judges every finite entry of a case: `judge(terms, place)` judges those exactly that `is_special(terms)` names, that
/// enclosures leave open, and the one that comes nearest to its bound. Of the entries that matmul_truth does not have
/// it stops at the first that is violated.
template <class T, class Result, class IsSpecial, class Judge>
void judge_screened(const MatmulCase<T>& c, const Result& result, BoundFloor floor, const IsSpecial& is_special,
                    const Judge& judge, Judgement& worst) {
  constexpr double up = 1 + 0x1p-50;  // above the rounding errors of the line that it stands in
  worst.judged = 0;
  double nearest = -1;
  std::size_t place_of_nearest = 0;
  const MatmulTerms* nearest_terms = nullptr;
  const auto is_within = [&](std::size_t place, double value, double radius, double magnitude,
                             const MatmulTerms* terms) {
    const double error = (std::abs(in_binary64(result[place]) - value) + radius) * up;
    const double bound = floor(magnitude, std::abs(value) - radius);
    if (!(error <= bound)) return false;
    if (error > nearest * bound) {
      nearest = error / bound;
      place_of_nearest = place;
      nearest_terms = terms;
    }
    return true;
  };
  const MatmulTruth& truth = matmul_truth(c);
  for (std::size_t i = 0; i < truth.entries.size(); ++i) {
    const MatmulTerms& terms = truth.terms[i];
    if (terms.kind != EntryKind::finite) continue;
    ++worst.judged;
    if (are_enough(worst.violations())) break;
    const std::size_t place = truth.entries[i].place;
    const double radius = std::abs(truth.sums[i]) * 0x1p-52 + 0x1p-1000;
    if (is_special(terms) || !is_within(place, truth.sums[i], radius, truth.magnitudes[i], &terms)) {
      const std::size_t judged = worst.judged;
      worst.worsen(judge(terms, place));
      worst.judged = judged;
    }
  }
  const std::size_t judged_before = worst.judged;
  const oracle::ProductEnclosure& all = matmul_enclosure(c);
  std::size_t enclosed = 0;
  for (std::size_t place = 0; place < all.value.size() && worst.verdict != Verdict::violated; ++place) {
    if (std::isnan(all.radius[place])) continue;
    ++enclosed;
    if (is_within(place, all.value[place], all.radius[place], all.magnitude[place], nullptr)) continue;
    worst.worsen(judge(matmul_terms(c, place), place));
  }
  if (nearest > 0) {
    worst.worsen(
        judge(nearest_terms != nullptr ? *nearest_terms : matmul_terms(c, place_of_nearest), place_of_nearest));
  }
  worst.judged = std::max(judged_before, enclosed);
}

}  // namespace assay::contracts
