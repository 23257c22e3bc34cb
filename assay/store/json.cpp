#include "assay/store/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "properties/framework/fnv.hpp"

namespace assay::store {

namespace {

/// Whether the text may stand between JSON's quotation marks without escapes.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char each) { return each >= ' ' && each <= '~' && each != '"' && each != '\\'; });
}

/// A double is the shortest decimal that reads back; everything else is printed by nlohmann, with U+FFFD for invalid
/// UTF-8.
void append_scalar(std::string& out, const Json& value) {
  if (const auto* const text = value.get_ptr<const Json::string_t*>(); text != nullptr && is_plain(*text)) {
    out += '"';
    out += *text;
    out += '"';
  } else if (value.is_number_float()) {
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

/// Whether the members are scalars and arrays without objects: such a value may be written on one line.
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

/// Builds the value of a text in time linear in its length. ordered_json searches the members of an object one after
/// the other, so keys are compared with a set of their own.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t size) : size_(size) {}
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return open(Json::object());
  }
  bool key(string_t& text) override {
    if (!keys_.back().insert(text).second) {
      throw JsonError("the field " + compact(text) + " stands twice in one object");
    }
    key_ = std::move(text);
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::json::parse_error*>(&error) == nullptr) {
      throw JsonError("holds a number that is out of range");
    }
    const bool truncated = position > size_;
    throw JsonError((truncated ? "truncated: the JSON text ends after byte " : "no JSON at byte ") +
                    std::to_string(truncated ? size_ : position));
  }

 private:
  bool open(Json empty) {
    constexpr std::size_t deepest = 100;
    if (open_.size() == deepest) throw JsonError("is nested more than " + std::to_string(deepest) + " deep");
    open_.push_back(place(std::move(empty)));
    return true;
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  /// Puts the value at the current place of the text. The result is valid until the next value of the same object or
  /// array is added.
  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      auto& elements = open_.back()->get_ref<Json::array_t&>();
      elements.push_back(std::move(value));
      return &elements.back();
    }
    auto& members = open_.back()->get_ref<Json::object_t&>();
    members.Json::object_t::Container::emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }

  std::size_t size_;
  Json root_;
  std::vector<Json*> open_;
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
};

/// The text before the digits of a checksum at the end of an object, and after them.
struct Seal {
  std::string_view before;
  std::string_view behind;
};
constexpr Seal of_line{R"(,"checksum":")", R"("})"};
constexpr Seal of_document{",\n  \"checksum\": \"", "\"\n}\n"};

const Seal& seal_of(std::string_view text) { return text.ends_with('\n') ? of_document : of_line; }

}  // namespace

std::string first_difference(const Json& there, const Json& here) {
  const Json differences = Json::diff(there, here);
  if (differences.empty()) return "";
  const auto path = differences.at(0).at("path").get<std::string>();
  const Json::json_pointer place(path);
  const auto text = [&](const Json& document) {
    return document.contains(place) ? compact(document.at(place)) : std::string("nothing");
  };
  return path.substr(std::min<std::size_t>(1, path.size())) + ": " + text(there) + " there, " + text(here) + " here";
}

std::string sealed(std::string_view object) {
  const Seal& seal = seal_of(object);
  std::string text(object.substr(0, object.size() - seal.behind.size() + 1));
  return text.append(seal.before).append(hex16(fnv1a(object))).append(seal.behind);
}

std::optional<std::string> unsealed(std::string_view text) {
  const Seal& seal = seal_of(text);
  const std::size_t length = seal.before.size() + 16 + seal.behind.size();
  if (text.size() < length) return std::nullopt;
  std::string object(text.substr(0, text.size() - length));
  object += seal.behind.substr(1);
  return sealed(object) == text ? std::optional(std::move(object)) : std::nullopt;
}

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
  Builder builder(text.size());
  Json::sax_parse(text, &builder);
  return builder.take();
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
