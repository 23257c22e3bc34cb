# The Python package. Where no interpreter has NumPy, pytest and Hypothesis, the tests are skipped with a line.
assay_find_python(python numpy pytest hypothesis)
if(NOT python)
  return()
endif()
set(package "${PROJECT_SOURCE_DIR}/python")

# assay_python_test(<name> <argument of run.py>…)
function(assay_python_test name)
  add_test(NAME python.${name} COMMAND "${python}" "${package}/tests/run.py" ${ARGN})
  set_tests_properties(python.${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT
    "PYTHONPATH=${package};PYTHONDONTWRITEBYTECODE=1;LIBASSAY_JUDGE=$<TARGET_FILE:assay_judge>")
endfunction()

foreach(part IN ITEMS arrays bits bounds build check close convert convolutions factorizations formula in_place judge
        large models models_jax one_wrong_entry operations order plugin quantize reports shapes small_store strategies subject times tolerance
        transcriptions transforms within zoo)
  assay_python_test(${part} suite "${package}/tests/test_${part}.py")
endforeach()
set_property(TEST python.times APPEND PROPERTY ENVIRONMENT "ASSAY_PROGRAM=$<TARGET_FILE:assay>")
# Rows, sparse matrices, attention, formulas of single numbers and of reductions on a device that is the host.
foreach(part IN ITEMS rows sparse attention elementwise reductions)
  assay_python_test(device_${part} suite "${package}/tests/test_device_${part}.py")
  set_property(TEST python.device_${part} APPEND PROPERTY ENVIRONMENT
    "ASSAY_CUDA_DRIVER=$<TARGET_FILE:assay_host_device>" "ASSAY_NVRTC=$<TARGET_FILE:assay_host_device>")
endforeach()
assay_python_test(device_reductions.nightly suite "${package}/tests/test_device_reductions.py")
set_property(TEST python.device_reductions.nightly APPEND PROPERTY ENVIRONMENT ASSAY_TIER=nightly
  "ASSAY_CUDA_DRIVER=$<TARGET_FILE:assay_host_device>" "ASSAY_NVRTC=$<TARGET_FILE:assay_host_device>")
set_tests_properties(python.device_reductions.nightly PROPERTIES LABELS nightly)
# Of models of torch; skipped where torch is missing.
foreach(part IN ITEMS judge_kernels judge_kernels_on_device level_one)
  assay_python_test(${part} suite "${package}/tests/test_${part}.py")
  set_tests_properties(python.${part} PROPERTIES LABELS nightly TIMEOUT 1200)
endforeach()
# A hunt for the largest error of right kernels.
assay_python_test(sharp_tolerances suite "${package}/tests/test_sharp_tolerances.py")
set_tests_properties(python.sharp_tolerances PROPERTIES LABELS nightly)
# Each takes more than ten seconds of processor time.
foreach(part IN ITEMS convolutions factorizations large shapes transcriptions transforms zoo)
  set_tests_properties(python.${part} PROPERTIES LABELS nightly)
endforeach()
assay_python_test(giant suite "${package}/tests/test_giant.py")
set_tests_properties(python.giant PROPERTIES LABELS giant TIMEOUT 1200 RUN_SERIAL ON)
# Their long forms.
foreach(part IN ITEMS bits large one_wrong_entry operations order reports shapes small_store)
  assay_python_test(${part}.nightly suite "${package}/tests/test_${part}.py")
  set_tests_properties(python.${part}.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
  set_property(TEST python.${part}.nightly APPEND PROPERTY ENVIRONMENT ASSAY_TIER=nightly)
endforeach()
# The figures of docs/formula_evidence.md.
set(evidence "${package}/tests/formula_evidence.py")
add_test(NAME formulas.right_kernels COMMAND "${python}" "${evidence}" right 42)
add_test(NAME formulas.right_kernels.f64 COMMAND "${python}" "${evidence}" f64 42)
add_test(NAME formulas.right_kernels.f16 COMMAND "${python}" "${evidence}" f16 42)
add_test(NAME formulas.mistakes COMMAND "${python}" "${evidence}" mistakes)
add_test(NAME formulas.specials COMMAND "${python}" "${evidence}" specials)
add_test(NAME formulas.hand_made COMMAND "${python}" "${PROJECT_SOURCE_DIR}/tests/formulas/hand_made.py")
set(of_evidence formulas.right_kernels formulas.right_kernels.f64 formulas.right_kernels.f16 formulas.mistakes
                formulas.specials formulas.hand_made)
set_tests_properties(${of_evidence} PROPERTIES LABELS nightly TIMEOUT 7200
  ENVIRONMENT "PYTHONPATH=${package};PYTHONDONTWRITEBYTECODE=1;LIBASSAY_JUDGE=$<TARGET_FILE:assay_judge>")
set_tests_properties(formulas.mistakes PROPERTIES LABELS "")
add_test(NAME python.probe_order_command
  COMMAND "${python}" "${CMAKE_CURRENT_SOURCE_DIR}/probe_order_command.py" $<TARGET_FILE:assay> "${package}")
set_tests_properties(python.probe_order_command PROPERTIES TIMEOUT 300 LABELS nightly
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIBASSAY_JUDGE=$<TARGET_FILE:assay_judge>")
# Runs by hand on a machine with a device, torch, CuPy and JAX.
set(by_hand device device_formulas)
file(GLOB suites CONFIGURE_DEPENDS RELATIVE "${package}/tests" "${package}/tests/test_*.py")
get_property(tests DIRECTORY PROPERTY TESTS)
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "test_(.*)\\.py" "\\1" part "${suite}")
  if(NOT "python.${part}" IN_LIST tests AND NOT part IN_LIST by_hand)
    message(FATAL_ERROR "python/tests/${suite} belongs to no test, so it would never fail")
  endif()
endforeach()
assay_python_test(exploits suite "${package}/tests/exploits")
assay_python_test(doctests doctests "${PROJECT_SOURCE_DIR}/docs/python.md" "${PROJECT_SOURCE_DIR}/docs/formula.md"
                  "${PROJECT_SOURCE_DIR}/docs/collectives.md")
assay_python_test(installed installed "$<TARGET_FILE:assay_judge>")
set_tests_properties(python.doctests python.installed PROPERTIES LABELS "nightly;ci")
