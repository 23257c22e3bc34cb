cmake_minimum_required(VERSION 3.25)
# The main job: checks the catalog and, where they are installed, the libraries of examples/. Then it writes one report,
# with the last runs of the planted and of the systematic mistakes in this build folder. Every step runs, even after a
# step that failed. The job fails at its end if a step failed.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")
set(failed "")

macro(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(APPEND failed "${what} (exit ${status})")
  endif()
endmacro()

# Properties with large cases would take half of the time: they have fewer cases (--numbers). A worker process for each
# property would take another tenth.
step("assay check" "${ASSAY}" check --tier quick --numbers 50000 --isolate worker --corpus "${CORPUS}" --out "${DIR}")
# The tests mutants.AreCaught… write the first file, and `assay-systematic --out <build folder>/mutants` the second. The
# third is the last whole outside score, or the result of the test outside.score in this build folder.
if(EXISTS "${BUILD}/selftest.json")
  file(COPY_FILE "${BUILD}/selftest.json" "${DIR}/selftest.json")
endif()
if(EXISTS "${BUILD}/mutants/mutants.json")
  file(COPY_FILE "${BUILD}/mutants/mutants.json" "${DIR}/systematic.json")
endif()
file(COPY_FILE "${EXAMPLES}/../tests/outside/score.json" "${DIR}/outside.json")
if(EXISTS "${BUILD}/tests/outside/score.json")
  file(COPY_FILE "${BUILD}/tests/outside/score.json" "${DIR}/outside.json")
endif()
if(NOT EXISTS "${DIR}/selftest.json" AND NOT EXISTS "${DIR}/systematic.json")
  message(STATUS "report: no mutation score, because no mistakes were tried in this build folder: ctest -R mutants.AreCaught, docs/mutation.md")
endif()
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
