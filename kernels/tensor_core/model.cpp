#include "kernels/tensor_core/model.hpp"

#include <algorithm>

namespace assay::tensor_core {

std::uint32_t one_step(const Step& step, Input input, std::span<const std::uint32_t> a,
                       std::span<const std::uint32_t> b, std::uint32_t c) {
  return fused_step(step, input, a, b, c);
}

std::uint32_t chain(const Step& step, Input input, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                    std::uint32_t c) {
  const auto terms = static_cast<std::size_t>(step.terms);
  for (std::size_t first = 0; first < a.size(); first += terms) {
    const std::size_t count = std::min(terms, a.size() - first);
    c = fused_step(step, input, a.subspan(first, count), b.subspan(first, count), c);
  }
  return c;
}

std::uint32_t sliced_chain(const Step& step, Input input, std::span<const std::uint32_t> a,
                           std::span<const std::uint32_t> b, int slice) {
  const auto length = static_cast<std::size_t>(slice);
  float sum = 0;
  for (std::size_t first = 0; first < a.size(); first += length) {
    const std::size_t count = std::min(length, a.size() - first);
    sum += from_bits<float>(chain(step, input, a.subspan(first, count), b.subspan(first, count), 0));
  }
  return to_bits(sum);
}

double fma_chain(std::span<const double> a, std::span<const double> b, double c) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    c = fma(a[i], b[i], c);
  }
  return c;
}

float epilogue(float alpha, float accumulator, float beta, float c) { return fma(alpha, accumulator, beta * c); }

}  // namespace assay::tensor_core
