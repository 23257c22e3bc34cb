// y = A·x of a matrix in compressed sparse rows, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "properties/catalog/sum/cases.hpp"
#include "properties/catalog/sum/claims.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;
using sum::DotCase;

constexpr std::int64_t most_rows = 1024;

/// Offsets and indices.
using Indices = std::vector<std::uint32_t>;

/// A in compressed sparse rows. Row r has the entries row_offsets[r] … row_offsets[r + 1] − 1.
template <FloatingPoint T>
struct SpmvCase {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Indices row_offsets, column_indices;
  std::vector<T> values, x;
  static constexpr auto fields() {
    return std::tuple{field("rows", &SpmvCase::rows),
                      field("columns", &SpmvCase::columns),
                      field("row_offsets", &SpmvCase::row_offsets),
                      field("column_indices", &SpmvCase::column_indices),
                      field("values", &SpmvCase::values),
                      field("x", &SpmvCase::x)};
  }
};

/// Each row as the factors of a dot product.
template <FloatingPoint T>
std::vector<DotCase<T>> rows_of(const SpmvCase<T>& c) {
  std::vector<DotCase<T>> rows(static_cast<std::size_t>(c.rows));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
      rows[r].x.push_back(c.values[at]);
      rows[r].y.push_back(c.x[c.column_indices[at]]);
    }
  }
  return rows;
}

template <FloatingPoint T>
std::vector<Dyadic> exact_spmv(const SpmvCase<T>& c) {
  std::vector<Dyadic> exact;
  for (const DotCase<T>& row : rows_of(c)) exact.push_back(sum::exact_sums(row).sum);
  return exact;
}

/// Appends a row to the matrix.
template <FloatingPoint T>
void append_row(SpmvCase<T>& c, const std::vector<std::size_t>& columns, const std::vector<T>& values) {
  for (const std::size_t each : columns) c.column_indices.push_back(static_cast<std::uint32_t>(each));
  c.values.insert(c.values.end(), values.begin(), values.end());
  c.row_offsets.push_back(static_cast<std::uint32_t>(c.values.size()));
  ++c.rows;
}

/// Each row alone; of a single row, the row without one entry.
template <FloatingPoint T>
std::vector<SpmvCase<T>> smaller_matrices(const SpmvCase<T>& c) {
  std::vector<SpmvCase<T>> smaller;
  const auto without = [&](std::size_t kept_row, std::size_t left_out) {
    SpmvCase<T> other{0, c.columns, {0}, {}, {}, c.x};
    for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
      if (c.rows > 1 && r != kept_row) continue;
      std::vector<std::size_t> columns;
      std::vector<T> values;
      for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
        if (at == left_out) continue;
        columns.push_back(c.column_indices[at]);
        values.push_back(c.values[at]);
      }
      append_row(other, columns, values);
    }
    return other;
  };
  if (c.rows > 1) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) smaller.push_back(without(r, c.values.size()));
  } else {
    for (std::size_t at = 0; at < c.values.size(); ++at) smaller.push_back(without(0, at));
  }
  return smaller;
}

// -------------------------------------------------------------------------------------------------------- cases

/// Exponents of the products and of x, and whether a row cancels.
struct SpmvRange {
  int low, high;
  int x_low, x_high;
  bool cancels;
};

/// The columns of a row: none, a few, all, in ascending order.
inline std::vector<std::size_t> draw_columns(Draw& draw, std::size_t columns) {
  const std::uint64_t kind = draw.below(8);
  const std::uint64_t one_in = kind < 5 ? 1 + columns / (1 + draw.below(8)) : 1;
  std::vector<std::size_t> chosen;
  for (std::size_t j = 0; j < columns && kind != 7; ++j) {
    if (draw.below(one_in) == 0) chosen.push_back(j);
  }
  return chosen;
}

/// The values of a row. The second half of a row that cancels brings the exact sum down, entry by entry.
template <FloatingPoint T>
std::vector<T> draw_values(Draw& draw, Significand kind, const SpmvRange& range, const std::vector<T>& x) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  std::vector<T> values;
  Dyadic partial;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int product = draw.between(range.low, range.high);
    const Dyadic factor = value_of(x[i]);
    const int exponent = factor.is_zero() ? 0 : static_cast<int>(factor.exponent());
    const T fresh = draw_number<T>(draw, kind, std::max(product - exponent, least));
    const bool cancels = range.cancels && 2 * i >= x.size() && !factor.is_zero();
    values.push_back(cancels ? nearest_to<T>(oracle::quotient(-partial, factor)) : fresh);
    partial.add_mul(value_of(values.back()), factor);
  }
  return values;
}

template <FloatingPoint T>
SpmvCase<T> draw_matrix(Draw& draw, Significand kind, const SpmvRange& range) {
  static constexpr std::array<std::size_t, 6> edges{31, 32, 33, 64, 129, 300};
  const bool is_wide = draw.one_in(8);
  const std::size_t columns = is_wide ? edges[draw.below(edges.size())] : 1 + draw.below(12);
  SpmvCase<T> c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, {}};
  for (std::size_t j = 0; j < columns; ++j) {
    const T number = draw_number<T>(draw, kind, draw.between(range.x_low, range.x_high));
    c.x.push_back(draw.one_in(16) ? T(0) : number);
  }
  for (std::uint64_t rows = is_wide ? 1 + draw.below(3) : draw.below(10); rows != 0; --rows) {
    const std::vector<std::size_t> chosen = draw_columns(draw, columns);
    std::vector<T> factors;
    factors.reserve(chosen.size());
    for (const std::size_t each : chosen) factors.push_back(c.x[each]);
    append_row(c, chosen, draw_values(draw, kind, range, factors));
  }
  return c;
}

/// A full row 1, u, u, … in worst order, times ones.
template <FloatingPoint T>
SpmvCase<T> draw_worst_order(Draw& draw) {
  std::vector<T> values = sum::detail::draw_worst_order_sum<T>(draw).x;
  values.resize(std::min(values.size(), static_cast<std::size_t>(most_rows)));
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < values.size(); ++j) columns.push_back(j);
  SpmvCase<T> c{0, static_cast<std::int64_t>(columns.size()), {0}, {}, {}, {}};
  c.x.assign(columns.size(), T(1));
  append_row(c, columns, values);
  return c;
}

template <FloatingPoint T>
bool is_matrix(const SpmvCase<T>& c) {
  const auto entries = static_cast<std::size_t>(c.values.size());
  if (c.rows < 0 || c.rows > most_rows || c.columns < 0 || c.columns > most_rows || entries > sum::longest_sum ||
      c.x.size() != static_cast<std::size_t>(c.columns) || c.column_indices.size() != entries ||
      c.row_offsets.size() != static_cast<std::size_t>(c.rows) + 1) {
    return false;
  }
  const Indices& offsets = c.row_offsets;
  const auto is_column = [&](std::uint32_t each) { return each < c.columns; };
  if (offsets.front() != 0 || offsets.back() != entries || !std::ranges::is_sorted(offsets) ||
      !std::ranges::all_of(c.column_indices, is_column)) {
    return false;
  }
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    const auto of_row = std::span(c.column_indices).subspan(offsets[r], offsets[r + 1] - offsets[r]);
    if (std::ranges::adjacent_find(of_row, std::ranges::greater_equal()) != of_row.end()) return false;
  }
  return true;
}

template <FloatingPoint T>
Domain<SpmvCase<T>> spmv_domain() {
  const auto from = [](Significand kind, const SpmvRange& range) {
    return drawn<SpmvCase<T>>([=](Draw& draw) { return draw_matrix<T>(draw, kind, range); });
  };
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  constexpr int below_all = F::emin - p - 2;
  return {
      .classes = {{"dense significands", 3, from(Significand::dense, {-4, 4, -4, 4, false})},
                  {"any significand, exponents within ±p", 3, from(Significand::any, {-p, p, -p, p, false})},
                  {"near powers of two", 1, from(Significand::low_bits, {-1, 1, -1, 1, false})},
                  {"rows that cancel", 3, from(Significand::any, {-8, 8, -8, 8, true})},
                  {"1, u, u, … in worst order", 2, drawn<SpmvCase<T>>(draw_worst_order<T>), true},
                  {"products in the range of underflow", 2,
                   from(Significand::any, {below_all, F::emin + p, F::emin / 2, 0, false})},
                  {"full range", 1, from(Significand::any, {F::emin, F::emax - 20, F::emin / 2, F::emax / 2, false})}},
      .contains =
          [](const SpmvCase<T>& c) {
            return is_matrix(c) && sum::detail::all_finite(c.values) && sum::detail::all_finite(c.x) &&
                   std::ranges::all_of(rows_of(c), [](const DotCase<T>& row) {
                     return sum::exact_sums(row).magnitudes <= Dyadic::scaled(1, F::emax - 2);
                   });
          },
      .features = {{"log2 of the columns + 1, rounded up", 0, 10, 10,
                    [](const SpmvCase<T>& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns)));
                    }}},
      .shrink_shape = smaller_matrices<T>,
      .accepts =
          "up to 1024 rows and columns and 8192 entries, the columns of a row in ascending order; finite numbers, the "
          "magnitudes of each row's products "
          "at most 2^" +
          std::to_string(F::emax - 2) + " together"};
}

// ------------------------------------------------------------------------------------------------------- claims

/// |ŷᵣ − dᵣ| ≤ bound_of(theorem, n, dᵣ, Tᵣ) for each row, n its entries.
template <FloatingPoint T, class BoundOf>
auto of_each_row(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return within(std::move(id), theorem, [bound_of](const auto& bound, const SpmvCase<T>& c) {
    std::vector<Bound> bounds;
    for (const DotCase<T>& row : rows_of(c)) {
      const sum::ExactSums sums = sum::exact_sums(row);
      bounds.push_back(bound_of(bound, row.x.size(), sums.sum, sums.magnitudes));
    }
    return bounds;
  });
}

constexpr const char* of_rows = "for each row, n its entries";
constexpr const char* pairwise_rows = "for each row, n its entries, h = ⌈log₂ n⌉";
constexpr const char* any_rows = "for each row, n its entries, h = n − 1";

template <FloatingPoint T>
std::vector<Claim<SpmvCase<T>, std::vector<T>, std::vector<Dyadic>>> spmv_claims() {
  return {
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1),
      of_instance(of_rows, of_each_row<T>("compensated", dot_dot2_1,
                                          [](const auto& bound, std::size_t n, const Dyadic& d,
                                             const Dyadic& magnitudes) { return bound(n, d, magnitudes, format<T>); })),
      of_instance(pairwise_rows,
                  of_each_row<T>("pairwise", dot_tree_1,
                                 [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                   return bound(n, pairwise_height(n), magnitudes, format<T>);
                                 })),
      of_instance(any_rows,
                  of_each_row<T>("any_order", dot_tree_1,
                                 [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                   return bound(n, n == 0 ? 0 : n - 1, magnitudes, format<T>);
                                 }))};
}

template <FloatingPoint T>
void call_spmv(const ForeignKernel& kernel, const Executor& on, const SpmvCase<T>& c, T* y) {
  thread_local std::array<FencedMemory, 4> memory;
  const std::vector<std::int32_t> all_offsets(c.row_offsets.begin(), c.row_offsets.end());
  const std::vector<std::int32_t> all_columns(c.column_indices.begin(), c.column_indices.end());
  const FencedArray<std::int32_t> offsets(memory[0], all_offsets);
  const FencedArray<std::int32_t> columns(memory[1], all_columns);
  const FencedArray<T> values(memory[2], c.values);
  const FencedArray<T> x(memory[3], c.x);
  function<void(std::size_t, std::size_t, const std::int32_t*, const std::int32_t*, const T*, const T*, T*)>(kernel)(
      static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.columns), offsets.data(), columns.data(),
      values.data(), x.data(), y);
  check_input(offsets, on, all_offsets, "offsets");
  check_input(columns, on, all_columns, "columns");
  check_input(values, on, c.values, "values");
  check_input(x, on, c.x, "x");
}

constexpr auto spmv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, SpmvCase<T>>{
          "spmv", spmv_domain<T>(), [](const SpmvCase<T>& c) { return unwritten<T>(static_cast<std::size_t>(c.rows)); },
          call_spmv<T>, exact_spmv<T>, &SpmvCase<T>::x, spmv_claims<T>()},
      question, kernel);
};

const std::vector<Contract> contracts{
    {"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "compensated", "pairwise"}},
    {"faithful", &contract_faithful_1.words},
    {"compensated", &dot_dot2_1.words, of_rows},
    {"pairwise", &dot_tree_1.words, pairwise_rows, {"any_order"}},
    {"any_order", &dot_tree_1.words, any_rows}};
constexpr const char* signature =
    "void f(size_t rows, size_t columns, const int32_t* row_offsets, const int32_t* column_indices, const T* values, "
    "const T* x, T* y)";

const OperationRegistration spmv({"spmv",
                                  "y = A·x of a matrix in compressed sparse rows",
                                  {"f64", "f32"},
                                  {{CallForm::plain, signature}},
                                  contracts,
                                  property_in_format<spmv_of>});

}  // namespace
}  // namespace assay::contracts
