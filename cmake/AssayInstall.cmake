# The package: headers under include/assay, libraries, and assayConfig.cmake. An installed header is included with the
# same path as in the source tree: "arith/float/ulp.hpp".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/assay")

# The first command of the README builds no more than it needs. One line says so before anything is copied.
set(installed "\"$<TARGET_FILE:assay_judge>\"")
if(TARGET assay)
  string(APPEND installed " \"$<TARGET_FILE:assay>\"")
endif()
install(CODE "foreach(file IN ITEMS ${installed})
  if(NOT EXISTS \"\${file}\")
    message(FATAL_ERROR \"\${file} is not built yet. What is installed is built by: cmake --build ${PROJECT_BINARY_DIR}\")
  endif()
endforeach()")
get_property(targets GLOBAL PROPERTY ASSAY_ROOMS)
install(TARGETS assay_numerics ${targets} EXPORT assayTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" OBJECTS DESTINATION "${CMAKE_INSTALL_LIBDIR}/assay")
foreach(room IN LISTS rooms)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${room}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/assay"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.cuh" PATTERN "detail" EXCLUDE PATTERN "pages" EXCLUDE)
endforeach()
install(DIRECTORY "${ASSAY_GENERATED_DIR}/errorbounds" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/assay")
install(TARGETS assay RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET assay-curves)
  install(TARGETS assay-curves RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL)  # for `assay bench` alone
endif()
foreach(library IN ITEMS assay_mpi assay_outside_library assay_catalog_library assay_probes_library)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endforeach()
install(TARGETS assay_judge EXPORT assayTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/assay" DESTINATION "${CMAKE_INSTALL_LIBDIR}/assay/python"
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/corpora" DESTINATION "${CMAKE_INSTALL_DATADIR}/assay")

file(GLOB find_modules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/Find*.cmake")
install(FILES ${find_modules} "${PROJECT_SOURCE_DIR}/cmake/AssayAddSubjects.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/AssayDiscover.cmake" "${PROJECT_SOURCE_DIR}/cmake/AssayCuda.cmake"
  DESTINATION "${package_dir}")
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION "${package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/assayConfig.cmake.in" "${PROJECT_BINARY_DIR}/assayConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/assayConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/assayConfig.cmake" "${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
  DESTINATION "${package_dir}")
