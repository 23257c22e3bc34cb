// Products of sparse matrices and vectors.

#include "properties/catalog/sparse/properties.hpp"

#include "properties/catalog/sparse/arguments.hpp"
#include "properties/catalog/sparse/conjugate_gradients.hpp"
#include "properties/catalog/sparse/words.hpp"

namespace assay::sparse {
namespace {

/// An overloaded function as a value.
constexpr auto csr = [](const auto&... arguments) { return csr_spmv(arguments...); };
constexpr auto ellpack = [](const auto&... arguments) { return ellpack_spmv(arguments...); };
constexpr auto in_words = [](const auto&... arguments) { return expansion::expansion_spmv(arguments...); };

const LateRegistration all{"sparse", [] {
                             Registration(csr_property("sparse.csr_spmv", csr));
                             Registration(ellpack_property("sparse.ellpack_spmv", ellpack));
                             Registration(word_property("sparse.csr_dot2_spmv", 1, false, in_words));
                             Registration(word_property("sparse.csr_spmv_dd", 2, false, in_words));
                             Registration(word_property("sparse.csr_spmv_qd", 4, false, in_words));
                             Registration(word_property("sparse.ellpack_spmv_dd", 2, true, in_words));
                             Registration(cg_property("sparse.conjugate_gradients", conjugate_gradients));
                             Registration(csr_arguments_property("sparse.csr_arguments", csr));
                             Registration(ellpack_arguments_property("sparse.ellpack_arguments", ellpack));
                           }};

}  // namespace
}  // namespace assay::sparse
