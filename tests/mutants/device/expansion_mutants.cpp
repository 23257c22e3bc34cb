#include "tests/mutants/device/expansion_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<mutants::Renormalize::Output> elementwise(const Executor&,
                                                               std::span<const mutants::Renormalize::Input>,
                                                               const mutants::Renormalize&);

template std::vector<mutants::Multiply::Output> elementwise(const Executor&, std::span<const mutants::Multiply::Input>,
                                                            const mutants::Multiply&);

}  // namespace assay
