#include "assay/report/systematic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "assay/report/html_parts.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

std::string percent(double share) {
  std::array<char, 16> text{};
  const int tenths = std::min(static_cast<int>(std::lround(share * 1000)), share < 1 ? 999 : 1000);
  std::snprintf(text.data(), text.size(), "%d.%d %%", tenths / 10, tenths % 10);
  return text.data();
}

constexpr const char* legend =
    "A program changes one place of a kernel at a time. A mutant is killed if a claim of the quick tier, a unit test "
    "or an assertion fails. Equivalent: proved by identical object code or by equal results over all inputs of a toy "
    "precision. Device mutants: in code that runs on a device, not part of this score. Argued: a person wrote down why "
    "no result changes.";

}  // namespace

std::string systematic_line(const store::Systematic& table) {
  return std::to_string(table.all.mutants) + " of " + std::to_string(table.generated) + " mutants tried, " +
         percent(table.all.share()) + " of those not proved equivalent were killed (" + table.date + ")";
}

std::string systematic_html(const store::Systematic& table, bool with_left) {
  html::Table families({{"family"},
                        {"mutants", true},
                        {"killed", true},
                        {"of these by tests alone", true},
                        {"equivalent", true},
                        {"survived", true},
                        {"not reached", true},
                        {"of these a device's", true},
                        {"argued", true},
                        {"killed of the rest", true}});
  const auto row = [&](const store::Systematic::Family& each) {
    families.add({escaped(each.family), grouped(each.mutants), grouped(each.killed), grouped(each.by_tests),
                  grouped(each.equivalent), grouped(each.survived), grouped(each.not_reached), grouped(each.device),
                  grouped(each.argued), percent(each.share())});
  };
  for (const store::Systematic::Family& each : table.families) row(each);
  row(table.all);
  std::string text = "<p>" + escaped(systematic_line(table)) + ".</p><p class=\"soft small\">" + escaped(legend) +
                     "</p>\n" + families.html();
  if (table.left.empty() || !with_left) return text;
  html::Table left({{"place"}, {"mistake"}, {"was"}, {"becomes"}, {"asked"}, {"why it lives"}});
  for (const store::Systematic::Left& each : table.left) {
    left.add({html::code(each.file + ":" + std::to_string(each.line)), escaped(each.operation), html::code(each.was),
              html::code(each.becomes), escaped(each.asked.empty() ? each.outcome : each.asked),
              escaped(each.kind.empty() ? "not explained" : each.kind + ": " + each.reason)});
  }
  return text + "<details><summary>" + grouped(table.left.size()) + " left</summary>\n" + left.html() + "</details>\n";
}

std::string systematic_markdown(const store::Systematic& table) {
  return "\n### Systematic mistakes\n\n" + systematic_line(table) + "; " + std::to_string(table.all.survived) +
         " survived and " + std::to_string(table.all.not_reached) + " were not reached, " +
         std::to_string(table.all.argued) + " of these with an argument that no result changes.\n";
}

}  // namespace assay::report
