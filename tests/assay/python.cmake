# The Python package. NumPy, pytest and Hypothesis are those of the first interpreter that has them, in the PATH or the
# distribution's. Where none has them, the tests are skipped with a line.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND OR CMAKE_CXX_FLAGS MATCHES "sanitize")  # a sanitizer wants to be loaded before Python
  return()
endif()
set(python "${Python3_EXECUTABLE}")
foreach(candidate IN ITEMS "${Python3_EXECUTABLE}" /usr/bin/python3)
  execute_process(COMMAND "${candidate}" -c "import numpy, pytest, hypothesis" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(python "${candidate}")
    break()
  endif()
endforeach()
set(package "${PROJECT_SOURCE_DIR}/python")

# assay_python_test(<name> <argument of run.py>…)
function(assay_python_test name)
  add_test(NAME python.${name} COMMAND "${python}" "${package}/tests/run.py" ${ARGN})
  set_tests_properties(python.${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT
    "PYTHONPATH=${package};PYTHONDONTWRITEBYTECODE=1;LIBASSAY_JUDGE=$<TARGET_FILE:assay_judge>")
endfunction()

foreach(part IN ITEMS arrays build check close convert formula judge plugin quantize strategies subject tolerance within zoo)
  assay_python_test(${part} suite "${package}/tests/test_${part}.py")
endforeach()
assay_python_test(exploits suite "${package}/tests/exploits")
assay_python_test(doctests doctests "${PROJECT_SOURCE_DIR}/docs/python.md" "${PROJECT_SOURCE_DIR}/docs/formula.md")
assay_python_test(installed installed "$<TARGET_FILE:assay_judge>")
