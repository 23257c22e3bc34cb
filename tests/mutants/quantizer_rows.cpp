// The promises of quantizers, for the mutants that break them: copies of arith/quantize and kernels/quantize/detail
// with one mistake each.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/array.hpp"
#include "kernels/quantize/detail/queue.hpp"
#include "mutated/Q1/kernels/quantize/detail/queue.hpp"
#include "mutated/Q10/kernels/quantize/detail/queue.hpp"
#include "mutated/Q11/kernels/quantize/detail/queue.hpp"
#include "mutated/Q12/kernels/quantize/detail/queue.hpp"
#include "mutated/Q13/kernels/quantize/detail/queue.hpp"
#include "mutated/Q14/kernels/quantize/detail/queue.hpp"
#include "mutated/Q15/kernels/quantize/detail/queue.hpp"
#include "mutated/Q16/kernels/quantize/detail/queue.hpp"
#include "mutated/Q17/kernels/quantize/detail/queue.hpp"
#include "mutated/Q18/kernels/quantize/detail/queue.hpp"
#include "mutated/Q19/kernels/quantize/detail/queue.hpp"
#include "mutated/Q2/kernels/quantize/detail/queue.hpp"
#include "mutated/Q20/kernels/quantize/detail/queue.hpp"
#include "mutated/Q21/kernels/quantize/detail/queue.hpp"
#include "mutated/Q22/kernels/quantize/detail/queue.hpp"
#include "mutated/Q23/kernels/quantize/detail/queue.hpp"
#include "mutated/Q24/kernels/quantize/detail/queue.hpp"
#include "mutated/Q3/kernels/quantize/detail/queue.hpp"
#include "mutated/Q4/kernels/quantize/detail/queue.hpp"
#include "mutated/Q5/kernels/quantize/detail/queue.hpp"
#include "mutated/Q6/kernels/quantize/detail/queue.hpp"
#include "mutated/Q7/kernels/quantize/detail/queue.hpp"
#include "mutated/Q8/kernels/quantize/detail/queue.hpp"
#include "mutated/Q9/kernels/quantize/detail/queue.hpp"
#include "properties/catalog/quantize/tensors.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using quantize::Format;
using quantize::Rule;
using quantize::Scaling;
using Queue = void (*)(const Executor&, const Format&, const Rule&, std::size_t, std::size_t, const float*,
                       const quantize::Results&);

/// quantize() by the launches of `queue`.
auto promise(Scaling scaling, Queue queue) {
  return TypedModel(
      quantize::quantizer_property<float>("mutants", scaling,
                                          [queue](const Executor& on, const Format& format, const Rule& rule,
                                                  std::size_t rows, std::size_t columns, std::span<const float> x) {
                                            const quantize::Sizes sizes = sizes_of(format, rows, columns);
                                            const Array<float> numbers(on, x);
                                            const Array<std::uint8_t> codes(on, sizes.codes);
                                            const Array<std::uint8_t> scales(on, sizes.scales);
                                            const Array<std::uint8_t> seconds(on, sizes.seconds);
                                            const Array<std::uint8_t> workspace(on, sizes.workspace);
                                            queue(on, format, rule, rows, columns, numbers.data(),
                                                  {codes.data(), scales.data(), seconds.data(), workspace.data()});
                                            wait(on);
                                            return quantize::Quantized{codes.take(), scales.take(), seconds.take()};
                                          }));
}

}  // namespace

Rows quantizer_rows() {
  using enum Scaling;
  struct Mistake {
    Planted planted;
    Scaling scaling;
    Queue right, wrong;
  };
  const Mistake mistakes[] = {
      {{"Q1", "ties go away from zero", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q1::detail::queue_of<float, power_of_two>},
      {{"Q2", "a number is rounded to binary16 first", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q2::detail::queue_of<float, power_of_two>},
      {{"Q3", "the sign of -0 is lost", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q3::detail::queue_of<float, power_of_two>},
      {{"Q4", "the exponent of M is rounded down instead of up", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q4::detail::queue_of<float, power_of_two>},
      {{"Q5", "a NaN does not count for M", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q5::detail::queue_of<float, power_of_two>},
      {{"Q6", "M equal to the largest number has the next scale", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q6::detail::queue_of<float, power_of_two>},
      {{"Q7", "the exponent of a scale has no lower end", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q7::detail::queue_of<float, power_of_two>},
      {{"Q8", "the scale is stored, not the reciprocal of its reciprocal", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q8::detail::queue_of<float, factor>},
      {{"Q9", "a zero point beyond the codes is not clamped", 4000},
       zero_point,
       quantize::detail::queue_of<float, zero_point>,
       quantize::q9::detail::queue_of<float, zero_point>},
      {{"Q10", "a code is truncated without the half", 4000},
       offset_code,
       quantize::detail::queue_of<float, offset_code>,
       quantize::q10::detail::queue_of<float, offset_code>},
      {{"Q11", "the scale follows from the largest number alone", 4000},
       minimum,
       quantize::detail::queue_of<float, minimum>,
       quantize::q11::detail::queue_of<float, minimum>},
      {{"Q12", "x/s is computed as x*(1/s)", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q12::detail::queue_of<float, factor>},
      {{"Q13", "the largest magnitude of the tensor is that of the block", 4000},
       two_level,
       quantize::detail::queue_of<float, two_level>,
       quantize::q13::detail::queue_of<float, two_level>},
      {{"Q14", "two blocks share M", 4000},
       power_of_two,
       quantize::detail::queue_of<float, power_of_two>,
       quantize::q14::detail::queue_of<float, power_of_two>},
      {{"Q15", "the last of equal magnitudes decides the sign of the scale", 4000},
       offset_code,
       quantize::detail::queue_of<float, offset_code>,
       quantize::q15::detail::queue_of<float, offset_code>},
      {{"Q16", "the halves of a byte have one order", 4000},
       zero_point,
       quantize::detail::queue_of<float, zero_point>,
       quantize::q16::detail::queue_of<float, zero_point>},
      {{"Q17", "the end of a row has no codes", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q17::detail::queue_of<float, factor>},
      {{"Q18", "integers have no limits", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q18::detail::queue_of<float, factor>},
      {{"Q19", "the largest number has the code after the last", 4000},
       offset_code,
       quantize::detail::queue_of<float, offset_code>,
       quantize::q19::detail::queue_of<float, offset_code>},
      {{"Q20", "-0 keeps its sign under every rule", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q20::detail::queue_of<float, factor>},
      {{"Q21", "the border of a cell of NF4 counts twice", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q21::detail::queue_of<float, factor>},
      {{"Q22", "a number on a border of NF4 has the code above it", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q22::detail::queue_of<float, factor>},
      {{"Q23", "eight codes have one order of the halves of a byte", 4000},
       factor,
       quantize::detail::queue_of<float, factor>,
       quantize::q23::detail::queue_of<float, factor>},
      {{"Q24", "eight codes take the signs of their neighbors", 4000},
       two_level,
       quantize::detail::queue_of<float, two_level>,
       quantize::q24::detail::queue_of<float, two_level>},
  };
  Rows rows;
  for (const Mistake& each : mistakes) {
    rows.push_back(kernel_row(each.planted, promise(each.scaling, each.wrong), promise(each.scaling, each.right)));
  }
  return rows;
}

}  // namespace assay::mutants
