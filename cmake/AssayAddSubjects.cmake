# assay_add_subjects(<name> [KERNELS <file>…] [PROPERTIES <file>…] [WITH_CATALOG] [LABELS <label>…] [USES <library>…]
#                    [CORPUS <dir>] [TIMEOUT <seconds>] [ENVIRONMENT <name=value>…] [NIGHTLY <regex>])
#
# Makes the executable <name> with all commands of `assay`, for the properties that the given files register. With
# WITH_CATALOG it has the built-in properties too, and the operations that kernels from outside may compute. KERNELS are
# compiled with the flags of assay::numerics, by nvcc when CUDA is on. PROPERTIES are compiled only by the host
# compiler. USES are further libraries for both.
#
# After the build each property P has the ctests P.host and P.cuda (skipped without a device), and P.corpus where CORPUS
# (default: corpora/ beside the calling file) has cases for it. A property of the nightly or exhaustive tier has that
# label. A property of the quick tier also has P.nightly, with the number of cases of the nightly tier. P.corpus has the
# label nightly, since P.host and P.cuda run the saved cases first. ENVIRONMENT sets the environment variables of these
# ctests. P.host and P.cuda also have the label nightly if the name P matches NIGHTLY: properties that take long, or
# that differ from others only in a size.
set(ASSAY_DISCOVER_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/AssayDiscover.cmake")

# Where CUDA is on, makes CUDA the language of these sources and sets C++20 for the target. CMake 3.25 may not know
# C++20 for nvcc.
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
  cmake_parse_arguments(PARSE_ARGV 1 arg "WITH_CATALOG" "CORPUS;TIMEOUT;NIGHTLY" "KERNELS;PROPERTIES;LABELS;USES;ENVIRONMENT")
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
    list(APPEND objects $<TARGET_OBJECTS:assay::catalog> $<TARGET_OBJECTS:assay::contracts>
      $<TARGET_OBJECTS:assay::outside>)
    list(APPEND arg_USES assay::cases assay::outside)
  endif()
  set(kernels assay::exec)
  if(TARGET assay::kernels)
    set(kernels assay::kernels)
    if(ASSAY_HAS_CUDA)
      list(APPEND objects $<TARGET_OBJECTS:assay::units>)
    endif()
  endif()
  if(arg_KERNELS)
    add_library(${name}_kernels OBJECT ${arg_KERNELS})
    target_link_libraries(${name}_kernels PUBLIC ${kernels} assay::numerics ${arg_USES})
    assay_device_sources(${name}_kernels ${arg_KERNELS})
    list(APPEND objects $<TARGET_OBJECTS:${name}_kernels>)
  endif()
  if(NOT arg_KERNELS AND NOT arg_PROPERTIES AND NOT arg_WITH_CATALOG)
    message(FATAL_ERROR "assay_add_subjects(${name}): neither KERNELS nor PROPERTIES nor WITH_CATALOG")
  endif()
  add_executable(${name} ${arg_PROPERTIES} ${objects})
  target_link_libraries(${name} PRIVATE assay::app assay::framework ${kernels} ${arg_USES})
  if(NOT arg_PROPERTIES)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()

  assay_subject_tests(${name} CORPUS "${arg_CORPUS}" TIMEOUT ${arg_TIMEOUT} NIGHTLY "${arg_NIGHTLY}"
                      LABELS ${arg_LABELS} ENVIRONMENT ${arg_ENVIRONMENT})
endfunction()

# assay_subject_tests(<name> [LIBRARY <target>] CORPUS <dir> [TIMEOUT <seconds>] [NIGHTLY <regex>] [LABELS <label>…]
#                     [ENVIRONMENT <name=value>…]): the ctests of the properties that a program lists. LIBRARY has these
# properties, if the program itself has none.
function(assay_subject_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIBRARY;CORPUS;TIMEOUT;NIGHTLY" "LABELS;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT CMAKE_TESTING_ENABLED OR (PROJECT_NAME STREQUAL "assay" AND NOT ASSAY_TESTS))
    return()  # a project that includes Assay gets none of its tests
  endif()
  set(host_alone OFF)
  if(DEFINED ASSAY_HAS_CUDA AND NOT ASSAY_HAS_CUDA)
    set(host_alone ON)
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
set(ASSAY_ENVIRONMENT [==[${arg_ENVIRONMENT}]==])
set(ASSAY_HOST_ALONE ${host_alone})
set(ASSAY_NIGHTLY [==[${arg_NIGHTLY}]==])
include([==[${ASSAY_DISCOVER_SCRIPT}]==])
")
  set(listing "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DLIST=${list}" -P "${ASSAY_DISCOVER_SCRIPT}")
  if(arg_LIBRARY)
    add_custom_command(OUTPUT "${list}" COMMAND ${listing} DEPENDS ${name} ${arg_LIBRARY} VERBATIM
      COMMENT "Properties of ${name}")
    add_custom_target(${name}_list ALL DEPENDS "${list}")
  else()
    add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS "${list}" COMMAND ${listing} VERBATIM)
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${settings}")
endfunction()
