add_executable(assay-hostile hostile/subjects.cpp)
target_link_libraries(assay-hostile PRIVATE assay::app assay::warnings assay::numerics)
assay_bundle(TESTS assay-hostile)

assay_test(assay_program_test SOURCES program_test.cpp hazards_test.cpp program.cpp USES assay::arith)
add_dependencies(assay_program_test assay-hostile)

assay_test(assay_campaign_test SOURCES journal_test.cpp match_test.cpp shrink_test.cpp wire_test.cpp program.cpp
  USES assay::campaign)
