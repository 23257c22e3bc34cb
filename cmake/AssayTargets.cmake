# One CMake target per folder.
#
# assay_room(<name> [OBJECT] [SOURCES …] [DEVICE_SOURCES …] [USES …] [USES_PRIVATELY …]) makes the library assay_<name>
# with the alias assay::<name>. A library without sources is header only. A library with sources is static. With OBJECT
# it is an object library, from which the linker drops nothing. DEVICE_SOURCES are compiled by nvcc when CUDA is on and
# by the host compiler when it is off.
#
# assay_bundle(PROGRAMS|TESTS <target>…) adds executables to the target `bundle`.
#
# assay_fast_build(<level> [<target>]) compiles C++ files at the optimization <level> in a Release build where
# ASSAY_FAST_BUILD is on: the files of <target>, or of the calling folder and the folders below it. The presets set
# ASSAY_FAST_BUILD. A project that includes Assay compiles everything at its own level.
#
# assay_fast_build_files(<level> <file>…) does that for C++ files of the calling folder. They take no precompiled
# headers: g++ compiles a file at the level of the precompiled headers that it reads, whatever its own level is.
#
# assay_precompile(<target> <header>…) precompiles headers that most C++ files of <target> include, where
# ASSAY_FAST_BUILD is on. assay_precompile(<target> REUSE_FROM <other>) takes those of <other>, which has the same
# level.
#
# assay_unite(<target> [ALONE] [APART <file>…] [GROUPS <regex>…]) compiles C++ files of <target> as one where
# ASSAY_FAST_BUILD is on: those that match one of the GROUPS, the first that matches, and four of the others at a time.
# With ALONE the others are compiled alone. Files of a folder instantiate the same templates, and one file does it once.
# An unnamed namespace is shared by all united files: if two would use one name in it, each has a namespace of its own.
# The files APART are compiled alone. A file that a program with a planted mistake replaces is one of them: the program
# replaces its object.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_EXTENSIONS OFF)

add_library(assay_warnings INTERFACE)
add_library(assay::warnings ALIAS assay_warnings)
target_compile_options(assay_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion>"
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>"  # clang includes it in -Wconversion, g++ does not
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wconversion>")

# g++ collects its garbage only if it needs more than 2 GB, which no file does: in a large file the collection takes up
# to a tenth of its time, and saves 0.2 GB of memory. At -Og, too, it inlines functions that are called once, as it does
# at -O1: a twelfth of its time, and an eighth of the code.
if(ASSAY_FAST_BUILD)
  add_compile_options(
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=2000000>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-finline-functions-called-once>")
endif()

function(assay_fast_build level)
  if(NOT ASSAY_FAST_BUILD)
    return()
  endif()
  set(option "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>")
  if(ARGC EQUAL 1)
    add_compile_options("${option}")
    return()
  endif()
  get_target_property(kind ${ARGV1} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(${ARGV1} INTERFACE "${option}")
  else()
    target_compile_options(${ARGV1} PRIVATE "${option}")
  endif()
endfunction()

function(assay_fast_build_files level)
  if(ASSAY_FAST_BUILD)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>")
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

function(assay_precompile target)
  if(NOT ASSAY_FAST_BUILD)
    return()
  endif()
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    list(TRANSFORM ARGN REPLACE ">$" "$<ANGLE-R>")
    list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

function(assay_unite target)
  cmake_parse_arguments(PARSE_ARGV 1 UNITE "ALONE" "" "APART;GROUPS")
  if(NOT ASSAY_FAST_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  set_source_files_properties(${UNITE_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT UNITE_GROUPS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "[.]cpp$")
  set(others 0)
  foreach(file IN LISTS files)
    set(group "")
    set(number 0)
    foreach(pattern IN LISTS UNITE_GROUPS)
      if(NOT group AND file MATCHES "${pattern}")
        set(group "group_${number}")
      endif()
      math(EXPR number "${number} + 1")
    endforeach()
    if(NOT group AND UNITE_ALONE)
      continue()
    endif()
    if(NOT group)
      math(EXPR four "${others} / 4")
      math(EXPR others "${others} + 1")
      set(group "others_${four}")
    endif()
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

function(assay_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "OBJECT" "" "SOURCES;DEVICE_SOURCES;USES;USES_PRIVATELY")
  set(target assay_${name})
  if(ROOM_SOURCES OR ROOM_DEVICE_SOURCES)
    set(kind STATIC)
    if(ROOM_OBJECT)
      set(kind OBJECT)
    endif()
    add_library(${target} ${kind} ${ROOM_SOURCES} ${ROOM_DEVICE_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:assay::warnings> ${ROOM_USES_PRIVATELY})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(assay::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/assay>)
  target_link_libraries(${target} ${scope} ${ROOM_USES})
  if(ROOM_DEVICE_SOURCES)
    assay_device_sources(${target} ${ROOM_DEVICE_SOURCES})
  endif()
  set_property(GLOBAL APPEND PROPERTY ASSAY_ROOMS ${target})
endfunction()

function(assay_bundle kind)
  set_property(GLOBAL APPEND PROPERTY ASSAY_BUNDLE_${kind} ${ARGN})
endfunction()
