#include "assay/report/outside_score.hpp"

#include "assay/report/costs.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

constexpr const char* legend =
    "Right kernels in the usual forms (orders, FMA, wider or compensated sums, flush to zero, conventions), and wrong "
    "kernels that differ from a right one by one mistake each. A wrong kernel is refused if it breaks a contract that "
    "its author would claim. Time: the median processor time to judge one kernel.";

std::string of(std::uint64_t part, std::uint64_t all) { return std::to_string(part) + " of " + std::to_string(all); }

}  // namespace

std::string outside_line(const store::OutsideScore& score) {
  return of(score.all.refused, score.all.wrong) + " wrong kernels from outside refused, " +
         of(score.all.accepted, score.all.right) + " right ones accepted (" + score.date + ")";
}

std::string outside_html(const store::OutsideScore& score) {
  html::Table table(
      {{"operation"}, {"wrong", true}, {"refused", true}, {"right", true}, {"accepted", true}, {"time", true}});
  const auto row = [&](const store::OutsideScore::Operation& each) {
    table.add({escaped(each.operation), grouped(each.wrong), grouped(each.refused), grouped(each.right),
               grouped(each.accepted), seconds_text(each.seconds)});
  };
  for (const store::OutsideScore::Operation& each : score.operations) row(each);
  row(score.all);
  return "<p>" + escaped(outside_line(score)) + ".</p><p class=\"soft small\">" + escaped(legend) + "</p>\n" +
         table.html();
}

std::string outside_markdown(const store::OutsideScore& score) {
  return "\n### Kernels from outside\n\n" + outside_line(score) + ".\n";
}

}  // namespace assay::report
