#include "assay/report/known.hpp"

#include <algorithm>
#include <charconv>

#include "assay/report/html_parts.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "errorbounds/published.hpp"

namespace assay::report {
namespace {

/// The day of the first run that has this worst case; empty if no run names a day.
std::string day_of_case(std::span<const DatedRun> runs, const store::PropertySummary& property, std::size_t c) {
  for (const auto& [run, day] : runs) {
    for (const store::PropertySummary& each : run->properties) {
      const bool same = each.info.name == property.info.name && each.executor == property.executor &&
                        c < each.tally.claims.size() && each.tally.claims[c].worst == property.tally.claims[c].worst;
      if (same) return day;
    }
  }
  return "";
}

/// Among several errors from one source the largest; if several are largest, the first.
void take(store::KnownError& largest, store::KnownError other) {
  if (other.ratio > largest.ratio) largest = std::move(other);
}

store::KnownError hunted_of(std::span<const store::HuntRow> hunted, const std::string& property,
                            const std::string& claim) {
  store::KnownError largest;
  for (const store::HuntRow& row : hunted) {
    if (row.property != property || row.claim != claim || !row.term.empty()) continue;
    double ratio = -1;
    const auto parsed = std::from_chars(row.ratio.data(), row.ratio.data() + row.ratio.size(), ratio);
    if (parsed.ec != std::errc{}) continue;
    const std::string id = row.hardest.property.empty() ? "" : store::case_id(row.hardest);
    take(largest, {"hunt", row.executor, ratio, id, row.hardest.date});
  }
  return largest;
}

/// "dw.mul1" of "dw.mul1.f32".
std::string operation_of(const std::string& property) {
  const std::size_t first = property.find('.');
  return property.substr(0, property.find('.', first + 1));
}

std::optional<store::KnownRow::Published> published_row(const std::string& theorem) {
  const PublishedError* const found = published_error_of(theorem);
  if (found == nullptr) return std::nullopt;
  store::KnownRow::Published row{std::string(found->value), std::string(found->leading), std::nullopt,
                                 std::string(found->key), std::string(found->place)};
  if (found->ratio >= 0) row.ratio = found->ratio;
  return row;
}

std::string published_html(const store::KnownRow::Published& published) {
  std::string html = escaped(published.value);
  if (published.ratio) html += " of " + escaped(published.leading) + ": " + near_text(*published.ratio);
  return html + "<div class=of>" + escaped(published.key) + ", " + escaped(published.place) + "</div>";
}

}  // namespace

store::KnownErrors known_errors(const store::Summary& merged, std::span<const store::HuntRow> hunted,
                                std::span<const DatedRun> runs) {
  store::KnownErrors known;
  for (const auto& [name, group] : html::groups_of(merged)) {
    for (std::size_t c = 0; c < group.front()->info.claims.size(); ++c) {
      const ClaimInfo& claim = group.front()->info.claims[c];
      store::KnownRow row{name,
                          operation_of(name),
                          group.front()->info.format,
                          claim.id,
                          claim.theorem,
                          claim.statement,
                          claim.source,
                          published_row(claim.theorem),
                          {}};
      if (is_unasked(claim.id) || (claim.expected_refuted && !row.published)) continue;
      store::KnownError corpus;
      store::KnownError run;
      bool numeric = false;
      for (const store::PropertySummary* const each : group) {
        const store::ClaimFinding& finding = each->findings[c];
        const ClaimTally& tally = each->tally.claims[c];
        numeric = numeric || has_numeric_tightness(tally);
        take(corpus, {"corpus", each->executor, finding.corpus_ratio, finding.corpus_hardest, finding.corpus_date});
        take(run, {"run", each->executor, tally.worst.ratio, finding.hardest ? store::case_id(*finding.hardest) : "",
                   day_of_case(runs, *each, c)});
      }
      store::KnownError hunt = hunted_of(hunted, name, claim.id);
      numeric = numeric || hunt.ratio > 0 || (corpus.ratio > 0 && claim.id.starts_with("error"));
      if (!numeric) continue;
      for (store::KnownError* each : {&corpus, &hunt, &run}) {
        if (each->ratio >= 0) row.here.push_back(std::move(*each));
      }
      std::stable_sort(row.here.begin(), row.here.end(),
                       [](const auto& a, const auto& b) { return a.ratio > b.ratio; });
      known.rows.push_back(std::move(row));
    }
  }
  return known;
}

std::string known_html(const store::KnownErrors& known, bool full) {
  html::Table table({{"claim"},
                     {"format"},
                     {"proved bound"},
                     {"largest published"},
                     {"largest here: error/bound", true},
                     {"case"},
                     {"found"}});
  std::size_t rows = 0;
  std::size_t beyond = 0;
  for (const store::KnownRow& row : known.rows) {
    if (row.here.empty() || (!full && !row.published)) continue;
    const store::KnownError& largest = row.here.front();
    const bool is_beyond = row.published && row.published->ratio && largest.ratio > *row.published->ratio;
    ++rows;
    beyond += is_beyond ? 1 : 0;
    std::string others;
    for (std::size_t i = 1; i < row.here.size(); ++i) {
      others += (i > 1 ? ", " : "") + row.here[i].from + " " + near_text(row.here[i].ratio);
    }
    const std::string ratio = near_text(largest.ratio);
    table.add(
        {"<a href=\"#" + html::anchor(row.property) + "\">" + escaped(row.operation) + "/" + escaped(row.claim) +
             "</a>",
         escaped(short_format(row.format)), escaped(row.bound), row.published ? published_html(*row.published) : "–",
         (is_beyond ? "<b>" + ratio + "</b>" : ratio) + (others.empty() ? "" : "<div class=of>" + others + "</div>"),
         largest.id.empty() ? "–" : html::code(largest.id),
         largest.from + (largest.date.empty() ? "" : ", " + largest.date)});
  }
  if (rows == 0) return "";
  return "<h2 id=known>Largest known errors</h2>\n<details><summary>" + grouped(rows) +
         (rows == 1 ? " bound" : " bounds") + ", " + grouped(beyond) +
         " of them with an error here that is larger than the largest published error</summary><div><p class=\"soft "
         "small\">Published: in units of the leading term of the bound. Here: from this run, the corpus and hunts; "
         "bold where it is larger than the published error. Each is a lower bound on the true maximum.</p>\n" +
         table.html() + "</div></details>\n";
}

}  // namespace assay::report
