#pragma once
// How operations on the rows of a matrix are asked about order.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "properties/contracts/normalization_cases.hpp"
#include "properties/contracts/order.hpp"
#include "properties/contracts/rows.hpp"

namespace assay::contracts {

/// What the orders of rows share: `Case` has rows, columns and x.
template <class Case, FloatingPoint T>
struct OrderOfAnyRows {
  static std::size_t rows(const Case& c) { return static_cast<std::size_t>(c.rows); }
  static std::size_t terms(const Case& c) { return static_cast<std::size_t>(c.columns); }
  static std::size_t numbers(const Case& row) { return static_cast<std::size_t>(row.columns); }
  static Case row(const Case& c, std::size_t r) {
    const std::span<const T> numbers = row_of(c.x, c.columns, r);
    Case one = c;
    one.rows = 1;
    one.x.assign(numbers.begin(), numbers.end());
    return one;
  }
  static Case in_batch(const Case& row, std::size_t size, std::size_t first, bits::SplitMix64& next) {
    Case batch = row;
    batch.rows = static_cast<std::int64_t>(size);
    batch.x.clear();
    for (std::size_t p = 0; p < size; ++p) {
      if (p % 2 == first) {
        batch.x.insert(batch.x.end(), row.x.begin(), row.x.end());
      } else {
        batch.x.insert(batch.x.end(), row.x.size(), number_beside<T>(next()));
      }
    }
    return batch;
  }
  static void swap(Case& c, std::size_t i, std::size_t j) { std::swap(c.x[i], c.x[j]); }
  static bool is_same(const std::vector<T>& as_it_is, std::vector<T> swapped, std::size_t i, std::size_t j) {
    std::swap(swapped[i], swapped[j]);
    return same_bits(as_it_is, swapped);
  }
};

/// Of softmax and log_softmax: the logarithms of terms of one sign.
template <FloatingPoint T>
struct OrderOfExponentials : OrderOfAnyRows<RowsCase<T>, T> {
  static RowsCase<T> data(const RowsCase<T>&, std::size_t n, bits::SplitMix64& next) {
    std::vector<double> terms = terms_of_one_sign(next, n, bits_that_show<T>(next));
    for (double& each : terms) each = std::log(each);
    return {1, static_cast<std::int64_t>(n), nearest_of<T>(terms)};
  }
};

/// Of rms_norm, the roots of terms of one sign; of layer_norm, terms of both signs. Weights are 1, biases 0.
template <class Case>
struct OrderOfNorms : OrderOfAnyRows<Case, typename Case::Number> {
  static Case data(const Case& like, std::size_t n, bits::SplitMix64& next) {
    using T = typename Case::Number;
    const int q = bits_that_show<T>(next);
    Case c = like;
    c.rows = 1;
    c.columns = static_cast<std::int64_t>(n);
    c.weight.assign(n, nearest_to<T>(oracle::Dyadic(1)));
    if constexpr (normalization::has_mean<Case>) {
      c.bias.assign(n, T{});
      c.x = nearest_of<T>(terms_of_both_signs(next, n, q));
    } else {
      std::vector<double> terms = terms_of_one_sign(next, n, q);
      for (double& each : terms) each = std::sqrt(each);
      c.x = nearest_of<T>(terms);
    }
    return c;
  }
};

}  // namespace assay::contracts
