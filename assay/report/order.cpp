#include "assay/report/order.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "assay/report/html_parts.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

constexpr std::string_view run_to_run = "run_to_run";
constexpr std::string_view same_on = "same_on";
constexpr std::string_view same_bits = "same_bits";  // asked of every property

/// A contract, and what a user may rely on where it is kept and what changes the bits where it is broken.
struct Words {
  std::string_view contract;
  const char* kept;
  const char* broken;
};
constexpr std::array<Words, 6> contracts{
    {{run_to_run, "in repeated calls with others between", "from call to call"},
     {"batch_invariant", "for a row alone and in every batch", "with the batch around a row"},
     {"split_invariant", "in one call and in chunks", "with the cut into chunks"},
     {"place_invariant", "at every address, alignment and increment", "with addresses, alignments or increments"},
     {same_on, "on ", "from "},
     {"order_free", "in every order of the terms", "with the order of the terms"}}};

enum class Answer { kept, broken, open, not_asked };

Answer answer_of(store::Finding verdict) {
  switch (verdict) {
    case store::Finding::holds:
      return Answer::kept;
    case store::Finding::violated:
    case store::Finding::broken:
    case store::Finding::flaky:
    case store::Finding::refuted_as_expected:
      return Answer::broken;
    case store::Finding::not_run:
      return Answer::not_asked;
    default:
      return Answer::open;
  }
}

/// "A, B and C".
std::string in_words(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

/// "run_to_run (60 cases, 62 of 240 swaps)"; of a broken contract the cases alone.
std::string with_evidence(std::string_view id, const ClaimTally& tally, Answer answer) {
  std::string text = std::string(id) + " (" + grouped(tally.executed) + (tally.executed == 1 ? " case" : " cases");
  if (tally.swaps.tried != 0 && answer != Answer::broken)
    text += ", " + grouped(tally.swaps.seen) + " of " + grouped(tally.swaps.tried) + " swaps";
  return text + ")";
}

/// "a chain of 1000 terms: 4096 of 4096 inputs predicted".
std::string words_of(const store::KernelTree& tree) {
  std::string text = grouped(tree.terms) + " terms: ";
  if (tree.verdict != "fixed") return text + tree.verdict + (tree.why.empty() ? "" : ": " + tree.why);
  text += tree.order + (tree.sampled ? ", compared at some pairs of terms" : "");
  if (tree.checked != 0) {
    text += "; it predicts " + grouped(tree.predicted) + " of " + grouped(tree.checked) + " inputs bit for bit";
  }
  return text;
}

/// Collects what is known of one property.
class Draft {
 public:
  Draft(const store::Summary& summary, const store::PropertySummary& property) : property_(property) {
    row_.properties = {property.info.name};
    row_.executors = property.executor;
    for (const store::KernelTree& tree : summary.orders) {
      if (tree.property != property.info.name) continue;
      row_.trees.push_back(words_of(tree));
      changes_ = changes_ || tree.verdict == "not fixed";
    }
    for (const Words& words : contracts) {
      if (words.contract == same_on) {
        add_same_on(summary, words);
      } else {
        add_claim(words);
      }
    }
    if (const auto c = claim(same_bits); c && !repeats_) add_same_bits(*c);
  }
  [[nodiscard]] bool says_something() const { return asked_ || !row_.trees.empty(); }
  [[nodiscard]] KernelOrder row() && {
    row_.advice = advice();
    return std::move(row_);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> claim(std::string_view id) const {
    const auto& claims = property_.info.claims;
    const auto at = std::ranges::find(claims, id, &ClaimInfo::id);
    if (at == claims.end()) return std::nullopt;
    return static_cast<std::size_t>(at - claims.begin());
  }

  void take(Answer answer, const std::string& evidence, const std::string& kept, const std::string& broken) {
    asked_ = true;
    if (answer == Answer::kept) {
      row_.kept.push_back(evidence);
      kept_.push_back(kept);
    } else if (answer == Answer::broken) {
      row_.broken.push_back(evidence);
      broken_.push_back(broken);
    } else {
      row_.open.push_back(evidence);
    }
  }

  void add_claim(const Words& words) {
    const auto c = claim(words.contract);
    if (!c) return;
    const Answer answer = answer_of(property_.findings[*c].verdict);
    if (answer == Answer::not_asked) {
      row_.not_asked.emplace_back(words.contract);
      return;
    }
    if (words.contract == run_to_run) {
      repeats_ = true;
      changes_ = changes_ || answer == Answer::broken;
    }
    take(answer, with_evidence(words.contract, property_.tally.claims[*c], answer), words.kept, words.broken);
  }

  void add_same_on(const store::Summary& summary, const Words& words) {
    const std::vector<store::SameOn> rows = same_on_of(summary, property_);
    for (const store::SameOn& each : rows) {
      const bool is_same = each.different == 0;
      const std::string models =
          each.model == each.other_model ? each.model : each.model + (is_same ? " and " : " to ") + each.other_model;
      take(is_same ? Answer::kept : Answer::broken,
           std::string(same_on) + " (" + (is_same ? grouped(each.results) + " results" : describe(each)) + ")",
           words.kept + models,
           each.model == each.other_model ? "from one machine or build to another" : words.broken + models);
    }
    if (rows.empty()) row_.not_asked.emplace_back(same_on);
  }

  /// The claim of every property says less than run_to_run. It is told where that was not asked.
  void add_same_bits(std::size_t c) {
    const Answer answer = answer_of(property_.findings[c].verdict);
    if (answer == Answer::kept) kept_.insert(kept_.begin(), "in repeated calls");
    if (answer != Answer::broken) return;
    changes_ = true;
    row_.broken.insert(row_.broken.begin(), with_evidence(same_bits, property_.tally.claims[c], Answer::broken));
  }

  [[nodiscard]] std::string advice() const {
    if (changes_) return "Do not rely on the bits: they change from call to call.";
    if (kept_.empty() && broken_.empty()) return "Do not rely on the bits: nothing is decided.";
    if (kept_.empty()) return "Do not rely on the bits: they change " + in_words(broken_) + ".";
    return "Rely on the same bits " + in_words(kept_) + (broken_.empty() ? "" : "; they change " + in_words(broken_)) +
           ".";
  }

  const store::PropertySummary& property_;
  KernelOrder row_;
  std::vector<std::string> kept_;    ///< in words for a user
  std::vector<std::string> broken_;  ///< likewise
  bool asked_ = false;
  bool repeats_ = false;  ///< run_to_run was asked
  bool changes_ = false;  ///< from call to call
};

auto content(const KernelOrder& row) {
  return std::tie(row.kept, row.broken, row.open, row.not_asked, row.trees, row.advice);
}

}  // namespace

const char* const order_legend =
    "Whether the bits of a result depend on anything but the inputs. A kept contract held in all cases that were "
    "drawn. Swaps: of the pairs of terms that traded places in its data, so many changed a result, so that a kernel "
    "with the other order would have been seen. Of what was not asked nothing is known. The order of the additions is "
    "what assay probe-order found.";

std::vector<KernelOrder> kernel_orders(const store::Summary& summary) {
  std::vector<KernelOrder> kernels;
  for (const store::PropertySummary& property : summary.properties) {
    Draft draft(summary, property);
    if (!draft.says_something()) continue;
    KernelOrder row = std::move(draft).row();
    const bool is_same =
        !kernels.empty() && kernels.back().properties == row.properties && content(kernels.back()) == content(row);
    if (is_same) {
      kernels.back().executors += ", " + row.executors;
    } else {
      kernels.push_back(std::move(row));
    }
  }
  std::vector<KernelOrder> rows;
  for (KernelOrder& each : kernels) {
    const auto same = std::ranges::find_if(rows, [&](const KernelOrder& other) {
      return other.executors == each.executors && content(other) == content(each);
    });
    if (same == rows.end()) {
      rows.push_back(std::move(each));
    } else {
      same->properties.push_back(each.properties.front());
    }
  }
  return rows;
}

std::vector<store::SameOn> same_on_of(const store::Summary& summary, const store::PropertySummary& property) {
  std::vector<store::SameOn> rows;
  std::ranges::copy_if(summary.same_on, std::back_inserter(rows), [&](const store::SameOn& row) {
    return row.property == property.info.name && row.executor == property.executor;
  });
  return rows;
}

std::vector<store::SameOn> other_bits(const store::Summary& summary) {
  std::vector<store::SameOn> rows;
  std::ranges::copy_if(summary.same_on, std::back_inserter(rows), [](const auto& each) { return each.different != 0; });
  return rows;
}

std::string describe(const store::SameOn& row) {
  return grouped(row.different) + " of " + grouped(row.results) + " results have other bits than on " +
         row.other_executor + " (" + row.other_model + "), the first is of case " + std::to_string(row.first);
}

std::string order_html(const store::Summary& summary) {
  html::Table table(
      {{"kernel"}, {"on"}, {"keeps"}, {"does not keep"}, {"order of the additions"}, {"what to rely on"}});
  const auto whole = [](const std::string& word) { return "<span class=w>" + escaped(word) + "</span>"; };
  // "run_to_run (60 cases)": the evidence below the contract.
  const auto contracts_of = [&](const std::vector<std::string>& all, const std::string& before = "") {
    std::string html;
    for (const std::string& each : all) {
      const std::size_t end = each.find(' ');
      html += "<div>" + before + whole(each.substr(0, end)) + "<div class=of>" + escaped(each.substr(end + 1)) +
              "</div></div>";
    }
    return html;
  };
  for (const KernelOrder& row : kernel_orders(summary)) {
    std::string names;
    for (const std::string& each : row.properties) {
      names +=
          (names.empty() ? "" : ", ") + ("<a class=w href=\"#" + html::anchor(each)) + "\">" + escaped(each) + "</a>";
    }
    std::string not_kept = contracts_of(row.broken) + contracts_of(row.open, "not decided: ");
    if (!row.not_asked.empty()) not_kept += "<div class=of>not asked:";
    for (const std::string& each : row.not_asked) not_kept += " " + whole(each);
    if (!row.not_asked.empty()) not_kept += "</div>";
    std::string trees;
    for (const std::string& each : row.trees) trees += "<div>" + escaped(each) + "</div>";
    table.add({names, whole(row.executors), contracts_of(row.kept), not_kept, trees, escaped(row.advice)});
  }
  if (table.empty()) return "";
  return "<h2 id=order>Order</h2>\n<p class=\"soft small\">" + escaped(order_legend) + "</p>\n" + table.html();
}

}  // namespace assay::report
