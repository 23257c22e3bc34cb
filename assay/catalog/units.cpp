// The units of a CUDA device, for the prober.

#include <cstdint>
#include <span>
#include <vector>

#include "assay/prober/unit.hpp"
#include "kernels/tensor_core/device_units.hpp"

namespace assay {
namespace {

using prober::Number;

void append(std::vector<std::uint64_t>& patterns, Number format, const std::vector<double>& values) {
  for (const double each : values) patterns.push_back(prober::pattern_of(format, each));
}

std::vector<prober::Unit> as_units(const std::vector<tensor_core::DeviceUnit>& found) {
  std::vector<prober::Unit> units;
  for (const tensor_core::DeviceUnit& each : found) {
    const Number input = prober::number_named(each.input);
    const Number result = prober::number_named(each.result);
    units.push_back({each.name, input, result, each.products, each.has_c,
                     [input, result, compute = each.compute](std::span<const prober::Product> asked) {
                       std::vector<std::uint64_t> a;
                       std::vector<std::uint64_t> b;
                       std::vector<std::uint64_t> c;
                       for (const prober::Product& product : asked) {
                         append(a, input, product.a);
                         append(b, input, product.b);
                         append(c, result, {product.c});
                       }
                       return compute(a, b, c);
                     },
                     each.rows});
  }
  return units;
}

const bool registered = [] {
  prober::register_units({[](const Executor& device) { return as_units(tensor_core::instructions(device)); },
                          [](const Executor& device) { return as_units(tensor_core::library_products(device)); }});
  return true;
}();

}  // namespace
}  // namespace assay
