#include "assay/report/systematic.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "assay/report/html_parts.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

std::string percent(double share) {
  std::array<char, 16> text{};
  const int tenths = std::min(static_cast<int>(share * 1000 + 0.5), share < 1 ? 999 : 1000);
  std::snprintf(text.data(), text.size(), "%d.%d %%", tenths / 10, tenths % 10);
  return text.data();
}

constexpr const char* legend =
    "A program changes one place of a kernel at a time; a mutant is killed when a claim of the quick tier notices. "
    "Equivalent: proved by identical object code or by equal results over all inputs of a toy precision. A device's: "
    "code that runs where a device is, no part of this score. Argued: a person wrote down why no result changes.";

}  // namespace

std::string systematic_line(const store::Systematic& table) {
  return std::to_string(table.all.mutants) + " of " + std::to_string(table.generated) + " mutants tried, " +
         percent(table.all.share()) + " of those not proved equivalent killed (" + table.date + ")";
}

std::string systematic_html(const store::Systematic& table) {
  std::string html = "<p>" + escaped(systematic_line(table)) + ".</p><p class=\"soft small\">" + escaped(legend) +
                     "</p>\n<div class=scroll><table><tr><th>family</th><th class=n>mutants</th><th class=n>killed</th>"
                     "<th class=n>equivalent</th><th class=n>survived</th><th class=n>not reached</th><th class=n>of "
                     "these a device's</th><th class=n>argued</th><th class=n>killed of the rest</th></tr>\n";
  const auto row = [&](const store::Systematic::Family& each) {
    html += "<tr><td class=k>" + escaped(each.family) + "</td>";
    for (const std::uint64_t count :
         {each.mutants, each.killed, each.equivalent, each.survived, each.not_reached, each.device, each.argued}) {
      html += "<td class=n>" + grouped(count) + "</td>";
    }
    html += "<td class=n>" + percent(each.share()) + "</td></tr>\n";
  };
  for (const store::Systematic::Family& each : table.families) row(each);
  row(table.all);
  html += "</table></div>\n";
  if (table.left.empty()) return html;
  html += "<details><summary>" + grouped(table.left.size()) +
          " left</summary><div class=scroll><table><tr><th>place</th><th>mistake</th><th>was</th><th>becomes</th><th>"
          "asked</th><th>why it lives</th></tr>\n";
  for (const store::Systematic::Left& each : table.left) {
    html += "<tr><td>" + html::code(each.file + ":" + std::to_string(each.line)) + "</td><td>" +
            escaped(each.operation) + "</td><td>" + html::code(each.was) + "</td><td>" + html::code(each.becomes) +
            "</td><td>" + escaped(each.asked.empty() ? each.outcome : each.asked) + "</td><td>" +
            escaped(each.kind.empty() ? "not explained" : each.kind + ": " + each.reason) + "</td></tr>\n";
  }
  return html + "</table></div></details>\n";
}

std::string systematic_markdown(const store::Systematic& table) {
  return "\n### Systematic mistakes\n\n" + systematic_line(table) + "; " + std::to_string(table.all.survived) +
         " survived and " + std::to_string(table.all.not_reached) + " were not reached, " +
         std::to_string(table.all.argued) + " of these with an argument that no result changes.\n";
}

}  // namespace assay::report
