// The rows of mistakes whose failing cases are large.

#include "tests/mutants/rows.hpp"
#include "tests/mutants/shrinking_promises.hpp"

namespace assay::mutants {

Rows large_case_rows() {
  Rows rows =
      rows_of<CalledWith>({{{"V1 called", "a GEMV is called with m for lda", 40}, CalledWith::leading_dimension_m},
                           {{"V5 called", "a GEMV is called with 1 for incx", 40}, CalledWith::stride_of_x_1}},
                          called_gemv_promise);
  rows.push_back(kernel_row({"S16", "a compensated sum of FastTwoSums in any order", 110},
                            compensated_sum_promise(Compensation::unordered),
                            compensated_sum_promise(Compensation::right)));
  rows.push_back(kernel_row({"S23", "Sum2 cuts two bits off the sum of its errors", 110},
                            compensated_sum_promise(Compensation::cut, true),
                            compensated_sum_promise(Compensation::right, true)));
  rows.push_back(kernel_row({"S24", "Dot2 cuts two bits off the sum of its errors", 250},
                            compensated_dot_promise(Compensation::cut), compensated_dot_promise(Compensation::right)));
  rows.push_back(kernel_row({"S17", "std::accumulate in binary32 claimed at one ulp", 5}, accumulate_promise()));
  rows.push_back(kernel_row({"S18", "Horner's rule claimed at one ulp", 60}, polynomial_promise()));
  rows.push_back(kernel_row({"G11", "threads add to a superaccumulator all at once", 16},
                            shared_accumulator_promise(true), shared_accumulator_promise(false)));
  return rows;
}

}  // namespace assay::mutants
