#include "kernels/op/operations.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template std::vector<binary16> elementwise(const Executor&, std::span<const Pair<binary16>>, const Add<binary16>&);
template std::vector<binary16> elementwise(const Executor&, std::span<const Pair<binary16>>, const Sub<binary16>&);
template std::vector<binary16> elementwise(const Executor&, std::span<const Pair<binary16>>, const Mul<binary16>&);
template std::vector<binary16> elementwise(const Executor&, std::span<const Pair<binary16>>, const Div<binary16>&);
template std::vector<binary16> elementwise(const Executor&, std::span<const Single<binary16>>, const Sqrt<binary16>&);
template std::vector<binary16> elementwise(const Executor&, std::span<const Triple<binary16>>, const Fma<binary16>&);

template std::vector<bfloat16> elementwise(const Executor&, std::span<const Pair<bfloat16>>, const Add<bfloat16>&);
template std::vector<bfloat16> elementwise(const Executor&, std::span<const Pair<bfloat16>>, const Sub<bfloat16>&);
template std::vector<bfloat16> elementwise(const Executor&, std::span<const Pair<bfloat16>>, const Mul<bfloat16>&);
template std::vector<bfloat16> elementwise(const Executor&, std::span<const Pair<bfloat16>>, const Div<bfloat16>&);
template std::vector<bfloat16> elementwise(const Executor&, std::span<const Single<bfloat16>>, const Sqrt<bfloat16>&);
template std::vector<bfloat16> elementwise(const Executor&, std::span<const Triple<bfloat16>>, const Fma<bfloat16>&);

template std::vector<e4m3> elementwise(const Executor&, std::span<const Pair<e4m3>>, const Add<e4m3>&);
template std::vector<e4m3> elementwise(const Executor&, std::span<const Pair<e4m3>>, const Sub<e4m3>&);
template std::vector<e4m3> elementwise(const Executor&, std::span<const Pair<e4m3>>, const Mul<e4m3>&);
template std::vector<e4m3> elementwise(const Executor&, std::span<const Pair<e4m3>>, const Div<e4m3>&);
template std::vector<e4m3> elementwise(const Executor&, std::span<const Single<e4m3>>, const Sqrt<e4m3>&);
template std::vector<e4m3> elementwise(const Executor&, std::span<const Triple<e4m3>>, const Fma<e4m3>&);

template std::vector<e5m2> elementwise(const Executor&, std::span<const Pair<e5m2>>, const Add<e5m2>&);
template std::vector<e5m2> elementwise(const Executor&, std::span<const Pair<e5m2>>, const Sub<e5m2>&);
template std::vector<e5m2> elementwise(const Executor&, std::span<const Pair<e5m2>>, const Mul<e5m2>&);
template std::vector<e5m2> elementwise(const Executor&, std::span<const Pair<e5m2>>, const Div<e5m2>&);
template std::vector<e5m2> elementwise(const Executor&, std::span<const Single<e5m2>>, const Sqrt<e5m2>&);
template std::vector<e5m2> elementwise(const Executor&, std::span<const Triple<e5m2>>, const Fma<e5m2>&);

}  // namespace assay
