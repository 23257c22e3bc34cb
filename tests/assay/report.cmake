# Tests of files, corpora, summaries and reports.
assay_test(assay_report_test
  SOURCES bench_test.cpp changes_test.cpp document_test.cpp exports_test.cpp json_test.cpp known_test.cpp case_file_test.cpp corpus_test.cpp summary_test.cpp overview_test.cpp
    draw_test.cpp ladder_test.cpp order_section_test.cpp report_screen_test.cpp report_test.cpp shortcomings_test.cpp
  USES assay::report assay_pages GROUPED)
target_compile_definitions(assay_report_test PRIVATE "ASSAY_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
assay_test(ledger_test SOURCES ledger_test.cpp USES assay::ledger SQLite::SQLite3)

# Every document that the program writes fits its schema in docs/.
add_executable(assay_sample_files sample_files.cpp schemas.cpp)
target_link_libraries(assay_sample_files PRIVATE assay::report assay::warnings)
set(samples "${CMAKE_CURRENT_BINARY_DIR}/samples")
add_test(NAME assay.sample_files COMMAND assay_sample_files "${samples}")
set_tests_properties(assay.sample_files PROPERTIES FIXTURES_SETUP assay_samples TIMEOUT 60)
# The schemas in docs/ are those that the field lists make. The way to renew one is to copy it from the samples.
foreach(document IN ITEMS bench summary case compare contracts digests ledger list eval explain hunt known orders probe_device probe_order replay tolerance)
  add_test(NAME assay.schema.${document} COMMAND "${CMAKE_COMMAND}" -E compare_files
    "${samples}/${document}.schema.json" "${PROJECT_SOURCE_DIR}/docs/${document}.schema.json")
  set_tests_properties(assay.schema.${document} PROPERTIES FIXTURES_REQUIRED assay_samples TIMEOUT 60)
endforeach()
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  set(pairs)
  foreach(document IN ITEMS bench summary case compare contracts digests ledger list eval explain hunt known orders probe_device probe_order replay tolerance)
    list(APPEND pairs "${PROJECT_SOURCE_DIR}/docs/${document}.schema.json" "${samples}/${document}.json")
  endforeach()
  add_test(NAME assay.schemas COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/validate.py" ${pairs})
  set_tests_properties(assay.schemas PROPERTIES FIXTURES_REQUIRED assay_samples SKIP_RETURN_CODE 77 TIMEOUT 60)
endif()
# JUnit files of hostile names and messages are XML.
if(Python3_Interpreter_FOUND)
  add_test(NAME assay.junit_of_markup COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/parse_junit.py"
    "${samples}/junit_of_markup.xml")
  set_tests_properties(assay.junit_of_markup PROPERTIES FIXTURES_REQUIRED assay_samples TIMEOUT 60)
endif()
# A run keeps what a report and --resume need: of the two dozen sparse products at most 400 kB in the journal and in the
# summary. With 12 cases some claims judge nothing, so that the exit code may be 3.
add_test(NAME assay.a_run_keeps_little COMMAND sh -ec "
  '$<TARGET_FILE:assay>' check 'sparse.*' --cases 12 --on host --progress none --quiet --overwrite --out kept || test $? -eq 3
  for file in journal.jsonl summary.json; do
    bytes=$(wc -c < kept/$file)
    echo $file: $bytes bytes
    test $bytes -gt 10000
    test $bytes -le 400000
  done")
set_tests_properties(assay.a_run_keeps_little PROPERTIES TIMEOUT 60)
# A browser loads reports, if one is installed.
if(Python3_Interpreter_FOUND)
  set(look Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/look_at_report.py")
  add_test(NAME assay.report_in_a_browser COMMAND ${look} "${samples}/report.html")
  add_test(NAME assay.report_in_a_browser.planted_mistakes COMMAND ${look} "${samples}/report.html" --planted)
  set_tests_properties(assay.report_in_a_browser assay.report_in_a_browser.planted_mistakes PROPERTIES
    FIXTURES_REQUIRED assay_samples SKIP_RETURN_CODE 77 TIMEOUT 300)
  set_tests_properties(assay.report_in_a_browser.planted_mistakes PROPERTIES LABELS "nightly;ci")
  # The whole catalog with a few cases each, and the planted mistakes: `check` and `report` may end with 3, because of
  # claims that so few cases do not reach.
  set(catalog "${CMAKE_CURRENT_BINARY_DIR}/catalog_report")
  add_test(NAME assay.report_in_a_browser.catalog COMMAND sh -c
    "\"$1\" check --cases 60 --progress none --quiet --overwrite --out \"$2\" >/dev/null 2>&1; cp \"$5/selftest.json\" \"$2\" && { \"$1\" report \"$2\" --html \"$2/whole.html\" 2>/dev/null; exec \"$3\" \"$4\" \"$2/whole.html\" --within 1000; }"
    sh $<TARGET_FILE:assay> "${catalog}" "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/look_at_report.py" "${PROJECT_BINARY_DIR}")
  set_tests_properties(assay.report_in_a_browser.catalog PROPERTIES LABELS nightly FIXTURES_REQUIRED planted_mistakes SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()
