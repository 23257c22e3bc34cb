// Products of sparse matrices and vectors of multiple-precision numbers in residues.

#include "properties/catalog/sparse/residues.hpp"

namespace assay::sparse {
namespace {

/// An overloaded function as a value.
constexpr auto spmv = [](const auto&... arguments) { return gemv::mp_spmv(arguments...); };

const LateRegistration sums_of_residues{
    "sparse", [] {
      for (const int n : {8, 16, 32, 64, 128}) Registration(residue_property("sparse.mp_spmv", n, spmv));
      Registration(csr_arguments_property("sparse.mp_csr_arguments", residue_arguments(spmv)));
      Registration(ellpack_arguments_property("sparse.mp_ellpack_arguments", residue_arguments(spmv)));
    }};

}  // namespace
}  // namespace assay::sparse
