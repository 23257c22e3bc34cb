#include "properties/framework/tally.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>

namespace assay {

std::size_t ratio_bin(double ratio) {
  if (!(ratio > 0)) {
    return 0;
  }
  if (ratio > 1) {
    return ratio_bins - 1;
  }
  // 2·log₂ ratio from exponent and significand alone, so that the rounding of a logarithm cannot move a bin's edge.
  int exponent = 0;
  const double significand = std::frexp(ratio, &exponent);  // in [½, 1)
  const int half_octave = 2 * (exponent - 1) + (significand * significand >= 0.5 ? 1 : 0);
  return static_cast<std::size_t>(1 + std::clamp(half_octave + 40, 0, 39));
}

std::size_t ulp_bin(double ulps) {
  constexpr int middle = ulp_bins / 2;
  const double size = std::fabs(ulps);
  const int away = size <= 1   ? static_cast<int>(std::ceil(8 * size))
                   : size <= 2 ? 9
                   : size <= 4 ? 10
                   : size <= 8 ? 11
                               : 12;
  return static_cast<std::size_t>(ulps < 0 ? middle - away : middle + away);
}

void ClaimTally::add(const Judgement& judgement, std::uint64_t number, std::size_t class_index) {
  ++executed;
  ++executed_by_class[class_index];
  components += std::max(judgement.judged, judgement.violations());
  violated_components += judgement.violations();
  if (judgement.verdict == Verdict::violated) {
    ++violated;
    first_violated = std::min(first_violated, number);
  } else if (judgement.verdict == Verdict::undecided) {
    ++undecided;
    first_undecided = std::min(first_undecided, number);
  }
  worst.take(judgement.tightness, number);
  for (const TermTightness& each : judgement.terms) {
    if (each.name == nullptr) break;
    auto at = terms.find(std::string_view(each.name));
    if (at == terms.end()) at = terms.try_emplace(each.name).first;
    at->second.take(each.value, number);
  }
  if (judgement.boundary != no_boundary) closest.take(judgement.boundary, number);
  swaps.add(judgement.swaps);
  if (judgement.sample_of != 0) sample.add({judgement.judged, judgement.sample_of});
  ++histogram[ratio_bin(judgement.tightness)];
}

void ClaimTally::merge(const ClaimTally& other) {
  assert(executed_by_class.size() == other.executed_by_class.size() && features.size() == other.features.size());
  executed += other.executed;
  rejected += other.rejected;
  violated += other.violated;
  undecided += other.undecided;
  components += other.components;
  violated_components += other.violated_components;
  first_violated = std::min(first_violated, other.first_violated);
  first_undecided = std::min(first_undecided, other.first_undecided);
  worst.take(other.worst.ratio, other.worst.number);
  for (const auto& [name, theirs] : other.terms) terms[name].take(theirs.ratio, theirs.number);
  closest.take(other.closest.log2_ulps, other.closest.number);
  swaps.add(other.swaps);
  sample.add(other.sample);
  silence.take(other.silence.components, other.silence.first, other.silence.why);
  for (std::size_t bin = 0; bin < ratio_bins; ++bin) {
    histogram[bin] += other.histogram[bin];
  }
  for (std::size_t c = 0; c < executed_by_class.size(); ++c) {
    executed_by_class[c] += other.executed_by_class[c];
  }
  for (std::size_t f = 0; f < features.size(); ++f) {
    for (std::size_t bin = 0; bin < features[f].size(); ++bin) {
      features[f][bin].take(other.features[f][bin].ratio, other.features[f][bin].number);
    }
  }
}

void Tally::merge(const Tally& other) {
  assert(classes.size() == other.classes.size() && claims.size() == other.claims.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    classes[c].planned += other.classes[c].planned;
    classes[c].executed += other.classes[c].executed;
    classes[c].rejected += other.classes[c].rejected;
    classes[c].inexact += other.classes[c].inexact;
  }
  for (std::size_t c = 0; c < claims.size(); ++c) {
    claims[c].merge(other.claims[c]);
  }
  pairs.resize(std::max(pairs.size(), other.pairs.size()), '0');
  std::transform(other.pairs.begin(), other.pairs.end(), pairs.begin(), pairs.begin(),
                 [](char theirs, char mine) { return std::max(theirs, mine); });
  bits.merge(other.bits);
  cost.add(other.cost);
  for (std::size_t bin = 0; bin < ulp_bins; ++bin) errors[bin] += other.errors[bin];
}

Tally::ByClass total(const Tally& tally) {
  Tally::ByClass sum;
  for (const Tally::ByClass& each : tally.classes) {
    sum.planned += each.planned;
    sum.executed += each.executed;
    sum.rejected += each.rejected;
    sum.inexact += each.inexact;
  }
  return sum;
}

}  // namespace assay
