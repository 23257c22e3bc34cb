# The atlas of libraries, the page for readers that are programs, and the page of operations.
if(NOT Python3_Interpreter_FOUND)
  return()
endif()
set(atlas "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/atlas_test.py")
add_test(NAME atlas.pages_are_what_the_rows_say COMMAND ${atlas} Atlas $<TARGET_FILE:assay>)
add_test(NAME atlas.a_row_is_repeated_by_its_command COMMAND ${atlas} AtlasAgain $<TARGET_FILE:assay>)
set(for_programs "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/for_programs.py"
    "${PROJECT_SOURCE_DIR}/docs/for_programs.md" $<TARGET_FILE:assay>)
add_test(NAME for_programs.examples_give_the_shown_documents COMMAND ${for_programs})
add_test(NAME for_programs.mistakes_of_the_page_are_found COMMAND ${for_programs} --planted)
set_tests_properties(atlas.pages_are_what_the_rows_say PROPERTIES TIMEOUT 120)
set_tests_properties(for_programs.examples_give_the_shown_documents PROPERTIES TIMEOUT 120 LABELS "nightly;ci")
set_tests_properties(atlas.a_row_is_repeated_by_its_command for_programs.mistakes_of_the_page_are_found PROPERTIES
  TIMEOUT 600 LABELS nightly)
set_tests_properties(atlas.pages_are_what_the_rows_say atlas.a_row_is_repeated_by_its_command PROPERTIES
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
add_test(NAME operations.the_page_is_what_the_program_says COMMAND "${Python3_EXECUTABLE}"
  "${CMAKE_CURRENT_SOURCE_DIR}/operations_page.py" $<TARGET_FILE:assay>
  "${PROJECT_SOURCE_DIR}/properties/formulas/library" "${PROJECT_SOURCE_DIR}/docs/operations.md")
