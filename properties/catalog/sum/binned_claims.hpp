#pragma once
// Claims on binned sums. A result has three numbers for each number K of bins, for K = 1, 2, …: for the terms as given,
// and for other orders and parts of them.

#include <cstddef>
#include <string>
#include <type_traits>

#include "properties/catalog/sum/binned_cases.hpp"
#include "properties/framework/claim.hpp"

namespace assay::sum::binned {

inline constexpr std::size_t ways = 3;  ///< results of each number of bins

constexpr std::size_t first_of(int folds) { return ways * static_cast<std::size_t>(folds - 1); }

/// The three results with the same number of bins have the same bits.
auto order_free(const AnyTheorem auto& theorem) {
  return satisfies("order_free", theorem, [](const auto&, const auto& result) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!same_bits(result[i - i % ways], result[i])) return Judgement::fail(i);
    }
    return Judgement::pass();
  });
}

/// The result in K bins is a number t rounded, |t − truth| ≤ bound_of(K, case).
template <class BoundOf>
auto stored_within(const std::string& id, int folds, const AnyTheorem auto& theorem, BoundOf bound_of) {
  return of_instance("K = " + std::to_string(folds),
                     claim_spec(id + "_" + std::to_string(folds), theorem,
                                [folds, bound_of](const auto& c, const auto& truth, const auto& result) {
                                  constexpr auto format =
                                      assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
                                  return judge_stored(bits_of(result[first_of(folds)]), oracle::Exact(truth),
                                                      bound_of(folds, c), format, first_of(folds));
                                }));
}

/// The results in 1, 2, … bins are numbers t rounded, |t − truth| ≤ bound_of(K, case).
template <class BoundOf>
auto all_stored_within(const std::string& id, const AnyTheorem auto& theorem, BoundOf bound_of) {
  return claim_spec(id, theorem, [bound_of](const auto& c, const auto& truth, const auto& result) {
    constexpr auto format = assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
    Judgement worst;
    for (std::size_t at = 0; at < result.size(); at += ways) {
      const int folds = static_cast<int>(at / ways) + 1;
      worst.worsen(judge_stored(bits_of(result[at]), oracle::Exact(truth), bound_of(folds, c), format, at));
    }
    return worst;
  });
}

/// For each number of bins, the bits of the definition, with terms(case) in bins of `width` bits.
template <class T, class Of>
auto definition(const AnyTheorem auto& theorem, int width, Of terms) {
  return claim_spec("definition", theorem, [width, terms](const auto& c, const auto&, const auto& result) {
    const auto all = terms(c);
    Judgement worst;
    for (std::size_t at = 0; at < result.size(); at += ways) {
      const int folds = static_cast<int>(at / ways) + 1;
      worst.worsen(judge_rounded(bits_of(result[at]), in_bins<T>(all, width, folds), format_of<T>(),
                                 oracle::Rounding::nearest, {}, at));
    }
    return worst;
  });
}

/// RN(s) for each number of bins that holds all bits of the terms, up to `most` of them.
template <class T>
auto nearest_where_all_fits(const AnyTheorem auto& theorem, int width, int most) {
  return when(
      "the terms are multiples of the last of the most grids",
      [=](const auto& c) { return fits<T>(terms_of(c), width, most); },
      claim_spec("nearest", theorem, [=](const auto& c, const auto& truth, const auto& result) {
        const std::vector<Term> terms = terms_of(c);
        Judgement worst;
        for (int folds = 1; folds <= most; ++folds) {
          if (!fits<T>(terms, width, folds)) continue;
          worst.worsen(judge_rounded(bits_of(result[first_of(folds)]), truth, format_of<T>(), oracle::Rounding::nearest,
                                     {}, first_of(folds)));
        }
        return worst;
      }));
}

}  // namespace assay::sum::binned
