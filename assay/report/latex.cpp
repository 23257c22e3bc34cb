#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "assay/report/exports.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/sources.hpp"
#include "assay/report/text.hpp"
#include "assay/store/json.hpp"

namespace assay::report {
namespace {

/// Characters of statements in LaTeX's mathematics.
constexpr std::pair<std::string_view, std::string_view> mathematics[] = {
    {"§", "\\S"},       {"–", "\\mbox{--}"}, {"±", "\\pm"},
    {"·", "\\cdot"},    {"½", "\\frac12"},   {"×", "\\times"},
    {"÷", "\\div"},     {"Ĉ", "\\hat C"},    {"ĉ", "\\hat c"},
    {"ŝ", "\\hat s"},   {"ŷ", "\\hat y"},    {"Σ", "\\sum"},
    {"Ω", "\\Omega"},   {"α", "\\alpha"},    {"β", "\\beta"},
    {"γ", "\\gamma"},   {"δ", "\\delta"},    {"ε", "\\varepsilon"},
    {"η", "\\eta"},     {"θ", "\\theta"},    {"κ", "\\kappa"},
    {"λ", "\\lambda"},  {"μ", "\\mu"},       {"ν", "\\nu"},
    {"ρ", "\\rho"},     {"σ", "\\sigma"},    {"τ", "\\tau"},
    {"φ", "\\varphi"},  {"χ", "\\chi"},      {"ω", "\\omega"},
    {"π", "\\pi"},      {"‖", "\\|"},        {"…", "\\ldots"},
    {"′", "'"},         {"ℤ", "\\mathbf Z"}, {"∈", "\\in"},
    {"−", "-"},         {"∘", "\\circ"},     {"√", "\\surd"},
    {"∞", "\\infty"},   {"≤", "\\le"},       {"≥", "\\ge"},
    {"≠", "\\ne"},      {"⌈", "\\lceil"},    {"⌉", "\\rceil"},
    {"⌊", "\\lfloor"},  {"⌋", "\\rfloor"},   {"→", "\\to"},
    {"Π", "\\prod"},    {"⁰", "^0"},         {"¹", "^1"},
    {"²", "^2"},        {"³", "^3"},         {"⁴", "^4"},
    {"⁵", "^5"},        {"⁶", "^6"},         {"⁷", "^7"},
    {"⁸", "^8"},        {"⁹", "^9"},         {"⁺", "^+"},
    {"⁻", "^-"},        {"ᴾ", "^P"},         {"ᵐ", "^m"},
    {"ʳ", "^r"},        {"ᵖ", "^p"},         {"ᶠ", "^F"},
    {"ᴰ", "^D"},        {"ᵀ", "^T"},         {"ˣ", "^x"},
    {"ʸ", "^y"},        {"₀", "_0"},         {"₁", "_1"},
    {"₂", "_2"},        {"₃", "_3"},         {"₄", "_4"},
    {"₅", "_5"},        {"₆", "_6"},         {"ⁿ", "^n"},
    {"ᵣ", "_r"},        {"ζ", "\\zeta"},     {"Λ", "\\Lambda"},
    {"∂", "\\partial"}, {"₊", "_+"},         {"₋", "_-"},
    {"ᵢ", "_i"},        {"ⱼ", "_j"},         {"ₕ", "_h"},
    {"ₖ", "_k"},        {"ₗ", "_l"},         {"ₙ", "_n"},
    {"ᵤ", "_u"},        {"|", "|"},          {"<", "<"},
    {">", ">"},         {"ᵗ", "^t"},         {"ℓ", "\\ell"},
    {"Δ", "\\Delta"},
};

/// How many bytes the character at the beginning of a text has.
std::size_t length_of_first(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) ++length;
  return length;
}

std::string escape_of(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '#':
    case '$':
    case '%':
    case '&':
    case '_':
    case '{':
    case '}':
      return std::string("\\") + c;
    default:
      return std::string(1, c);
  }
}

/// The mathematics for a character; empty for a text character.
std::string_view mathematics_of(std::string_view c) {
  for (const auto& [unicode, tex] : mathematics) {
    if (unicode == c) return tex;
  }
  return {};
}

/// A text character. A character without a LaTeX command becomes "?".
std::string text_of(std::string_view c) {
  if (c.size() == 1) return escape_of(c[0]);
  const bool latin = c.size() == 2 && c >= "\u00c0" && c < "\u0180";
  return latin ? std::string(c) : "?";
}

/// Text with runs of mathematics between dollars.
class Mixed {
 public:
  void add_text(std::string_view tex) {
    leave();
    out_ += tex;
  }
  /// "\\le", or "^2" for a superscript or subscript: neighbors share their exponent.
  void add_mathematics(std::string_view tex) {
    const bool raised = tex.size() == 2 && (tex[0] == '^' || tex[0] == '_');
    if (raised && raised_ == tex[0]) {
      math_.pop_back();
      math_ += std::string(tex.substr(1)) + "}";
      return;
    }
    raised_ = raised ? tex[0] : '\0';
    math_ += raised ? "{}" + std::string(tex.substr(0, 1)) + "{" + std::string(tex.substr(1)) + "}"
                    : std::string(tex) + (tex[0] == '\\' && tex != "\\|" ? " " : "");
  }
  std::string taken() {
    leave();
    return std::move(out_);
  }

 private:
  void leave() {
    if (!math_.empty()) out_ += "$" + math_ + "$";
    math_.clear();
    raised_ = '\0';
  }

  std::string out_;
  std::string math_;
  char raised_ = '\0';
};

/// The superscript or subscript after "_" or "^", and its length in bytes: the content of the brackets; after "^" also
/// letters and digits with a sign; after "_" also a single one of them. Empty if the sign is part of a name.
std::pair<std::string_view, std::size_t> shifted(std::string_view text, char open, char close) {
  if (!text.starts_with(open)) {
    const auto is_name = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const std::size_t sign = open == '(' && text.starts_with('-') ? 1 : 0;
    std::size_t end = sign;
    while (end < text.size() && is_name(text[end])) ++end;
    const bool taken = end > sign && (open == '(' || end == 1);
    return taken ? std::pair(text.substr(0, end), end) : std::pair(std::string_view(), std::size_t{0});
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == open ? 1 : text[i] == close ? -1 : 0;
    if (depth == 0) return {text.substr(1, i - 1), i + 1};
  }
  return {};
}

/// Combining accents, which Unicode puts after a letter and LaTeX before it.
constexpr std::pair<std::string_view, std::string_view> accents[] = {{"\u0302", "\\hat{"}, {"\u0303", "\\tilde{"}};

std::string tex_of(std::string_view text) {
  Mixed mixed;
  while (!text.empty()) {
    const char first = text.front();
    const bool lowered = first == '_';
    if (lowered || first == '^') {
      const auto [inside, length] = lowered ? shifted(text.substr(1), '{', '}') : shifted(text.substr(1), '(', ')');
      if (length != 0) {
        mixed.add_text((lowered ? "\\textsubscript{" : "\\textsuperscript{") + tex_of(inside) + "}");
        text.remove_prefix(1 + length);
        continue;
      }
    }
    const std::size_t length = length_of_first(text);
    const std::string_view c = text.substr(0, length);
    const std::string_view tex = mathematics_of(c);
    text.remove_prefix(length);
    const auto* const accent =
        std::ranges::find_if(accents, [&](const auto& each) { return text.starts_with(each.first); });
    if (accent != std::end(accents)) {
      mixed.add_mathematics(std::string(accent->second) + std::string(tex.empty() ? c : tex) + "}");
      text.remove_prefix(accent->first.size());
    } else if (!tex.empty()) {
      mixed.add_mathematics(tex);
    } else {
      mixed.add_text(text_of(c));
    }
  }
  return mixed.taken();
}

/// A name as it is; lines may break after its dots, slash and underscores.
std::string name_tex(std::string_view name) {
  std::string tex;
  for (; !name.empty(); name.remove_prefix(length_of_first(name))) {
    tex += text_of(name.substr(0, length_of_first(name)));
    if (std::string_view("./_").find(name.front()) != std::string_view::npos) tex += "\\allowbreak ";
  }
  return tex;
}

std::string cases_text(std::uint64_t cases) {
  std::string digits = std::to_string(cases);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, "\\,");
  return digits;
}

/// 2.31e-9 as 2.31 times a power of ten.
std::string power_tex(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const std::string sign = text[e + 1] == '-' ? "-" : "";
  return text.substr(0, e) + "$\\cdot 10^{" + sign + text.substr(text.find_first_not_of("+-0", e + 1)) + "}$";
}

/// error/bound; 0.9999999999999998 becomes 1 minus 2.22 times a power of ten.
std::string ratio_tex(double ratio) {
  if (std::isinf(ratio)) return "$\\infty$";
  if (ratio > 0.9995 && ratio < 1) return "$1-{}$" + power_tex(short_ratio(1 - ratio));
  return power_tex(ratio_text(ratio));
}

/// error/bound with its mark, or the verdict in words if there is no number or the claim does not hold.
std::string result_of(const store::PropertySummary& property, std::size_t c) {
  const store::Finding verdict = property.findings[c].verdict;
  const ClaimTally& tally = property.tally.claims[c];
  std::string text = tex_of(store::word(verdict));
  if (has_numeric_tightness(tally)) {
    const bool expected = verdict == store::Finding::holds || verdict == store::Finding::refuted_as_expected;
    text = (expected ? "" : text + ", ") + ratio_tex(tally.worst.ratio);
  }
  if (verdict == store::Finding::refuted_as_expected) text += "\\textsuperscript{\\ddag}";
  return text + (property.rigor == "exhaustive" ? "\\,\\rule{0.7ex}{0.7ex}" : "\\textsuperscript{\\dag}");
}

/// The keys of the works, and "derived" if a part is derived; a source that names no known work is given in its own
/// words.
std::string source_of(const std::string& source) {
  std::string keys;
  for (const std::string& key : keys_of(source)) keys += (keys.empty() ? "" : ",") + key;
  const std::string own = source.find("derived") != std::string::npos ? "derived" : "";
  if (keys.empty()) return own.empty() ? tex_of(source) : own;
  return own + (own.empty() ? "" : ", ") + "\\cite{" + keys + "}";
}

std::string caption_of(const store::Summary& summary) {
  const auto fact = [&](const char* key, const char* before) {
    const auto found = summary.provenance.find(key);
    return found == summary.provenance.end() ? "" : before + tex_of(found->second);
  };
  return "Largest error/bound measured by Assay" + fact("version", " ") + fact("commit", ", commit ") +
         fact("device", ", on ") + ", " + tex_of(summary.tier) + " tier, seed " + std::to_string(summary.seed) +
         ". \\dag: sampled, a lower bound on the largest. \\rule{0.7ex}{0.7ex}: every input of the domain was tested. "
         "\\ddag: a negative control, whose statement is false.";
}

}  // namespace

std::string report_latex(const store::Summary& summary) {
  constexpr std::size_t most_on_a_page = 40;
  const bool several = executors_of(summary).size() > 1;
  std::string rows;
  std::size_t count = 0;
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const ClaimInfo& claim = property.info.claims[c];
      if (is_unasked(claim.id)) continue;
      ++count;
      rows += "\\raggedright\\texttt{" + name_tex(property.info.name + "/" + claim.id) + "} & \\raggedright " +
              tex_of(claim.statement) + " & " + cases_text(property.tally.claims[c].executed) + " & " +
              result_of(property, c) + " & " + (several ? property.executor + " & " : "") + "\\raggedright " +
              source_of(claim.source) + " \\tabularnewline\n";
    }
  }
  const std::string columns =
      "{@{}p{0.23\\linewidth}p{0.27\\linewidth}rr" + std::string(several ? "l" : "") + "p{0.12\\linewidth}@{}}\n";
  const std::string head = "\\toprule\nclaim & statement & cases & error/bound & " +
                           std::string(several ? "on & " : "") + "source \\tabularnewline\n\\midrule\n";
  const std::string caption = "\\caption{" + caption_of(summary) + "}";
  const std::string small = "\\footnotesize\\setlength{\\tabcolsep}{3pt}\n";
  const std::string needs = "; \\cite needs the file of `assay report --bibtex`.\n";
  if (count > most_on_a_page) {
    return "% Needs \\usepackage{booktabs,longtable}" + needs + "{" + small + "\\begin{longtable}" + columns + caption +
           " \\tabularnewline\n" + head + "\\endfirsthead\n" + head + "\\endhead\n" + rows +
           "\\bottomrule\n\\end{longtable}}\n";
  }
  return "% Needs \\usepackage{booktabs}" + needs + "\\begin{table}\n\\centering\n" + caption + "\n" + small +
         "\\begin{tabular}" + columns + head + rows + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

std::string report_bibtex(const store::Summary& summary) {
  std::set<std::string> cited;
  for (const store::PropertySummary& property : summary.properties) {
    for (const ClaimInfo& claim : property.info.claims) {
      for (std::string& key : keys_of(claim.source)) cited.insert(std::move(key));
    }
  }
  std::string text;
  for (const Source& each : sources()) {
    if (cited.contains(each.key)) text += (text.empty() ? "" : "\n") + each.entry;
  }
  return text;
}

}  // namespace assay::report
