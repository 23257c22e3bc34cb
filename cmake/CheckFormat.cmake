cmake_minimum_required(VERSION 3.25)
# Fails and shows the lines where clang-format 16 would change a C++ or CUDA file of the tree.
if(NOT CLANG_FORMAT)
  message(FATAL_ERROR "clang-format-16 was not found")
endif()
set(files "")
foreach(room IN ITEMS arith exec kernels probes oracle errorbounds properties assay tests tools bench examples)
  file(GLOB_RECURSE found
    "${SOURCE}/${room}/*.hpp" "${SOURCE}/${room}/*.cpp" "${SOURCE}/${room}/*.cu" "${SOURCE}/${room}/*.cuh")
  list(APPEND files ${found})
endforeach()
if(files)
  execute_process(COMMAND "${CLANG_FORMAT}" --dry-run -Werror ${files} COMMAND_ERROR_IS_FATAL ANY)
endif()
