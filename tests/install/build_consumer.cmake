cmake_minimum_required(VERSION 3.25)
# Builds CONSUMER against the package installed from BUILD (HOW=find_package) or against the sources (HOW=add_subdirectory), and runs
# its tests. The sources are then built for the host alone: that the CUDA side builds is what the package shows.
file(REMOVE_RECURSE "${WORK}")
set(arguments -G Ninja -S "${CONSUMER}" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
if(HOW STREQUAL "find_package")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND arguments "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  if(CUDA)
    list(APPEND arguments "-DCMAKE_CUDA_COMPILER=${NVCC}")
  endif()
else()
  list(APPEND arguments "-DASSAY_SOURCE=${SOURCE}" -DASSAY_CUDA=OFF)
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" ${arguments} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(folder "${CMAKE_COMMAND}" DIRECTORY)
execute_process(COMMAND "${folder}/ctest" --output-on-failure --no-tests=error WORKING_DIRECTORY "${WORK}/build" COMMAND_ERROR_IS_FATAL ANY)
