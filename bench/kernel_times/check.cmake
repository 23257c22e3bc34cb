# cmake -DPROGRAM=<kernel_times> -P check.cmake
#
# Runs the program on the host at tiny sizes. Fails unless the table has every row below, each with positive times and a
# positive part of the copy's rate, and no other row.
execute_process(COMMAND "${PROGRAM}" --on=host --tiny OUTPUT_VARIABLE table RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}\n${table}")
endif()
set(checked 0)

# Each kernel has `count` rows for each kind of numbers.
function(expect count)
  cmake_parse_arguments(PARSE_ARGV 1 row "" "" "KERNELS;NUMBERS")
  foreach(kernel IN LISTS row_KERNELS)
    foreach(numbers IN LISTS row_NUMBERS)
      string(REGEX MATCHALL "\n\\| ${kernel} \\| ${numbers} \\| [^\n]+" rows "${table}")
      list(LENGTH rows found)
      if(NOT found EQUAL count)
        message(FATAL_ERROR "${found} rows for ${kernel} with ${numbers} instead of ${count}\n${table}")
      endif()
      foreach(each IN LISTS rows)
        if(NOT each MATCHES "\\| ([0-9]+[.][0-9]+) \\| ([0-9]+[.][0-9]+) \\| [0-9.]+ \\| [0-9.]+ % \\|$"
           OR NOT CMAKE_MATCH_1 GREATER 0 OR NOT CMAKE_MATCH_2 GREATER 0 OR CMAKE_MATCH_2 GREATER CMAKE_MATCH_1)
          message(FATAL_ERROR "no positive times in ${each}")
        endif()
      endforeach()
      math(EXPR checked "${checked} + ${found}")
    endforeach()
  endforeach()
  set(checked ${checked} PARENT_SCOPE)
endfunction()

set(words "1 word" "2 words" "4 words")
set(moduli "8 moduli" "16 moduli" "32 moduli" "64 moduli" "128 moduli")
expect(1 KERNELS expansion_axpy expansion_dot expansion_asum expansion_nrm2 expansion_ger expansion_symv expansion_syrk
                 expansion_trsv expansion_trsm NUMBERS ${words})
expect(1 KERNELS "dot2_gemv N" "dot2_gemv T" dot2_gemm NUMBERS "1 word")
expect(1 KERNELS "rounded_trsv N" "rounded_trsv T" NUMBERS binary64)
expect(2 KERNELS certified_solve NUMBERS binary64)
expect(2 KERNELS csr_spmv ellpack_spmv NUMBERS binary64)
expect(2 KERNELS "expansion_spmv CSR" "expansion_spmv ELLPACK" NUMBERS ${words})
expect(2 KERNELS "mp_spmv CSR" "mp_spmv ELLPACK" NUMBERS ${moduli})
expect(1 KERNELS binned_sum binned_dot NUMBERS "binary64, K = 2" "binary64, K = 3" "binary64, K = 4" "binary32, K = 3")
expect(3 KERNELS scatter_add atomicAdd segmented_sum NUMBERS binary64)
expect(1 KERNELS inclusive_sum NUMBERS "φ = 0" "φ = 1" "φ = 4" "every exponent")
expect(1 KERNELS mp_scal mp_axpy mp_asum mp_dot mp_ger NUMBERS ${moduli})
expect(1 KERNELS limb_cholesky limb_lu NUMBERS "2 limbs" "4 limbs" "8 limbs" "16 limbs" "32 limbs" "64 limbs")

string(REGEX MATCHALL "\n\\| [^\n]+" lines "${table}")
list(LENGTH lines all)
math(EXPR all "${all} - 2")  # the head
if(NOT all EQUAL checked)
  message(FATAL_ERROR "${all} rows, of which ${checked} are known\n${table}")
endif()
message("${checked} rows, each with positive times")
