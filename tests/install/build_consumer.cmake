cmake_minimum_required(VERSION 3.25)
# Builds CONSUMER against the package installed from BUILD (HOW=find_package) or against the sources (HOW=add_subdirectory), and runs
# its tests. HOW=new: CONSUMER is what the installed `assay new` makes. The sources are then built for the host alone:
# the package shows that the CUDA side builds.
file(REMOVE_RECURSE "${WORK}")
set(arguments -G Ninja -S "${CONSUMER}" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
if(NOT HOW STREQUAL "add_subdirectory")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND arguments "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  if(HOW STREQUAL "new")
    execute_process(COMMAND "${WORK}/prefix/bin/assay" new "${CONSUMER}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
  find_program(python NAMES python3)
  if(python)
    file(GLOB package "${WORK}/prefix/lib*/assay/python")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${package}" "PYTHONDONTWRITEBYTECODE=1"
      "${python}" -c "import assay; print('Python:', *assay.contracts())" COMMAND_ERROR_IS_FATAL ANY)
  endif()
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

# --mpi loads the installed library, in the installed program and in one that was built with the package.
file(GLOB library "${WORK}/prefix/lib*/libassay_mpi.so" "${WORK}/prefix/lib/*/libassay_mpi.so")
if(HOW STREQUAL "new" AND library)
  file(GLOB built "${WORK}/build/*_checks")
  foreach(program IN ITEMS "${WORK}/prefix/bin/assay" ${built})
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env LD_DEBUG=files "${program}" check no.such.property --mpi
      OUTPUT_QUIET ERROR_VARIABLE text)
    if(NOT text MATCHES "calling init: [^\n]*${WORK}/prefix/[^\n]*/libassay_mpi.so")
      message(FATAL_ERROR "${program} --mpi does not load ${library}")
    endif()
  endforeach()
  if(NOT built)
    message(FATAL_ERROR "no program was built")
  endif()
endif()

# The installed program loads the installed catalog and what judges kernels from outside.
if(HOW STREQUAL "new")
  foreach(command IN ITEMS "catalog;list;dw.accurate_add" "outside;contracts;dot")
    list(POP_FRONT command library)
    list(GET command -1 name)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env LD_DEBUG=files "${WORK}/prefix/bin/assay" ${command}
      OUTPUT_VARIABLE listed ERROR_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    if(NOT text MATCHES "calling init: [^\n]*${WORK}/prefix/[^\n]*/libassay_${library}.so" OR NOT listed MATCHES "^${name}")
      message(FATAL_ERROR "the installed program does not load the installed ${library}")
    endif()
  endforeach()
endif()
