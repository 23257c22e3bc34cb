# One CMake target a folder: assay_room(<name> [SOURCES …] [DEVICE_SOURCES …] [USES …]) makes the library assay_<name>
# with the alias assay::<name>. DEVICE_SOURCES are compiled by nvcc when CUDA is on and by the host compiler when it is off.
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(assay_warnings INTERFACE)
add_library(assay::warnings ALIAS assay_warnings)
target_compile_options(assay_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror all-warnings -Xcompiler=-Wall,-Wextra,-Wconversion>)

function(assay_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "SOURCES;DEVICE_SOURCES;USES")
  if(ROOM_SOURCES OR ROOM_DEVICE_SOURCES)
    add_library(assay_${name} STATIC ${ROOM_SOURCES} ${ROOM_DEVICE_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(assay_${name} PRIVATE $<BUILD_INTERFACE:assay::warnings>)
    set_target_properties(assay_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  else()
    add_library(assay_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(assay::${name} ALIAS assay_${name})
  set_target_properties(assay_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(assay_${name} ${scope} cxx_std_20)
  target_include_directories(assay_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/assay>)
  target_link_libraries(assay_${name} ${scope} ${ROOM_USES})
  if(ROOM_DEVICE_SOURCES)
    assay_device_sources(assay_${name} ${ROOM_DEVICE_SOURCES})
  endif()
endfunction()

# Marks sources of a target as CUDA where CUDA is on, and tells the target so.
function(assay_device_sources target)
  if(ASSAY_HAS_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    target_compile_features(${target} PUBLIC cuda_std_20)
  endif()
endfunction()
