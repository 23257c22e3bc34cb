# The targets that are built by name: `judge` (the part that judges kernels from outside, for Python as well), `report`
# (the main job), `bundle` (a relocatable directory), `format-check`.

add_custom_target(judge DEPENDS assay assay_judge assay_outside_library)

set(report_programs "")
foreach(target IN ITEMS assay qd_checks blas_checks)
  if(TARGET ${target})
    list(APPEND report_programs ${target})
  endif()
endforeach()
if(ASSAY_CATALOG)
  set(example_programs "")
  foreach(library IN ITEMS qd blas)
    if(TARGET ${library}_checks)
      list(APPEND example_programs "-D${library}_PROGRAM=$<TARGET_FILE:${library}_checks>")
    endif()
  endforeach()
  add_custom_target(report
    COMMAND "${CMAKE_COMMAND}" "-DASSAY=$<TARGET_FILE:assay>" ${example_programs}
            "-DEXAMPLES=${PROJECT_SOURCE_DIR}/examples" "-DDIR=${PROJECT_SOURCE_DIR}/report"
            "-DCORPUS=${PROJECT_SOURCE_DIR}/corpora" "-DBUILD=${PROJECT_BINARY_DIR}"
            -P "${PROJECT_SOURCE_DIR}/cmake/RunReport.cmake"
    DEPENDS ${report_programs} assay_catalog_library USES_TERMINAL VERBATIM COMMENT "The main job, into report/")
endif()

get_property(bundle_programs GLOBAL PROPERTY ASSAY_BUNDLE_PROGRAMS)
get_property(bundle_tests GLOBAL PROPERTY ASSAY_BUNDLE_TESTS)
list(APPEND bundle_programs ${report_programs})
list(REMOVE_DUPLICATES bundle_programs)
set(program_files "")
foreach(target IN LISTS bundle_programs)
  list(APPEND program_files $<TARGET_FILE:${target}>)
endforeach()
set(test_files "")
foreach(target IN LISTS bundle_tests)
  list(APPEND test_files $<TARGET_FILE:${target}>)
endforeach()
set(library_files $<TARGET_FILE:assay_outside_library>)
if(ASSAY_CATALOG)
  list(APPEND library_files $<TARGET_FILE:assay_catalog_library> $<TARGET_FILE:assay_probes_library>)
endif()
set(bundle_settings "${PROJECT_BINARY_DIR}/bundle_settings.cmake")
file(GENERATE OUTPUT "${bundle_settings}" CONTENT
"set(PROGRAMS [==[${program_files}]==])
set(TESTS [==[${test_files}]==])
set(LIBRARIES [==[${library_files}]==])
set(DIR [==[${PROJECT_BINARY_DIR}/bundle/assay-${PROJECT_VERSION}]==])
set(SOURCE [==[${PROJECT_SOURCE_DIR}]==])
set(WITH_CUDA [==[${ASSAY_BUNDLE_CUDA}]==])
set(STRIP [==[${CMAKE_STRIP}]==])
")
add_custom_target(bundle
  COMMAND "${CMAKE_COMMAND}" "-DSETTINGS=${bundle_settings}" -P "${PROJECT_SOURCE_DIR}/cmake/MakeBundle.cmake"
  DEPENDS ${bundle_programs} ${bundle_tests} ${library_files} USES_TERMINAL VERBATIM COMMENT "A relocatable directory and its archive")

find_program(ASSAY_CLANG_FORMAT NAMES clang-format-16)
mark_as_advanced(ASSAY_CLANG_FORMAT)
add_custom_target(format-check
  COMMAND "${CMAKE_COMMAND}" "-DCLANG_FORMAT=${ASSAY_CLANG_FORMAT}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
          -P "${PROJECT_SOURCE_DIR}/cmake/CheckFormat.cmake"
  VERBATIM COMMENT "The layout of the sources")
