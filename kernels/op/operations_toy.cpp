#include "kernels/op/operations.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>, const Add<Toy<3>>&);
template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>, const Sub<Toy<3>>&);
template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>, const Mul<Toy<3>>&);
template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>, const Div<Toy<3>>&);
template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Single<Toy<3>>>, const Sqrt<Toy<3>>&);
template std::vector<Toy<3>> elementwise(const Executor&, std::span<const Triple<Toy<3>>>, const Fma<Toy<3>>&);

template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>, const Add<Toy<4>>&);
template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>, const Sub<Toy<4>>&);
template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>, const Mul<Toy<4>>&);
template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>, const Div<Toy<4>>&);
template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Single<Toy<4>>>, const Sqrt<Toy<4>>&);
template std::vector<Toy<4>> elementwise(const Executor&, std::span<const Triple<Toy<4>>>, const Fma<Toy<4>>&);

template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>, const Add<Toy<5>>&);
template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>, const Sub<Toy<5>>&);
template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>, const Mul<Toy<5>>&);
template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>, const Div<Toy<5>>&);
template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Single<Toy<5>>>, const Sqrt<Toy<5>>&);
template std::vector<Toy<5>> elementwise(const Executor&, std::span<const Triple<Toy<5>>>, const Fma<Toy<5>>&);

template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>, const Add<Toy<6>>&);
template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>, const Sub<Toy<6>>&);
template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>, const Mul<Toy<6>>&);
template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>, const Div<Toy<6>>&);
template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Single<Toy<6>>>, const Sqrt<Toy<6>>&);
template std::vector<Toy<6>> elementwise(const Executor&, std::span<const Triple<Toy<6>>>, const Fma<Toy<6>>&);

template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>, const Add<Toy<7>>&);
template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>, const Sub<Toy<7>>&);
template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>, const Mul<Toy<7>>&);
template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>, const Div<Toy<7>>&);
template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Single<Toy<7>>>, const Sqrt<Toy<7>>&);
template std::vector<Toy<7>> elementwise(const Executor&, std::span<const Triple<Toy<7>>>, const Fma<Toy<7>>&);

template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>, const Add<Toy<8>>&);
template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>, const Sub<Toy<8>>&);
template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>, const Mul<Toy<8>>&);
template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>, const Div<Toy<8>>&);
template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Single<Toy<8>>>, const Sqrt<Toy<8>>&);
template std::vector<Toy<8>> elementwise(const Executor&, std::span<const Triple<Toy<8>>>, const Fma<Toy<8>>&);

}  // namespace assay
