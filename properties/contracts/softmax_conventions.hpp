#pragma once
// What softmax and log_softmax return for rows with a NaN or +∞ and for rows of nothing but −∞, by several conventions.

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "errorbounds/softmax_theorems.hpp"
#include "properties/contracts/softmax_cases.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts::softmax {

/// What a number of a result must be that belongs to a row of some kind.
template <FloatingPoint T>
struct Asked {
  bool (*is_right)(const Row&, const T& x, std::uint64_t got);  ///< the pattern `got` for the number x of the row
  std::string (*due)(const Row&, const T& x);                   ///< the right one in words
};

template <FloatingPoint T>
auto convention(const char* id, const AnyTheorem auto& theorem, const char* rows, bool (*is_of_kind)(const Row&),
                const Asked<T>& asked) {
  const auto is_asked = [is_of_kind](const RowsCase<T>& c) {
    return !all_finite(c.x) && std::ranges::any_of(rows_from(c), is_of_kind);
  };
  return when(rows, is_asked,
              satisfies(id, theorem, [is_of_kind, asked](const RowsCase<T>& c, const std::vector<T>& result) {
                std::size_t at = 0;
                for (const Row& row : rows_from(c)) {
                  for (std::int64_t i = 0; i < c.columns; ++i, ++at) {
                    if (!is_of_kind(row) || asked.is_right(row, c.x[at], bits_of(result[at]))) continue;
                    remark(asked.due(row, c.x[at]) + is_due);
                    return Judgement::fail(at);
                  }
                }
                return Judgement::pass();
              }));
}

template <class Function>
constexpr bool is_softmax = std::is_same_v<Function, Softmax>;

template <FloatingPoint T>
Asked<T> a_nan() {
  return {[](const Row&, const T&, std::uint64_t got) { return oracle::is_nan(format<T>, got); },
          [](const Row&, const T&) { return std::string("NaN"); }};
}

/// A result of 0, of which the logarithm is −∞.
template <class Function, FloatingPoint T>
Asked<T> nothing() {
  return {[](const Row&, const T&, std::uint64_t got) {
            const std::uint64_t sign = format<T>.sign_mask();
            return is_softmax<Function> ? (got & ~sign) == 0 : got == (sign | format<T>.infinity());
          },
          [](const Row&, const T&) { return std::string(is_softmax<Function> ? "0" : "-inf"); }};
}

/// A result of 1/n, n the columns.
template <class Function, FloatingPoint T>
Asked<T> a_share() {
  return {
      [](const Row& row, const T&, std::uint64_t got) {
        return judge_within_ulps(got, Function::of_equal(row.columns), format<T>, 4).verdict == Verdict::holds;
      },
      [](const Row& row, const T&) { return (is_softmax<Function> ? "1/" : "-ln ") + std::to_string(row.columns); }};
}

/// A result of 1 for +∞, and of 0 for every other number.
template <class Function, FloatingPoint T>
Asked<T> the_limit() {
  return {[](const Row& row, const T& x, std::uint64_t got) {
            if (bits_of(x) != format<T>.infinity()) return nothing<Function, T>().is_right(row, x, got);
            return oracle::is_finite(format<T>, got) &&
                   oracle::decode_finite(format<T>, got) == Dyadic(is_softmax<Function> ? 1 : 0);
          },
          [](const Row& row, const T& x) {
            if (bits_of(x) != format<T>.infinity()) return nothing<Function, T>().due(row, x);
            return std::string(is_softmax<Function> ? "1" : "0");
          }};
}

template <FloatingPoint T>
using RowsClaims = std::vector<Claim<RowsCase<T>, std::vector<T>, std::vector<Exact>>>;

template <class Function, FloatingPoint T>
void add_conventions(RowsClaims<T>& claims) {
  const auto has_nan = [](const Row& row) { return row.has_nan; };
  const auto is_masked = [](const Row& row) { return !row.has_nan && row.infinities == 0 && row.n == 0; };
  const auto has_infinity = [](const Row& row) { return !row.has_nan && row.infinities != 0; };
  const auto has_one_infinity = [](const Row& row) { return !row.has_nan && row.infinities == 1; };
  const char* const masked = "a row has nothing but −∞";
  claims.push_back(convention<T>("nan_stays", softmax_exceptional_3, "a row has a NaN", has_nan, a_nan<T>()));
  claims.push_back(convention<T>("masked_nan", softmax_masked_1, masked, is_masked, a_nan<T>()));
  claims.push_back(convention<T>("masked_zero", softmax_masked_2, masked, is_masked, nothing<Function, T>()));
  claims.push_back(convention<T>("masked_uniform", softmax_masked_3, masked, is_masked, a_share<Function, T>()));
  claims.push_back(
      convention<T>("infinity_nan", softmax_infinity_1, "a row has +∞ and no NaN", has_infinity, a_nan<T>()));
  claims.push_back(convention<T>("infinity_limit", softmax_infinity_2, "a row has one +∞ and no NaN", has_one_infinity,
                                 the_limit<Function, T>()));
}

}  // namespace assay::contracts::softmax
