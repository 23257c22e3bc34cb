#include "assay/doors/call.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace assay::doors {
namespace {

/// The C type of a number of the format in a function's signature: narrow formats are passed as bit patterns, except to
/// functions of <math.h>. A format without a C type is named by itself.
std::string type_named(std::string_view format, CallForm form) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> types{{{"f64", "double"},
                                                                                {"f32", "float"},
                                                                                {"f16", "uint16_t"},
                                                                                {"bf16", "uint16_t"},
                                                                                {"e4m3", "uint8_t"},
                                                                                {"e5m2", "uint8_t"},
                                                                                {"s8", "int8_t"},
                                                                                {"s32", "int32_t"}}};
  if (format == "f16" && form == CallForm::libm) return "_Float16";
  const auto known = std::ranges::find(types, format, &std::pair<std::string_view, std::string_view>::first);
  return std::string(known == types.end() ? format : known->second);
}

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string declaration_of(const Operation& operation, const std::string& format, const std::string& symbol,
                           CallForm form) {
  const auto signature = std::ranges::find(operation.signatures, form, &Signature::form);
  if (signature == operation.signatures.end()) return "";
  const std::size_t colon = format.find(':');
  const std::string numbers = format.substr(0, colon);
  const std::string results = colon == std::string::npos ? format : format.substr(colon + 1);
  const std::string& text = signature->declaration;
  const std::size_t open = text.find('(');
  std::string declaration;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    if (end == at) {
      declaration += text[at];
      if (text[at++] == ')') break;  // remarks follow
      continue;
    }
    const std::string word = text.substr(at, end - at);
    if (end == open) {
      declaration += symbol;
    } else if (word == "T") {
      declaration += type_named(numbers, form);
    } else if (word == "R") {
      declaration += type_named(results, form);
    } else if (word == "S") {
      declaration += results == "f64" ? "double" : "float";
    } else {
      declaration += word;
    }
    at = end;
  }
  return declaration;
}

}  // namespace assay::doors
