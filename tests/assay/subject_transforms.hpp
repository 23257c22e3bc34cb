#pragma once
// The contracts that transforms of the library of tests keep and break.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/assay/subject_ladder.hpp"

namespace assay {

using Ids = std::set<std::string>;

/// The operation of the function of the library: what its name begins with.
inline std::string operation_of(const std::string& symbol) {
  const std::string first = symbol.substr(0, symbol.find('_'));
  return symbol.starts_with("fft_rows_") ? "fft_rows" : first;
}

/// Small signals of every operation, a part of them of 1, 2 or 4 points.
inline std::string small_shapes(const std::string& operation) {
  if (operation == "fft_rows" || operation == "fft2") return "rows=1..5,columns=1..9;rows=2,4,columns=1,4";
  return "n=1..40;n=4";
}

/// The contracts that the function of the library breaks. None may be undecided. `shapes`: empty for any.
inline Ids broken_by(const std::string& symbol, const std::string& format, std::uint64_t cases,
                     const std::string& shapes = {}) {
  std::string name = symbol;
  if (format == "f32") name += "_f32";
  auto [question, kernel] = asked_of_symbol(ASSAY_LIBRARY_OF_TRANSFORMS, operation_of(symbol), name, format);
  question.shapes = shapes;
  const auto property = find_operation(operation_of(symbol))->property(question, kernel);
  const Tally tally = judged(*property, cases);
  Ids broken;
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const std::string& id = property->info().claims[i].id;
    EXPECT_EQ(tally.claims[i].undecided, 0U) << name << " " << id;
    if (tally.claims[i].violated != 0) broken.insert(id);
  }
  return broken;
}

/// Expects that the function keeps each of these contracts in both formats.
inline void expect_kept(const std::string& symbol, const Ids& claimed, std::uint64_t cases = 150,
                        const std::string& shapes = {}) {
  for (const std::string format : {"f64", "f32"}) {
    const Ids broken = broken_by(symbol, format, cases, shapes);
    for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 0U) << symbol << " " << format << " " << id;
  }
}

/// Expects that the function breaks each of these contracts.
inline void expect_broken(const std::string& symbol, const std::string& format, const Ids& claimed,
                          std::uint64_t cases = 200, const std::string& shapes = {}) {
  const Ids broken = broken_by(symbol, format, cases, shapes);
  for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 1U) << symbol << " " << format << " " << id;
}

inline const Ids of_powers{"power_of_two", "power_of_two_computed", "each_power_of_two", "each_power_of_two_computed"};
inline const Ids of_computed{"power_of_two_computed", "each_power_of_two_computed"};
inline const Ids of_any{"mixed_radix", "any_length", "each_mixed_radix"};

inline Ids joined(Ids a, const Ids& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// So many cases each function of a few points is asked.
inline constexpr std::uint64_t few_cases = 40;

/// Expects that each of these functions keeps the contracts on small signals, in both formats.
inline void expect_each_kept(const std::set<std::string>& symbols, const Ids& claimed) {
  for (const std::string& symbol : symbols) expect_kept(symbol, claimed, few_cases, small_shapes(operation_of(symbol)));
}
/// Expects that each of these functions breaks the contracts on small signals, in both formats.
inline void expect_each_broken(const std::set<std::string>& symbols, const Ids& claimed) {
  for (const std::string& symbol : symbols) {
    for (const std::string format : {"f64", "f32"}) {
      expect_broken(symbol, format, claimed, few_cases, small_shapes(operation_of(symbol)));
    }
  }
}
/// Expects that the function with roots by a recurrence breaks these bounds of nearest roots at n points.
inline void expect_recurrence_refused(const std::string& symbol, const Ids& claimed, std::uint64_t n) {
  for (const std::string format : {"f64", "f32"}) {
    expect_broken(symbol, format, claimed, 10, "n=" + std::to_string(n));
  }
}

}  // namespace assay
