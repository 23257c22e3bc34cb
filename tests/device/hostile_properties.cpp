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
    .claims = {within("error", "|s - (a + b)| <= 2^-52", "Higham 2002, section 2.2",
                      Bound{oracle::Dyadic::scaled(1, -52), 1})},
}};

const Registration fused_squares{Sum{
    .name = "hostile.fused_squares",
    .domain = numbers(),
    .subject = kernel<FusedSquares>(),
    .reference = [](const Numbers& c) { return value_of(c.a) * value_of(c.a) + value_of(c.b) * value_of(c.b); },
    .claims = {within("error", "|s - (a^2 + b^2)| <= 2^-50", "Higham 2002, section 3.1",
                      Bound{oracle::Dyadic::scaled(1, -50), 1})},
}};

}  // namespace

}  // namespace assay::hostile
