#include "errorbounds/pages/page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "errorbounds/theorem.hpp"

namespace assay::theorems {
namespace {

constexpr std::string_view kHeading = "### Theorem ";
constexpr std::size_t kLongestLine = 120;

struct Field {
  std::string_view label;
  std::string Entry::*text;
  bool needed = true;
};
constexpr std::array<Field, 9> kFields{{{"Hypotheses:", &Entry::hypotheses},
                                        {"Statement:", &Entry::statement},
                                        {"Source:", &Entry::source},
                                        {"Bound:", &Entry::bound, false},
                                        {"Proof:", &Entry::proof},
                                        {"Attained:", &Entry::attained},
                                        {"Largest published:", &Entry::published, false},
                                        {"Checked by:", &Entry::checked_by},
                                        {"Loose because:", &Entry::loose_because, false}}};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Counts code points: bytes that do not continue one.
std::size_t length(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The function that "`name`" names; empty for another text.
std::string function_of(const Entry& theorem) {
  const std::string text = normalized(theorem.bound);
  if (text.size() < 3 || text.front() != '`' || text.back() != '`') return "";
  std::string name = text.substr(1, text.size() - 2);
  const bool letters = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  return letters && name.front() >= 'a' ? name : "";
}

class PageCheck {
 public:
  PageCheck(const std::string& page, std::string_view text)
      : page_(page), text_(text), theorems_(theorems_of(page, text)) {}

  std::vector<std::string> run() {
    check_lines();
    for (auto each = theorems_.begin(); each != theorems_.end(); ++each) {
      if (stands_before(each->id, each)) offence(each->id + " stands twice");
      check_id(each);
      check_fields(*each);
    }
    return std::move(offences_);
  }

 private:
  using Place = std::vector<Entry>::const_iterator;

  void offence(const std::string& reason) { offences_.push_back(page_ + ": " + reason); }

  bool stands_before(const std::string& id, Place end) const {
    return std::any_of(theorems_.begin(), end, [&](const Entry& each) { return each.id == id; });
  }

  void check_lines() {
    int number = 0;
    for (const std::string_view line : lines_of(text_)) {
      const std::string place = "line " + std::to_string(++number);
      if (std::any_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U; })) {
        offence(place + " has a control character");
      }
      if (length(line) > kLongestLine) offence(place + " has more than 120 characters");
    }
  }

  void check_id(Place at) {
    const std::string& id = at->id;
    if (!TheoremId::is_theorem_id(id)) {
      offence("'" + id + "' is not family.topic.number");
      return;
    }
    if (family_of(id) != page_) offence(id + " belongs on the page of its family");
    const std::size_t dot = id.rfind('.');
    const int number = std::stoi(id.substr(dot + 1));
    const std::string previous = id.substr(0, dot + 1) + std::to_string(number - 1);
    if (number == 1 || stands_before(previous, at)) return;
    offence(id + (stands_before(previous, theorems_.end()) ? " stands before " : " without ") + previous);
  }

  void check_fields(const Entry& each) {
    for (const Field& field : kFields) {
      if (field.needed && normalized(each.*field.text).empty()) {
        offence(each.id + " has no '" + std::string(field.label) + "'");
      }
    }
    for (const std::string& label : each.repeated) offence(each.id + " has '" + label + "' twice");
    if (!each.bound.empty() && function_of(each).empty()) {
      offence(each.id + " has a bound that is no name of a function: " + normalized(each.bound));
    }
    if (each.published.empty()) return;
    const std::optional<Published> published = published_of(each.published);
    if (!published || published->leading.empty() != each.bound.empty()) {
      offence(each.id + " has a largest published error that is not \"" +
              (each.bound.empty() ? "VALUE" : "VALUE of LEADING TERM") +
              ", KEY, PLACE\": " + normalized(each.published));
    }
  }

  const std::string& page_;
  std::string_view text_;
  std::vector<Entry> theorems_;
  std::vector<std::string> offences_;
};

/// A string literal of C++.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// "2.25u²" in two.
struct Quantity {
  double number = 0;
  std::string unit;
};

std::optional<Quantity> quantity_of(std::string_view text) {
  Quantity quantity;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number, std::chars_format::fixed);
  quantity.unit = std::string(parsed.ptr, text.data() + text.size());
  const bool is_unit = quantity.unit.find_first_of(" ,;0123456789.") == std::string::npos;
  const bool is_number = parsed.ec == std::errc{} && text.front() >= '0' && text.front() <= '9';
  if (!is_number || !(quantity.number > 0) || !is_unit) return std::nullopt;
  return quantity;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

/// The text up to the separator, which is removed as well.
std::string taken(std::string& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  std::string part = text.substr(0, end);
  text = end == std::string::npos ? "" : text.substr(end + separator.size());
  return part;
}

std::string object_of(const Entry& theorem) {
  std::string name = theorem.id;
  std::replace(name.begin(), name.end(), '.', '_');
  std::string text = "inline constexpr auto " + name + " = theorem(\n    {\n        .id = " + quoted(theorem.id);
  text += ",\n        .hypotheses = " + quoted(normalized(theorem.hypotheses));
  text += ",\n        .statement = " + quoted(normalized(theorem.statement));
  text += ",\n        .source = " + quoted(normalized(theorem.source));
  const std::string loose = normalized(theorem.loose_because);
  if (!loose.empty()) text += ",\n        .loose_because = " + quoted(loose);
  const std::string checked_by = normalized(theorem.checked_by);
  if (!checked_by.empty()) text += ",\n        .checked_by = " + quoted(checked_by);
  const std::string attained = normalized(theorem.attained);
  if (!attained.empty()) text += ",\n        .attained = " + quoted(attained);
  text += ",\n    }";
  if (!theorem.bound.empty()) text += ",\n    " + function_of(theorem);
  return text + ");\n\n";
}

}  // namespace

std::vector<Entry> theorems_of(const std::string& page, std::string_view text) {
  std::vector<Entry> theorems;
  bool inside = false;
  std::string Entry::*field = nullptr;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with("#")) {
      inside = line.starts_with(kHeading);
      field = nullptr;
      if (inside) {
        theorems.emplace_back();
        theorems.back().page = page;
        theorems.back().id = line.substr(kHeading.size());
      }
      continue;
    }
    if (!inside) continue;
    Entry& current = theorems.back();
    const auto* const label =
        std::find_if(kFields.begin(), kFields.end(), [&](const Field& each) { return line.starts_with(each.label); });
    if (label != kFields.end()) {
      field = label->text;
      if (!(current.*field).empty()) current.repeated.emplace_back(label->label);
      current.*field = line.substr(label->label.size());
    } else if (field != nullptr && line.empty() && field != &Entry::proof) {
      field = nullptr;
    } else if (field != nullptr) {
      current.*field += '\n';
      current.*field += line;
    }
  }
  return theorems;
}

std::vector<std::string> offences_of_page(const std::string& page, std::string_view text) {
  return PageCheck(page, text).run();
}

std::string header_of_page(const std::string& page, std::string_view text) {
  std::string objects;
  bool bounded = false;
  for (const Entry& each : theorems_of(page, text)) {
    objects += object_of(each);
    bounded = bounded || !each.bound.empty();
  }
  return "// Written from docs/bounds/" + page + ".md by the build.\n#pragma once\n\n" +
         (bounded ? "#include \"errorbounds/" + page + ".hpp\"\n" : "") +
         "#include \"errorbounds/theorem.hpp\"\n\nnamespace assay {\n\n" + objects + "}  // namespace assay\n";
}

std::optional<Published> published_of(std::string_view text) {
  std::string rest = normalized(text);
  Published published;
  std::string amount = taken(rest, ", ");
  published.key = taken(rest, ", ");
  published.place = rest;
  published.value = taken(amount, " of ");
  published.leading = amount;
  const std::optional<Quantity> value = quantity_of(published.value);
  if (!value || !is_key(published.key) || published.place.empty()) return std::nullopt;
  if (published.leading.empty()) return published;
  const std::optional<Quantity> leading = quantity_of(published.leading);
  if (!leading || leading->unit != value->unit || leading->number < value->number) return std::nullopt;
  return published;
}

std::set<std::string> keys_of_bibtex(std::string_view text) {
  std::set<std::string> keys;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t brace = line.find('{');
    if (!line.starts_with("@") || !line.ends_with(",") || brace == std::string_view::npos) continue;
    keys.emplace(line.substr(brace + 1, line.size() - brace - 2));
  }
  return keys;
}

std::vector<std::string> unknown_works(std::span<const Entry> theorems, const std::set<std::string>& keys) {
  std::vector<std::string> lines;
  for (const Entry& each : theorems) {
    const std::optional<Published> published = published_of(each.published);
    if (!published || keys.contains(published->key)) continue;
    lines.push_back(each.page + ": " + each.id + " names a largest published error of " + published->key +
                    ", which docs/sources.bib does not have");
  }
  return lines;
}

std::string header_of_published(std::span<const Entry> theorems) {
  std::map<std::string, std::string> rows;
  for (const Entry& each : theorems) {
    const std::optional<Published> published = published_of(each.published);
    if (!published) continue;
    std::string ratio = "-1";
    if (!published->leading.empty()) {
      const auto number = [](const std::string& text) { return text.substr(0, text.find_first_not_of("0123456789.")); };
      ratio = number(published->value) + " / double{" + number(published->leading) + "}";
    }
    rows[each.id] = "    {" + quoted(each.id) + ", " + quoted(published->value) + ", " + quoted(published->leading) +
                    ", " + ratio + ", " + quoted(published->key) + ", " + quoted(published->place) + "},\n";
  }
  std::string text =
      "// Written from docs/bounds by the build.\n#pragma once\n\n#include <array>\n\n#include "
      "\"errorbounds/published.hpp\"\n\nnamespace assay {\n\ninline constexpr std::array<PublishedError, " +
      std::to_string(rows.size()) + "> published_table{{\n";
  for (const auto& [id, row] : rows) text += row;
  return text + "}};\n\n}  // namespace assay\n";
}

std::string normalized(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  if (!result.empty() && result.back() == '.') result.pop_back();
  return result;
}

std::string family_of(const std::string& id) { return id.substr(0, id.find('.')); }

}  // namespace assay::theorems
