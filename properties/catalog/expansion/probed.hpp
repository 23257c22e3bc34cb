#pragma once
// The probes of expansion arithmetic, by operation and number of words.

#include <cstddef>
#include <optional>

#include "probes/expansion/expansion.hpp"
#include "properties/catalog/probed.hpp"

namespace assay::expansion {

/// A probe of the type `Probe`, and the bound with which it judges.
template <class Probe>
struct Bounded {
  RelativeBound bound;
};

/// A probe of the claim `claim` of results of n words. It draws first words of the box from 2^lowest on.
template <class Probe>
Probed probe_of_expansions(const char* claim, const Bounded<Probe>& by, Box box, int lowest) {
  return probe_of_words(claim, Probe{}, by.bound, box, lowest, {3, 3, 2, 3, 3, 3, 2});
}

/// The least exponents of two factors, or of a sum, for which an error of u^n is normal in binary64.
constexpr int least_exponent(int n) { return -1000 + 53 * n; }

/// Calls f.template operator()<n>() for the n from 2 to `most` that equals `words`, and returns the probe that it
/// creates.
template <int most, int n = 2, class F>
std::optional<Probed> for_words(std::size_t words, const F& f) {
  if constexpr (n > most) {
    return std::nullopt;
  } else {
    return words == static_cast<std::size_t>(n) ? f.template operator()<n>() : for_words<most, n + 1>(words, f);
  }
}

/// The probe of a claim about results with this many words, if there is one: f.template operator()<n>() returns its
/// `Bounded`, and `lowest` the lowest exponent, both for n words.
template <int most, class F, class Lowest>
std::optional<Probed> probe_by_words(std::size_t words, const char* claim, Box box, const F& f, Lowest lowest) {
  return for_words<most>(words, [&]<int n>() -> std::optional<Probed> {
    return probe_of_expansions(claim, f.template operator()<n>(), box, lowest(n));
  });
}
template <class F>
std::optional<Probed> probe_of_sum(std::size_t words, const char* claim, Box box, const F& f) {
  return probe_by_words<probes::expansion::most_summed>(words, claim, box, f, least_exponent);
}
template <class F>
std::optional<Probed> probe_of_product(std::size_t words, Box box, const F& f) {
  return probe_by_words<probes::expansion::most_multiplied>(words, "error", box, f,
                                                            [](int n) { return least_exponent(n) / 2; });
}
/// For a quotient or a root.
template <class F>
std::optional<Probed> probe_of_quotient(std::size_t words, Box box, const F& f) {
  return probe_by_words<probes::expansion::most_multiplied>(words, "error", box, f, [](int) { return -200; });
}

}  // namespace assay::expansion
