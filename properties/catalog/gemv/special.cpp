// The matrix-vector product that is rounded once, with infinities and NaN among its operands.

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "errorbounds/judge.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "properties/catalog/gemv/special_cases.hpp"

namespace assay::gemv {
namespace {

const LateRegistration special{"gemv", [] {
                                 Registration{special_gemv_property([](const Executor& on, const SpecialGemvCase& c) {
                                   return exact_gemv(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no,
                                                     c.rows(), c.columns(), c.alpha, c.a, c.rows(), c.x, 1, c.beta, c.y,
                                                     1);
                                 })};
                               }};

}  // namespace
}  // namespace assay::gemv
