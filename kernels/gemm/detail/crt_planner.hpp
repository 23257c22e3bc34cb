#pragma once
// The plan of gemm_crt: the number of moduli, and whether the integers keep all bits of A and B.
//
// A plan with few moduli rounds the integers, so that some entries stay undecided. A plan with many moduli costs more
// products. The planner estimates both costs from the scan of A and B and from sampled entries, and takes the cheapest
// plan. Only time depends on the estimates. Bounds that decide correctness are upper bounds: docs/bounds/gemm.md.
//
// x' is a row of op(A) or a column of op(B) after it was multiplied by its power of two and before it is rounded to
// integers; a' and b' are such lines of A and of B. P is the product of the moduli, X an entry of the integer product.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "arith/residues/crt_integer.hpp"
#include "kernels/gemm/detail/crt_launches.hpp"
#include "kernels/gemm/detail/crt_line_findings.hpp"

namespace assay::gemm::detail {

/// The number of moduli, and how many bits of A and B the integers keep.
struct CrtPlan {
  int moduli;
  bool exact;    ///< all bits are kept
  double limit;  ///< otherwise ‖x'‖₂ ≤ 2^limit
  int words;     ///< of 32 bits that hold an integer
};

/// The choices that depend on the data.
class CrtPlanner {
 public:
  /// The bits that P has above an upper bound of |X|, so that X and −X are apart.
  static constexpr int sign_bits = 1;
  /// log₂(1/(1 − 2⁻¹⁰)) and errors of logarithms are below this.
  static constexpr double spare = 0.003;
  /// The cost of an entry by a superaccumulator among a few entries, and among all. The unit is an inner product modulo
  /// one number, 17 ps on an H200 with k = 8192. There an entry among all takes 27 ns, and one among a few 0.5 µs.
  static constexpr double recomputed_cost = 30000;
  static constexpr double superaccumulator_cost = 1600;
  /// The fixed cost of a recomputation, 70 µs, in single multiplications modulo one number: k of them are an inner
  /// product.
  static constexpr double recomputation_cost = 3e10;

  CrtPlanner(const CrtFindings& found, std::size_t samples, std::uint64_t entries, std::int64_t k)
      : a_(found.demand[0]),
        b_(found.demand[1]),
        samples_(found.sample, found.sample + samples),
        entries_(static_cast<double>(entries)),
        k_(static_cast<double>(k)) {}

  /// The plan that keeps all bits: 2·Σ|a'||b'| < P by the best of three bounds of the sum. Empty if that takes more
  /// than most_moduli moduli.
  [[nodiscard]] std::optional<CrtPlan> exact() const {
    const double needed =
        sign_bits + spare + std::min({a_.log2_norm + b_.log2_norm, a_.log2_sum + b_.bits, a_.bits + b_.log2_sum});
    for (int n = 1; n <= crt::most_moduli; ++n) {
      if (crt_log2_product(n) >= needed) return CrtPlan{n, true, 0, words_for(std::max(a_.bits, b_.bits))};
    }
    return std::nullopt;
  }

  /// The plan of n moduli that rounds: ‖a'‖₂ and ‖b'‖₂ are at most 2^limit, with 2·2^(2·limit) < P.
  [[nodiscard]] CrtPlan rounded(int n) const {
    const double limit = (crt_log2_product(n) - sign_bits - spare) / 2;
    return {n, false, limit, words_for(static_cast<int>(limit) + 3)};
  }

  /// The share of entries that a plan is expected to leave undecided. An entry is undecided if its result lies within E
  /// of a midpoint, which has the probability 2E/ulp.
  [[nodiscard]] double open(const CrtPlan& plan) const {
    if (plan.exact || samples_.empty()) return 0;
    const double factor = std::exp2(54.5 - plan.limit);
    double sum = 0;
    for (const double sample : samples_) sum += std::min(1.0, sample * factor);
    return sum / static_cast<double>(samples_.size());
  }

  /// The expected cost of an entry, in inner products modulo one number: the inner products, the measured memory
  /// traffic of each modulus, and recomputation.
  [[nodiscard]] double cost(const CrtPlan& plan) const {
    const double share = open(plan);
    const double some = 1 - std::exp(-share * entries_);
    return plan.moduli * (1 + 1500 / k_) + share * recomputed_cost + some * recomputation_cost / (entries_ * k_);
  }

  /// The cheapest plan among those that round with at least `least` moduli and the one that keeps all bits.
  [[nodiscard]] CrtPlan best(int least) const {
    const std::optional<CrtPlan> all = exact();
    CrtPlan best = all ? *all : rounded(crt::most_moduli);
    double best_cost = cost(best);
    const int end = best.moduli;
    for (int n = std::max(least, fewest_rounded()); n < end; ++n) {
      const CrtPlan plan = rounded(n);
      const double plan_cost = cost(plan);
      if (plan_cost < best_cost) {
        best = plan;
        best_cost = plan_cost;
      }
    }
    return best;
  }

  /// Whether superaccumulators for all entries are expected to be cheaper than the plan.
  [[nodiscard]] bool gives_up(const CrtPlan& plan) const {
    return open(plan) * recomputed_cost > superaccumulator_cost;
  }

  [[nodiscard]] bool non_finite() const { return (a_.non_finite | b_.non_finite) != 0; }

 private:
  /// With fewer bits no entry would be decided. Rounding to integers changes a norm by at most ½√k. With 2^limit ≥
  /// 2¹²·√k, which 50 bits are for all k ≤ 2⁷⁶, the norm is more than half of 2^limit, so that this is less than 2⁻¹²
  /// of it.
  static constexpr double fewest_bits = 50;
  [[nodiscard]] int fewest_rounded() const {
    int n = 1;
    while (n < crt::most_moduli && rounded(n).limit < fewest_bits) ++n;
    return n;
  }

  static int words_for(int bits) { return (bits + 2 + 31) / 32; }

  CrtDemand a_, b_;
  std::vector<double> samples_;
  double entries_, k_;
};

}  // namespace assay::gemm::detail
