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

/// The contracts that the function of the library breaks. None may be undecided.
inline Ids broken_by(const std::string& symbol, const std::string& format, std::uint64_t cases) {
  std::string name = symbol;
  if (format == "f32") name += "_f32";
  const auto property = property_of_symbol(ASSAY_LIBRARY_OF_TRANSFORMS, operation_of(symbol), name, format);
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
inline void expect_kept(const std::string& symbol, const Ids& claimed, std::uint64_t cases = 150) {
  for (const std::string format : {"f64", "f32"}) {
    const Ids broken = broken_by(symbol, format, cases);
    for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 0U) << symbol << " " << format << " " << id;
  }
}

/// Expects that the function breaks each of these contracts.
inline void expect_broken(const std::string& symbol, const std::string& format, const Ids& claimed,
                          std::uint64_t cases = 200) {
  const Ids broken = broken_by(symbol, format, cases);
  for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 1U) << symbol << " " << format << " " << id;
}

inline const Ids of_powers{"power_of_two", "power_of_two_computed", "each_power_of_two", "each_power_of_two_computed"};
inline const Ids of_computed{"power_of_two_computed", "each_power_of_two_computed"};
inline const Ids of_any{"mixed_radix", "any_length", "each_mixed_radix"};

inline Ids joined(Ids a, const Ids& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// Expects that each of these functions keeps the bounds, in both formats.
inline void expect_each_kept(const std::set<std::string>& symbols, const Ids& claimed, std::uint64_t cases = 100) {
  for (const std::string& symbol : symbols) expect_kept(symbol, claimed, cases);
}
/// Expects that each of these functions breaks the bounds, in both formats.
inline void expect_each_broken(const std::set<std::string>& symbols, const Ids& claimed, std::uint64_t cases = 100) {
  for (const std::string& symbol : symbols) {
    for (const std::string format : {"f64", "f32"}) expect_broken(symbol, format, claimed, cases);
  }
}

}  // namespace assay
