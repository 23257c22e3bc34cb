# Decides ASSAY_HAS_CUDA from ASSAY_CUDA (AUTO, ON, OFF) and enables the language CUDA.
#
# ON takes nvcc from CMAKE_CUDA_COMPILER, CUDACXX or PATH. nvcc must be version 12.4 or newer and must build a C++20
# probe with the host compiler. Anything that is missing is an error. AUTO (or an empty value) also needs a device,
# unless ASSAY_CUDA_WITHOUT_DEVICE is on. If something is missing, AUTO builds only the host side. One line says what is
# built and why. The project itself and the installed package include this file at file scope.

# assay_find_device(<result>): <result> is empty if the machine has a device, otherwise it says why there is none. A
# device is a node /dev/nvidia<number> (a container that was given a device has it), /dev/dxg (Windows' subsystem for
# Linux), or a line of `nvidia-smi -L`. None of them needs CUDA. This function does not notice a device that does not
# work. Programs skip such a device.
function(assay_find_device result)
  file(GLOB nodes "/dev/nvidia[0-9]*" "/dev/dxg")
  if(nodes)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  find_program(nvidia_smi nvidia-smi NO_CACHE)
  if(nvidia_smi)
    execute_process(COMMAND "${nvidia_smi}" -L OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE status TIMEOUT 30)
    if(status EQUAL 0 AND text MATCHES "GPU [0-9]+:")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
  endif()
  set(${result} "no device here (ASSAY_CUDA=ON builds the CUDA side without one)" PARENT_SCOPE)
endfunction()

# assay_probe_cuda(<result>): sets CMAKE_CUDA_COMPILER to the compiler that was found. <result> is empty, or says why
# CUDA cannot be compiled.
function(assay_probe_cuda result)
  set(nvcc "${CMAKE_CUDA_COMPILER}")
  if(NOT nvcc)
    set(nvcc "$ENV{CUDACXX}")
  endif()
  if(NOT nvcc)
    set(nvcc nvcc)
  endif()
  find_program(found NAMES "${nvcc}" NO_CACHE NO_DEFAULT_PATH PATHS ENV PATH)
  if(NOT found)
    set(${result} "no ${nvcc} in PATH" PARENT_SCOPE)
    return()
  endif()
  set(host "${CMAKE_CUDA_HOST_COMPILER}")
  if(NOT host)
    set(host "$ENV{CUDAHOSTCXX}")
  endif()
  if(NOT host)
    set(host "${CMAKE_CXX_COMPILER}")
  endif()
  set(CMAKE_CUDA_COMPILER "${found}" PARENT_SCOPE)
  set(CMAKE_CUDA_HOST_COMPILER "${host}" PARENT_SCOPE)
  if(ASSAY_CUDA_PROBED STREQUAL "${found} ${host}")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()

  execute_process(COMMAND "${found}" --version OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT text MATCHES "release ([0-9]+\\.[0-9]+)")
    set(${result} "${found} does not tell its version" PARENT_SCOPE)
    return()
  endif()
  if(CMAKE_MATCH_1 VERSION_LESS 12.4)
    set(${result} "${found} is version ${CMAKE_MATCH_1}, older than 12.4" PARENT_SCOPE)
    return()
  endif()
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles/assay_cuda_probe")
  file(WRITE "${folder}/probe.cu" [[
#include <concepts>
#include <cstdio>
#include <span>
#include <vector>
template <std::floating_point T>
__global__ void twice(std::span<T> x) {
  if (threadIdx.x < x.size()) x[threadIdx.x] += x[threadIdx.x];
}
int main() {
  std::vector<double> x(4, 1.0);
  twice<double><<<1, 32>>>(std::span<double>(x));
  std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
}
]])
  execute_process(
    COMMAND "${found}" -std=c++20 -gencode=arch=compute_90,code=sm_90 --expt-relaxed-constexpr -ccbin "${host}"
            probe.cu -o probe
    WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    file(WRITE "${folder}/probe.log" "${text}")
    set(${result} "${found} does not build a C++20 program with ${host} (see ${folder}/probe.log)" PARENT_SCOPE)
    return()
  endif()
  set(ASSAY_CUDA_PROBED "${found} ${host}" CACHE INTERNAL "nvcc and host compiler that built the C++20 probe")
  set(${result} "" PARENT_SCOPE)
endfunction()

set(ASSAY_HAS_CUDA OFF)
if("${ASSAY_CUDA}" STREQUAL "")
  set(ASSAY_CUDA AUTO)
endif()
if(ASSAY_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: off, as asked (ASSAY_CUDA=OFF)")
elseif(NOT ASSAY_CUDA MATCHES "^(AUTO|ON)$")
  message(FATAL_ERROR "ASSAY_CUDA is AUTO, ON or OFF, not '${ASSAY_CUDA}'")
else()
  set(ASSAY_CUDA_REASON "")
  if(ASSAY_CUDA STREQUAL "AUTO" AND NOT ASSAY_CUDA_WITHOUT_DEVICE)
    assay_find_device(ASSAY_CUDA_REASON)
  endif()
  if(NOT ASSAY_CUDA_REASON)
    assay_probe_cuda(ASSAY_CUDA_REASON)
  endif()
  if(ASSAY_CUDA_REASON AND ASSAY_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ASSAY_CUDA=ON, but ${ASSAY_CUDA_REASON}")
  elseif(ASSAY_CUDA_REASON)
    message(STATUS "CUDA: off, host only: ${ASSAY_CUDA_REASON}")
  else()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND "$ENV{CUDAARCHS}" STREQUAL "")
      set(CMAKE_CUDA_ARCHITECTURES 90)  # machine code for sm_90 and PTX
    endif()
    if(NOT DEFINED CMAKE_CUDA_RUNTIME_LIBRARY)
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)  # programs start on machines without CUDA
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(ASSAY_HAS_CUDA ON)
    message(STATUS "CUDA: on (ASSAY_CUDA=${ASSAY_CUDA}), ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION}, "
                   "architectures ${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endif()
