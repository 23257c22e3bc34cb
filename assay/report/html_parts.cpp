#include "assay/report/html_parts.hpp"

#include <algorithm>
#include <set>

#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "oracle/decimal.hpp"

namespace assay::report::html {

namespace {

constexpr std::size_t most_words = 12;

std::string got_html(const store::CaseFile& file) {
  if (!file.evidence) return "";
  std::string text;
  const std::size_t count = file.evidence->got.size();
  for (std::size_t i = 0; i < std::min(count, most_words); ++i) {
    text += (i == 0 ? "" : ", ") + code(file.evidence->got[i]);
  }
  return text + (count > most_words ? ", …" : "");
}

}  // namespace

std::string code(const std::string& text) { return "<code>" + escaped(text) + "</code>"; }

const char* colour_of(store::Finding finding) {
  switch (finding) {
    case store::Finding::holds:
    case store::Finding::refuted_as_expected:
      return "good";
    case store::Finding::not_run:
      return "none";
    case store::Finding::undecided:
    case store::Finding::not_refuted:
    case store::Finding::flaky:
    case store::Finding::broken:
      return "odd";
    case store::Finding::violated:
    case store::Finding::crashed:
    case store::Finding::hung:
    case store::Finding::out_of_memory:
      return "bad";
  }
  return "none";
}

std::string badge(store::Finding finding) {
  return std::string("<span class=\"badge ") + colour_of(finding) + "\">" + std::string(store::word(finding)) +
         "</span>";
}

std::string anchor(const std::string& property) { return "p-" + escaped(property); }
std::string anchor(const std::string& property, const std::string& claim) {
  return "c-" + escaped(property) + "/" + escaped(claim);
}

std::string source_html(const ClaimInfo& claim) {
  if (claim.theorem.empty()) return escaped(claim.source);
  const std::string loose = claim.loose_because.empty() ? "" : "; loose because " + escaped(claim.loose_because);
  std::string heading = claim.theorem;
  std::erase(heading, '.');
  return escaped(claim.source) + " · <a href=\"docs/bounds/" +
         escaped(claim.theorem.substr(0, claim.theorem.find('.'))) + ".md#theorem-" + escaped(heading) + "\">" +
         escaped(claim.theorem) + "</a>" + loose;
}

std::string tightness_cell(const ClaimTally& tally, const std::string& rigor) {
  std::string text = ratio_text(tally.worst.ratio);
  if (has_numeric_tightness(tally)) {
    const auto percent = static_cast<unsigned>(100 * std::clamp(tally.worst.ratio, 0.0, 1.0));
    if (rigor == "sampled") text = "≥ " + text;
    text += "<span class=\"bar\"><i style=\"width:" + std::to_string(percent) + "%\"></i></span>";
  }
  for (const auto& [name, worst] : tally.terms) {
    text += "<div class=\"soft small\">" + escaped(name) + " " + ratio_text(worst.ratio) + "</div>";
  }
  if (const std::string closest = closest_text(tally); !closest.empty()) {
    text += "<div class=\"soft small\">closest to a boundary: " + closest + "</div>";
  }
  return text;
}

std::string Rows::html() const {
  std::string text;
  std::set<std::string> ids;
  for (const Row& row : rows_) {
    const bool target = !row.id.empty() && ids.insert(row.id).second;
    text += "<tr" + (target ? " id=\"" + row.id + "\">" : ">");
    const std::size_t at = row.cells.find(on);
    text += at == std::string::npos ? row.cells
                                    : row.cells.substr(0, at) + escaped(row.executors) + row.cells.substr(at + 1);
    text += "</tr>\n";
  }
  return text;
}

std::string inputs_html(const store::CaseFile& file) {
  constexpr std::size_t ends = 5;
  std::string text;
  for (const FieldValue& field : file.inputs.fields) {
    text += "<div><b>" + escaped(field.name) + "</b> = ";
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      text += code(std::to_string(*integer)) + "</div>";
      continue;
    }
    const auto& [format, shape, bits] = std::get<Words>(field.value);
    const std::string format_name = oracle::name(format);
    if (format_name != file.format) text += escaped(format_name) + " ";
    if (bits.size() > most_words) text += std::to_string(bits.size()) + " numbers: ";
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits.size() > most_words && i == ends) {
        text += ", … ";
        i = bits.size() - ends;
      }
      text += (i == 0 ? "" : ", ") + code(oracle::to_hex(format, bits[i])) + " <span class=\"soft small\">" +
              oracle::shortest_decimal(format, bits[i]) + "</span>";
    }
    text += "</div>";
  }
  return text;
}

std::string replay(const store::Summary& summary, const store::CaseFile& file) {
  return code(replay_line(summary, file));
}

std::string case_cells(const store::Summary& summary, const std::string& claim, const store::CaseFile& file,
                       double ratio) {
  const std::string exact = file.evidence ? file.evidence->exact : "";
  const std::string ulps = file.evidence ? signed_ulps(file.evidence->ulps) : "";
  return "<td class=k>" + escaped(claim) + "<br><span class=\"soft small\">" + Rows::on + "</span></td><td>" +
         inputs_html(file) + "</td><td>" + got_html(file) +
         (exact.empty() ? "" : "<div class=\"soft small\">exact " + escaped(exact) + "</div>") + "</td><td class=n>" +
         ratio_text(ratio) + (ulps.empty() ? "" : "<div class=\"soft small\">" + escaped(ulps) + "</div>") +
         "</td><td class=k>" + replay(summary, file) + "</td>";
}

std::string violated_components(const ClaimTally& tally) {
  if (tally.violated_components == 0 || tally.components == tally.executed) return "";
  return "<div class=\"soft small\">" + grouped(tally.violated_components) + " of " + grouped(tally.components) +
         " entries</div>";
}

std::map<std::string, Group> groups_of(const store::Summary& summary) {
  std::map<std::string, Group> groups;
  for (const store::PropertySummary& property : summary.properties) groups[property.info.name].push_back(&property);
  return groups;
}

}  // namespace assay::report::html
