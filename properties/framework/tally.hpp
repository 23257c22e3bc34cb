#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "properties/framework/bit_sums.hpp"
#include "properties/framework/cost.hpp"

namespace assay {

/// No case.
inline constexpr std::uint64_t no_case = std::numeric_limits<std::uint64_t>::max();

/// The largest error/bound found, and its case; ties go to the smallest case number.
struct Worst {
  double ratio = -1;
  std::uint64_t number = no_case;

  void take(double other_ratio, std::uint64_t other_number) {
    if (other_ratio > ratio || (other_ratio == ratio && other_number < number)) {
      ratio = other_ratio;
      number = other_number;
    }
  }
  bool operator==(const Worst&) const = default;
};

/// ⌊log₂⌋ of the smallest distance of an exact value to a boundary of rounding, in ulps, and its case; ties go to the
/// smallest case number.
struct Closest {
  long log2_ulps = no_boundary;
  std::uint64_t number = no_case;

  void take(long other_log2, std::uint64_t other_number) {
    if (other_log2 < log2_ulps || (other_log2 == log2_ulps && other_number < number)) {
      log2_ulps = other_log2;
      number = other_number;
    }
  }
  bool operator==(const Closest&) const = default;
};

/// Components of which a claim says nothing, and why, as its first such case tells it.
struct Silence {
  std::uint64_t components = 0;
  std::uint64_t first = no_case;
  std::string why{};

  void take(std::uint64_t more, std::uint64_t number, const std::string& reason) {
    components += more;
    if (more == 0 || number >= first) return;
    first = number;
    why = reason;
  }
  bool operator==(const Silence&) const = default;
};

/// Fixed bins of error/bound: bin 0 for no error, bins 1…40 half-octaves from 2⁻²⁰ to 1 (smaller ratios in bin 1),
/// bin 41 for ratios above 1.
inline constexpr std::size_t ratio_bins = 42;

/// The bin of a ratio: 1 + ⌊2·log₂ ratio + 40⌋ clipped to 1…40, exactly 1 included in bin 40.
std::size_t ratio_bin(double ratio);

/// Fixed bins of a signed error in ulps. The middle bin has no error; on each side eight bins have an eighth of an ulp,
/// and four bins end at 2, 4, 8 and infinity.
inline constexpr std::size_t ulp_bins = 25;

/// The bin of a signed error, which is not NaN. An edge belongs to the bin nearer to zero.
std::size_t ulp_bin(double ulps);

/// The results of one claim over a set of cases. Merging is associative and commutative.
struct ClaimTally {
  std::uint64_t executed = 0;
  std::uint64_t rejected = 0;  ///< cases outside the claim's own preconditions
  std::uint64_t violated = 0;
  std::uint64_t undecided = 0;
  std::uint64_t components = 0;  ///< judged in the executed cases; a result judged as a whole counts as one
  std::uint64_t violated_components = 0;
  std::uint64_t first_violated = no_case;
  std::uint64_t first_undecided = no_case;
  Worst worst;
  /// For each named term of the claim's bound, the largest factor of it that a case needed, from Judgement::terms.
  std::map<std::string, Worst, std::less<>> terms;
  /// For a claim of correct rounding: the smallest Judgement::boundary of all cases.
  Closest closest;
  Sample sample;  ///< of results with so many components that a sample was judged
  /// Of a claim about order: Judgement::swaps of all cases.
  Swaps swaps;
  /// Judgement::silent of all cases.
  Silence silence;
  std::array<std::uint64_t, ratio_bins> histogram{};
  std::vector<std::uint64_t> executed_by_class;
  /// features[f][bin]: the largest ratio among the cases whose feature f falls into the bin.
  std::vector<std::vector<Worst>> features;

  /// Adds one judged case.
  void add(const Judgement& judgement, std::uint64_t number, std::size_t class_index);
  void merge(const ClaimTally& other);
  bool operator==(const ClaimTally&) const = default;
};

/// The results of a property over a set of cases on one executor: planned = executed + rejected in every class.
struct Tally {
  struct ByClass {
    std::uint64_t planned = 0;
    std::uint64_t executed = 0;
    std::uint64_t rejected = 0;  ///< outside the domain or its preconditions
    std::uint64_t inexact = 0;   ///< executed cases in which an operation was inexact
    bool operator==(const ByClass&) const = default;
  };
  std::vector<ByClass> classes;
  std::vector<ClaimTally> claims;
  std::string pairs{};  ///< pairs of trait values in the executed cases, by TraitPairs
  BitSums bits{};       ///< of the executed cases that gave an answer
  Cost cost{};
  /// Signed errors of one component of a result, for the cases selected by PropertyModel::is_measured().
  std::array<std::uint64_t, ulp_bins> errors{};

  void merge(const Tally& other);
  bool operator==(const Tally&) const = default;
};

/// Σ over the classes of a property.
Tally::ByClass total(const Tally& tally);

}  // namespace assay
