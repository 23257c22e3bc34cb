#include "kernels/gemm/detail/crt_engine.hpp"
#include "tests/mutants/device/product_mutants.hpp"

namespace assay::mutants {

namespace {

struct Steps : gemm::detail::GemmCrtSteps {
  bool sign_bit = true;
  [[nodiscard]] ASSAY_HD int sign_bits() const { return sign_bit ? 1 : 0; }
};

}  // namespace

void gemm_by_residues_with(bool sign_bit, const Executor& on, const gemm::GemmArguments& g) {
  Steps steps;
  steps.sign_bit = sign_bit;
  gemm::detail::gemm_crt(on, g, {}, steps);
}

}  // namespace assay::mutants
