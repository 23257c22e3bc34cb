// What sparse products promise, for the mutants that break it.

#include "kernels/expansion/spmv.hpp"
#include "kernels/gemv/detail/mp_spmv_product.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "kernels/sparse/detail/spmv_block.hpp"
#include "kernels/sparse/spmv.hpp"

#include "mutated/C1/kernels/sparse/spmv.cpp"
#include "mutated/C10/kernels/expansion/spmv.cpp"
#include "mutated/C11/kernels/expansion/spmv.cpp"
#include "mutated/C12/kernels/expansion/spmv.cpp"
#include "mutated/C13/kernels/sparse/conjugate_gradients.cpp"
#include "mutated/C14/kernels/sparse/conjugate_gradients.cpp"
#include "mutated/C15/kernels/sparse/conjugate_gradients.cpp"
#include "mutated/C16/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C17/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C18/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C19/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C2/kernels/sparse/spmv.cpp"
#include "mutated/C20/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C21/kernels/gemv/detail/mp_spmv_product.hpp"
#include "mutated/C22/kernels/sparse/spmv.cpp"
#include "mutated/C23/kernels/sparse/spmv.cpp"
#include "mutated/C24/kernels/sparse/spmv.cpp"
#include "mutated/C25/kernels/sparse/spmv.cpp"
#include "mutated/C3/kernels/sparse/spmv.cpp"
#include "mutated/C4/kernels/sparse/spmv.cpp"
#include "mutated/C5/kernels/sparse/spmv.cpp"
#include "mutated/C6/kernels/sparse/spmv.cpp"
#include "mutated/C7/kernels/sparse/spmv.cpp"
#include "mutated/C8/kernels/sparse/spmv.cpp"
#include "mutated/C9/kernels/sparse/spmv.cpp"

#include "properties/catalog/sparse/arguments.hpp"
#include "properties/catalog/sparse/conjugate_gradients.hpp"
#include "properties/catalog/sparse/properties.hpp"
#include "properties/catalog/sparse/residues.hpp"
#include "properties/catalog/sparse/words.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

auto csr(auto spmv) { return TypedModel(sparse::csr_property("mutants.csr_spmv", spmv)); }
auto ellpack(auto spmv) { return TypedModel(sparse::ellpack_property("mutants.ellpack_spmv", spmv)); }
auto csr_arguments(auto spmv) { return TypedModel(sparse::csr_arguments_property("mutants.csr_arguments", spmv)); }
auto ellpack_arguments(auto spmv) {
  return TypedModel(sparse::ellpack_arguments_property("mutants.ellpack_arguments", spmv));
}

auto in_words(std::size_t words, bool ellpack, auto spmv) {
  return TypedModel(sparse::word_property("mutants.word_spmv", words, ellpack, spmv));
}

auto gradients(auto solve) { return TypedModel(sparse::cg_property("mutants.conjugate_gradients", solve)); }

auto in_residues(auto spmv) { return TypedModel(sparse::residue_property("mutants.mp_spmv", 8, spmv)); }

/// A function that is overloaded, as a value.
#define ASSAY_CALL(function) [](const auto&... arguments) { return function(arguments...); }

}  // namespace

Rows sparse_rows() {
  namespace e = assay::expansion;
  namespace s = assay::sparse;
  const RightKernel right_csr([&] { return csr(ASSAY_CALL(s::csr_spmv)); });
  const RightKernel right_csr_arguments([&] { return csr_arguments(ASSAY_CALL(s::csr_spmv)); });
  const RightKernel right_ellpack([&] { return ellpack(ASSAY_CALL(s::ellpack_spmv)); });
  const RightKernel right_ellpack_arguments([&] { return ellpack_arguments(ASSAY_CALL(s::ellpack_spmv)); });
  namespace g = assay::gemv;
  const RightKernel right_residues([] { return in_residues(ASSAY_CALL(g::mp_spmv)); });
  const auto right_words = ASSAY_CALL(e::expansion_spmv);
  const RightKernel right_gradients([&] { return gradients(s::conjugate_gradients); });
  return {
      kernel_row({"C1", "of the entries that a thread reads at once, all but the first are left out", 16},
                 csr(ASSAY_CALL(s::c1::csr_spmv)), right_csr),
      kernel_row({"C2", "products are rounded before they are added", 64}, csr(ASSAY_CALL(s::c2::csr_spmv)), right_csr),
      kernel_row({"C3", "every direction is to nearest", 64}, csr(ASSAY_CALL(s::c3::csr_spmv)), right_csr),
      kernel_row({"C4", "products that are minus infinity are not seen", 32}, csr(ASSAY_CALL(s::c4::csr_spmv)),
                 right_csr),
      kernel_row({"C5", "a place without an entry is read and multiplied by 0", 512},
                 ellpack(ASSAY_CALL(s::c5::ellpack_spmv)), right_ellpack),
      kernel_row({"C6", "ELLPACK is read row by row", 16}, ellpack(ASSAY_CALL(s::c6::ellpack_spmv)), right_ellpack),
      kernel_row({"C7", "an entry with the value 0 is left out", 16}, csr(ASSAY_CALL(s::c7::csr_spmv)), right_csr),
      kernel_row({"C8", "a column behind the last one is not refused", 16}, csr_arguments(ASSAY_CALL(s::c8::csr_spmv)),
                 right_csr_arguments),
      kernel_row({"C9", "a vector that is too long is not refused", 16},
                 ellpack_arguments(ASSAY_CALL(s::c9::ellpack_spmv)), right_ellpack_arguments),
      kernel_row({"C10", "the tree of a row leaves out its last level", 16},
                 in_words(2, false, ASSAY_CALL(e::c10::expansion_spmv)), in_words(2, false, right_words)),
      kernel_row({"C11", "the low words of the vector are left out", 16},
                 in_words(4, false, ASSAY_CALL(e::c11::expansion_spmv)), in_words(4, false, right_words)),
      kernel_row({"C12", "a place without an entry is taken for one in column 0", 16},
                 in_words(2, true, ASSAY_CALL(e::c12::expansion_spmv)), in_words(2, true, right_words)),
      kernel_row({"C13", "the residual of the iteration is taken for the true one", 64},
                 gradients(s::c13::conjugate_gradients), right_gradients),
      kernel_row({"C14", "a direction of negative curvature is taken", 16}, gradients(s::c14::conjugate_gradients),
                 right_gradients),
      kernel_row({"C15", "the aim is not squared", 64}, gradients(s::c15::conjugate_gradients), right_gradients),
      kernel_row({"C16", "in residues the signs of the vector do not count", 16},
                 in_residues(ASSAY_CALL(g::c16::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C17", "in residues a product next below the window is lost", 64},
                 in_residues(ASSAY_CALL(g::c17::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C18", "in residues the sums modulo the guard wrap", 200},
                 in_residues(ASSAY_CALL(g::c18::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C19", "in residues products far below are looked for row by row in ELLPACK, too", 16},
                 in_residues(ASSAY_CALL(g::c19::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C20", "in residues the last thread of a row has no say in its largest exponent", 64},
                 in_residues(ASSAY_CALL(g::c20::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C21", "in residues a number out of range in every other column counts as 0", 16},
                 in_residues(ASSAY_CALL(g::c21::detail::spmv_of_arrays)), right_residues),
      kernel_row({"C22", "of the bound of what three words lose, one 1024th is taken", 256},
                 csr(ASSAY_CALL(s::c22::csr_spmv)), right_csr),
      kernel_row({"C23", "one half of the lanes of a row is left out", 16}, csr(ASSAY_CALL(s::c23::csr_spmv)),
                 right_csr),
      kernel_row({"C24", "a row without entries is −0", 16}, csr(ASSAY_CALL(s::c24::csr_spmv)), right_csr),
      kernel_row({"C25", "of the rows that are not certified, each ninth is left out", 256},
                 csr(ASSAY_CALL(s::c25::csr_spmv)), right_csr),
  };
}

}  // namespace assay::mutants
