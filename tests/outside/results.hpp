#pragma once
// Results that are arrays: products of rows of columns, written with the faults of places.

#include "numbers.hpp"

namespace outside {

/// A result of products × rows × columns numbers.
struct Shape {
  Size products, rows, columns;
  [[nodiscard]] Size size() const { return products * rows * columns; }
};

/// Whether the fault leaves a number unwritten.
inline bool is_left(const Form& form, const Shape& shape, Size p, Size i, Size j) {
  const auto at = static_cast<Size>(std::max(form.at, 1L));
  const auto number = static_cast<Size>(form.at);
  const Size last_rows = shape.rows > at ? shape.rows - shape.rows % at : shape.rows;
  const Size last_columns = shape.columns > at ? shape.columns - shape.columns % at : shape.columns;
  switch (form.fault) {
    case Fault::no_last_row:
      return i + 1 == shape.rows && i > 0;
    case Fault::no_rows_from:
      return i >= number;
    case Fault::no_row:
      return i == number;
    case Fault::no_tile_of_rows:
      return i >= last_rows;
    case Fault::no_last_column:
      return j + 1 == shape.columns && j > 0;
    case Fault::no_columns_from:
      return j >= number;
    case Fault::no_column:
      return j == number;
    case Fault::no_tile_of_columns:
      return j >= last_columns;
    case Fault::no_last_product:
      return p + 1 == shape.products && p > 0;
    case Fault::no_products_from:
      return p >= number;
    case Fault::no_product:
      return p == number;
    case Fault::no_last_number:
      return (p * shape.rows + i) * shape.columns + j + 1 == shape.size();
    case Fault::no_number:
      return (p * shape.rows + i) * shape.columns + j == number;
    default:
      return false;
  }
}

/// The place from which a number is taken.
inline Size source_of(const Form& form, const Shape& shape, Size p, Size i, Size j) {
  const auto at = static_cast<Size>(form.at);
  if (form.has(Fault::copies_row) && i == at && i > 0) --i;
  if (form.has(Fault::copies_column) && j == at && j > 0) --j;
  if (form.has(Fault::swaps_columns) && j < 2 && shape.columns > 1) j = 1 - j;
  if (form.has(Fault::first_product)) p = 0;
  return (p * shape.rows + i) * shape.columns + j;
}

/// A number of the result, changed by the fault.
inline double changed(const Form& form, const Shape& shape, Size p, Size i, Size j, double x) {
  const auto at = static_cast<Size>(form.at);
  switch (form.fault) {
    case Fault::zero_rows_from:
      return i >= at ? 0 : x;
    case Fault::zero_columns_from:
      return j >= at ? 0 : x;
    case Fault::halves_last:
      return p + 1 == shape.products && i + 1 == shape.rows && j + 1 == shape.columns ? x / 2 : x;
    case Fault::negates_row:
      return i == at ? -x : x;
    case Fault::nan_to_zero:
      return std::isnan(x) ? 0 : x;
    default:
      return x;
  }
}

/// Writes all numbers: put(p, i, j, number).
template <class Put>
void write(const Form& form, const Shape& shape, const std::vector<double>& numbers, const Put& put) {
  static std::vector<double> before;
  static std::vector<std::pair<Size, std::vector<double>>> kept;
  const std::vector<double>* source = &numbers;
  if (form.has(Fault::last_result) || form.has(Fault::adds_to_last)) before.resize(numbers.size());
  if (form.has(Fault::last_result)) source = &before;
  if (form.has(Fault::keeps_result)) {
    auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& each) { return each.first == numbers.size(); });
    if (found == kept.end()) found = kept.insert(kept.end(), {numbers.size(), numbers});
    source = &found->second;
  }
  for (Size p = 0; p < shape.products; ++p) {
    for (Size i = 0; i < shape.rows; ++i) {
      for (Size j = 0; j < shape.columns; ++j) {
        if (is_left(form, shape, p, i, j)) continue;
        double x = (*source)[source_of(form, shape, p, i, j)];
        if (form.has(Fault::adds_to_last)) x += before[(p * shape.rows + i) * shape.columns + j];
        put(p, i, j, changed(form, shape, p, i, j, x));
      }
    }
  }
  if (form.has(Fault::last_result) || form.has(Fault::adds_to_last)) before = numbers;
}

/// Writes all numbers to an array, one row after the other.
inline void write(const Form& form, const Shape& shape, const std::vector<double>& numbers, void* array) {
  write(form, shape, numbers, [&](Size p, Size i, Size j, double x) {
    store(array, (p * shape.rows + i) * shape.columns + j, form.result, x, form.has(Fault::truncates));
  });
}

/// A result of one number, changed by faults of state.
inline double single(const Form& form, Size n, double x) {
  double result = x;
  const auto put = [&](Size, Size, Size, double each) { result = each; };
  if (!form.has(Fault::keeps_result)) {
    write(form, {1, 1, 1}, {x}, put);
    return rounded(result, form.result, form.has(Fault::truncates));
  }
  static std::vector<std::pair<Size, double>> kept;
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& each) { return each.first == n; });
  if (found != kept.end()) return found->second;
  kept.emplace_back(n, x);
  return x;
}

}  // namespace outside
