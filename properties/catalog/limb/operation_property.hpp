#pragma once
// Properties of + − × ÷ √ and fma of numbers of L limbs: the bits of MPFR's results.

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "properties/catalog/limb/domains.hpp"
#include "properties/catalog/limb/result.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

inline constexpr std::pair<Rounding, oracle::Rounding> directions[] = {{Rounding::rn, oracle::Rounding::nearest},
                                                                       {Rounding::ru, oracle::Rounding::up},
                                                                       {Rounding::rd, oracle::Rounding::down},
                                                                       {Rounding::rz, oracle::Rounding::zero}};

/// The operation on arrays, rounded in a direction; operands that it does not have are empty.
using LimbKernel = SharedFunction<FloatArray(const Executor&, Rounding, const FloatArray& x, const FloatArray& y,
                                             const FloatArray& z)>;

/// Four results for each case, one for each direction.
template <class Case>
std::vector<LimbNumbers> rounded_in_all_directions(const Executor& on, const LimbKernel& kernel, int limbs,
                                                   std::span<const Case> cases) {
  std::vector<LimbPacker> packed(3, LimbPacker(limbs, 0));
  std::fill_n(packed.begin(), operands(Case{}).size(), LimbPacker(limbs, cases.size()));
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const std::vector<LimbOperand> all = operands(cases[k]);
    for (std::size_t i = 0; i < all.size(); ++i) packed[i].put(k, all[i]);
  }
  std::vector<LimbPacker> results(cases.size(), LimbPacker(limbs, std::size(directions)));
  std::vector<std::uint32_t> word;
  for (std::size_t d = 0; d < std::size(directions); ++d) {
    const LimbNumbers z{kernel(on, directions[d].first, packed[0].array(), packed[1].array(), packed[2].array())};
    for (std::size_t k = 0; k < cases.size(); ++k) results[k].put(d, operand_of(z, k, word));
  }
  std::vector<LimbNumbers> all;
  for (const LimbPacker& each : results) all.push_back({each.array()});
  return all;
}

/// MPFR's result in each direction.
template <class Case>
LimbTruth mpfr_results(oracle::LimbOperation op, int limbs, const Case& c) {
  std::vector<oracle::LimbFloat> numbers;
  for (const LimbOperand& each : operands(c)) numbers.push_back(oracle_number(each));
  LimbTruth truth;
  for (const auto& [ours, theirs] : directions) {
    truth.push_back({oracle::limb_operation(op, numbers, static_cast<std::size_t>(limbs), theirs)});
  }
  return truth;
}

/// The kernel has the same bits as MPFR's result in every direction; `formula` is the operation in symbols.
template <class Case>
Property<Case, LimbNumbers, LimbTruth> limb_operation_property(std::string name, LimbKernel kernel,
                                                               oracle::LimbOperation truth, int limbs,
                                                               std::vector<InputClass<Case>> classes,
                                                               const AnyTheorem auto& theorem,
                                                               const std::string& formula) {
  const auto claim = [&](const char* id, const char* direction, std::size_t d) {
    return of_instance(std::string("z = ") + direction + "(" + formula + ")",
                       satisfies(id, theorem, [d](const Case&, const LimbTruth& exact, const LimbNumbers& z) {
                         return judge_bits(z, exact[d], d);
                       }));
  };
  return {.name = std::move(name),
          .domain = limb_domain(limbs, std::move(classes)),
          .subject = [kernel = std::move(kernel), limbs](
                         const Executor& on,
                         std::span<const Case> cases) { return rounded_in_all_directions(on, kernel, limbs, cases); },
          .reference = [truth, limbs](const Case& c) { return mpfr_results(truth, limbs, c); },
          .claims = {claim("rounded_rn", "RN", 0), claim("rounded_ru", "RU", 1), claim("rounded_rd", "RD", 2),
                     claim("rounded_rz", "RZ", 3)},
          .inexact =
              [](const Case&, const LimbTruth&, const LimbNumbers& z) {
                const FloatArray& x = z.array;
                return x.word[1] != x.word[2] || x.exponent[1] != x.exponent[2];
              }};
}

}  // namespace assay::limb
