#include "tests/mutants/device/error_free_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<mutants::UnorderedFastTwoSum::Output> elementwise(
    const Executor&, std::span<const mutants::UnorderedFastTwoSum::Input>, const mutants::UnorderedFastTwoSum&);
template std::vector<mutants::SwapBySignedValue::Output> elementwise(const Executor&,
                                                                     std::span<const mutants::SwapBySignedValue::Input>,
                                                                     const mutants::SwapBySignedValue&);
template std::vector<mutants::DroppedLastTerm::Output> elementwise(const Executor&,
                                                                   std::span<const mutants::DroppedLastTerm::Input>,
                                                                   const mutants::DroppedLastTerm&);
template std::vector<mutants::ReassociatedTwoSum::Output> elementwise(
    const Executor&, std::span<const mutants::ReassociatedTwoSum::Input>, const mutants::ReassociatedTwoSum&);
template std::vector<mutants::ContractedAcrossCall::Output> elementwise(
    const Executor&, std::span<const mutants::ContractedAcrossCall::Input>, const mutants::ContractedAcrossCall&);
template std::vector<mutants::ContractedSplit::Output> elementwise(const Executor&,
                                                                   std::span<const mutants::ContractedSplit::Input>,
                                                                   const mutants::ContractedSplit&);
template std::vector<mutants::ProductWithoutFma::Output> elementwise(const Executor&,
                                                                     std::span<const mutants::ProductWithoutFma::Input>,
                                                                     const mutants::ProductWithoutFma&);
template std::vector<mutants::SplitOneBitShort::Output> elementwise(const Executor&,
                                                                    std::span<const mutants::SplitOneBitShort::Input>,
                                                                    const mutants::SplitOneBitShort&);
template std::vector<mutants::TwoProdAnywhere::Output> elementwise(const Executor&,
                                                                   std::span<const mutants::TwoProdAnywhere::Input>,
                                                                   const mutants::TwoProdAnywhere&);
template std::vector<mutants::DekkerProdAnywhere::Output> elementwise(
    const Executor&, std::span<const mutants::DekkerProdAnywhere::Input>, const mutants::DekkerProdAnywhere&);

}  // namespace assay
