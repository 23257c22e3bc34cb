// y = A·x of a matrix in compressed sparse rows, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/contracts/tile_cases.hpp"
#include "properties/draws/sparse/matrices.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::contracts {

/// A large matrix made of a small matrix of a class, whose columns and x repeat. Each row has the entries of one small
/// row in one of the repetitions. If the case stays in the domain, the first row has its entries in all repetitions.
template <FloatingPoint T>
struct ShapeOf<sparse::SpmvCase<T>> {
  using Case = sparse::SpmvCase<T>;
  static constexpr double bytes = 400;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"rows", "columns"}; }
  static std::string large(std::string_view /*operation*/) {
    return "rows=1025,columns=1023;rows=65537,columns=33;rows=3,columns=65537";
  }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    constexpr double entries_of_row = 12;
    return entries_of_row * longest_of(shape, "rows", 10) + 2 * longest_of(shape, "columns", 12);
  }
  static Case drawn(Draw& draw, const auto& next, const auto& contains) {
    const Case small = next();
    const auto rows = static_cast<std::size_t>(asked_length("rows").value_or(small.rows));
    const auto columns = static_cast<std::size_t>(asked_length("columns").value_or(small.columns));
    std::vector<std::size_t> from;
    for (std::size_t r = 0; r < rows; ++r) {
      from.push_back(small.rows == 0 ? 0 : draw.below(static_cast<std::uint64_t>(small.rows)));
    }
    const std::size_t repetitions = small.x.empty() ? 0 : columns / small.x.size();
    std::vector<std::size_t> at;
    for (std::size_t r = 0; r < rows; ++r) at.push_back(repetitions == 0 ? 0 : draw.below(repetitions));
    const Case full = repeated(small, columns, from, at, std::max<std::size_t>(repetitions, 1));
    return contains(full) ? full : repeated(small, columns, from, at, 1);
  }

 private:
  /// Row r has the entries of row from[r] in repetition at[r]. The first row has its entries in `times` repetitions.
  static Case repeated(const Case& small, std::size_t columns, const std::vector<std::size_t>& from,
                       const std::vector<std::size_t>& at, std::size_t times) {
    Case c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, {}};
    const std::size_t period = small.x.size();
    for (std::size_t j = 0; j < columns; ++j) c.x.push_back(period == 0 ? T{} : small.x[j % period]);
    for (std::size_t r = 0; r < from.size(); ++r) {
      std::vector<std::size_t> chosen;
      std::vector<T> values;
      const std::size_t count = r == 0 ? times : 1;
      for (std::size_t k = 0; k < count && small.rows != 0; ++k) {
        const std::size_t start = (count == 1 ? at[r] : k) * period;
        for (std::size_t i = small.row_offsets[from[r]]; i < small.row_offsets[from[r] + 1]; ++i) {
          if (start + small.column_indices[i] >= columns) continue;
          chosen.push_back(start + small.column_indices[i]);
          values.push_back(small.values[i]);
        }
      }
      sparse::append_row(c, chosen, values);
    }
    return c;
  }
};

}  // namespace assay::contracts

namespace assay::contracts::sparse_products {
namespace {

using oracle::Dyadic;
using sparse::SpmvCase;
using sum::DotCase;

template <FloatingPoint T>
bool is_finite_case(const SpmvCase<T>& c) {
  return all_finite(c.values) && all_finite(c.x);
}
template <FloatingPoint T>
SpmvCase<T> finite_part_of(SpmvCase<T> c) {
  c.values = finite_part(std::move(c.values));
  c.x = finite_part(std::move(c.x));
  return c;
}

/// A matrix of the shape whose rows have about so many entries, `number` each.
template <FloatingPoint T, class Number>
SpmvCase<T> draw_matrix_of(Draw& draw, std::size_t rows, std::size_t columns, unsigned one_in, Number number) {
  SpmvCase<T> c{0, static_cast<std::int64_t>(columns), {0}, {}, {}, {}};
  for (std::size_t j = 0; j < columns; ++j) c.x.push_back(number());
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::size_t> chosen;
    std::vector<T> values;
    for (std::size_t j = 0; j < columns && c.values.size() + chosen.size() < sum::longest_sum; ++j) {
      if (!draw.one_in(one_in)) continue;
      chosen.push_back(j);
      values.push_back(number());
    }
    sparse::append_row(c, chosen, values);
  }
  return c;
}

/// Small integers. Rows or columns are around tiles, and there are a few or some hundred of the others.
template <FloatingPoint T>
SpmvCase<T> draw_tiled_matrix(Draw& draw) {
  const std::size_t length = draw_tile_length(draw, static_cast<std::size_t>(sparse::most_rows));
  const bool is_tall = draw.coin();
  const std::size_t other = 1 + draw.below(8);
  const auto number = [&] { return compose<T>(draw.coin(), 1 + draw.below(7), 0); };
  return draw_matrix_of<T>(draw, is_tall ? length : other, is_tall ? other : length,
                           1 + static_cast<unsigned>(draw.below(4)), number);
}

/// Some entries or numbers of x are NaN or infinities, and some zeros meet them.
template <FloatingPoint T>
SpmvCase<T> draw_exceptional_matrix(Draw& draw) {
  const auto number = [&] {
    return draw.one_in(8) ? T{} : draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  };
  SpmvCase<T> c =
      draw_matrix_of<T>(draw, 1 + draw.below(8), 1 + draw.below(12), 1 + static_cast<unsigned>(draw.below(3)), number);
  if (draw.coin()) put_exceptional(draw, c.values);
  if (all_finite(c.values)) put_exceptional(draw, c.x);
  return c;
}

/// What each number of the result becomes.
template <FloatingPoint T>
Due due_of_rows(const SpmvCase<T>& c) {
  Due due;
  for (const DotCase<T>& row : sparse::rows_of(c)) due.push_back(sum::special_sum(row));
  return due;
}

template <FloatingPoint T>
Domain<SpmvCase<T>> spmv_domain() {
  using F = FloatTraits<T>;
  using Case = SpmvCase<T>;
  Domain<Case> domain{.classes = sparse::regular_classes<T>(),
                      .contains =
                          [](const SpmvCase<T>& c) {
                            // A sum does not depend on the places of its terms: a given matrix may have its columns in
                            // any order.
                            return sparse::is_matrix(c) && (AnySize::is_asked() || sparse::has_ascending_columns(c)) &&
                                   std::ranges::all_of(sparse::rows_of(c), [](const DotCase<T>& row) {
                                     return sum::exact_sums(row).magnitudes <= Dyadic::scaled(1, F::emax - 2);
                                   });
                          },
                      .features = {{"log2 of the columns + 1, rounded up", 0, 10, 10,
                                    [](const SpmvCase<T>& c) {
                                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns)));
                                    }}},
                      .shrink_shape = sparse::smaller_matrices<T>,
                      .accepts =
                          "up to 1024 rows and columns and 8192 entries, drawn columns of a row in ascending order; "
                          "finite numbers, the "
                          "magnitudes of each row's products "
                          "at most 2^" +
                          std::to_string(F::emax - 2) + " together"};
  domain.classes.push_back({"around tiles, small integers", 2, drawn<Case>(draw_tiled_matrix<T>)});
  return with_exceptional<Case>(std::move(domain), {{"NaN or infinities", 2, drawn<Case>(draw_exceptional_matrix<T>)}},
                                [](const Case& c) { return finite_part_of(c); });
}

// ------------------------------------------------------------------------------------------------------- claims

/// The terms of each row.
template <FloatingPoint T>
std::vector<Terms> terms_of_rows(const SpmvCase<T>& c) {
  std::vector<Terms> all(static_cast<std::size_t>(c.rows));
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
      all[r].add(c.values[at], c.x[c.column_indices[at]]);
    }
  }
  return all;
}

constexpr const char* of_rows = "for each row, n its entries";
constexpr const char* pairwise_rows = "for each row, n its entries, h = ⌈log₂ n⌉";
constexpr const char* any_rows = "for each row, n its entries, h = n − 1";

template <FloatingPoint T>
std::vector<Claim<SpmvCase<T>, std::vector<T>, std::vector<Dyadic>>> spmv_claims() {
  std::vector<Claim<SpmvCase<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = [](const Accumulator& in) {
    decltype(claims) bounds;
    const oracle::Format of = in.format;
    const auto within = [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of, const char* instance) {
      bounds.push_back(adds_within<T>(in, id, theorem, terms_of_rows<T>, bound_of, instance));
    };
    if (!in.rounds_once) {
      within(
          "compensated", dot_dot2_1,
          [of](const auto& bound, const Terms& terms) { return bound(terms.n, terms.sum, terms.magnitudes, of); },
          of_rows);
    }
    within("pairwise", dot_tree_1, dot_in_trees(of, pairwise_height), pairwise_rows);
    within("any_order", dot_tree_1, dot_in_trees(of, greatest_height_of), any_rows);
    if (in.rounds_once) return bounds;
    within("any_order_ftz", contract_flushed_3, dot_flushed(of), any_rows);
    bounds.push_back(exact_on_grids<T>(in, terms_of_rows<T>));
    return bounds;
  };
  const auto is_finite = [](const SpmvCase<T>& c) { return is_finite_case(c); };
  append_rungs<T>(claims, claims_in, is_finite, {}, is_finite);
  claims = of_finite_cases(std::move(claims), is_finite);
  claims.push_back(when(
      "a NaN or an infinity is among the numbers", [](const SpmvCase<T>& c) { return !is_finite_case(c); },
      becomes<T>("exceptional", contract_exceptional_6, due_of_rows<T>)));
  return in_order_of_contracts(std::move(claims), "spmv");
}

template <FloatingPoint T>
std::vector<Dyadic> exact_finite_spmv(const SpmvCase<T>& c) {
  return sparse::exact_spmv(is_finite_case(c) ? c : finite_part_of(c));
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
          call_spmv<T>, exact_finite_spmv<T>, &SpmvCase<T>::x, spmv_claims<T>()},
      question, may_refuse<SpmvCase<T>>(kernel, [](const SpmvCase<T>& c) { return is_finite_case(c); }));
};

const std::vector<Contract> contracts =
    with_rungs({{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "compensated", "pairwise"}},
                {"faithful", &contract_faithful_1.words}},
               {{"compensated", &dot_dot2_1.words, of_rows},
                {"pairwise", &dot_tree_1.words, pairwise_rows, {"any_order"}},
                {"any_order", &dot_tree_1.words, any_rows, {"any_order_ftz"}}},
               {{"any_order_ftz", &contract_flushed_3.words, any_rows}}, {"pairwise", "any_order"},
               {{"exceptional", &contract_exceptional_6.words, {}, {}, false}}, false);
constexpr const char* signature =
    "void f(size_t rows, size_t columns, const int32_t* row_offsets, const int32_t* column_indices, const T* values, "
    "const T* x, T* y)";

const OperationRegistration spmv({"spmv",
                                  "y = A·x of a matrix in compressed sparse rows",
                                  {"f64", "f32"},
                                  {{CallForm::plain, signature}},
                                  contracts,
                                  property_in_format<spmv_of>});

// --------------------------------------------------------------------------------------------- judge on a device

/// The bounds above, for floors of them: theorem sparse.enclosure.2.
template <FloatingPoint T>
std::optional<enclosures::SparseRule> device_rule_of(std::string_view contract) {
  using F = FloatTraits<T>;
  constexpr std::pair<std::string_view, enclosures::Rule> rules[] = {{"correctly_rounded", enclosures::rule_rounded},
                                                                     {"faithful", enclosures::rule_faithful},
                                                                     {"exact_grid", enclosures::rule_on_grid}};
  enclosures::SparseRule rule{enclosures::rule_within, {F::precision, F::emin, F::precision, 0}, 0, 0, 0, 0, 0, 0};
  rule.most = std::ldexp(1.0, F::emax - 2);
  if (const auto* const found = std::ranges::find(rules, contract, [](const auto& each) { return each.first; });
      found != std::end(rules)) {
    rule.kind = found->second;
    return rule;
  }
  constexpr std::string_view prefix = wider_format<T>.prefix;
  const bool is_wide = contract.starts_with(prefix);
  if (is_wide) contract.remove_prefix(prefix.size());
  rule.numbers.is_stored = is_wide ? 1 : 0;
  rule.numbers.bits_of_sums = (is_wide ? wider_format<T> : own_format<T>).format.precision;
  rule.unit = std::ldexp(1.0, -rule.numbers.bits_of_sums);
  rule.is_pairwise = contract == "pairwise" ? 1 : 0;
  rule.is_compensated = contract == "compensated" ? 1 : 0;
  rule.is_flushed = contract == "any_order_ftz" ? 1 : 0;
  const bool has_bound = rule.is_pairwise + rule.is_compensated + rule.is_flushed != 0 || contract == "any_order";
  if (!has_bound || (is_wide && rule.is_compensated + rule.is_flushed != 0)) return std::nullopt;
  // λ, or half of η; of binary64 that is no number.
  rule.lost = std::ldexp(1.0, rule.is_flushed != 0 ? F::emin : F::emin - rule.numbers.bits_of_sums);
  return rule;
}

std::optional<enclosures::SparseRule> device_rule(const std::string& contract, const std::string& format) {
  return format == "f64" ? device_rule_of<double>(contract) : device_rule_of<float>(contract);
}

const EntryRuleRegistration on_device("spmv", device_rule);

}  // namespace
}  // namespace assay::contracts::sparse_products
