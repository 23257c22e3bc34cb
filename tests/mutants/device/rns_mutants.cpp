#include "tests/mutants/device/rns_mutants.hpp"

#include "exec/launch.hpp"

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

template <class Row>
using Evaluating = mutants::Evaluation<Row>;
template <class Row>
using Comparing = mutants::Comparison<Row>;
using Integers = std::span<const mutants::LimbInteger>;
using Pairs = std::span<const mutants::LimbPair>;

template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::Right>&);
template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::NearestUpperSum>&);
template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::NearestUpper>&);
template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::NeverAmbiguous>&);
template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::NeverRefines>&);
template std::vector<Interval> elementwise(const Executor&, Integers, const Evaluating<mutants::ExponentOffByOne>&);
template std::vector<double> elementwise(const Executor&, Pairs, const Comparing<mutants::Right>&);
template std::vector<double> elementwise(const Executor&, Pairs, const Comparing<mutants::OverlappingAreEqual>&);

}  // namespace assay
