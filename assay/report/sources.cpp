#include "assay/report/sources.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "assay/report/sources_text.hpp"

namespace assay::report {
namespace {

/// The text up to the separator, which is removed as well.
std::string_view taken(std::string_view& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return part;
}

/// The words of "  cited_as = {a | b},".
std::vector<std::string> words_of(std::string_view line) {
  constexpr std::string_view end = "},";
  if (!line.ends_with(end)) throw std::invalid_argument("a field without its end: " + std::string(line));
  line.remove_suffix(end.size());
  std::vector<std::string> words;
  while (!line.empty()) words.emplace_back(taken(line, " | "));
  return words;
}

void finish(const Source& source) {
  if (source.cited_as.empty()) throw std::invalid_argument(source.key + " has no cited_as");
}

}  // namespace

std::vector<Source> sources_of(std::string_view bib) {
  constexpr std::string_view cited = "  cited_as = {";
  std::vector<Source> found;
  bool inside = false;
  while (!bib.empty()) {
    const std::string_view line = taken(bib, "\n");
    const bool outside = line.empty() || line.starts_with("%");
    if (!inside && line.starts_with("@") && line.ends_with(",") && line.find('{') != std::string_view::npos) {
      std::string_view key = line.substr(line.find('{') + 1);
      key.remove_suffix(1);
      const auto same = [&](const Source& each) { return each.key == key; };
      if (std::any_of(found.begin(), found.end(), same)) {
        throw std::invalid_argument(std::string(key) + " stands twice");
      }
      found.push_back({std::string(key), std::string(line) + "\n", {}});
      inside = true;
    } else if (inside && line.starts_with(cited)) {
      found.back().cited_as = words_of(line.substr(cited.size()));
    } else if (inside && (line == "}" || line.starts_with("  "))) {
      found.back().entry += std::string(line) + "\n";
      inside = line != "}";
      if (!inside) finish(found.back());
    } else if (inside || !outside) {
      throw std::invalid_argument("no line of an entry: " + std::string(line));
    }
  }
  return found;
}

std::span<const Source> sources() {
  static const std::vector<Source> all = sources_of(sources_text);
  return all;
}

std::vector<std::string> keys_of(std::string_view source) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const Source& each : sources()) {
    std::size_t first = std::string_view::npos;
    for (const std::string& words : each.cited_as) first = std::min(first, source.find(words));
    if (first != std::string_view::npos) found.emplace_back(first, each.key);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> keys;
  keys.reserve(found.size());
  for (auto& [at, key] : found) keys.push_back(std::move(key));
  return keys;
}

std::vector<std::string> unresolved(std::string_view source) {
  std::vector<std::string> parts;
  while (!source.empty()) {
    const std::string_view part = taken(source, "; ");
    if (part.find("derived") == std::string_view::npos && keys_of(part).empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace assay::report
