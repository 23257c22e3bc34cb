#include "assay/report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "assay/store/printable.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::report {

namespace {

/// The number of bytes of the UTF-8 character at the beginning; 0 if there is none, or XML forbids it.
std::size_t character_of_xml(std::string_view text) {
  const auto [size, code] = store::first_character(text);
  const bool is_forbidden = (code < 0x20 && code != U'\n' && code != U'\t') || code == 0xfffe || code == 0xffff;
  return is_forbidden ? 0 : size;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character_of_xml(text);
    switch (text[0]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += size == 0 ? "\uFFFD" : text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string grouped(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += "\u202F";
    text += digits[i];
  }
  return text;
}

std::string ratio_text(double ratio) {
  if (ratio < 0) return "–";
  if (std::isinf(ratio)) return "∞";
  std::string text;
  for (int digits = 4; digits <= 17; ++digits) {
    std::array<char, 64> buffer;
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), ratio, std::chars_format::general, digits);
    text.assign(buffer.data(), end);
    if (text != "1" || ratio == 1) break;
  }
  return text;
}

std::string violation_probability(std::uint64_t cases) {
  return cases < 3 ? "–" : ratio_text(3.0 / static_cast<double>(cases));
}

std::string signed_ulps(const std::optional<double>& ulps) {
  if (!ulps) return "";
  std::array<char, 64> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), *ulps, std::chars_format::general, 4);
  return (*ulps > 0 ? "+" : "") + std::string(buffer.data(), end) + " ulp";
}

bool has_numeric_tightness(const ClaimTally& tally) {
  return std::any_of(tally.histogram.begin() + 1, tally.histogram.end() - 1,
                     [](std::uint64_t count) { return count > 0; }) ||
         (tally.worst.ratio > 0 && std::isfinite(tally.worst.ratio));
}

std::string terms_text(const ClaimTally& tally) {
  std::string text;
  for (const auto& [name, worst] : tally.terms) {
    text += (text.empty() ? "" : ", ") + name + " " + ratio_text(worst.ratio);
  }
  return text;
}

std::string closest_text(const ClaimTally& tally) {
  if (tally.closest.number == no_case) return "";
  return "2^" + std::to_string(tally.closest.log2_ulps) + " ulp";
}

bool needs_attention(store::Finding finding) {
  return finding != store::Finding::holds && !is_refuted(finding) && finding != store::Finding::not_run;
}

bool needs_attention(const store::ClaimFinding& finding) {
  const bool is_promised = finding.verdict != store::Finding::broken;
  return needs_attention(finding.verdict) || (is_promised && !finding.corpus_surprises.empty());
}

bool is_refuted(store::Finding finding) {
  return finding == store::Finding::refuted_as_expected || finding == store::Finding::broken;
}

std::vector<std::uint64_t> count_verdicts(const store::Summary& summary) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(store::Finding::not_run) + 1);
  for (const store::PropertySummary& property : summary.properties) {
    for (const store::ClaimFinding& finding : property.findings) ++counts[static_cast<std::size_t>(finding.verdict)];
  }
  return counts;
}

std::vector<std::string> executors_of(const store::Summary& summary) {
  std::set<std::string> names;
  for (const store::PropertySummary& property : summary.properties) names.insert(property.executor);
  return {names.begin(), names.end()};
}

std::string pairs_text(const store::PropertySummary& property) {
  if (property.info.traits.empty()) return "";
  const TraitPairs pairs(property.info.traits, property.info.impossible_pairs);
  return grouped(pairs.covered(property.tally.pairs)) + " of " + grouped(pairs.possible());
}

std::vector<std::string> impossible_pairs_text(const PropertyInfo& info) {
  const auto joined = [](const std::vector<std::string>& values) {
    std::string all;
    for (const std::string& each : values) all += (all.empty() ? "" : ", ") + each;
    return all;
  };
  std::vector<std::string> lines;
  for (const ImpossiblePairs& each : info.impossible_pairs) {
    lines.push_back(each.trait + " = " + joined(each.values) + " with " + each.other + " = " +
                    joined(each.other_values) + ": " + each.because);
  }
  return lines;
}

std::string same_case_text(const store::PropertySummary& property, std::size_t c) {
  std::string text;
  for (const std::string& id : store::claims_of_same_case(property, c)) text += (text.empty() ? "" : ", ") + id;
  return text.empty() ? "" : "the same case fails " + text;
}

std::string shrunk_text(std::uint64_t tried, bool is_minimal) {
  return grouped(tried) + (tried == 1 ? " smaller case tried" : " smaller cases tried") +
         (is_minimal ? ", no case one step smaller fails" : "");
}

std::string family_of(const std::string& property) { return property.substr(0, property.find('.')); }

std::string operation_name(const std::string& property) {
  const std::size_t begin = property.find('.') + 1;
  return property.substr(begin, property.find('.', begin) - begin);
}

}  // namespace assay::report
