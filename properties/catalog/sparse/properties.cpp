// Products of sparse matrices and vectors that are rounded once.

#include "properties/catalog/sparse/properties.hpp"

#include "properties/catalog/sparse/arguments.hpp"

namespace assay::sparse {
namespace {

/// An overloaded function as a value.
constexpr auto csr = [](const auto&... arguments) { return csr_spmv(arguments...); };
constexpr auto ellpack = [](const auto&... arguments) { return ellpack_spmv(arguments...); };

const LateRegistration all{"sparse", [] {
                             Registration(csr_property("sparse.csr_spmv", csr));
                             Registration(ellpack_property("sparse.ellpack_spmv", ellpack));
                             Registration(csr_arguments_property("sparse.csr_arguments", csr));
                             Registration(ellpack_arguments_property("sparse.ellpack_arguments", ellpack));
                           }};

}  // namespace
}  // namespace assay::sparse
