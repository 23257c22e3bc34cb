#pragma once
// The field lists of the document of `assay replay --json`.

#include <tuple>

#include "assay/store/case_file.hpp"
#include "assay/store/documents.hpp"
#include "assay/store/replayed.hpp"

namespace assay::store {

template <>
struct Document<Replayed::Claim> {
  using Claim = Replayed::Claim;
  static constexpr auto what = "a claim";
  static constexpr auto fields = std::tuple(
      field("claim", &Claim::claim),
      field("verdict", &Claim::verdict)
          .says("holds, violated, undecided; broken: a contract of a kernel from outside; does not apply: the case is "
                "outside its preconditions."),
      field("is_of_case", &Claim::is_of_case).says("Whether the case was saved for this claim."),
      field("as_expected", &Claim::is_as_expected)
          .says("Whether this verdict was expected, by the case or by the claim itself."),
      field("evidence", &Claim::evidence)
          .says("The evidence without the words, which the answer has; null if the claim does not apply."),
      field("statement", &Claim::statement), field("source", &Claim::source));
};
template <>
struct Document<Replayed::Answer> {
  using Answer = Replayed::Answer;
  static constexpr auto what = "an answer";
  static constexpr auto fields =
      std::tuple(field<ExecutorName>("executor", &Answer::executor),
                 field("stop", &Answer::stop).says("Why the kernel gave no answer; empty if it gave one."),
                 field<List<Hexadecimal>>("got", &Answer::got).says("The words of the result."),
                 field("as_recorded", &Answer::is_as_recorded)
                     .says("Whether they are equal to the words of the case; null if it has none."),
                 field("claims", &Answer::claims).says("The claims that apply, and the claim of the case."),
                 field("cost", &Answer::cost).if_there(has_cost<Answer>).says(about_cost));
};
template <>
struct Document<Replayed::Case> {
  using Case = Replayed::Case;
  static constexpr auto what = "a case";
  static constexpr auto fields = std::tuple(
      field("id", [](const Case& of) { return case_id(of.file); }),
      field<PropertyName>("property", [](auto& of) -> auto& { return of.file.property; }),
      field("claim", [](auto& of) -> auto& { return of.file.claim; }).says("Empty for a case of no particular claim."),
      field("format", [](auto& of) -> auto& { return of.file.format; }).says(about_formats),
      field("case", [](auto& of) { return Inputs<std::remove_reference_t<decltype((of.file))>>{of.file}; }),
      field("answers", &Case::answers).says("One for each executor."));
};
template <>
struct Document<Replayed> {
  static constexpr auto what = "the replayed cases";
  static constexpr auto fields = std::tuple(schema_field, field("cases", &Replayed::cases));
};

}  // namespace assay::store
