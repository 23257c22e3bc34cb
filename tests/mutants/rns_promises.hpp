#pragma once
// What arithmetic in residues promises, for the mutants that break it.

#include <algorithm>
#include <vector>

#include "properties/property.hpp"
#include "properties/rns_cases.hpp"
#include "tests/mutants/device/rns_mutants.hpp"

namespace assay::mutants {

/// The base moduli as the oracle's system.
inline const oracle::ResidueSystem& moduli() {
  static const oracle::ResidueSystem system([] {
    std::vector<std::uint32_t> m;
    for (int i = 0; i < Moduli::n; ++i) {
      m.push_back(Moduli::modulus(i));
    }
    return m;
  }());
  return system;
}

inline LimbPair limb_pair(const RnsPairCase& c) {
  LimbPair pair{};
  std::copy(c.x.begin(), c.x.end(), pair.x);
  std::copy(c.y.begin(), c.y.end(), pair.y);
  return pair;
}

/// Residues of XY, reduced.
template <class Reduction>
auto residue_product_promise() {
  return TypedModel(Property<RnsPairCase>{
      .name = "mutants.residue_product",
      .domain = rns_pair_domain(moduli()),
      .subject =
          [](const Executor& on, std::span<const RnsPairCase> cases) {
            std::vector<LimbPair> inputs;
            for (const RnsPairCase& c : cases) {
              inputs.push_back(limb_pair(c));
            }
            std::vector<std::vector<double>> results;
            for (const auto& z : elementwise<ResidueProduct<Reduction>>(on, inputs)) {
              results.emplace_back(z.r, z.r + Moduli::size);
            }
            return results;
          },
      .reference =
          [](const RnsPairCase& c) {
            const oracle::Dyadic product = oracle::integer_of_limbs(c.x) * oracle::integer_of_limbs(c.y);
            std::vector<oracle::Dyadic> residues;
            for (int i = 0; i < Moduli::size; ++i) {
              residues.emplace_back(oracle::residue(product, Moduli::modulus(i)));
            }
            return residues;
          },
      .claims = {exact("exact", "r_i = XY mod m_i, 0 ≤ r_i < m_i", "Barrett 1986")}});
}

}  // namespace assay::mutants
