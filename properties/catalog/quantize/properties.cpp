// Quantizers and dequantizers of blocks.

#include "properties/catalog/quantize/codes.hpp"
#include "properties/catalog/quantize/tensors.hpp"

namespace assay::quantize {
namespace {

template <class T>
Registration quantizer(const std::string& name, Scaling scaling) {
  return Registration(quantizer_property<T>(
      name, scaling,
      [](const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
         std::span<const T> x) { return quantize<T>(on, format, rule, rows, columns, x); }));
}

template <class T>
struct Family {
  Registration all[7] = {
      quantizer<T>("power_of_two", Scaling::power_of_two),
      quantizer<T>("factor", Scaling::factor),
      quantizer<T>("two_level", Scaling::two_level),
      quantizer<T>("zero_point", Scaling::zero_point),
      quantizer<T>("offset_code", Scaling::offset_code),
      quantizer<T>("minimum", Scaling::minimum),
      Registration(number_property<T>()),
  };
};

const LateRegistration all{"quantize", [] {
                             Family<float>();
                             Family<binary16>();
                             Family<bfloat16>();
                           }};

}  // namespace
}  // namespace assay::quantize
