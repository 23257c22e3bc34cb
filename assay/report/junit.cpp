#include "assay/report/junit.hpp"

#include <map>
#include <utility>

#include "assay/report/ladder.hpp"
#include "assay/report/order.hpp"
#include "assay/report/replay.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::report {

namespace {

enum class Result { passed, failed, error, skipped };

Result result_of(store::Finding finding) {
  switch (finding) {
    case store::Finding::holds:
    case store::Finding::refuted_as_expected:
      return Result::passed;
    case store::Finding::violated:
    case store::Finding::not_refuted:
    case store::Finding::flaky:
      return Result::failed;
    case store::Finding::undecided:
    case store::Finding::crashed:
    case store::Finding::hung:
    case store::Finding::out_of_memory:
      return Result::error;
    case store::Finding::not_run:
    case store::Finding::broken:
      return Result::skipped;
  }
  return Result::error;
}

struct Counts {
  std::uint64_t tests = 0;
  std::uint64_t failures = 0;
  std::uint64_t errors = 0;
  std::uint64_t skipped = 0;

  void add(const store::Summary& summary, const store::PropertySummary& property) {
    for (const store::SameOn& row : same_on_of(summary, property)) {
      ++tests;
      failures += row.different != 0 ? 1 : 0;
    }
    for (const store::ClaimFinding& finding : property.findings) {
      const Result result = result_of(finding.verdict);
      ++tests;
      failures += result == Result::failed ? 1 : 0;
      errors += result == Result::error ? 1 : 0;
      skipped += result == Result::skipped ? 1 : 0;
    }
  }
  std::string attributes() const {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
           std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) + "\"";
  }
};

std::string explanation(const store::Summary& summary, const store::PropertySummary& property, std::size_t c) {
  const ClaimInfo& claim = property.info.claims[c];
  const ClaimTally& tally = property.tally.claims[c];
  const store::ClaimFinding& finding = property.findings[c];
  std::string text = claim.statement + "\nsource: " + claim.source + "\n" + std::to_string(tally.violated) +
                     " violated, " + std::to_string(tally.undecided) + " undecided of " +
                     std::to_string(tally.executed) + " cases, largest error/bound " + ratio_text(tally.worst.ratio) +
                     "\n";
  const std::optional<store::CaseFile>& file = finding.failure ? finding.failure : property.stopped_by;
  const std::string same = same_case_text(property, c);
  if (!same.empty()) text += same + "\n";
  if (file) text += store::describe(file->inputs) + replay_line(summary, *file) + "\n";
  for (const std::string& id : finding.corpus_surprises) text += replay_line(summary, property.info.name, id) + "\n";
  return text;
}

std::string why_skipped(const store::PropertySummary& property, store::Finding verdict) {
  if (verdict == store::Finding::broken) return "broken, not promised";
  return property.note.empty() ? "not run" : property.note;
}

}  // namespace

std::string report_junit(const store::Summary& summary) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> kernels;  // what was judged in part alone
  for (KernelLadder& each : ladders(summary)) kernels[{each.property, each.executor}] = std::move(each.partly);
  Counts all;
  for (const store::PropertySummary& property : summary.properties) all.add(summary, property);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\"" + all.attributes() + ">\n";
  for (const store::PropertySummary& property : summary.properties) {
    Counts counts;
    counts.add(summary, property);
    const std::string name = escaped(property.info.name + "." + property.executor);
    xml += "  <testsuite name=\"" + name + "\"" + counts.attributes() + ">\n";
    for (std::size_t c = 0; c < property.findings.size(); ++c) {
      const store::Finding verdict = property.findings[c].verdict;
      xml += "    <testcase classname=\"" + name + "\" name=\"" + escaped(property.info.claims[c].id) + "\"";
      const std::string message = " message=\"" + escaped(store::word(verdict)) + "\"";
      switch (result_of(verdict)) {
        case Result::passed:
          xml += "/>\n";
          break;
        case Result::skipped:
          xml += "><skipped message=\"" + escaped(why_skipped(property, verdict)) + "\"/></testcase>\n";
          break;
        case Result::failed:
          xml += "><failure" + message + ">" + escaped(explanation(summary, property, c)) + "</failure></testcase>\n";
          break;
        case Result::error:
          xml += "><error" + message + ">" + escaped(explanation(summary, property, c)) + "</error></testcase>\n";
          break;
      }
    }
    for (const store::SameOn& row : same_on_of(summary, property)) {
      xml += "    <testcase classname=\"" + name + "\" name=\"same_on\"";
      xml += row.different == 0 ? "/>\n"
                                : "><failure message=\"" + escaped(store::word(store::Finding::violated)) + "\">" +
                                      escaped(describe(row)) + "</failure></testcase>\n";
    }
    if (const auto kernel = kernels.find({property.info.name, property.executor});
        kernel != kernels.end() && !kernel->second.empty()) {
      xml += "    <system-out>";
      for (const std::string& line : kernel->second) xml += escaped(line) + ".\n";
      xml += "</system-out>\n";
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace assay::report
