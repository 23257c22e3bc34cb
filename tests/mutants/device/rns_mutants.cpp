#include "tests/mutants/device/rns_mutants.hpp"

#include "kernels/launch.hpp"

namespace assay {

template <class Op>
using Results = std::vector<typename Op::Output>;

template Results<mutants::ResidueProduct<mutants::FloatingReduction<false>>> elementwise(
    const Executor&, std::span<const mutants::LimbPair>,
    const mutants::ResidueProduct<mutants::FloatingReduction<false>>&);
template Results<mutants::ResidueProduct<mutants::FloatingReduction<true>>> elementwise(
    const Executor&, std::span<const mutants::LimbPair>,
    const mutants::ResidueProduct<mutants::FloatingReduction<true>>&);
template Results<mutants::ResidueProduct<mutants::BarrettReduction<0>>> elementwise(
    const Executor&, std::span<const mutants::LimbPair>, const mutants::ResidueProduct<mutants::BarrettReduction<0>>&);
template Results<mutants::ResidueProduct<mutants::BarrettReduction<1>>> elementwise(
    const Executor&, std::span<const mutants::LimbPair>, const mutants::ResidueProduct<mutants::BarrettReduction<1>>&);

}  // namespace assay
