#pragma once
// The fields of the document of `assay list --json`.

#include "assay/store/documents.hpp"

namespace assay::store {

template <>
struct Document<Listing::Claim> {
  using Claim = Listing::Claim;
  static constexpr auto what = "a claim";
  static constexpr auto fields =
      std::tuple(field("id", &Claim::id), field<NotEmpty>("statement", &Claim::statement),
                 field<NotEmpty>("source", &Claim::source),
                 field<TheoremName>("theorem", &Claim::theorem).says("The id of the theorem that the claim cites."),
                 field("preconditions", &Claim::preconditions),
                 field("expected", &Claim::expected).says("holds, or refuted for a negative control."),
                 field("ceiling", &Claim::ceiling)
                     .if_there([](const Claim& claim) { return !claim.ceiling.empty(); })
                     .says("For a negative control: the true claim that says how far the same result may err; "
                           "absent if there is none."));
};
template <>
struct Document<Listing::Property> {
  using Property = Listing::Property;
  static constexpr auto what = "a property";
  static constexpr auto fields =
      std::tuple(field<PropertyName>("name", &Property::name),
                 field("tier", &Property::tier).says("quick, nightly, exhaustive or giant."),
                 field("format", &Property::format).says(about_formats), field<Rigor>("rigor", &Property::rigor),
                 field("cases", &Property::cases), field("accepts", &Property::accepts),
                 field("classes", &Property::classes), field("claims", &Property::claims));
};
template <>
struct Document<Listing::Theorem> {
  using Theorem = Listing::Theorem;
  static constexpr auto what = "a theorem";
  static constexpr auto fields =
      std::tuple(field<TheoremName>("id", &Theorem::id), field<NotEmpty>("hypotheses", &Theorem::hypotheses),
                 field<NotEmpty>("statement", &Theorem::statement), field<NotEmpty>("source", &Theorem::source));
};
template <>
struct Document<Listing> {
  static constexpr auto what = "the list";
  static constexpr auto fields =
      std::tuple(schema_field, field("properties", &Listing::properties),
                 field("theorems", &Listing::theorems).says("The theorems that the claims cite, by id."));
};

}  // namespace assay::store
