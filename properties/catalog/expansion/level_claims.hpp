#pragma once
// Claims about the quick sum and the quick products with bounds by the magnitudes of their levels.

#include "errorbounds/expansion_theorems.hpp"
#include "properties/catalog/expansion/levels.hpp"
#include "properties/catalog/expansion/properties.hpp"

namespace assay::expansion {

template <class T>
auto quick_add_levels() {
  return within("error_by_levels", expansion_quick_add_3, [](const auto& bound, const ExpansionPairCase<T>& c) {
    return bound(precision<T>, levels_of_sum(c).last_sums);
  });
}

template <class T>
auto truncated_mul_levels(int R) {
  return within("error_by_levels", expansion_truncated_mul_3, [R](const auto& bound, const ExpansionPairCase<T>& c) {
    const Levels levels = levels_of_product(c);
    return bound(R, precision<T>, levels.last_sums, levels.dropped, abs(value_of(c.x[0]) * value_of(c.y[0])));
  });
}

template <class T>
auto quick_mul_levels(int R) {
  return within("error_by_levels", expansion_quick_mul_3, [R](const auto& bound, const ExpansionPairCase<T>& c) {
    Levels levels = levels_of_product(c);
    const oracle::Dyadic leading = abs(value_of(c.x[0]) * value_of(c.y[0]));
    const oracle::Dyadic unordered = out_of_order<T>(std::move(levels.words));
    return bound(R, precision<T>, levels.last_sums, levels.dropped, leading, unordered);
  });
}

}  // namespace assay::expansion
