#include "assay/report/outputs.hpp"

#include <nlohmann/json.hpp>

#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/store/json.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::report {

void write_outputs(const store::Summary& summary, const std::filesystem::path& dir) {
  for (const store::CaseFile& file : store::saved_cases(summary)) store::write_case(store::folder_of_cases(dir), file);
  store::write_file_atomically(dir / "summary.json", store::summary_bytes(summary));
  store::write_file_atomically(dir / "report.html", report_html(summary));
  store::write_file_atomically(dir / "report.md", report_markdown(summary));
  store::write_file_atomically(dir / "junit.xml", report_junit(summary));
}

}  // namespace assay::report
