#include "assay/report/overview.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>

#include "assay/report/outcome.hpp"
#include "assay/report/text.hpp"

namespace assay::report {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Unasked::count)> unasked_ids{
    "same_bits", "batch", "inputs_unchanged", "guard_zones", "environment"};

/// An operation that occurs with at least this many numbers has numbers of terms. Fewer numbers distinguish algorithms:
/// dw.mul1, dw.mul2, dw.mul3.
constexpr std::size_t fewest_terms = 4;

/// At most this many statements of one claim are written out, each with its numbers of terms.
constexpr std::size_t most_statements = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "certified_add16" as "certified_add" and 16, "renormalize16_to_8" as "renormalize2K_to_" and 8; number 0 without
/// digits at the end.
struct Operation {
  std::string stem;
  int number = 0;
};

Operation operation_of(const std::string& property) {
  const std::string name = operation_name(property);
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  Operation operation{name.substr(0, end), 0};
  if (const auto parsed = std::from_chars(name.data() + end, name.data() + name.size(), operation.number);
      parsed.ec != std::errc{}) {
    return {name, 0};
  }
  const std::string twice = std::to_string(2 * operation.number) + "_to_";
  if (end > twice.size() && operation.stem.ends_with(twice) && !is_digit(operation.stem[end - twice.size() - 1])) {
    operation.stem.replace(end - twice.size(), twice.size(), "2K_to_");
  }
  return operation;
}

int gravity(store::Finding verdict) {
  static constexpr std::array<store::Finding, 11> rising{
      store::Finding::not_run, store::Finding::holds,       store::Finding::refuted_as_expected,
      store::Finding::broken,  store::Finding::not_refuted, store::Finding::undecided,
      store::Finding::flaky,   store::Finding::violated,    store::Finding::out_of_memory,
      store::Finding::hung,    store::Finding::crashed};
  return static_cast<int>(std::find(rising.begin(), rising.end(), verdict) - rising.begin());
}

/// The text with every run of digits that reads `number` replaced by K.
std::string with_k(const std::string& text, int number) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == i) {
      out += text[i++];
    } else {
      const std::string_view run = std::string_view(text).substr(i, end - i);
      out += run == digits ? "K" : run;
      i = end;
    }
  }
  return out;
}

/// One statement for all numbers of terms; or a few, each with its numbers; or the first and the last.
std::string common_statement(const std::map<int, std::string>& by_number) {
  const auto& [least, first] = *by_number.begin();
  const bool only_in_k = std::all_of(by_number.begin(), by_number.end(), [&](const auto& each) {
    return with_k(each.second, each.first) == with_k(first, least);
  });
  const bool same =
      std::all_of(by_number.begin(), by_number.end(), [&](const auto& each) { return each.second == first; });
  if (same || only_in_k) return same ? first : with_k(first, least);
  struct Run {
    int from;
    int to;
    const std::string* statement;
  };
  std::vector<Run> runs;
  for (const auto& [number, statement] : by_number) {
    if (runs.empty() || *runs.back().statement != statement) runs.push_back({number, number, &statement});
    runs.back().to = number;
  }
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs.size() > most_statements && i == 1) {
      text += "; …";
      i = runs.size() - 1;
    }
    const Run& run = runs[i];
    text += (i == 0 ? "K = " : "; K = ") + std::to_string(run.from) +
            (run.to > run.from ? " … " + std::to_string(run.to) : "") + ": " + *run.statement;
  }
  return text;
}

/// Builds the overview of a family. Its rows have the order in which they were added.
struct Draft {
  bool by_terms = false;
  std::vector<OverviewRow> rows;
  std::map<std::string, OverviewCell> same_bits;  ///< by operation
  ClaimInfo same_bits_claim;
  std::vector<std::map<int, std::string>> statements;  ///< of each row, by number of terms
  std::map<std::string, std::size_t> row_by_promise;
  std::map<std::string, std::string> operations;
  std::set<std::string> formats;
  std::set<int> terms;

  /// The statement of a claim may depend on K. For one K it is the same in every format; a claim with another statement
  /// has its own row.
  std::size_t row_of(const std::string& operation, const ClaimInfo& claim) {
    const std::string promise =
        operation + '/' + claim.id + '/' + (by_terms ? std::to_string(claim.expected_refuted) : claim.statement);
    const auto [at, added] = row_by_promise.try_emplace(promise, rows.size());
    if (added) {
      OverviewRow row;
      row.operation = operation;
      row.claim = claim.id;
      row.source = claim.source;
      row.theorem = claim.theorem;
      rows.push_back(std::move(row));
      statements.emplace_back();
    }
    return at->second;
  }
};

void add(const store::PropertySummary& property, std::size_t c, OverviewCell& cell) {
  const ClaimTally& tally = property.tally.claims[c];
  if (cell.property.empty()) cell.property = property.info.name;
  const store::Finding verdict = property.findings[c].verdict;
  if (gravity(verdict) > gravity(cell.verdict)) cell.verdict = verdict;
  cell.ratio = std::max(cell.ratio, tally.worst.ratio);
  cell.exhaustive = cell.exhaustive || was_exhausted(property);
  cell.executed += tally.executed;
  cell.components += tally.components;
  cell.violated_components += tally.violated_components;
}

void add_curves(const store::PropertySummary& property, std::size_t c, std::vector<OverviewCurve>& curves) {
  const auto& features = property.tally.claims[c].features;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const FeatureInfo& feature = property.info.features[f];
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [&](const OverviewCurve& each) { return same_axis(each.feature, feature); });
    if (curve == curves.end()) {
      curve = curves.insert(curves.end(), {feature, std::vector<double>(features[f].size(), -1)});
    }
    for (std::size_t bin = 0; bin < features[f].size(); ++bin) {
      curve->ratios[bin] = std::max(curve->ratios[bin], features[f][bin].ratio);
    }
  }
}

/// Claims in the same words: the rows of the operations that make them.
using SharedClaim = std::vector<const OverviewRow*>;

const OverviewRow* row_of(const SharedClaim& claim, const std::string& operation) {
  const auto found =
      std::find_if(claim.begin(), claim.end(), [&](const OverviewRow* row) { return row->operation == operation; });
  return found == claim.end() ? nullptr : *found;
}

/// The promise of a statement, without the remark in parentheses at its end: "(a zero of either sign)", "(false for
/// slices)". Parentheses without a blank before them belong to a formula.
std::string_view promise_of(const std::string& statement) {
  const std::string_view text = statement;
  if (!text.ends_with(')')) return text;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth == 0) return i > 0 && text[i - 1] == ' ' ? text.substr(0, i - 1) : text;
  }
  return text;
}

/// The claims that several operations make, in the order of the operation with most of them; then the others.
std::vector<SharedClaim> shared_claims(const std::vector<OverviewRow>& rows) {
  std::vector<SharedClaim> shared;
  for (const OverviewRow& row : rows) {
    const auto same = std::find_if(shared.begin(), shared.end(), [&](const SharedClaim& claim) {
      return claim.front()->claim == row.claim && promise_of(claim.front()->statement) == promise_of(row.statement);
    });
    if (same != shared.end()) {
      same->push_back(&row);
    } else {
      shared.push_back({&row});
    }
  }
  std::erase_if(shared, [](const SharedClaim& claim) { return claim.size() < 2; });
  std::map<std::string, std::size_t> claims_of;
  for (const SharedClaim& claim : shared) {
    for (const OverviewRow* row : claim) ++claims_of[row->operation];
  }
  if (claims_of.empty()) return shared;
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const std::string fullest = std::max_element(claims_of.begin(), claims_of.end(), fewer)->first;
  const auto place = [&](const SharedClaim& claim) {
    const OverviewRow* row = row_of(claim, fullest);
    return row == nullptr ? rows.size() : static_cast<std::size_t>(row - rows.data());
  };
  std::stable_sort(shared.begin(), shared.end(),
                   [&](const SharedClaim& a, const SharedClaim& b) { return place(a) < place(b); });
  return shared;
}

/// Whether one operation keeps the claim and another breaks it.
bool tells_apart(const SharedClaim& claim) {
  const auto any = [&](std::initializer_list<store::Finding> verdicts) {
    return std::any_of(claim.begin(), claim.end(), [&](const OverviewRow* row) {
      return std::any_of(row->cells.begin(), row->cells.end(), [&](const auto& cell) {
        return std::find(verdicts.begin(), verdicts.end(), cell.second.verdict) != verdicts.end();
      });
    });
  };
  return any({store::Finding::holds}) &&
         any({store::Finding::refuted_as_expected, store::Finding::violated, store::Finding::broken});
}

std::optional<OverviewCell> gravest(const OverviewRow* row) {
  if (row == nullptr || row->cells.empty()) return std::nullopt;
  return std::max_element(
             row->cells.begin(), row->cells.end(),
             [](const auto& a, const auto& b) { return gravity(a.second.verdict) < gravity(b.second.verdict); })
      ->second;
}

std::optional<Comparison> comparison_of(const Draft& draft) {
  const std::vector<SharedClaim> shared = shared_claims(draft.rows);
  if (std::none_of(shared.begin(), shared.end(), tells_apart)) return std::nullopt;
  Comparison comparison;
  std::set<std::string> operations;
  for (const SharedClaim& claim : shared) {
    for (const OverviewRow* row : claim) operations.insert(row->operation);
  }
  comparison.operations.assign(operations.begin(), operations.end());
  comparison.cells.resize(operations.size());
  for (const SharedClaim& claim : shared) {
    const bool numeric = std::any_of(claim.begin(), claim.end(), [](const OverviewRow* row) { return row->numeric; });
    comparison.claims.push_back(
        {claim.front()->claim, std::string(promise_of(claim.front()->statement)), claim.front()->source, numeric});
    for (std::size_t i = 0; i < comparison.operations.size(); ++i) {
      comparison.cells[i].push_back(gravest(row_of(claim, comparison.operations[i])));
    }
  }
  comparison.claims.push_back(
      {draft.same_bits_claim.id, draft.same_bits_claim.statement, draft.same_bits_claim.source, false});
  for (std::size_t i = 0; i < comparison.operations.size(); ++i) {
    const auto found = draft.same_bits.find(comparison.operations[i]);
    comparison.cells[i].push_back(found == draft.same_bits.end() ? std::nullopt : std::optional(found->second));
  }
  return comparison;
}

void add(const store::PropertySummary& property, Draft& draft) {
  Operation operation = operation_of(property.info.name);
  if (!draft.by_terms) {
    operation = {operation_name(property.info.name), 0};
  } else if (operation.number != 0) {
    operation.stem += "K";
  }
  draft.operations[property.info.name] = operation.stem;
  const std::string format = short_format(property.info.format);
  draft.formats.insert(format);
  draft.terms.insert(operation.number);
  for (std::size_t c = 0; c < property.findings.size(); ++c) {
    const ClaimInfo& claim = property.info.claims[c];
    if (is_unasked(claim.id)) {
      if (claim.id == unasked_ids[static_cast<std::size_t>(Unasked::same_bits)]) {
        draft.same_bits_claim = claim;
        add(property, c, draft.same_bits[operation.stem]);
      }
      continue;
    }
    const ClaimTally& tally = property.tally.claims[c];
    const std::size_t at = draft.row_of(operation.stem, claim);
    OverviewRow& row = draft.rows[at];
    draft.statements[at].try_emplace(operation.number, claim.statement);
    row.numeric = row.numeric || has_numeric_tightness(tally) || claim.id.starts_with("error");
    row.rounds = row.rounds || tally.closest.number != no_case;
    row.executed += tally.executed;
    for (const auto& [name, worst] : tally.terms) {
      double& largest = row.terms.try_emplace(name, -1).first->second;
      largest = std::max(largest, worst.ratio);
    }
    row.corpus = std::max(row.corpus, property.findings[c].corpus_ratio);
    add(property, c, row.cells[{format, operation.number}]);
    add_curves(property, c, row.curves);
  }
}

}  // namespace

const char* const overview_legend =
    "Numbers: the largest error/bound found. ∎: all inputs of the format were tested, and the number is the maximum. "
    "Without ∎ the inputs were sampled, and the number is a lower bound on the maximum. ✓: holds, without a number. ✗: "
    "a claim that is false on purpose was refuted, or a contract that was tested, but not promised, is broken. ‼: "
    "needs attention. –: not run.";

std::string short_format(const std::string& format) { return format.substr(0, format.find(':')); }

bool wider(const std::string& a, const std::string& b) {
  static constexpr std::array<std::string_view, 4> known{"binary64", "binary32", "binary16", "bfloat16"};
  const auto rank = [](const std::string& format) {
    return std::pair{std::find(known.begin(), known.end(), format) - known.begin(), format.size()};
  };
  return std::pair{rank(a), a} < std::pair{rank(b), b};
}

/// A ratio in three significant decimals, in two where it is small or large, in one where it is very large. A ratio
/// that is not 1 but would be rounded to 1 has four decimals, or says on which side of 1 it is.
std::string short_ratio(double ratio) {
  if (ratio < 0) return "–";
  if (std::isinf(ratio)) return "∞";
  const bool moderate = ratio == 0 || (ratio > 0x1p-10 && ratio < 0x1p+10);
  for (int precision = moderate ? 3 : ratio < 0x1p+20 ? 2 : 1; precision <= 4; ++precision) {
    std::array<char, 64> buffer;
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), ratio, std::chars_format::general, precision);
    std::string text(buffer.data(), end);
    if (text == "1" && ratio != 1) continue;
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
      const std::size_t digits = text.find_first_not_of("+-0", e + 1);
      text = text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + text.substr(digits);
    }
    return text;
  }
  return ratio < 1 ? "<1" : ">1";
}

std::string near_text(double ratio) {
  return ratio > 0.9995 && ratio < 1 ? "1 − " + short_ratio(1 - ratio) : short_ratio(ratio);
}

bool same_axis(const FeatureInfo& a, const FeatureInfo& b) {
  return a.name == b.name && a.low == b.low && a.high == b.high && a.bins == b.bins;
}

bool is_unasked(const std::string& claim) {
  return std::find(unasked_ids.begin(), unasked_ids.end(), claim) != unasked_ids.end();
}

std::string cell_text(const OverviewCell& cell, bool numeric) {
  if (cell.verdict == store::Finding::not_run) return "–";
  std::string text = numeric ? short_ratio(cell.ratio) : "";
  if (needs_attention(cell.verdict)) {
    text = text.empty() ? "‼" : "‼ " + text;
  } else if (is_refuted(cell.verdict)) {
    text = text.empty() ? "✗" : "✗ " + text;
  } else if (text.empty()) {
    text = "✓";
  }
  return cell.exhaustive ? text + " ∎" : text;
}

std::string violated_text(const OverviewCell& cell) {
  if (cell.violated_components == 0) return "";
  return grouped(cell.violated_components) + " of " + grouped(cell.components);
}

std::vector<Overview> overviews(const store::Summary& summary) {
  std::map<std::string, std::map<std::string, std::set<int>>> numbers;
  for (const store::PropertySummary& property : summary.properties) {
    const Operation operation = operation_of(property.info.name);
    std::set<int>& of_stem = numbers[family_of(property.info.name)][operation.stem];
    if (operation.number != 0) of_stem.insert(operation.number);
  }
  std::map<std::string, Draft> drafts;
  for (const auto& [family, stems] : numbers) {
    const auto numbered = static_cast<std::size_t>(
        std::count_if(stems.begin(), stems.end(), [](const auto& stem) { return stem.second.size() >= fewest_terms; }));
    drafts[family].by_terms = 2 * numbered >= stems.size() && numbered > 0;
  }
  for (const store::PropertySummary& property : summary.properties) {
    add(property, drafts[family_of(property.info.name)]);
  }
  std::vector<Overview> all;
  for (auto& [family, draft] : drafts) {
    for (std::size_t i = 0; i < draft.rows.size(); ++i) {
      draft.rows[i].statement = common_statement(draft.statements[i]);
    }
    std::optional<Comparison> comparison = draft.by_terms ? std::nullopt : comparison_of(draft);
    Overview overview{family,
                      draft.by_terms,
                      {draft.formats.begin(), draft.formats.end()},
                      {draft.terms.begin(), draft.terms.end()},
                      std::move(draft.rows),
                      std::move(draft.operations),
                      std::move(comparison)};
    std::sort(overview.formats.begin(), overview.formats.end(), wider);
    std::stable_sort(overview.rows.begin(), overview.rows.end(),
                     [](const OverviewRow& a, const OverviewRow& b) { return a.operation < b.operation; });
    all.push_back(std::move(overview));
  }
  return all;
}

}  // namespace assay::report
