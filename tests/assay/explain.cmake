find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME explain.saved_cases COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${Python3_EXECUTABLE}"
    "${CMAKE_CURRENT_SOURCE_DIR}/explain_test.py" $<TARGET_FILE:assay>)
  set_tests_properties(explain.saved_cases PROPERTIES TIMEOUT 120 LABELS "nightly;ci")
endif()
