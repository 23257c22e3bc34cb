# Quantizers of blocks: the judge of rules, and the interfaces.
assay_test(quantizations_test SOURCES quantizations_test.cpp quantization_tails_test.cpp USES assay::quantizations OPTIMIZE -O1
  NIGHTLY "RightQuantizers.*:RoundTrips.KeepTheir*:Rules.AreThose*")

assay_test(quantization_integers_test SOURCES quantization_integers_test.cpp USES assay::quantizations OPTIMIZE -O1
  NIGHTLY "ZeroPoints.WithAMistake*:ZeroPoints.KeepTheBound*:RoundTrips.OfIntegers*")

assay_test(quantization_books_test SOURCES quantization_books_test.cpp USES assay::quantizations OPTIMIZE -O1)

assay_test(quantization_stored_test SOURCES quantization_stored_test.cpp USES assay::quantizations OPTIMIZE -O1)

assay_test(quantization_words_test SOURCES quantization_words_test.cpp USES assay::quantizations OPTIMIZE -O1 GROUPED
  NIGHTLY "RightQuantizers.OfEachFormat*")

add_library(assay_hostile_quantizers SHARED hostile/quantizers.cpp)
target_link_libraries(assay_hostile_quantizers PRIVATE assay::subject assay::warnings)
set_target_properties(assay_hostile_quantizers PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
assay_bundle(TESTS assay_hostile_quantizers)
assay_test(quantization_subject_test SOURCES quantization_subject_test.cpp program.cpp USES assay::process)
target_compile_definitions(quantization_subject_test PRIVATE
  "ASSAY_QUANTIZERS=\"$<TARGET_FILE_NAME:assay_hostile_quantizers>\"" "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\"")
add_dependencies(quantization_subject_test assay assay_outside_library assay_hostile_quantizers)
