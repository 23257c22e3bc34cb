#pragma once
// The published truncated product, of operands and results of different lengths.

#include "errorbounds/expansion_theorems.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/properties.hpp"

namespace assay::expansion {

/// Two expansions of `words.x` and `words.y` words: drawn with the longer length, then cut.
template <class T>
Domain<ExpansionPairCase<T>> factors_of(WordCounts words) {
  const auto x = static_cast<std::size_t>(words.x);
  const auto y = static_cast<std::size_t>(words.y);
  const Box box = binned_product_box(format_of<T>(), words.z);
  Domain<ExpansionPairCase<T>> domain = expansion_pair_domain<T>(std::max(x, y), box);
  for (auto& each : domain.classes) {
    each.generator = CaseGenerator<ExpansionPairCase<T>>([inner = each.generator, x, y](const rc::Random& random) {
      ExpansionPairCase<T> c = inner(random);
      c.x.resize(x);
      c.y.resize(y);
      return c;
    });
  }
  domain.contains = [=](const ExpansionPairCase<T>& c) {
    return is_expansion<T>(c.x, x, box) && is_expansion<T>(c.y, y, box);
  };
  domain.accepts = "expansions of " + std::to_string(x) + " and " + std::to_string(y) +
                   " words, |x_(i+1)| ≤ ulp(x_i), " + text_of(box);
  return domain;
}

/// The promises of the published truncated product for these lengths; `subject` gives its results.
template <class T>
PairProperty<T> binned_mul(WordCounts words, Subject<ExpansionPairCase<T>, Expansions<T>> subject) {
  PairClaims<T> claims{within("error", expansion_binned_mul_1, words.x, words.y, words.z, precision<T>),
                       is_renormalized("structure"), has_positive_zeros()};
  if (words.x + words.y >= words.z + 2) {
    claims.push_back(within("error_published", expansion_binned_mul_2, words.z, words.x, words.y, precision<T>));
  }
  const std::string counts =
      std::to_string(words.x) + "_by_" + std::to_string(words.y) + "_to_" + std::to_string(words.z);
  return {.name = "expansion.binned_mul" + counts + format_suffix<T>(),
          .domain = factors_of<T>(words),
          .subject = std::move(subject),
          .reference = [](const ExpansionPairCase<T>& c) -> oracle::Exact {
            return sum_of_words<T>(c.x) * sum_of_words<T>(c.y);
          },
          .claims = std::move(claims),
          .quick_cases = 4000};
}

}  // namespace assay::expansion
