include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mfma ASSAY_COMPILES_FMA)
add_library(assay_squares OBJECT hostile/squares.cpp)
target_compile_definitions(assay_squares PRIVATE SQUARES=squares_plain)
target_link_libraries(assay_squares PRIVATE assay::warnings assay::numerics)
add_library(assay_hostile_subjects OBJECT hostile/subjects.cpp)
target_link_libraries(assay_hostile_subjects PRIVATE assay::app assay::warnings assay::numerics)
set(hostile_objects $<TARGET_OBJECTS:assay_hostile_subjects> $<TARGET_OBJECTS:assay_squares>)
if(ASSAY_COMPILES_FMA)
  add_library(assay_squares_contracted OBJECT hostile/squares.cpp)
  target_compile_definitions(assay_squares_contracted PRIVATE SQUARES=squares_contracted)
  target_compile_options(assay_squares_contracted PRIVATE -O2 -mfma -ffp-contract=fast)
  target_link_libraries(assay_squares_contracted PRIVATE assay::warnings)
  list(APPEND hostile_objects $<TARGET_OBJECTS:assay_squares_contracted>)
  target_compile_definitions(assay_hostile_subjects PRIVATE ASSAY_HAS_CONTRACTED)
endif()
add_executable(assay-hostile ${hostile_objects})
target_link_libraries(assay-hostile PRIVATE assay::app assay::warnings assay::numerics)
assay_bundle(TESTS assay-hostile assay_full_disk assay_no_memory)

# A full disk for the files that are written under another name and renamed, and a program without memory: preloaded
# libraries.
foreach(lack IN ITEMS full_disk no_memory)
  add_library(assay_${lack} SHARED hostile/${lack}.cpp)
  target_link_libraries(assay_${lack} PRIVATE assay::warnings)
  target_compile_features(assay_${lack} PRIVATE cxx_std_20)
  set_target_properties(assay_${lack} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endforeach()

# Libraries with kernels from outside.
foreach(library IN ITEMS collectives convolutions cublas factors library loaded narrow orders products rows scalars
        transforms units vectors)
  add_library(assay_hostile_${library} SHARED hostile/${library}.cpp)
  target_link_libraries(assay_hostile_${library} PRIVATE assay::arith assay::warnings assay::numerics)
  set_target_properties(assay_hostile_${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_compile_features(assay_hostile_${library} PRIVATE cxx_std_20)
  assay_bundle(TESTS assay_hostile_${library})
endforeach()
target_link_libraries(assay_hostile_units PRIVATE assay::kernels)
target_sources(assay_hostile_factors PRIVATE hostile/orthogonal.cpp hostile/solves.cpp hostile/systems.cpp)
# glibc then ends a program that jumps to a frame that is not there.
target_compile_options(assay_hostile_library PRIVATE -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)

# The same program with a mistake in one file of the harness: assay_hostile_with_mistake(<name> <file> FIND <text> REPLACE
# <text>).
function(assay_hostile_with_mistake name file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FIND;REPLACE" "")  # ARGN would be cut at semicolons
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  assay_mutated_copy("${folder}" ${file} FIND "${arg_FIND}" REPLACE "${arg_REPLACE}")
  add_executable(assay-hostile-${name} "${folder}/${file}" ${hostile_objects})
  target_link_libraries(assay-hostile-${name} PRIVATE assay::app assay::warnings assay::numerics)
  assay_bundle(TESTS assay-hostile-${name})
  add_dependencies(assay-hostile assay-hostile-${name})
endfunction()
assay_hostile_with_mistake(fewer assay/campaign/campaign.cpp
  FIND "Item(const Planned& of, std::uint64_t count)" REPLACE "Item(const Planned& of, std::uint64_t all)
      : Item(all > 10 ? all - 10 : all, of) {}
  Item(std::uint64_t count, const Planned& of)")
assay_hostile_with_mistake(unsound oracle/self_test.cpp
  FIND "expect(bool holds, std::string text) {" REPLACE "expect(bool, std::string text) { const bool holds = text.empty();")

# The program of a build that found no MPI.
add_executable(assay-hostile-without-mpi "${PROJECT_SOURCE_DIR}/assay/ranks/without_mpi.cpp" ${hostile_objects})
target_link_libraries(assay-hostile-without-mpi PRIVATE assay::app assay::warnings assay::numerics)
# The program of a build whose library of MPI is gone.
add_executable(assay-hostile-lost-mpi "${PROJECT_SOURCE_DIR}/assay/ranks/load_mpi.cpp" ${hostile_objects})
target_compile_definitions(assay-hostile-lost-mpi PRIVATE ASSAY_MPI_BESIDE="nowhere" ASSAY_MPI_BUILT="/nowhere")
target_link_libraries(assay-hostile-lost-mpi PRIVATE assay::app assay::warnings assay::numerics)
assay_bundle(TESTS assay-hostile-without-mpi assay-hostile-lost-mpi)

# The program when the libraries that it loads are not where they were built.
add_executable(assay-without-libraries "${PROJECT_SOURCE_DIR}/assay/catalog/load.cpp")
assay_loads_libraries(assay-without-libraries)
get_target_property(definitions assay_door COMPILE_DEFINITIONS)
list(FILTER definitions EXCLUDE REGEX "ASSAY_LIBRARIES_BUILT")
target_compile_definitions(assay-without-libraries PRIVATE ${definitions} ASSAY_LIBRARIES_BUILT="/nowhere")
target_link_libraries(assay-without-libraries PRIVATE assay::warnings)
list(FILTER definitions INCLUDE REGEX "ASSAY_CATALOG_FAMILIES|ASSAY_BUILD")
assay_test(loaded_libraries_test SOURCES loaded_libraries_test.cpp program.cpp USES assay::process)
assay_bundle(TESTS assay-without-libraries)
target_compile_definitions(loaded_libraries_test PRIVATE ${definitions}
  "ASSAY_BESIDE=\"${ASSAY_LIBRARIES_BESIDE}\""
  "ASSAY_LIBRARY=\"$<TARGET_FILE_NAME:assay_hostile_library>\""
  "ASSAY_TABLE=\"$<TARGET_FILE_NAME:assay_hostile_table>\""
  "ASSAY_CORPUS=\"${PROJECT_SOURCE_DIR}/corpora\"")
# The thread's watch of the oracle is one, in the program and in the catalog.
find_program(READELF readelf)
if(READELF)
  add_test(NAME loaded_libraries.catalog_has_no_watch_of_its_own
    COMMAND "${READELF}" --dyn-syms --wide $<TARGET_FILE:assay_catalog_library>)
  set_tests_properties(loaded_libraries.catalog_has_no_watch_of_its_own PROPERTIES
    PASS_REGULAR_EXPRESSION "TLS +(UNIQUE|WEAK|GLOBAL) +DEFAULT +[0-9A-Z]+ +_ZN5assay6oracle5watch5is_onE" TIMEOUT 60)
  # So is each variable of a thread in a header of a room below: none of the program's is a second time in the library for kernels from outside.
  add_test(NAME loaded_libraries.outside_has_no_variable_of_the_programs_threads COMMAND sh -ec "
    '${READELF}' --dyn-syms --wide '$<TARGET_FILE:assay>' | awk '$4 == \"TLS\" && $7 != \"UND\" {print $8}' > of_program
    '${READELF}' --syms --wide '$<TARGET_FILE:assay_outside_library>' | awk '$4 == \"TLS\"' > of_library
    grep -q ' _ZN5assay6oracle5watch5is_onE$' of_library
    awk '$5 == \"LOCAL\" {print $8}' of_library | grep -Ev '^_Z(GV)?Z' | grep -Fx -f of_program > twice || exit 0
    cat twice
    exit 1")
  set_tests_properties(loaded_libraries.outside_has_no_variable_of_the_programs_threads PROPERTIES TIMEOUT 60)
endif()
# The report of the built-in kernels is made without what judges others.
if(CMAKE_GENERATOR STREQUAL "Ninja")
  add_test(NAME loaded_libraries.report_builds_nothing_for_kernels_from_outside COMMAND sh -ec "
    '${CMAKE_MAKE_PROGRAM}' -C '${CMAKE_BINARY_DIR}' -t commands report > commands_of_report
    grep -q 'assay_catalog[.]dir' commands_of_report
    ! grep -Eo 'assay_(contracts|outside|conversions|quantizations|orders|formulas|formula_door|judge)[.]dir' commands_of_report")
  set_tests_properties(loaded_libraries.report_builds_nothing_for_kernels_from_outside PROPERTIES TIMEOUT 60)
endif()
add_dependencies(loaded_libraries_test assay assay-without-libraries assay_outside_library assay_catalog_library assay_probes_library
                 assay_hostile_library assay_hostile_table)

# The second path of the oracle has an error that its self-test does not test.
assay_hostile_with_mistake(astray oracle/rational_path.cpp
  FIND "return mpq_cmp(abs(got - truth).get(), bound.get()) <= 0;"
  REPLACE "return mpq_cmp(abs(got - truth).get(), bound.get()) <= 0 && mpq_cmp_ui(bound.get(), 1, 1UL << 52) != 0;")

assay_test(assay_program_test
  SOURCES bench_command_test.cpp compare_test.cpp contract_test.cpp device_judge_test.cpp endings_test.cpp harness_test.cpp hazards_test.cpp
          hostile_user_test.cpp hunt_test.cpp program_test.cpp progress_test.cpp program.cpp
  USES assay::arith assay::process
  NIGHTLY "Hazards.KilledAtRandomMoments*:Hazards.ThreeShards*:Hazards.CrashesAreTheSame*:Hazards.ACrashOnOneInputInTenThousand*:Contract.ReportExits*:HostileUser.AShortTimeEnds*:ProgressLine.TellsOfAnEnumeration:Hazards.ASecondInterruption*"
  LONG "*KilledAtRandomMoments*")
target_compile_definitions(assay_program_test PRIVATE "ASSAY_FULL_DISK=\"$<TARGET_FILE_NAME:assay_full_disk>\""
                           "ASSAY_NO_MEMORY=\"$<TARGET_FILE_NAME:assay_no_memory>\"")
target_link_libraries(assay_program_test PRIVATE util)  # forkpty() of glibc before 2.34
add_dependencies(assay_program_test assay-hostile)
add_dependencies(assay_program_test assay_full_disk assay_no_memory)

# While other work runs, the ranks of a job, more than there are cores, wait long for each other.
assay_test(job_test SOURCES job_test.cpp program.cpp USES assay::process
  NIGHTLY "Job.ARankIsKilled*:Job.EndsWithTheExitCode*:Job.AHuntFindsTheSame*" LONG "*Kill*" TIMEOUT 300)
add_dependencies(job_test assay-hostile assay-hostile-without-mpi assay-hostile-lost-mpi)

assay_test(subject_test SOURCES answer_test.cpp hardest_test.cpp library_hazards_test.cpp lines_test.cpp subject_test.cpp program.cpp USES assay::framework assay::process
  # Of programs and libraries that go wrong in one of many ways some are default tests.
  NIGHTLY "*Wrong.*/zeros:*Wrong.*/nan*:*Wrong.*/constant:*Wrong.*/first*:*Stop.*/grows:*Stop.*/reads_behind:*/ignores_signals:Program.ThatEndsHangs*:Program.ThatWasChanged*:Program.InAFolder*:Program.AnswersArrays*:Program.OfMatrices*:TextLines.ThatAreNoAnswer*:Claims.OfEveryKernel*:Ladder.IsAskedAgain*:Ladder.OfANorm*:*AnotherBuild*:Answer.OfAProgramThatEndsInARepetition*")
target_compile_definitions(subject_test PRIVATE "ASSAY_LIBRARY=\"$<TARGET_FILE_NAME:assay_hostile_library>\""
                           "ASSAY_EXAMPLES=\"${PROJECT_SOURCE_DIR}/examples/pipe\""
                           "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\""
                           "ASSAY_LIBRARY_THAT_ENDS=\"$<TARGET_FILE_NAME:assay_hostile_loaded>\"")
add_library(assay_late_greeting SHARED hostile/late_greeting.cpp)
target_link_libraries(assay_late_greeting PRIVATE assay::warnings)
target_compile_features(assay_late_greeting PRIVATE cxx_std_20)
set_target_properties(assay_late_greeting PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
assay_bundle(TESTS assay_late_greeting)
target_compile_definitions(subject_test PRIVATE "ASSAY_LATE_GREETING=\"$<TARGET_FILE_NAME:assay_late_greeting>\"")
add_dependencies(subject_test assay assay_outside_library assay_hostile_library assay_hostile_loaded assay_late_greeting)

assay_test(matrix_files_test SOURCES matrix_files_test.cpp program.cpp USES assay::store assay::process)
target_compile_definitions(matrix_files_test PRIVATE
  "ASSAY_LIBRARY_OF_FACTORS=\"$<TARGET_FILE_NAME:assay_hostile_factors>\""
  "ASSAY_LIBRARY_OF_VECTORS=\"$<TARGET_FILE_NAME:assay_hostile_vectors>\"")
add_dependencies(matrix_files_test assay assay_outside_library assay_hostile_factors assay_hostile_vectors)

assay_test(formula_test SOURCES formula_test.cpp program.cpp USES assay::framework assay::process)
target_compile_definitions(formula_test PRIVATE "ASSAY_LIBRARY=\"$<TARGET_FILE_NAME:assay_hostile_library>\""
  "ASSAY_LIBRARY_OF_ROWS=\"$<TARGET_FILE_NAME:assay_hostile_rows>\"" "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\""
  "ASSAY_FORMULA_PAGE=\"${PROJECT_SOURCE_DIR}/docs/formula.md\"")
add_dependencies(formula_test assay assay_outside_library assay_hostile_rows)

assay_test(subject_matmul_test SOURCES subject_matmul_test.cpp program.cpp USES assay::framework assay::process
  NIGHTLY "*MatrixUnits*/hopper_tf32_truncated:*MatrixUnits*/hopper_e4m3_raw:*MatrixUnits*/hopper_f16_*:*MatrixUnits*/volta_f16:*MatrixUnits*/ampere*:Ladder.RefusesEveryControl:Ladder.OfAProductThatLeavesOut*:Ladder.OfFactorsThatAreCut*:Exceptional.ProductsOfZero*:Formats.OfAProgramAreInputs*:Program.ThatEndsInAFrame*"
  LONG "Ladder.RefusesEveryControl")
target_compile_definitions(subject_matmul_test PRIVATE
  "ASSAY_PRODUCTS=\"$<TARGET_FILE_NAME:assay_hostile_products>\"" "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\""
  "ASSAY_UNITS=\"$<TARGET_FILE_NAME:assay_hostile_units>\"")
add_dependencies(subject_matmul_test assay assay_outside_library assay_hostile_products assay_hostile_units)

assay_test(subject_scalars_test SOURCES subject_scalars_test.cpp program.cpp USES assay::framework assay::process
  LONG "TwoNumbers.OfSixteen*")
target_compile_definitions(subject_scalars_test PRIVATE "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\""
                           "ASSAY_SCALARS=\"$<TARGET_FILE_NAME:assay_hostile_scalars>\"")
add_dependencies(subject_scalars_test assay assay_outside_library assay_hostile_scalars)

assay_test(subject_products_test
  SOURCES bound_floor_test.cpp sparse_floor_test.cpp epilogue_grid_test.cpp matmul_terms_test.cpp matmul_truth_test.cpp
    subject_products_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors)
target_compile_definitions(subject_products_test PRIVATE
  "ASSAY_PRODUCTS=\"$<TARGET_FILE_NAME:assay_hostile_products>\"" "ASSAY_UNITS=\"$<TARGET_FILE_NAME:assay_hostile_units>\"")
add_dependencies(subject_products_test assay_hostile_products assay_hostile_units)

assay_test(subject_vectors_test SOURCES length_of_call_test.cpp subject_vectors_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors
  NIGHTLY "*RefuseTheControls*/log_softmax:*RefuseTheControls*/softmax:*RefuseTheControls*/rms_norm:LayerNorm.ThatIsWrong*:LogSoftmax.HasTheLadder*")
target_compile_definitions(subject_vectors_test PRIVATE
  "ASSAY_LIBRARY_OF_VECTORS=\"$<TARGET_FILE_NAME:assay_hostile_vectors>\"")
add_dependencies(subject_vectors_test assay_hostile_vectors)

assay_test(subject_factorizations_test SOURCES named_matrices_test.cpp subject_factorizations_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::draws assay::doors)
target_compile_definitions(subject_factorizations_test PRIVATE
  "ASSAY_LIBRARY_OF_FACTORS=\"$<TARGET_FILE_NAME:assay_hostile_factors>\"")
add_dependencies(subject_factorizations_test assay_hostile_factors)
foreach(part IN ITEMS orthogonal solves)
  assay_test(subject_${part}_test SOURCES subject_${part}_test.cpp $<TARGET_OBJECTS:assay::contracts>
    USES assay::draws assay::doors
    NIGHTLY "*InThreeThousandCases*")
  target_compile_definitions(subject_${part}_test PRIVATE
    "ASSAY_LIBRARY_OF_FACTORS=\"$<TARGET_FILE_NAME:assay_hostile_factors>\"")
  add_dependencies(subject_${part}_test assay_hostile_factors)
endforeach()

assay_test(subject_rows_test SOURCES subject_rows_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors
  NIGHTLY "*BehindABlockAreMetByDefault*:LayerNorm.HasTheRungOfItsForm:Screens.*")
target_compile_definitions(subject_rows_test PRIVATE
  "ASSAY_LIBRARY_OF_ROWS=\"$<TARGET_FILE_NAME:assay_hostile_rows>\"")
add_dependencies(subject_rows_test assay_hostile_rows)

assay_test(subject_fft_test SOURCES fft_truth_test.cpp subject_fft_test.cpp subject_ffts_test.cpp
  $<TARGET_OBJECTS:assay::contracts>
  USES assay::doors assay::draws
  NIGHTLY "*AtDefaultSizes*:Fft.ThatIsAnotherTransform*:Fft.AsADirectSum*:Fft.ByStagesWithNearest*:Fft.ByBluestein*:Fft.WithRootsByARecurrence*")
target_compile_definitions(subject_fft_test PRIVATE
  "ASSAY_LIBRARY_OF_TRANSFORMS=\"$<TARGET_FILE_NAME:assay_hostile_transforms>\"")
add_dependencies(subject_fft_test assay_hostile_transforms)

assay_test(subject_convolution_test SOURCES subject_convolution_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::doors assay::draws
  NIGHTLY "*InTenThousandCases:Controls.*")
target_compile_definitions(subject_convolution_test PRIVATE
  "ASSAY_LIBRARY_OF_CONVOLUTIONS=\"$<TARGET_FILE_NAME:assay_hostile_convolutions>\"")
add_dependencies(subject_convolution_test assay_hostile_convolutions)

assay_test(subject_collectives_test SOURCES subject_collectives_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors)
target_compile_definitions(subject_collectives_test PRIVATE
  "ASSAY_LIBRARY_OF_COLLECTIVES=\"$<TARGET_FILE_NAME:assay_hostile_collectives>\"")
add_dependencies(subject_collectives_test assay_hostile_collectives)

assay_test(subject_narrow_test SOURCES subject_narrow_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors
  NIGHTLY "Softmax.*:Norms.*")
target_compile_definitions(subject_narrow_test PRIVATE
  "ASSAY_LIBRARY_OF_NARROW=\"$<TARGET_FILE_NAME:assay_hostile_narrow>\"")
add_dependencies(subject_narrow_test assay_hostile_narrow)

assay_test(subject_rungs_test SOURCES subject_exceptional_test.cpp subject_norms_test.cpp subject_rungs_test.cpp
  $<TARGET_OBJECTS:assay::contracts>
  USES assay::cases assay::doors)

assay_test(order_program_test SOURCES order_program_test.cpp program.cpp USES assay::framework assay::process
  NIGHTLY "*OlderName*")
target_compile_definitions(order_program_test PRIVATE "ASSAY_ORDERS=\"$<TARGET_FILE_NAME:assay_hostile_orders>\"")
add_dependencies(order_program_test assay assay_outside_library assay_hostile_orders)

assay_test(subject_order_test SOURCES subject_order_test.cpp $<TARGET_OBJECTS:assay::contracts>
  USES assay::draws assay::doors)

# Libraries with a table, compiled as C99.
enable_language(C)
add_library(assay_hostile_table SHARED hostile/table.c)
add_library(assay_table_example SHARED "${PROJECT_SOURCE_DIR}/examples/subject_table/dot.c")
foreach(library IN ITEMS assay_hostile_table assay_table_example)
  target_link_libraries(${library} PRIVATE assay::subject)
  target_compile_options(${library} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  set_target_properties(${library} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF C_STANDARD_REQUIRED ON
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  assay_bundle(TESTS ${library})
endforeach()
assay_test(table_test SOURCES table_test.cpp program.cpp USES assay::process assay::subject)
target_compile_definitions(table_test PRIVATE "ASSAY_TABLE=\"$<TARGET_FILE_NAME:assay_hostile_table>\""
                           "ASSAY_TABLE_EXAMPLE=\"$<TARGET_FILE_NAME:assay_table_example>\"")
add_dependencies(table_test assay assay_outside_library assay_hostile_table assay_table_example)

assay_test(cublas_form_test
  SOURCES cublas_form_test.cpp program.cpp
  USES assay::contracts assay::doors assay::process)
target_compile_definitions(cublas_form_test PRIVATE "ASSAY_CUBLAS_FORM=\"$<TARGET_FILE_NAME:assay_hostile_cublas>\""
                           "ASSAY_LIBRARY=\"$<TARGET_FILE_NAME:assay_hostile_library>\"")
add_dependencies(cublas_form_test assay assay_outside_library assay_hostile_cublas assay_hostile_library)

assay_test(assay_campaign_test
  SOURCES coverage_test.cpp journal_test.cpp match_test.cpp place_test.cpp process_test.cpp screen_test.cpp shrink_test.cpp wire_test.cpp program.cpp
  USES assay::cli)
# A thousand simulated ranks wait for less than a twentieth of their time.
add_test(NAME clusters.schedule
  COMMAND python3 "${PROJECT_SOURCE_DIR}/bench/clusters/schedule.py" --most-idle 0.05)
set_tests_properties(clusters.schedule PROPERTIES TIMEOUT 60)
# Several devices are as much faster than one as docs/clusters.md says. The script also runs on the host: a measurement
# there would mean nothing.
set(devices python3 "${PROJECT_SOURCE_DIR}/bench/clusters/devices.py" --assay $<TARGET_FILE:assay>)
add_test(NAME clusters.devices COMMAND ${devices})
add_test(NAME clusters.devices.script
  COMMAND ${devices} --on host --ranks 2 --jobs 1 --seconds 1 --catalog "sum.*" --cases 20 --measure-only)
set_tests_properties(clusters.devices clusters.devices.script PROPERTIES
  LABELS "nightly;ci" SKIP_RETURN_CODE 77 TIMEOUT 1500 RUN_SERIAL ON)

assay_test(prober_test SOURCES prober_test.cpp USES assay::prober assay::kernels OPTIMIZE -O1
  NIGHTLY "ProberOfLibraries.FindsThePromotion*:ProberOfLibraries.FindsOneChain*")
assay_test(orders_test SOURCES orders_test.cpp USES assay::orders OPTIMIZE -O2
  NIGHTLY "Orders.a_long_reduction*:Orders.long_reductions*:Orders.arbitrary_trees*")
assay_test(probe_device_test SOURCES probe_device_test.cpp program.cpp USES assay::framework assay::process
  NIGHTLY "ProbeDevice.FindsPairs:ProbeDevice.FindsALoop*:ProbeDevice.FindsExactIntegers:ProbeDevice.AsJson*")
target_compile_definitions(probe_device_test PRIVATE
  "ASSAY_PRODUCTS=\"$<TARGET_FILE_NAME:assay_hostile_products>\"" "ASSAY_PYTHON=\"${PROJECT_SOURCE_DIR}/python\""
  "ASSAY_UNITS=\"$<TARGET_FILE_NAME:assay_hostile_units>\"")
add_dependencies(probe_device_test assay assay_outside_library assay_hostile_products assay_hostile_units)
