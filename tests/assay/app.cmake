include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mfma ASSAY_COMPILES_FMA)
add_library(assay_squares OBJECT hostile/squares.cpp)
target_compile_definitions(assay_squares PRIVATE SQUARES=squares_plain)
target_link_libraries(assay_squares PRIVATE assay::warnings assay::numerics)
add_executable(assay-hostile hostile/subjects.cpp $<TARGET_OBJECTS:assay_squares>)
if(ASSAY_COMPILES_FMA)
  add_library(assay_squares_contracted OBJECT hostile/squares.cpp)
  target_compile_definitions(assay_squares_contracted PRIVATE SQUARES=squares_contracted)
  target_compile_options(assay_squares_contracted PRIVATE -O2 -mfma -ffp-contract=fast)
  target_link_libraries(assay_squares_contracted PRIVATE assay::warnings)
  target_sources(assay-hostile PRIVATE $<TARGET_OBJECTS:assay_squares_contracted>)
  target_compile_definitions(assay-hostile PRIVATE ASSAY_HAS_CONTRACTED)
endif()
target_link_libraries(assay-hostile PRIVATE assay::app assay::warnings assay::numerics)
assay_bundle(TESTS assay-hostile assay_full_disk)

# A full disk for the files that are written under another name and renamed.
add_library(assay_full_disk SHARED hostile/full_disk.cpp)
target_link_libraries(assay_full_disk PRIVATE assay::warnings)
target_compile_features(assay_full_disk PRIVATE cxx_std_20)

assay_test(assay_program_test
  SOURCES program_test.cpp contract_test.cpp endings_test.cpp hazards_test.cpp program.cpp
  USES assay::arith assay::process)
target_compile_definitions(assay_program_test PRIVATE "ASSAY_FULL_DISK=\"$<TARGET_FILE_NAME:assay_full_disk>\"")
add_dependencies(assay_program_test assay-hostile)
add_dependencies(assay_program_test assay_full_disk)
set_target_properties(assay_full_disk PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")

assay_test(assay_campaign_test
  SOURCES journal_test.cpp match_test.cpp process_test.cpp screen_test.cpp shrink_test.cpp wire_test.cpp program.cpp
  USES assay::cli)
