#pragma once
// The common parts of the properties of residues: the oracle's systems, integers of cases, and the arrays of the
// kernels.

#include "kernels/rns/rns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/residues/moduli.hpp"
#include "errorbounds/rns_theorems.hpp"
#include "properties/catalog/rns/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::rns {

/// The result of an operation: residues, limbs or answers, each an integer that binary64 represents.
using Integers = std::vector<double>;
using Truths = std::vector<oracle::Dyadic>;
using Words32 = std::vector<std::uint32_t>;

inline constexpr std::array<int, 5> sets{8, 16, 32, 64, 128};

inline std::uint32_t modulus(int n, int i) {
  return i < n ? rns::Standard<128>::modulus(i) : rns::Standard<128>::modulus(rns::Standard<128>::n);
}

/// The oracle's system of the n base moduli.
inline const oracle::ResidueSystem& base(int n) {
  static const auto systems = [] {
    std::array<std::unique_ptr<oracle::ResidueSystem>, sets.size()> made;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      Words32 moduli;
      for (int i = 0; i < sets[k]; ++i) {
        moduli.push_back(modulus(sets[k], i));
      }
      made[k] = std::make_unique<oracle::ResidueSystem>(std::move(moduli));
    }
    return made;
  }();
  return *systems[static_cast<std::size_t>(std::find(sets.begin(), sets.end(), n) - sets.begin())];
}

inline oracle::Dyadic x_of(const RnsCase& c) { return oracle::integer_of_limbs(c.x); }
inline oracle::Dyadic x_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.x); }
inline oracle::Dyadic x_of(const RnsScaleCase& c) { return oracle::integer_of_limbs(c.x); }
inline oracle::Dyadic y_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.y); }

/// The residues of an integer for all moduli, the guard included.
inline void add_residues(int n, const oracle::Dyadic& x, Truths& out) {
  for (const std::uint32_t each : base(n).residues(x)) {
    out.emplace_back(each);
  }
  out.emplace_back(oracle::residue(x, modulus(n, n)));
}

/// One integer of every case, in the number of limbs of the set.
template <class Case>
Words32 all_limbs(int n, std::span<const Case> cases, Words32 Case::*integer) {
  const auto count = static_cast<std::size_t>(rns_limbs(n));
  Words32 limbs(cases.size() * count);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::copy((cases[i].*integer).begin(), (cases[i].*integer).end(),
              limbs.begin() + static_cast<std::ptrdiff_t>(i * count));
  }
  return limbs;
}
/// Its residues, made on the host.
template <class Case>
Words32 all_residues(int n, std::span<const Case> cases, Words32 Case::*integer) {
  return rns_from_limbs(Executor::host(), n, all_limbs(n, cases, integer));
}

/// The results of a batch: an equal part of the words for each case.
template <class T>
std::vector<Integers> split(const std::vector<T>& all, std::size_t count) {
  std::vector<Integers> results(count);
  const std::size_t each = all.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(i * each);
    results[i].assign(at, at + static_cast<std::ptrdiff_t>(each));
  }
  return results;
}

/// Cases of the quick tier: 10⁴, but fewer if they would take many seconds and no promise needs them.
inline std::uint64_t cases_of(const std::string& operation, int n) {
  constexpr std::array<const char*, 6> asked{"from_limbs", "to_limbs", "to_limbs_crt", "evaluate", "compare", "scale"};
  if (operation == "divide") return n <= 32 ? 10000 : 1000;
  const bool all = n <= 32 || std::find(asked.begin(), asked.end(), operation) != asked.end();
  return all ? 10000 : 2000;
}

inline std::string name_of(const char* operation, int n) { return "rns." + std::string(operation) + std::to_string(n); }

}  // namespace assay::rns
