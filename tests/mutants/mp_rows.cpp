// The promises of multiple-precision operations, for the mutants that break them.

#include <vector>

#include "errorbounds/mp_theorems.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/mp/result.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/mp_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

mp::Number<MpMutantSet> mp_number_of(int sign, std::int64_t exponent, const std::vector<std::uint32_t>& limbs,
                                     int width = 0) {
  auto x = mp::from_limbs<MpMutantSet>(limbs.data(), static_cast<int>(limbs.size()), exponent, sign != 0);
  mp::widen(x.magnitude.lower, x.magnitude.upper, width, mp::significand_bits<MpMutantSet>);
  return x;
}
MpOperands mp_operands_of(const mp::MpPairCase& c) {
  return {mp_number_of(c.sx, c.ex, c.x, c.wx), mp_number_of(c.sy, c.ey, c.y, c.wy), mp::zero<MpMutantSet>()};
}
MpOperands mp_operands_of(const mp::MpTripleCase& c) {
  return {mp_number_of(c.sx, c.ex, c.x), mp_number_of(c.sy, c.ey, c.y), mp_number_of(c.sw, c.ew, c.w)};
}

template <class Case, class Op>
auto mp_promise(const char* name, const Op& op, Domain<Case> domain, oracle::Dyadic (*reference)(const Case&),
                const BoundedTheorem auto& theorem) {
  using Truth = std::vector<oracle::Dyadic>;
  return Property<Case, mp::MpNumbers, Truth>{
      .name = name,
      .domain = std::move(domain),
      .subject =
          [op](const Executor& on, std::span<const Case> cases) {
            std::vector<MpOperands> operands;
            for (const Case& c : cases) operands.push_back(mp_operands_of(c));
            std::vector<mp::MpNumbers> results;
            for (const auto& z : elementwise(on, std::span<const MpOperands>(operands), op)) {
              mp::MpNumbers& one =
                  results.emplace_back(mp::MpNumbers{&mp::mp_system(MpMutantSet::n), mp::mp_zeros(MpMutantSet::n, 1)});
              mp::mp_view<MpMutantSet>(one.array).store(0, z);
            }
            return results;
          },
      .reference = [reference](const Case& c) { return Truth{reference(c)}; },
      .claims = {within("error", theorem, mp::mp_system(MpMutantSet::n).unit)}};
}

/// |z − (x + y)| ≤ u|x + y|, with the unit of the set: the published one is too large to detect V15 early.
auto mp_sum_promise(bool drops_too_early) {
  const mp::MpSystem& system = mp::mp_system(MpMutantSet::n);
  return TypedModel(mp_promise<mp::MpPairCase>(
      "mutants.mp_sum", MpSum{drops_too_early}, mp::mp_pair_domain(system),
      +[](const mp::MpPairCase& c) { return mp::value_of_x(c) + mp::value_of_y(c); }, mp_operation_1));
}

constexpr auto mp_products_1 = theorem(
    {
        .id = "mutants.mp_products.1",
        .hypotheses = "xyw by two products, 2u < 1",
        .statement = "|z − xyw| ≤ γ_2|xyw|",
        .source = "mp.operation.1, twice",
    },
    [](const RelativeBound& u) { return mp_gamma(2, u); });

/// |z − xyw| ≤ γ_2|xyw|.
auto mp_products_promise(bool rounds) {
  const mp::MpSystem& system = mp::mp_system(MpMutantSet::n);
  return TypedModel(mp_promise<mp::MpTripleCase>(
      "mutants.mp_products", MpProducts{rounds}, mp::mp_triple_domain(system),
      +[](const mp::MpTripleCase& c) { return mp::value_of_x(c) * value_of_y(c) * value_of_w(c); }, mp_products_1));
}

/// |z − xy| ≤ u|xy|, in an enclosure of at most 2⁻¹⁹ of its upper end.
auto mp_product_promise(bool evaluates) {
  const mp::MpSystem& system = mp::mp_system(MpMutantSet::n);
  auto promise = mp_promise<mp::MpPairCase>(
      "mutants.mp_product", MpProduct{evaluates}, mp::mp_pair_domain(system),
      +[](const mp::MpPairCase& c) { return mp::value_of_x(c) * mp::value_of_y(c); }, mp_operation_1);
  promise.claims.push_back(satisfies("width", mp_structure_3, [](const mp::MpPairCase&, const mp::MpNumbers& result) {
    return mp::judge_width(result, 0);
  }));
  return TypedModel(std::move(promise));
}

}  // namespace

Rows mp_rows() {
  return {
      kernel_row({"V9 scalar", "the product by a scalar is not rounded before the next operation", 8},
                 mp_products_promise(false), mp_products_promise(true)),
      kernel_row({"V15 scalar", "alignment drops an operand where the other reaches M/4", 8}, mp_sum_promise(true),
                 mp_sum_promise(false)),
      kernel_row({"V19 scalar", "a product keeps an enclosure that is too wide", 8}, mp_product_promise(false),
                 mp_product_promise(true)),
  };
}

}  // namespace assay::mutants
