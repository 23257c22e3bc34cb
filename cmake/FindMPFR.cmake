# MPFR, the target MPFR::mpfr.
include(CMakeFindDependencyMacro)
find_dependency(GMP)
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
mark_as_advanced(MPFR_INCLUDE_DIR MPFR_LIBRARY)
if(MPFR_INCLUDE_DIR)
  file(STRINGS "${MPFR_INCLUDE_DIR}/mpfr.h" line REGEX "^#define MPFR_VERSION_STRING \"")
  string(REGEX REPLACE "^#define MPFR_VERSION_STRING \"([0-9.]+).*" "\\1" MPFR_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MPFR REQUIRED_VARS MPFR_LIBRARY MPFR_INCLUDE_DIR VERSION_VAR MPFR_VERSION)
if(MPFR_FOUND AND NOT TARGET MPFR::mpfr)
  add_library(MPFR::mpfr UNKNOWN IMPORTED)
  set_target_properties(MPFR::mpfr PROPERTIES
    IMPORTED_LOCATION "${MPFR_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MPFR_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES GMP::gmp)
endif()
