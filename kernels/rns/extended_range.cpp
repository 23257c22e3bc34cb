#include "kernels/rns/extended_range.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<Interval> elementwise(const Executor&, std::span<const ExtendedPair>, const ExtendedAdd&);
template std::vector<Interval> elementwise(const Executor&, std::span<const ExtendedPair>, const ExtendedSub&);
template std::vector<Interval> elementwise(const Executor&, std::span<const ExtendedPair>, const ExtendedMul&);
template std::vector<Interval> elementwise(const Executor&, std::span<const ExtendedPair>, const ExtendedDiv&);
template std::vector<double> elementwise(const Executor&, std::span<const ExtendedPair>, const ExtendedCompare&);

}  // namespace assay
