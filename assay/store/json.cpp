#include "assay/store/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace assay::store {

namespace {

/// A double is the shortest decimal that reads back; all else is as nlohmann prints it, with U+FFFD for what is no
/// UTF-8.
void append_scalar(std::string& out, const Json& value) {
  if (value.is_number_float()) {
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.get<double>());
    out.append(buffer.data(), end);
  } else {
    out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

/// One line; `spaces` after commas and colons.
void append_line(std::string& out, const Json& value, bool spaces) {
  if (value.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      if (!first) out += spaces ? ", " : ",";
      first = false;
      append_scalar(out, key);
      out += spaces ? ": " : ":";
      append_line(out, member, spaces);
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    bool first = true;
    for (const Json& element : value) {
      if (!first) out += spaces ? ", " : ",";
      first = false;
      append_line(out, element, spaces);
    }
    out += ']';
  } else {
    append_scalar(out, value);
  }
}

bool holds_no_object(const Json& value) {
  return !value.is_object() && (!value.is_array() || std::all_of(value.begin(), value.end(), holds_no_object));
}

/// Whether the members are scalars and arrays without objects: such a value may stand on one line.
bool is_flat(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& member) {
    return member.is_structured() && (member.is_object() || !holds_no_object(member));
  });
}

void append_indented(std::string& out, const Json& value, std::size_t depth) {
  constexpr std::size_t short_line = 100;
  if (!value.is_structured() || value.empty()) {
    append_line(out, value, true);
    return;
  }
  if (value.is_array() ? holds_no_object(value) : depth > 0 && is_flat(value)) {
    std::string line;
    append_line(line, value, true);
    if (value.is_array() || line.size() <= short_line) {
      out += line;
      return;
    }
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += value.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    if (!first) out += ",\n";
    first = false;
    out += indent;
    if (value.is_object()) {
      append_scalar(out, key);
      out += ": ";
    }
    append_indented(out, member, depth + 1);
  }
  out += '\n';
  out.append(2 * depth, ' ');
  out += value.is_object() ? '}' : ']';
}

}  // namespace

std::string compact(const Json& value) {
  std::string out;
  append_line(out, value, false);
  return out;
}

std::string pretty(const Json& value) {
  std::string out;
  append_indented(out, value, 0);
  out += '\n';
  return out;
}

Json parse_json(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto refuse_repeated_keys = [&keys](int, nlohmann::detail::parse_event_t event, Json& parsed) {
    using Event = nlohmann::detail::parse_event_t;
    if (event == Event::object_start) {
      keys.emplace_back();
    } else if (event == Event::object_end) {
      keys.pop_back();
    } else if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw JsonError("the field " + compact(parsed) + " stands twice in one object");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeated_keys);
  } catch (const nlohmann::json::parse_error& error) {
    const bool truncated = error.byte > text.size();
    throw JsonError((truncated ? "truncated: the JSON text ends after byte " : "no JSON at byte ") +
                    std::to_string(truncated ? text.size() : error.byte));
  } catch (const nlohmann::json::exception&) {
    throw JsonError("holds a number that is out of range");
  }
}

std::string hex16(std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = digits[value & 15];
  return text;
}

Json ratio_to_json(double ratio) {
  if (std::isinf(ratio)) return "inf";
  if (ratio >= 0 && ratio < 0x1p53 && ratio == std::floor(ratio)) return static_cast<std::uint64_t>(ratio);
  return ratio;
}

double ratio_from_json(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string() && value.get_ref<const std::string&>() == "inf") return std::numeric_limits<double>::infinity();
  throw JsonError("a ratio is neither a number nor \"inf\"");
}

Json ulps_to_json(const std::optional<double>& ulps) {
  if (!ulps) return nullptr;
  if (*ulps >= 0) return ratio_to_json(*ulps);
  if (std::isinf(*ulps)) return "-inf";
  return *ulps > -0x1p53 && *ulps == std::ceil(*ulps) ? Json(static_cast<std::int64_t>(*ulps)) : Json(*ulps);
}

std::optional<double> ulps_from_json(const Json& value) {
  if (value.is_null()) return std::nullopt;
  if (value.is_string() && value.get_ref<const std::string&>() == "-inf") {
    return -std::numeric_limits<double>::infinity();
  }
  if (!value.is_number() && value != "inf") throw JsonError("an error in ulps is no number");
  return ratio_from_json(value);
}

}  // namespace assay::store
