#pragma once
// The field lists of the document of `assay probe-device --json`.

#include <tuple>

#include "assay/store/documents.hpp"
#include "assay/store/probed_units.hpp"

namespace assay::store {

/// An integer of either sign, or null for none.
struct SignedOrNull {
  static Json write(const std::optional<std::int64_t>& number) {
    return number ? Signed::write(*number) : Json(nullptr);
  }
  static void read(const Json& value, const Place& place, std::optional<std::int64_t>& into) {
    into.reset();
    if (!value.is_null()) Signed::read(value, place, into.emplace());
  }
  static Json schema(Json& definitions) { return or_null(Signed::schema(definitions)); }
};

template <>
struct Document<ProbedUnits::Term> {
  static constexpr auto what = "a term";
  using Term = ProbedUnits::Term;
  static constexpr auto fields = std::tuple(field("place", &Term::place).says("i of aᵢbᵢ, from 0."),
                                            field<Hexadecimal>("a", &Term::a), field<Hexadecimal>("b", &Term::b));
};
template <>
struct Document<ProbedUnits::Example> {
  using Example = ProbedUnits::Example;
  static constexpr auto what = "an example";
  static constexpr auto definition = "example";
  static constexpr auto fields = std::tuple(
      field("terms", &Example::terms).says("The products that are not zero."), field<Hexadecimal>("c", &Example::c),
      field<Matching<BitPattern>>("got", &Example::got).says("The unit's d, as a bit pattern."),
      field<Matching<BitPattern>>("predicted", &Example::predicted).says("The model's d."));
};
template <>
struct Document<ProbedUnits::Unit> {
  using Unit = ProbedUnits::Unit;
  static constexpr auto what = "a unit";
  static constexpr auto fields = std::tuple(
      field("unit", &Unit::name),
      field("input", &Unit::input).says("The format of the elements: f64, f32, f16, bf16, e4m3, e5m2 or s8."),
      field("result", &Unit::result).says("The format of c and d: f64, f32, f16 or s32."),
      field("products", &Unit::products).says("The number of products aᵢbᵢ of one d."),
      field("takes_c", &Unit::takes_c),
      field("entries", &Unit::entries)
          .says("The entries of a library's product that were used; empty if all entries are computed alike."),
      field("order", &Unit::order).says("The order of the additions in words; empty if there is no fixed order."),
      field("step", &Unit::step).says("The number of products that one operation adds; null if it varies."),
      field("slice", &Unit::slice)
          .says("The number of products of a slice, whose results are added; null for one chain."),
      field("rule", &Unit::rule)
          .says("step, fma, multiply_add, wraps or saturates; empty where no model of the family fits."),
      field("conversion", &Unit::conversion)
          .says("The conversion of elements in binary32: none, tf32_truncated or tf32_rounded."),
      field("fraction_bits", &Unit::fraction_bits).says("F: the fraction bits that the alignment of a step keeps."),
      field("alignment", &Unit::alignment).says("toward_zero or down; empty for other rules than step."),
      field("rounding", &Unit::rounding)
          .says("Rounding of the sum: f32_rz, e8m13_rz, f32_rn or f16_rn; empty for other rules than step."),
      field<SignedOrNull>("least_floor", &Unit::least_floor)
          .says("The range of the least exponent to which a step may align: from here …"),
      field<SignedOrNull>("largest_floor", &Unit::largest_floor).says("… to here. A wide range: no answer shows it."),
      field("keeps_subnormal_elements", &Unit::keeps_subnormal_elements).says("null if no answer shows it."),
      field("keeps_subnormal_results", &Unit::keeps_subnormal_results).says("null if no answer shows it."),
      field("nan", &Unit::nan)
          .says("The patterns of results for a NaN, 0·∞ and ∞ − ∞, hexadecimal, each once and in that order of their "
                "first appearance."),
      field("predicted", &Unit::predicted).says("The number of products that the model predicted bit for bit …"),
      field("checked", &Unit::checked).says("… of this many."),
      field("contract", &Unit::contract).says("The contract that the model implies; empty for none."),
      field("trouble", &Unit::trouble).says("Why no model fits, or the unit's error; empty if one fits."),
      field("example", &Unit::example).says("An input that shows it; null if there is none."));
};
template <>
struct Document<ProbedUnits> {
  static constexpr auto what = "the probed units";
  static constexpr auto fields =
      std::tuple(schema_field, field("device", &ProbedUnits::device).says("The device's name, or the command."),
                 field("seed", &ProbedUnits::seed), field("units", &ProbedUnits::units));
};

}  // namespace assay::store
