#pragma once
// The field lists of the traits of a property, and of the pairs of their values.

#include <string>

#include "assay/store/document.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/model.hpp"

namespace assay::store {

/// A text that the schema restricts to a pattern.
template <class Pattern>
struct Matching : Codec<std::string> {
  static void read(const Json& value, const Place& place, std::string& into) {
    Codec<std::string>::read(value, place, into);
    if (!Pattern::matches(into)) place.wrong(std::string("a text of the form ") + Pattern::text);
  }
  static Json schema(Json&) { return {{"type", "string"}, {"pattern", Pattern::text}}; }
};
struct NotEmpty : Codec<std::string> {
  static Json schema(Json&) { return {{"type", "string"}, {"minLength", 1}}; }
};

/// A set of pairs, a character each.
struct ZerosAndOnes {
  static constexpr auto text = "^[01]*$";
  static bool matches(std::string_view given) { return given.find_first_not_of("01") == std::string_view::npos; }
};
using SetOfPairs = Matching<ZerosAndOnes>;

template <>
struct Document<TraitInfo> {
  static constexpr auto what = "a trait";
  static constexpr auto fields = std::tuple(field("name", &TraitInfo::name), field("values", &TraitInfo::values));
};

template <>
struct Document<ImpossiblePairs> {
  static constexpr auto what = "impossible pairs";
  static constexpr auto fields =
      std::tuple(field("trait", &ImpossiblePairs::trait), field("values", &ImpossiblePairs::values),
                 field("other", &ImpossiblePairs::other), field("other_values", &ImpossiblePairs::other_values),
                 field<NotEmpty>("because", &ImpossiblePairs::because));
};

/// A list of a property, `info(object)`, that is absent if it is empty.
template <class Info, class List>
constexpr auto list_field(const char* key, Info info, List PropertyInfo::*list, const char* says) {
  return field(key, [info, list](auto& object) -> auto& { return info(object).*list; })
      .if_there([info, list](const auto& object) { return !(info(object).*list).empty(); })
      .says(says);
}
template <class Info>
constexpr auto traits_field(Info info) {
  return list_field("traits", info, &PropertyInfo::traits,
                    "Features with a few values each; every pair of values of two of them occurs in some case; absent "
                    "if the domain states none.");
}
template <class Info>
constexpr auto impossible_pairs_field(Info info) {
  return list_field("impossible_pairs", info, &PropertyInfo::impossible_pairs,
                    "Pairs of values that no case of the domain has: any of \"values\" with any of \"other_values\".");
}

}  // namespace assay::store
