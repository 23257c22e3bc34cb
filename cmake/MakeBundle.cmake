cmake_minimum_required(VERSION 3.25)
# Makes a directory that runs on another Linux machine without CMake, compiler or packages: bin/, tests/, lib/,
# share/assay/corpora, run-tests. lib/ has every shared library that a program needs, except the C library, the loader
# and the driver of the device, which belong to the machine. It has CUDA's own libraries only with WITH_CUDA. Programs
# find the libraries by $ORIGIN/../lib, and libraries find each other by $ORIGIN.
include("${SETTINGS}")
find_program(PATCHELF patchelf REQUIRED)
set(OF_THE_MACHINE
  "^(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libresolv|libutil|libcuda|libnvidia-.*)\\.so")
set(OF_CUDA
  "^(libcudart|libcublas|libcublasLt|libcufft|libcurand|libcusolver|libcusparse|libnvrtc.*|libnvJitLink)\\.so")

file(REMOVE_RECURSE "${DIR}")
file(COPY ${PROGRAMS} DESTINATION "${DIR}/bin")
file(MAKE_DIRECTORY "${DIR}/tests" "${DIR}/lib")
file(COPY ${TESTS} DESTINATION "${DIR}/tests")
file(COPY ${LIBRARIES} DESTINATION "${DIR}/lib")  # the program loads them
file(COPY "${SOURCE}/corpora" DESTINATION "${DIR}/share/assay")
file(COPY "${SOURCE}/cmake/run-tests" DESTINATION "${DIR}"
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The locale that some tests need. It is left out if the machine has no sources of locales, and the tests say so.
find_program(LOCALEDEF localedef)
if(LOCALEDEF)
  file(MAKE_DIRECTORY "${DIR}/share/locale")
  execute_process(COMMAND "${LOCALEDEF}" -i de_DE -f UTF-8 "${DIR}/share/locale/de_DE.UTF-8" OUTPUT_QUIET ERROR_QUIET)
endif()

set(libraries "")
foreach(program IN LISTS PROGRAMS TESTS LIBRARIES)
  execute_process(COMMAND ldd "${program}" OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^[ \t]*([^ ]+) => not found")
      message(FATAL_ERROR "${program} needs ${CMAKE_MATCH_1}, which was not found")
    elseif(line MATCHES "^[ \t]*([^ ]+) => (/[^ ]+)")
      set(name "${CMAKE_MATCH_1}")
      set(file "${CMAKE_MATCH_2}")
      if(name MATCHES "${OF_THE_MACHINE}" OR (name MATCHES "${OF_CUDA}" AND NOT WITH_CUDA) OR name IN_LIST libraries)
        continue()
      endif()
      list(APPEND libraries "${name}")
      file(REAL_PATH "${file}" real)
      configure_file("${real}" "${DIR}/lib/${name}" COPYONLY)
    endif()
  endforeach()
endforeach()

file(GLOB executables "${DIR}/bin/*" "${DIR}/tests/*")
file(GLOB shared "${DIR}/lib/*")
if(STRIP)
  execute_process(COMMAND "${STRIP}" --strip-unneeded ${executables} ${shared} COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(file IN LISTS executables)
  execute_process(COMMAND "${PATCHELF}" --set-rpath "$ORIGIN/../lib" "${file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(file IN LISTS shared)
  execute_process(COMMAND "${PATCHELF}" --set-rpath "$ORIGIN" "${file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

get_filename_component(parent "${DIR}" DIRECTORY)
get_filename_component(name "${DIR}" NAME)
execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cJf "${name}.tar.xz" "${name}"
  WORKING_DIRECTORY "${parent}" COMMAND_ERROR_IS_FATAL ANY)
file(SIZE "${parent}/${name}.tar.xz" bytes)
math(EXPR mib "(${bytes} + 1048575) / 1048576")
message(STATUS "bundle: ${DIR}.tar.xz, at most ${mib} MiB")
if(bytes GREATER 60000000 AND NOT WITH_CUDA)
  message(FATAL_ERROR "the archive has ${bytes} bytes, more than 60 MB")
endif()
