# The program as 1, 2 and 4 ranks prints the same sum, dot product and norm. The plain sums differ: a comparison that
# could not fail would prove nothing. Arguments: PROGRAM; MPIEXEC, Open MPI's mpirun or another one.
cmake_minimum_required(VERSION 3.25)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)  # Open MPI refuses root without both
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
set(ENV{OMPI_MCA_rmaps_base_oversubscribe} 1)  # Open MPI 4: more ranks than cores
set(ENV{PRTE_MCA_rmaps_default_mapping_policy} ":oversubscribe")  # Open MPI 5
set(plain "")
foreach(ranks IN ITEMS 1 2 4)
  execute_process(COMMAND "${MPIEXEC}" -n ${ranks} "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ranks} ranks: exit ${status}\n${output}")
  endif()
  if(NOT output MATCHES "^(sum   .*\ndot   .*\nnorm  .*\n)plain ([^\n]*)\n$")
    message(FATAL_ERROR "${ranks} ranks print\n${output}")
  endif()
  list(APPEND plain "${CMAKE_MATCH_2}")
  if(ranks EQUAL 1)
    set(first "${CMAKE_MATCH_1}")
  elseif(NOT CMAKE_MATCH_1 STREQUAL first)
    message(FATAL_ERROR "1 rank prints\n${first}and ${ranks} ranks print\n${CMAKE_MATCH_1}")
  endif()
endforeach()
list(REMOVE_DUPLICATES plain)
list(LENGTH plain different)
if(different LESS 2)
  message(FATAL_ERROR "the plain sums agree, too: ${plain}")
endif()
