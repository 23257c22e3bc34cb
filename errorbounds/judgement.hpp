#pragma once

#include <cstddef>
#include <limits>

namespace assay {

enum class Verdict { holds, violated, undecided };

/// The judgement of one claim on one case.
struct Judgement {
  Verdict verdict = Verdict::holds;
  /// error / bound; 0 for no error, infinite where the bound is 0 or the result is not finite.
  double tightness = 0;
  /// The component with the largest tightness; among violated ones if any is violated.
  std::size_t component = 0;
  /// How many further violated judgements this one is the worst of.
  std::size_t further = 0;
  /// How many components were judged.
  std::size_t judged = 1;

  static constexpr Judgement pass() { return {}; }
  static constexpr Judgement fail(std::size_t at = 0) {
    return {Verdict::violated, std::numeric_limits<double>::infinity(), at};
  }
  static constexpr Judgement of(bool holds, std::size_t at = 0) { return holds ? pass() : fail(at); }

  /// Violated judgements that went into this one: 0 unless it is violated.
  constexpr std::size_t violations() const { return verdict == Verdict::violated ? 1 + further : 0; }

  /// Keeps the worse of two judgements: violated before undecided before holds, then the larger tightness.
  /// Their violations add up.
  constexpr void worsen(const Judgement& other) {
    const std::size_t both = violations() + other.violations();
    const int mine = rank();
    const int theirs = other.rank();
    if (theirs > mine || (theirs == mine && other.tightness > tightness)) {
      *this = other;
    }
    further = both == 0 ? 0 : both - 1;
  }

 private:
  constexpr int rank() const { return verdict == Verdict::violated ? 2 : verdict == Verdict::undecided ? 1 : 0; }
};

}  // namespace assay
