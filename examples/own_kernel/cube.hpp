#pragma once
// x³ by two multiplications, and a probe, with which a device draws, runs and judges cases by itself.

#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"

namespace own {

/// z = RN(RN(x²)·x). Relative error ≤ 2u + u² if no product is subnormal or overflows.
struct Cube {
  using Input = assay::Single<double>;
  using Output = double;
  ASSAY_HD constexpr double operator()(const Input& c) const { return c.a * c.a * c.a; }
};

struct CubeProbe {
  using Input = Cube::Input;
  using Output = double;
  static constexpr int classes = 2;

  ASSAY_HD constexpr Input draw(assay::probes::Stream& stream, int input_class) const {
    const int exponent = input_class == 0 ? stream.between(-1, 1) : stream.between(-250, 250);
    const auto digits = assay::probes::draw_digits<53>(stream, assay::probes::Digits::any);
    return {assay::probes::number<double>(stream.coin(), digits, exponent)};
  }
  ASSAY_HD constexpr Output run(const Input& c) const { return Cube()(c); }
  /// x² is the sum of two words, and each word times x is the sum of two more: z − x³ is the sum of five numbers. The
  /// error is relative to |x³| ≥ |z| − |z − x³|.
  ASSAY_HD constexpr assay::probes::Scaled error(const Input& c, double z) const {
    const auto square = assay::probes::exact_product(c.a, c.a);
    const auto high = assay::probes::exact_product(square.p, c.a);
    const auto low = assay::probes::exact_product(square.e, c.a);
    double terms[] = {z, -high.p, -high.e, -low.p, -low.e};
    const double difference = assay::probes::magnitude(terms).upper;
    return {difference, (assay::probes::absolute(z) - difference) * (1 - 0x1p-51)};
  }
};

}  // namespace own
