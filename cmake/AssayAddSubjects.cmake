# assay_add_subjects(<name> [KERNELS <file>…] [PROPERTIES <file>…] [WITH_CATALOG] [LABELS <label>…] [USES <library>…]
#                    [CORPUS <dir>] [TIMEOUT <seconds>])
#
# Makes the executable <name>: the whole command line over the properties that the given files register, and with WITH_CATALOG
# over the built-in ones too. KERNELS are compiled under the flags of assay::numerics, by nvcc when CUDA is on; PROPERTIES by the
# host compiler alone. USES are further libraries for both. Once built, each property P becomes the ctests P.host, P.cuda (skipped
# without a device) and, where CORPUS (default: corpora/ beside the calling file) has cases for it, P.corpus; a property of the
# nightly or exhaustive tier carries that label, and each quick one is asked again as P.nightly with the nightly budget.
set(ASSAY_DISCOVER_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/AssayDiscover.cmake")

# Marks sources of a target as CUDA where CUDA is on, and tells the target so. CMake 3.25 does not know C++20 for nvcc.
function(assay_device_sources target)
  if(ASSAY_HAS_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
      target_compile_features(${target} PUBLIC cuda_std_20)
    else()
      target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
    endif()
  endif()
endfunction()

function(assay_add_subjects name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WITH_CATALOG" "CORPUS;TIMEOUT" "KERNELS;PROPERTIES;LABELS;USES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "assay_add_subjects(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_CORPUS)
    set(arg_CORPUS "${CMAKE_CURRENT_SOURCE_DIR}/corpora")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()

  set(objects "")
  if(arg_WITH_CATALOG)
    list(APPEND objects $<TARGET_OBJECTS:assay::catalog>)
    list(APPEND arg_USES assay::cases)
  endif()
  if(arg_KERNELS)
    add_library(${name}_kernels OBJECT ${arg_KERNELS})
    target_link_libraries(${name}_kernels PUBLIC assay::kernels assay::numerics ${arg_USES})
    assay_device_sources(${name}_kernels ${arg_KERNELS})
    list(APPEND objects $<TARGET_OBJECTS:${name}_kernels>)
  endif()
  if(NOT objects AND NOT arg_PROPERTIES)
    message(FATAL_ERROR "assay_add_subjects(${name}): neither KERNELS nor PROPERTIES nor WITH_CATALOG")
  endif()
  add_executable(${name} ${arg_PROPERTIES} ${objects})
  target_link_libraries(${name} PRIVATE assay::app assay::framework assay::kernels ${arg_USES})
  if(NOT arg_PROPERTIES)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()

  if(NOT CMAKE_TESTING_ENABLED OR (PROJECT_NAME STREQUAL "assay" AND NOT ASSAY_TESTS))
    return()  # an including project gets no tests of ours
  endif()
  set(settings "${CMAKE_CURRENT_BINARY_DIR}/${name}_subjects.cmake")
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}_list.txt")
  file(GENERATE OUTPUT "${settings}" CONTENT
"set(ASSAY_NAME [==[${name}]==])
set(ASSAY_PROGRAM [==[$<TARGET_FILE:${name}>]==])
set(ASSAY_LIST [==[${list}]==])
set(ASSAY_CORPUS [==[${arg_CORPUS}]==])
set(ASSAY_OUT [==[${CMAKE_CURRENT_BINARY_DIR}/${name}_out]==])
set(ASSAY_LABELS [==[${arg_LABELS}]==])
set(ASSAY_TIMEOUT [==[${arg_TIMEOUT}]==])
include([==[${ASSAY_DISCOVER_SCRIPT}]==])
")
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS "${list}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DLIST=${list}" -P "${ASSAY_DISCOVER_SCRIPT}" VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${settings}")
endfunction()
