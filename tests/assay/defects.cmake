# Each row of docs/defects.md names tests that exist.
if(Python3_Interpreter_FOUND)
  add_test(NAME defects.rows_name_tests COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/named_tests.py"
    "${CMAKE_CTEST_COMMAND}" "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/docs/defects.md")
  set_tests_properties(defects.rows_name_tests PROPERTIES TIMEOUT 60)
endif()
