cmake_minimum_required(VERSION 3.25)
# The main job: checks the catalog and, where they are installed, the libraries of examples/. Then it writes one report,
# with the last full runs of the planted and of the systematic mistakes. Every step runs, even after a step that failed.
# The job fails at its end if a step failed.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")
set(failed "")

macro(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(APPEND failed "${what} (exit ${status})")
  endif()
endmacro()

step("assay check" "${ASSAY}" check --tier quick --corpus "${CORPUS}" --out "${DIR}")
foreach(published IN ITEMS selftest systematic)  # a test holds the first against what a run gives
  if(EXISTS "${DOCS}/${published}.json")
    file(COPY_FILE "${DOCS}/${published}.json" "${DIR}/${published}.json")
  endif()
endforeach()
set(runs "${DIR}")
foreach(library IN ITEMS qd blas)
  if(${library}_PROGRAM)
    step("examples/${library}" "${${library}_PROGRAM}" check --tier quick
      --corpus "${EXAMPLES}/${library}/corpora" --out "${DIR}/${library}")
    if(status EQUAL 77)  # the library needs a device, and there is none
      list(POP_BACK failed)
    else()
      list(APPEND runs "${DIR}/${library}")
    endif()
  endif()
endforeach()
step("assay report" "${ASSAY}" report ${runs} --html "${DIR}/report.html" --markdown "${DIR}/report.md")

if(failed)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "report: failed: ${failed}")
endif()
message(STATUS "report: ${DIR}/report.html")
