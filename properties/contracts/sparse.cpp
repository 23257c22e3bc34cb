// y = A·x of a matrix in compressed sparse rows, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/draws/sparse/matrices.hpp"
#include "properties/draws/sum/claims.hpp"

namespace assay::contracts::sparse_products {
namespace {

using oracle::Dyadic;
using sparse::SpmvCase;
using sum::DotCase;

template <FloatingPoint T>
Domain<SpmvCase<T>> spmv_domain() {
  using F = FloatTraits<T>;
  return {
      .classes = sparse::regular_classes<T>(),
      .contains =
          [](const SpmvCase<T>& c) {
            return sparse::is_matrix(c) && sparse::has_ascending_columns(c) && all_finite(c.values) &&
                   all_finite(c.x) && std::ranges::all_of(sparse::rows_of(c), [](const DotCase<T>& row) {
                     return sum::exact_sums(row).magnitudes <= Dyadic::scaled(1, F::emax - 2);
                   });
          },
      .features = {{"log2 of the columns + 1, rounded up", 0, 10, 10,
                    [](const SpmvCase<T>& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns)));
                    }}},
      .shrink_shape = sparse::smaller_matrices<T>,
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
    for (const DotCase<T>& row : sparse::rows_of(c)) {
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
          call_spmv<T>, sparse::exact_spmv<T>, &SpmvCase<T>::x, spmv_claims<T>()},
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
}  // namespace assay::contracts::sparse_products
