#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "kernels/limb/lengths.hpp"
#include "kernels/limb/operations.hpp"
#include "properties/catalog/limb/domains.hpp"
#include "properties/catalog/limb/result.hpp"
#include "properties/framework/hard_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

namespace {

constexpr std::pair<Rounding, oracle::Rounding> directions[] = {{Rounding::rn, oracle::Rounding::nearest},
                                                                {Rounding::ru, oracle::Rounding::up},
                                                                {Rounding::rd, oracle::Rounding::down},
                                                                {Rounding::rz, oracle::Rounding::zero}};

/// Of each case four results, one for each direction.
template <class Case>
std::vector<LimbNumbers> rounded_in_all_directions(const Executor& on, LimbOp op, int limbs,
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
    const LimbNumbers z{limb_op(on, op, directions[d].first, packed[0].array(), packed[1].array(), packed[2].array())};
    for (std::size_t k = 0; k < cases.size(); ++k) results[k].put(d, operand_of(z, k, word));
  }
  std::vector<LimbNumbers> all;
  for (const LimbPacker& each : results) all.push_back({each.array()});
  return all;
}

/// What MPFR gives in each direction.
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

/// Of 2 and 4 limbs as many; fewer of longer numbers.
std::uint64_t quick_cases(int limbs) { return limbs <= 4 ? 4000 : limbs <= 16 ? 2000 : 500; }

template <class Case>
void operation(const char* name, LimbOp op, oracle::LimbOperation truth, int limbs,
               std::vector<InputClass<Case>> classes, const AnyTheorem auto& theorem, const std::string& formula) {
  const auto claim = [&](const char* id, const char* direction, std::size_t d) {
    return of_instance(std::string("z = ") + direction + "(" + formula + ")",
                       satisfies(id, theorem, [d](const Case&, const LimbTruth& exact, const LimbNumbers& z) {
                         return judge_bits(z, exact[d], d);
                       }));
  };
  Registration{Property<Case, LimbNumbers, LimbTruth>{
      .name = std::string("limb.") + name + std::to_string(limbs),
      .domain = limb_domain(limbs, std::move(classes)),
      .subject = [op, limbs](const Executor& on,
                             std::span<const Case> cases) { return rounded_in_all_directions(on, op, limbs, cases); },
      .reference = [truth, limbs](const Case& c) { return mpfr_results(truth, limbs, c); },
      .claims = {claim("rounded_rn", "RN", 0), claim("rounded_ru", "RU", 1), claim("rounded_rd", "RD", 2),
                 claim("rounded_rz", "RZ", 3)},
      .inexact =
          [](const Case&, const LimbTruth&, const LimbNumbers& z) {
            return z.array.word[1] != z.array.word[2] || z.array.exponent[1] != z.array.exponent[2];
          },
      .quick_cases = quick_cases(limbs)}};
}

LimbPairCase negated_second(LimbPairCase c) {
  if (c.ey != nan_exponent) c.sy ^= 1;
  return c;
}

void family(int limbs) {
  operation("add", LimbOp::add, oracle::LimbOperation::add, limbs, detail::sum_classes(limbs), limb_add_1, "x + y");
  operation("sub", LimbOp::sub, oracle::LimbOperation::sub, limbs, mapped(detail::sum_classes(limbs), negated_second),
            limb_add_1, "x − y");
  operation("mul", LimbOp::mul, oracle::LimbOperation::mul, limbs, detail::product_classes(limbs), limb_mul_1, "xy");
  operation("div", LimbOp::div, oracle::LimbOperation::div, limbs, detail::quotient_classes(limbs), limb_div_1, "x/y");
  operation("sqrt", LimbOp::sqrt, oracle::LimbOperation::sqrt, limbs, detail::root_classes(limbs), limb_sqrt_1, "√x");
  operation("fma", LimbOp::fma, oracle::LimbOperation::fma, limbs, detail::fused_classes(limbs), limb_fma_1, "xy + z");
}

const LateRegistration families{"limb", [] {
                                  for (const int limbs : {2, 4, 8, 32, 64}) family(limbs);
                                }};

}  // namespace

}  // namespace assay::limb
