#include "oracle/format.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

namespace assay::oracle {
namespace {

constexpr std::string_view finite_nan_suffix = ":finite_nan";

}  // namespace

std::string name(const Format& format) {
  for (const auto& [text, value] : named_formats) {
    if (value == format) return std::string(text);
  }
  std::string text = "p" + std::to_string(format.precision);
  text.append(":").append(std::to_string(format.emin)).append(":").append(std::to_string(format.emax));
  if (format.specials == Specials::finite_nan) text += finite_nan_suffix;
  return text;
}

Format format_named(const std::string& name_) {
  for (const auto& [text, value] : named_formats) {
    if (text == name_) return value;
  }
  const auto wrong = [&] { return std::invalid_argument("no format has the name '" + name_ + "'"); };
  std::string_view rest = name_;
  const auto number = [&](char before) {
    int value = 0;
    if (rest.empty() || rest.front() != before) throw wrong();
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), value);
    if (error != std::errc()) throw wrong();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  };
  Format format{number('p'), 0, 0};
  format.emin = number(':');
  format.emax = number(':');
  if (rest == finite_nan_suffix) {
    format.specials = Specials::finite_nan;
  } else if (!rest.empty()) {
    throw wrong();
  }
  if (name(format) != name_) throw wrong();
  return format;
}

}  // namespace assay::oracle
