#pragma once
// The form in documents of names of properties, theorems and cases, of days, and of numbers of results.

#include <string>
#include <string_view>

#include "assay/store/bits_document.hpp"
#include "assay/store/day.hpp"
#include "assay/store/document.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/names.hpp"

namespace assay::store {

struct DottedNames {
  static constexpr auto text = "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+$";
  static bool matches(std::string_view given) { return is_property_name(given); }
};
using PropertyName = Matching<DottedNames>;

/// The id of a theorem: family.topic.number.
struct TheoremName : Codec<std::string> {
  static Json schema(Json&) {
    return {{"type", "string"}, {"pattern", R"(^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[1-9][0-9]*$)"}};
  }
};

struct DigitsOfCases : SixteenDigits {
  static bool matches(std::string_view given) {
    return given.size() == 16 && given.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }
};
using CaseId = Matching<DigitsOfCases>;

struct DigitsOfDays {
  static constexpr auto text = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
  static bool matches(std::string_view given) { return is_day(given); }
};
using Day = Matching<DigitsOfDays>;

/// A number of a result, in hexadecimal.
struct Hexadecimal : Codec<std::string> {
  static Json schema(Json& definitions) {
    return reference(definitions, "float", [] {
      return Json{{"description", "A hexadecimal float with all bits: 0x1.8p+3, -0x0p+0, inf, nan:0x8000000000000."},
                  {"type", "string"},
                  {"pattern", "^-?(0x[0-9a-f]+(\\.[0-9a-f]+)?p[+-]?[0-9]+|inf|nan(:0x[0-9a-f]+)?)$"}};
    });
  }
};

}  // namespace assay::store
