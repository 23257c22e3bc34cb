#include "assay/report/outputs.hpp"

#include <nlohmann/json.hpp>

#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/store/json.hpp"
#include "assay/store/summary_io.hpp"

namespace assay {

void write_outputs(const Summary& summary, const std::filesystem::path& dir) {
  for (const CaseFile& file : saved_cases(summary)) write_case(dir / "cases", file);
  write_file_atomically(dir / "summary.json", pretty(summary_to_json(summary)));
  write_file_atomically(dir / "report.html", report_html(summary));
  write_file_atomically(dir / "report.md", report_markdown(summary));
  write_file_atomically(dir / "junit.xml", report_junit(summary));
}

}  // namespace assay
