#pragma once
// The entries of a large product that no exact truth was computed of: enclosures show most of them to be within a
// bound, and the others are judged exactly.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "oracle/format.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_truth.hpp"

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

/// Judges every finite entry of a case that matmul_enclosure has: `judge(terms, place)` judges those exactly that an
/// enclosure leaves open, and the one that comes nearest to its bound. Stops at the first that is violated.
template <class T, class Result, class Judge>
void judge_enclosed(const MatmulCase<T>& c, const Result& result, BoundFloor floor, const Judge& judge,
                    Judgement& worst) {
  constexpr double up = 1 + 0x1p-50;  // above the rounding errors of the line that it stands in
  const oracle::ProductEnclosure& all = matmul_enclosure(c);
  if (all.value.empty()) return;
  std::size_t judged = 0;
  double nearest = -1;
  std::size_t place_of_nearest = 0;
  for (std::size_t place = 0; place < all.value.size(); ++place) {
    if (std::isnan(all.radius[place])) continue;
    ++judged;
    const double error = (std::abs(in_binary64(result[place]) - all.value[place]) + all.radius[place]) * up;
    const double bound = floor(all.magnitude[place], std::abs(all.value[place]) - all.radius[place]);
    if (!(error <= bound)) {
      worst.worsen(judge(matmul_terms(c, place), place));
      if (worst.verdict == Verdict::violated) return;
    } else if (error > nearest * bound) {
      nearest = error / bound;
      place_of_nearest = place;
    }
  }
  if (nearest > 0) worst.worsen(judge(matmul_terms(c, place_of_nearest), place_of_nearest));
  worst.judged = judged;
}

}  // namespace assay::contracts
