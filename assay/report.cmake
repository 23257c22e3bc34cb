# Files, summaries and reports: the library assay_report, without command line and campaign.
find_package(nlohmann_json REQUIRED)

set(ASSAY_REPORT_SOURCES
  json.cpp case_file.cpp corpus.cpp summary_io.cpp plots.cpp overview.cpp report_text.cpp report_html.cpp report_markdown.cpp report_junit.cpp)
assay_room(report SOURCES ${ASSAY_REPORT_SOURCES} USES assay::properties nlohmann_json::nlohmann_json)
