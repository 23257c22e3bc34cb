#include "kernels/rns_operations.hpp"

#include "kernels/launch.hpp"

namespace assay {

template <int n>
using Outcomes = std::vector<RnsOutcome<rns::Standard<n>>>;
template <int n>
using OperandSpan = std::span<const RnsOperands<rns::Standard<n>>>;
template <int n>
using Kernel = RnsKernel<rns::Standard<n>>;

template Outcomes<8> elementwise(const Executor&, OperandSpan<8>, const Kernel<8>&);
template Outcomes<16> elementwise(const Executor&, OperandSpan<16>, const Kernel<16>&);
template Outcomes<32> elementwise(const Executor&, OperandSpan<32>, const Kernel<32>&);
template Outcomes<64> elementwise(const Executor&, OperandSpan<64>, const Kernel<64>&);
template Outcomes<128> elementwise(const Executor&, OperandSpan<128>, const Kernel<128>&);

}  // namespace assay
