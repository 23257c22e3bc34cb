#pragma once
// The field lists of the document of `assay explain --json`.

#include <tuple>

#include "assay/store/documents.hpp"
#include "assay/store/explanation.hpp"

namespace assay::store {

template <>
struct Document<Explanation::Input> {
  using Input = Explanation::Input;
  static constexpr auto what = "an input";
  static constexpr auto fields = std::tuple(
      field("name", &Input::name), field<Hexadecimal>("number", &Input::number),
      field("decimal", &Input::decimal).says("All its digits, or the shortest decimal that determines the number."));
};
template <>
struct Document<Explanation::Step> {
  using Step = Explanation::Step;
  static constexpr auto what = "a step";
  static constexpr auto fields =
      std::tuple(field("name", &Step::name), field("formula", &Step::formula).says("Made of inputs and earlier steps."),
                 field<Hexadecimal>("rounded", &Step::rounded)
                     .says("The value after rounding to the format, computed from rounded operands."),
                 field("decimal", &Step::decimal).says("The same."),
                 field("exact", &Step::exact)
                     .says("The value without any rounding from the inputs on; empty if there is no real value, also "
                           "in the members below."),
                 field("error", &Step::error).says("rounded − exact."),
                 field("lost", &Step::lost).says("The error that the rounding of this step alone adds."),
                 field("share", &Step::share)
                     .says("The part of the result's error that it causes; all shares add up to that error."),
                 field("events", &Step::events).says("What happens in this step, in words."));
};
template <>
struct Document<Explanation::Kernel> {
  using Kernel = Explanation::Kernel;
  static constexpr auto what = "the kernel's result";
  static constexpr auto fields = std::tuple(
      field("from", &Kernel::from).says("case: recorded in the case; host or cuda: the kernel was run now."),
      field<Hexadecimal>("got", &Kernel::got), field("decimal", &Kernel::decimal),
      field("error", &Kernel::error).says("got − exact; empty if one of them is not a number, or exact is not known."),
      field("is_result_of_steps", &Kernel::is_result_of_steps).says("Equal bit for bit; null without steps."));
};
template <>
struct Document<Explanation::Bound> {
  using Bound = Explanation::Bound;
  static constexpr auto what = "the bound";
  static constexpr auto fields =
      std::tuple(field("claim", &Bound::claim), field("statement", &Bound::statement), field("source", &Bound::source),
                 field<Ratio>("ratio", &Bound::ratio).says("error/bound"),
                 field("bound", &Bound::bound).says("|error|/ratio; empty if that is not a number."));
};
template <>
struct Document<Explanation> {
  static constexpr auto what = "the explanation";
  static constexpr auto fields = std::tuple(
      schema_field, field<PropertyName>("property", &Explanation::property),
      field("operation", &Explanation::operation),
      field("format", &Explanation::format).says("Of the steps and of the result."),
      field("entry", &Explanation::entry).says("Of a result of several numbers; null for one number."),
      field("inputs", &Explanation::inputs)
          .says("The inputs that the entry depends on; all inputs if there are no steps."),
      field("exact", &Explanation::exact).says("The exact result, decimal; empty if it is not known."),
      field("steps", &Explanation::steps)
          .says("The steps of the obvious algorithm; empty if explain has none for the operation."),
      field("causes", &Explanation::causes)
          .says("exact, rounding, lost_term, cancellation, underflow, overflow, invalid, special_input, other_kernel: "
                "the origin of the error first."),
      field("says", &Explanation::says)
          .says("The causes in sentences; and, of a claim that compares results, the results that differ."),
      field("kernel", &Explanation::kernel),
      field("bound", &Explanation::bound).says("For the claim of the case; null if it has none."));
};

}  // namespace assay::store
