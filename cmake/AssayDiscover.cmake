# Turns the properties of a program into ctests, in two steps. After each link this file runs as a script. It reads the
# output of `<program> list` and stores the name and the tier of every property, one line "name tier" each. Then ctest
# includes this file and reads those lines. (`list --json` would be the obvious source, but CMake parses the whole JSON
# text again for every value that it extracts.)
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  execute_process(COMMAND "${PROGRAM}" list
    OUTPUT_VARIABLE listed ERROR_VARIABLE text RESULT_VARIABLE status TIMEOUT 60)
  if(NOT status EQUAL 0)
    file(REMOVE "${LIST}")
    message(FATAL_ERROR "${PROGRAM} list: exit ${status}\n${text}")
  endif()
  # The line of a property has no indentation. The lines of its claims follow, indented.
  string(REGEX MATCHALL "\n[^ \n]+  [^ \n]+, [a-z]+ tier, " heads "\n${listed}")
  string(REGEX MATCHALL "\n[^ \n]" properties "\n${listed}")
  list(LENGTH heads read)
  list(LENGTH properties printed)
  if(NOT read EQUAL printed)
    file(REMOVE "${LIST}")
    message(FATAL_ERROR "${PROGRAM} list: ${printed} properties, ${read} of them with a format and a tier")
  endif()
  list(TRANSFORM heads REPLACE "\n([^ ]+)  [^ ]+, ([a-z]+) tier, " "\\1 \\2\n")
  list(JOIN heads "" lines)
  file(WRITE "${LIST}" "${lines}")
  return()
endif()

# A program that was not built gives one failing test. No test at all would look like success.
if(NOT EXISTS "${ASSAY_PROGRAM}" OR NOT EXISTS "${ASSAY_LIST}")
  add_test("${ASSAY_NAME}.NOT_BUILT" "${ASSAY_PROGRAM}")
  return()
endif()

# If no test of a device can run, the programs would only say so themselves, and take longer to start.
set(assay_no_cuda "")
if(ASSAY_HOST_ALONE)
  set(assay_no_cuda "this build is for the host alone")
elseif(NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/nvidia0 AND NOT EXISTS /dev/dxg)
  set(assay_no_cuda "no CUDA device is present")
endif()

file(STRINGS "${ASSAY_LIST}" assay_properties)
set(assay_with_corpus "")
if(IS_DIRECTORY "${ASSAY_CORPUS}")
  set(assay_with_corpus --corpus "${ASSAY_CORPUS}")
endif()
foreach(assay_property IN LISTS assay_properties)
  string(REPLACE " " ";" assay_property "${assay_property}")
  list(GET assay_property 0 assay_p)
  list(GET assay_property 1 assay_tier)
  set(assay_labels property ${ASSAY_LABELS})
  if(NOT assay_tier STREQUAL "quick")
    list(APPEND assay_labels ${assay_tier})
  endif()
  set(assay_labels_once ${assay_labels})
  if(ASSAY_NIGHTLY AND assay_tier STREQUAL "quick" AND assay_p MATCHES "${ASSAY_NIGHTLY}")
    list(APPEND assay_labels_once nightly)
  endif()
  foreach(assay_on IN ITEMS host cuda)
    if(assay_on STREQUAL "cuda" AND assay_no_cuda)
      add_test("${assay_p}.cuda" sh -c "echo '${assay_no_cuda}'; exit 77")
    else()
      add_test("${assay_p}.${assay_on}" "${ASSAY_PROGRAM}" check "${assay_p}" --on ${assay_on} --tier ${assay_tier}
        --overwrite --out "${ASSAY_OUT}/${assay_p}.${assay_on}" ${assay_with_corpus} --progress none)
    endif()
    set_tests_properties("${assay_p}.${assay_on}" PROPERTIES
      LABELS "${assay_labels_once}" TIMEOUT ${ASSAY_TIMEOUT} SKIP_RETURN_CODE 77 ENVIRONMENT "${ASSAY_ENVIRONMENT}")
  endforeach()
  set_tests_properties("${assay_p}.cuda" PROPERTIES RESOURCE_GROUPS "gpus:1")
  if(assay_tier STREQUAL "quick")
    add_test("${assay_p}.nightly" "${ASSAY_PROGRAM}" check "${assay_p}" --on all --tier nightly
      --overwrite --out "${ASSAY_OUT}/${assay_p}.nightly" ${assay_with_corpus} --progress none)
    set_tests_properties("${assay_p}.nightly" PROPERTIES
      LABELS "${assay_labels};nightly" TIMEOUT 7200 SKIP_RETURN_CODE 77 RESOURCE_GROUPS "gpus:1"
      ENVIRONMENT "${ASSAY_ENVIRONMENT}")
  else()
    set_tests_properties("${assay_p}.host" "${assay_p}.cuda" PROPERTIES TIMEOUT 86400)
  endif()
  file(GLOB assay_files "${ASSAY_CORPUS}/${assay_p}/*.json")
  if(assay_files)
    add_test("${assay_p}.corpus" "${ASSAY_PROGRAM}" replay ${assay_files} --on all)
    set_tests_properties("${assay_p}.corpus" PROPERTIES
      LABELS "property;${ASSAY_LABELS};nightly" TIMEOUT ${ASSAY_TIMEOUT} SKIP_RETURN_CODE 77)
  endif()
endforeach()
