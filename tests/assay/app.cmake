include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mfma ASSAY_COMPILES_FMA)
add_library(assay_squares OBJECT hostile/squares.cpp)
target_compile_definitions(assay_squares PRIVATE SQUARES=squares_plain)
target_link_libraries(assay_squares PRIVATE assay::warnings assay::numerics)
add_library(assay_hostile_subjects OBJECT hostile/subjects.cpp)
target_link_libraries(assay_hostile_subjects PRIVATE assay::app assay::warnings assay::numerics)
add_executable(assay-hostile $<TARGET_OBJECTS:assay_hostile_subjects> $<TARGET_OBJECTS:assay_squares>)
if(ASSAY_COMPILES_FMA)
  add_library(assay_squares_contracted OBJECT hostile/squares.cpp)
  target_compile_definitions(assay_squares_contracted PRIVATE SQUARES=squares_contracted)
  target_compile_options(assay_squares_contracted PRIVATE -O2 -mfma -ffp-contract=fast)
  target_link_libraries(assay_squares_contracted PRIVATE assay::warnings)
  target_sources(assay-hostile PRIVATE $<TARGET_OBJECTS:assay_squares_contracted>)
  target_compile_definitions(assay_hostile_subjects PRIVATE ASSAY_HAS_CONTRACTED)
endif()
target_link_libraries(assay-hostile PRIVATE assay::app assay::warnings assay::numerics)
assay_bundle(TESTS assay-hostile assay_full_disk)

# A full disk for the files that are written under another name and renamed.
add_library(assay_full_disk SHARED hostile/full_disk.cpp)
target_link_libraries(assay_full_disk PRIVATE assay::warnings)
target_compile_features(assay_full_disk PRIVATE cxx_std_20)

# The same program with a mistake in one file of the harness.
#
# assay_hostile_with_mistake(<name> <file> FIND <text> REPLACE <text>): the copy is made at configure time. It is an error
# if the file no longer has the text.
function(assay_hostile_with_mistake name file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FIND;REPLACE" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
  file(READ "${PROJECT_SOURCE_DIR}/${file}" text)
  string(FIND "${text}" "${arg_FIND}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${name}: '${arg_FIND}' no longer stands in ${file}")
  endif()
  string(REPLACE "${arg_FIND}" "${arg_REPLACE}" text "${text}")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}/${file}" CONTENT "${text}" @ONLY)
  add_executable(assay-hostile-${name} "${CMAKE_CURRENT_BINARY_DIR}/${name}/${file}"
    $<TARGET_OBJECTS:assay_hostile_subjects> $<TARGET_OBJECTS:assay_squares> $<TARGET_OBJECTS:assay_squares_contracted>)
  target_link_libraries(assay-hostile-${name} PRIVATE assay::app assay::warnings assay::numerics)
  assay_bundle(TESTS assay-hostile-${name})
  add_dependencies(assay-hostile assay-hostile-${name})
endfunction()
assay_hostile_with_mistake(fewer assay/campaign/campaign.cpp
  FIND "item.chunk = chunk_size(" REPLACE "item.cases -= item.cases > 10 ? 10 : 0;
      item.chunk = chunk_size(")
assay_hostile_with_mistake(unsound oracle/self_test.cpp
  FIND "expect(bool holds, std::string text) {" REPLACE "expect(bool, std::string text) { const bool holds = text.empty();")

assay_test(assay_program_test
  SOURCES contract_test.cpp harness_test.cpp hazards_test.cpp program_test.cpp program.cpp
  USES assay::arith assay::process)
target_compile_definitions(assay_program_test PRIVATE "ASSAY_FULL_DISK=\"$<TARGET_FILE_NAME:assay_full_disk>\"")
add_dependencies(assay_program_test assay-hostile)
add_dependencies(assay_program_test assay_full_disk)
set_target_properties(assay_full_disk PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")

assay_test(assay_campaign_test
  SOURCES journal_test.cpp match_test.cpp process_test.cpp screen_test.cpp shrink_test.cpp wire_test.cpp program.cpp
  USES assay::cli)
