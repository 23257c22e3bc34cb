#include "assay/report/html_parts.hpp"

#include <algorithm>

#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "oracle/decimal.hpp"

namespace assay::report::html {

namespace {

std::string got_html(const store::CaseFile& file, Shown shown) {
  if (!file.evidence || file.evidence->got.empty()) return "";
  std::string text;
  const std::size_t count = file.evidence->got.size();
  const std::size_t first = count > shown.most ? shown.ends : count;
  for (std::size_t i = 0; i < first; ++i) text += (i == 0 ? "" : ", ") + code(file.evidence->got[i]);
  return "<p>got " + text + (count > first ? ", …" : "");
}

/// An exact value in decimal; if it is cut, the text says so.
std::string short_exact(const std::string& exact, Shown shown) {
  const std::size_t digits = 5 * shown.most;
  const std::size_t exponent = exact.rfind('e');
  if (exact.size() <= 2 * digits || exponent == std::string::npos || exponent < digits) return escaped(exact);
  const bool number = exact.find_first_not_of("+-.0123456789e") == std::string::npos;
  return number ? escaped(exact.substr(0, digits) + "…" + exact.substr(exponent)) : escaped(exact);
}

/// Inputs of a case: each number in hexadecimal.
std::string inputs_html(const store::CaseFile& file, Shown shown, bool with_decimals) {
  std::string text;
  for (const FieldValue& field : file.inputs.fields) {
    text += "<p>" + escaped(field.name) + " = ";
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      text += code(std::to_string(*integer));
      continue;
    }
    const auto& [format, shape, bits] = std::get<Words>(field.value);
    const std::string format_name = oracle::name(format);
    if (format_name != file.format) text += escaped(format_name) + " ";
    if (bits.size() > shown.most) text += std::to_string(bits.size()) + " numbers: ";
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits.size() > shown.most && i == shown.ends) {
        text += ", … ";
        i = bits.size() - shown.ends;
      }
      text += (i == 0 ? "" : ", ") + code(oracle::to_hex(format, bits[i]));
      if (with_decimals) text += " <i>" + oracle::shortest_decimal(format, bits[i]) + "</i>";
    }
  }
  return text;
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
  return std::string("<em class=") + colour_of(finding) + ">" + std::string(store::word(finding)) + "</em>";
}

std::string anchor(const std::string& property) { return "p-" + escaped(property); }
std::string source_html(const std::string& source, const std::string& theorem) {
  if (theorem.empty()) return escaped(source);
  std::string heading = theorem;
  std::erase(heading, '.');
  return escaped(source) + " · <a href=\"docs/bounds/" + escaped(family_of(theorem)) + ".md#theorem-" +
         escaped(heading) + "\">" + escaped(theorem) + "</a>";
}

void Table::add(const std::vector<std::string>& cells) {
  rows_ += "<tr>";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    rows_ += columns_[i].number ? "<td class=n" : "<td";
    if (i > 0 && !columns_[i].title.empty()) rows_ += " data-l=\"" + escaped(columns_[i].title) + "\"";
    rows_ += ">" + cells.at(i);
  }
  rows_ += "\n";
}

std::string Table::html() const {
  constexpr std::size_t most_beside = 8;
  std::string text = columns_.size() > most_beside ? "<table class=many><thead><tr>" : "<table class=stack><thead><tr>";
  for (const Column& each : columns_) text += (each.number ? "<th class=n>" : "<th>") + escaped(each.title);
  return text + "</thead>\n" + rows_ + "</table>\n";
}

void Merged::add(const std::string& executor, const std::string& piece) {
  const auto [at, added] = places_.try_emplace(piece, pieces_.size());
  if (added) {
    pieces_.emplace_back(piece, executor);
  } else {
    pieces_[at->second].second += ", " + executor;
  }
}

std::vector<std::string> Merged::all() const {
  std::vector<std::string> texts;
  for (const auto& [piece, executors] : pieces_) {
    const std::size_t at = piece.find(on);
    texts.push_back(at == std::string::npos ? piece : piece.substr(0, at) + escaped(executors) + piece.substr(at + 1));
  }
  return texts;
}

std::string replay(const store::Summary& summary, const store::CaseFile& file) {
  return code(replay_line(summary, file));
}

std::string case_html(const store::Summary& summary, const std::string& claim, const store::CaseFile& file,
                      double ratio, Shown shown, bool with_result, const std::string& remark) {
  const std::string exact = file.evidence ? file.evidence->exact : "";
  const std::string ulps = file.evidence ? signed_ulps(file.evidence->ulps) : "";
  return "<div class=case><p><b>" + escaped(claim) + "</b> on " + Merged::on +
         (ratio < 0 ? "" : " · error/bound <b>" + ratio_text(ratio) + "</b>") +
         (ulps.empty() ? "" : " · " + escaped(ulps)) + (remark.empty() ? "" : " · " + remark) +
         inputs_html(file, shown, with_result) + (with_result ? got_html(file, shown) : "") +
         (exact.empty() || !with_result ? "" : "<p>exact " + short_exact(exact, shown)) + "<p>" +
         replay(summary, file) + "</div>\n";
}

std::string violated_components(const ClaimTally& tally) {
  if (tally.violated_components == 0 || tally.components == tally.executed) return "";
  return "<div class=of>" + grouped(tally.violated_components) + " of " + grouped(tally.components) + " entries</div>";
}

std::map<std::string, Group> groups_of(const store::Summary& summary) {
  std::map<std::string, Group> groups;
  for (const store::PropertySummary& property : summary.properties) groups[property.info.name].push_back(&property);
  return groups;
}

}  // namespace assay::report::html
