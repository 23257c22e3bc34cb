# Conversions of number formats: the judge of rules, the rules of other projects' headers, and the interfaces.
find_path(ASSAY_CUDA_HEADERS cuda_fp4.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} ${CUDAToolkit_INCLUDE_DIRS})
set(cuda_headers_test "")
if(ASSAY_CUDA_HEADERS)
  set(cuda_headers_test cuda_headers_test.cpp)
else()
  set_property(GLOBAL APPEND PROPERTY ASSAY_TEST_SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/cuda_headers_test.cpp")
endif()
assay_test(conversions_test SOURCES conversions_test.cpp conversion_pairs_test.cpp ${cuda_headers_test} USES assay::conversions OPTIMIZE -O1)
if(ASSAY_CUDA_HEADERS)
  target_include_directories(conversions_test SYSTEM PRIVATE "${ASSAY_CUDA_HEADERS}")
endif()

assay_test(runs_test SOURCES runs_test.cpp USES assay::conversions OPTIMIZE -O1)
assay_test(stochastic_test SOURCES stochastic_test.cpp USES assay::conversions OPTIMIZE -O1
  NIGHTLY "RightConversions.AreAcceptedByEachDraw")
assay_test(draws_test SOURCES draws_test.cpp USES assay::conversions OPTIMIZE -O1
  NIGHTLY "RightConversions.AreAcceptedByEachDraw")

add_library(assay_hostile_conversions SHARED hostile/conversions.cpp)
target_link_libraries(assay_hostile_conversions PRIVATE assay::subject assay::warnings)
set_target_properties(assay_hostile_conversions PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
assay_bundle(TESTS assay_hostile_conversions)
assay_test(conversion_subject_test SOURCES conversion_subject_test.cpp program.cpp USES assay::process
  NIGHTLY "StochasticTest.WithFewerWords*:StochasticTest.WithGivenWords*")
target_compile_definitions(conversion_subject_test PRIVATE
  "ASSAY_CONVERSIONS=\"$<TARGET_FILE_NAME:assay_hostile_conversions>\"" "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\"")
add_dependencies(conversion_subject_test assay assay_outside_library assay_hostile_conversions)
