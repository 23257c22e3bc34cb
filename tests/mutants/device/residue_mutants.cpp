#include "kernels/gemm/crt.hpp"
#include "mutated/O4/kernels/gemm/detail/crt_engine.hpp"
#include "tests/mutants/device/product_mutants.hpp"

namespace assay::mutants {

void gemm_by_residues_with(bool sign_bit, const Executor& on, const gemm::GemmArguments& g) {
  if (sign_bit) {
    gemm::gemm_crt(on, g);
  } else {
    gemm::detail::o4::gemm_crt(on, g, {});
  }
}

}  // namespace assay::mutants
