#pragma once
// The field lists of what `assay tolerance --json` prints.

#include <tuple>

#include "assay/store/documents.hpp"
#include "assay/store/tolerances.hpp"

namespace assay::store {

/// An object that a page describes, not a field list.
struct AnyObject {
  static Json write(const Json& object) { return object; }
  static void read(const Json& value, const Place& place, Json& into) {
    if (!value.is_object()) place.wrong("an object");
    into = value;
  }
  static Json schema(Json&) { return Json::object({{"type", "object"}}); }
};

template <>
struct Document<Tolerances::Axis> {
  static constexpr auto what = "an axis";
  static constexpr auto fields =
      std::tuple(field("name", &Tolerances::Axis::name), field("length", &Tolerances::Axis::length));
};
template <>
struct Document<Tolerances::Machine> {
  using Machine = Tolerances::Machine;
  static constexpr auto what = "a machine";
  static constexpr auto fields = std::tuple(
      field("name", &Machine::name).says("The contract that the machine defines."),
      field("description", &Machine::description),
      field<Ratio>("largest", &Machine::largest).says("The largest bound of an entry; inf if no entry has one."),
      field<Ratio>("median", &Machine::median),
      field<Ratio>("relative", &Machine::relative).says("The largest bound/|value|, over values other than 0."),
      field("at", &Machine::at).says("The entry with the largest bound."), field("entries", &Machine::entries),
      field("silent", &Machine::silent).says("Entries without a bound."),
      field("zero_is_within", &Machine::blind)
          .says("Entries other than 0 where a kernel that returns 0 is within the bound."));
};
template <>
struct Document<Tolerances> {
  static constexpr auto what = "the tolerances";
  static constexpr auto fields =
      std::tuple(schema_field, field("formula", &Tolerances::formula),
                 field("format", &Tolerances::format)
                     .says("f64, f32, f16 or bf16; if the result's format differs, it follows after a colon."),
                 field("seed", &Tolerances::seed).says("The nearly normal numbers for which the bounds hold."),
                 field("axes", &Tolerances::axes).says("The lengths that --shape gives."),
                 field("machines", &Tolerances::machines).says("In the order of the ladder."),
                 field<AnyObject>("graph", &Tolerances::graph)
                     .says("The formula as nodes, each made of earlier nodes: formula.md."));
};

}  // namespace assay::store
