#include "tests/mutants/device/mp_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<mutants::MpSum::Output> elementwise(const Executor&, std::span<const mutants::MpSum::Input>,
                                                         const mutants::MpSum&);

template std::vector<mutants::MpProducts::Output> elementwise(const Executor&,
                                                              std::span<const mutants::MpProducts::Input>,
                                                              const mutants::MpProducts&);

}  // namespace assay
