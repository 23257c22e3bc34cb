#include "tests/assay/hostile/hostile.hpp"
#include "tests/device/hostile_kernels.hpp"

namespace assay::hostile {

namespace {

template <class Op>
Subject<Numbers, double> kernel() {
  return [](const Executor& on, std::span<const Numbers> cases) { return elementwise<Op>(on, cases); };
}

const Registration illegal_address{Sum{
    .name = "hostile.illegal_address",
    .domain = numbers(),
    .subject = kernel<AddOrFault>(),
    .reference = exact_sum,
    .claims = {of_instance("e = -52", within("error", error_of_sum_1, -52))},
}};

constexpr auto sum_of_squares_1 = theorem(
    {"hostile.sum_of_squares.1", "1 <= a, b < 2", "|s - (a^2 + b^2)| <= 2^-50", "Higham 2002, section 3.1"}, [](int e) {
      return Bound{oracle::Dyadic::scaled(1, e), 1};
    });

const Registration fused_squares{Sum{
    .name = "hostile.fused_squares",
    .domain = numbers(),
    .subject = kernel<FusedSquares>(),
    .reference = [](const Numbers& c) { return value_of(c.a) * value_of(c.a) + value_of(c.b) * value_of(c.b); },
    .claims = {within("error", sum_of_squares_1, -50)},
}};

}  // namespace

}  // namespace assay::hostile
