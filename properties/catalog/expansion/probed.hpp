#pragma once
// The probes of expansion arithmetic, by operation and number of words.

#include <cstddef>
#include <optional>

#include "probes/expansion/expansion.hpp"
#include "properties/catalog/probed.hpp"

namespace assay::expansion {

/// A probe of the claim `claim` of results of n words. It draws first words of the box from 2^lowest on.
template <class Probe>
Probed probe_of_expansions(const char* claim, const RelativeBound& bound, Box box, int lowest) {
  return probe_of_words(claim, Probe{}, bound, box, lowest, {3, 3, 2, 3, 3, 3, 2});
}

/// The exponents of two factors, or that of a sum, from which on an error of u^n is normal in binary64.
constexpr int least_exponent(int n) { return -1000 + 53 * n; }

/// Calls f.template operator()<n>() for the n from 2 to `most` that is `words`, and gives the probe that it makes.
template <int most, int n = 2, class F>
std::optional<Probed> for_words(std::size_t words, const F& f) {
  if constexpr (n > most) {
    return std::nullopt;
  } else {
    return words == static_cast<std::size_t>(n) ? f.template operator()<n>() : for_words<most, n + 1>(words, f);
  }
}

/// The probe of a claim of results of so many words, where there is one: `lowest` as a function of their number.
template <int most, template <int> class ProbeOf, class F, class Lowest>
std::optional<Probed> probe_by_words(std::size_t words, const char* claim, Box box, const F& bound, Lowest lowest) {
  return for_words<most>(words, [&]<int n>() -> std::optional<Probed> {
    return probe_of_expansions<typename ProbeOf<n>::Type>(claim, bound(n), box, lowest(n));
  });
}
template <template <int> class ProbeOf, class F>
std::optional<Probed> probe_of_sum(std::size_t words, const char* claim, Box box, const F& bound) {
  return probe_by_words<probes::expansion::most_summed, ProbeOf>(words, claim, box, bound, least_exponent);
}
template <template <int> class ProbeOf, class F>
std::optional<Probed> probe_of_product(std::size_t words, Box box, const F& bound) {
  return probe_by_words<probes::expansion::most_multiplied, ProbeOf>(words, "error", box, bound,
                                                                     [](int n) { return least_exponent(n) / 2; });
}
/// Of a quotient or a root.
template <template <int> class ProbeOf, class F>
std::optional<Probed> probe_of_quotient(std::size_t words, Box box, const F& bound) {
  return probe_by_words<probes::expansion::most_multiplied, ProbeOf>(words, "error", box, bound,
                                                                     [](int) { return -200; });
}

/// The probes of a format by their number of words.
template <class T>
struct ProbesOf {
  template <int n>
  struct CertifiedAdd {
    using Type = typename probes::expansion::OfWords<n>::template CertifiedAdd<T>;
  };
  template <int n>
  struct QuickAdd {
    using Type = typename probes::expansion::OfWords<n>::template QuickAdd<T>;
  };
  template <int n>
  struct CertifiedMul {
    using Type = typename probes::expansion::OfWords<n>::template CertifiedMul<T>;
  };
  template <int n>
  struct TruncatedMul {
    using Type = typename probes::expansion::OfWords<n>::template TruncatedMul<T>;
  };
  template <int n>
  struct Div {
    using Type = typename probes::expansion::OfWords<n>::template Div<T>;
  };
  template <int n>
  struct Reciprocal {
    using Type = typename probes::expansion::OfWords<n>::template Reciprocal<T>;
  };
  template <int n>
  struct Sqrt {
    using Type = typename probes::expansion::OfWords<n>::template Sqrt<T>;
  };
};

}  // namespace assay::expansion
