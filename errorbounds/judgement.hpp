#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "errorbounds/term.hpp"

namespace assay {

enum class Verdict { holds, violated, undecided };

/// How much of one named term of a bound the error needs: the least factor ≥ 0 of the term with which the bound still
/// holds, with the other terms unchanged. If the other terms alone explain the error, it is 0.
struct TermTightness {
  const char* name = nullptr;  ///< a literal; null for no term
  double value = 0;
};

/// No distance to a boundary of rounding.
inline constexpr long no_boundary = std::numeric_limits<long>::max();

/// Pairs of terms that traded places in data of a claim about order, and those of them that changed a result's bits.
struct Swaps {
  std::uint64_t tried = 0;
  std::uint64_t seen = 0;
  constexpr void add(const Swaps& other) {
    tried += other.tried;
    seen += other.seen;
  }
  bool operator==(const Swaps&) const = default;
};

/// Components of results of which a sample was judged, and how many of them were.
struct Sample {
  std::uint64_t judged = 0;
  std::uint64_t of = 0;
  constexpr void add(const Sample& other) {
    judged += other.judged;
    of += other.of;
  }
  bool operator==(const Sample&) const = default;
};

/// The judgement of one claim on one case.
struct Judgement {
  Verdict verdict = Verdict::holds;
  /// error / bound; 0 for no error, infinite if the bound is 0 or the result is not finite.
  double tightness = 0;
  /// The component with the largest tightness; if any is violated, among the violated ones.
  std::size_t component = 0;
  /// The number of further violated judgments, of which this one is the worst.
  std::size_t further = 0;
  /// How many components were judged.
  std::size_t judged = 1;
  /// How many components the result has, if these are a sample; else 0.
  std::size_t sample_of = 0;
  /// For each named term of the bound, the largest value over the components; a term without a name ends the list.
  std::array<TermTightness, most_terms> terms{};
  /// For a rounding that is right: ⌊log₂⌋ of the smallest distance of a truth to the nearest boundary, in ulps of the
  /// truth. The boundary is the midpoint of the truth's two neighbors for rounding to nearest, and the nearer neighbor
  /// for a directed rounding. Truths on a boundary do not count.
  long boundary = no_boundary;
  /// Of a claim about order: how well its data show another order.
  Swaps swaps{};
  /// How many components the claim says nothing of, although no other claim is asked about them.
  std::size_t silent = 0;

  static constexpr Judgement pass() { return {}; }
  static constexpr Judgement fail(std::size_t at = 0) {
    return {Verdict::violated, std::numeric_limits<double>::infinity(), at};
  }
  static constexpr Judgement of(bool holds, std::size_t at = 0) { return holds ? pass() : fail(at); }

  /// The number of violated judgments combined in this one: 0 unless it is violated.
  constexpr std::size_t violations() const { return verdict == Verdict::violated ? 1 + further : 0; }

  /// Keeps the worse of two judgements: violated before undecided before holds, then the larger tightness.
  /// Their violations, swaps and silent components add up, each term keeps the larger of its values, and the smaller
  /// distance to a boundary stays.
  constexpr void worsen(const Judgement& other) {
    const std::size_t both = violations() + other.violations();
    const int mine = rank();
    const int theirs = other.rank();
    const std::array<TermTightness, most_terms> before = terms;
    const long nearer = other.boundary < boundary ? other.boundary : boundary;
    Swaps together = swaps;
    together.add(other.swaps);
    const std::size_t unsaid = silent + other.silent;
    const bool worse = theirs > mine || (theirs == mine && other.tightness > tightness);
    if (worse) {
      *this = other;
    }
    for (const TermTightness& each : worse ? before : other.terms) {
      if (each.name == nullptr) break;
      take(each);
    }
    boundary = nearer;
    swaps = together;
    silent = unsaid;
    further = both == 0 ? 0 : both - 1;
  }

 private:
  /// Keeps the larger value of the term. A fifth name is dropped: no bound has more than four.
  constexpr void take(const TermTightness& term) {
    for (TermTightness& mine : terms) {
      if (mine.name == nullptr) {
        mine = term;
        return;
      }
      if (mine.name == term.name || std::string_view(mine.name) == term.name) {
        if (term.value > mine.value) mine.value = term.value;
        return;
      }
    }
  }
  constexpr int rank() const { return verdict == Verdict::violated ? 2 : verdict == Verdict::undecided ? 1 : 0; }
};

}  // namespace assay
