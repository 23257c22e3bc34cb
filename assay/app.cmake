# Campaign and command line: assay_campaign, the library assay_app that adds main(), and the program assay over the
# catalogue.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

assay_room(campaign
  SOURCES campaign.cpp cases.cpp check.cpp cli.cpp doctor.cpp findings.cpp journal.cpp match.cpp options.cpp
          outcome.cpp provenance.cpp report_command.cpp screen.cpp selftest.cpp shrink.cpp wire.cpp worker.cpp
  USES assay::report Threads::Threads
  USES_PRIVATELY CLI11::CLI11 fmt::fmt)
assay_room(app SOURCES main.cpp USES assay::campaign)

# The commit is read anew whenever HEAD moves.
set(commit "unknown")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(commit "${described}")
    execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --path-format=absolute --git-path logs/HEAD
      OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS "${head}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${head}")
    endif()
  endif()
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} -ffp-contract=off" flags)
set(cuda "none")
if(ASSAY_HAS_CUDA)
  set(cuda "${CMAKE_CUDA_COMPILER_VERSION}")
endif()
set_source_files_properties(provenance.cpp PROPERTIES COMPILE_DEFINITIONS
  "ASSAY_VERSION=\"${PROJECT_VERSION}\";ASSAY_COMMIT=\"${commit}\";ASSAY_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";ASSAY_FLAGS=\"${flags}\";ASSAY_CUDA_VERSION=\"${cuda}\"")

if(TARGET assay_catalog)
  assay_add_subjects(assay WITH_CATALOG CORPUS "${PROJECT_SOURCE_DIR}/corpora")
  assay_bundle(PROGRAMS assay)
endif()
