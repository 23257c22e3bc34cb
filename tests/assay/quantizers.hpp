#pragma once
// Quantizers of tensors, made of quantizers of a block, and helpers that judge them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/quantizations/answer.hpp"
#include "tests/oracle/float_quantizer.hpp"

namespace assay::quantizations {

using oracle::BlockFormat;
using oracle::Number;
using oracle::NumberFormat;
using oracle::QuantizationRule;
using oracle::Scaling;
using oracle::tables::FloatBlock;
using oracle::tables::FloatQuantizer;

inline QuantizationRule rule(std::string_view name) { return *oracle::quantization_rule_named(name); }

inline float value_of(const NumberFormat& format, std::uint64_t code) {
  const Number x = decode(format, code);
  if (x.kind == Number::Kind::nan) return std::copysign(std::nanf(""), x.negative ? -1.F : 1.F);
  const double magnitude = x.kind == Number::Kind::infinite ? HUGE_VAL : std::ldexp(static_cast<double>(x.m), x.e);
  return static_cast<float>(x.negative ? -magnitude : magnitude);
}

/// The place of a block in a tensor of binary32.
struct Place {
  std::size_t row;     ///< row of blocks that has the block
  std::size_t column;  ///< column of blocks that has the block
  std::size_t rows;
  std::size_t columns;
  std::vector<std::uint32_t> words{};  ///< of its entries
};
using OfBlock = std::function<FloatBlock(std::span<const float> block, float tensor_amax, const Place& place,
                                         std::span<const float> neighbor)>;

/// A quantizer of tensors that works block by block. The neighbor of a block is the next block, or after the last block
/// the first one.
inline Quantizer by_blocks(const BlockFormat& format, std::string_view source, const OfBlock& of_block) {
  const NumberFormat& from = *oracle::find_number_format(source);
  return [&format, &from, of_block](std::size_t rows, std::size_t columns, std::span<const std::byte> bytes,
                                    std::span<const std::uint32_t> words, std::span<std::byte> codes,
                                    std::span<std::byte> scales, std::span<std::byte> seconds) {
    std::vector<float> x(rows * columns);
    float tensor_amax = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::uint64_t pattern = 0;
      std::memcpy(&pattern, bytes.data() + i * from.bytes(), from.bytes());
      x[i] = value_of(from, pattern);
      if (std::isfinite(x[i])) tensor_amax = std::max(tensor_amax, std::fabs(x[i]));
    }
    const std::size_t height = format.rows == 0 ? rows : format.rows;
    const std::size_t width = format.columns == 0 ? columns : format.columns;
    const std::size_t across = (columns + width - 1) / width;
    const std::size_t count = rows / height * across;
    // The first entry of a block in the tensor, and the length of its rows.
    const auto layout = [&](std::size_t block) {
      const std::size_t column = block % across * width;
      return std::pair{block / across * height * columns + column, std::min(width, columns - column)};
    };
    const auto part_of = [&](const auto& tensor, std::size_t block) {
      const auto [first, length] = layout(block);
      std::vector<std::decay_t<decltype(tensor[0])>> all;
      all.reserve(height * length);
      for (std::size_t row = 0; row < height && !tensor.empty(); ++row) {
        const auto begin = tensor.begin() + static_cast<std::ptrdiff_t>(first + row * columns);
        all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
      }
      return all;
    };
    const auto block_at = [&](std::size_t block) { return part_of(x, block); };
    std::vector<float> next = block_at(0);
    for (std::size_t block = 0; block < count; ++block) {
      const std::vector<float> of = std::exchange(next, block_at((block + 1) % count));
      const FloatBlock result = of_block(
          of, tensor_amax, {block / across, block % across, rows / height, across, part_of(words, block)}, next);
      std::memcpy(scales.data() + block * format.scale.bytes(), &result.scale, format.scale.bytes());
      if (format.scaling == Scaling::two_level) {
        std::memcpy(seconds.data(), &result.second, 4);
      } else if (!seconds.empty()) {
        const std::size_t size = format.second->bytes();
        std::memcpy(seconds.data() + size * block, &result.second, size);
      }
      const auto [first, length] = layout(block);
      for (std::size_t i = 0; i < of.size(); ++i) {
        if (!format.is_packed()) {
          codes[first + i / length * columns + i % length] = std::byte{result.codes[i]};
          continue;
        }
        const std::size_t half = format.partner;
        const std::size_t low = half == 1 ? i & ~std::size_t{1} : i % half;
        if (low == i) {
          const std::size_t at = first / 2 + (half == 1 ? i / 2 : i);
          codes[at] = static_cast<std::byte>(result.codes[i] | result.codes[i + half] << 4);
        }
      }
    }
  };
}
inline Quantizer right(const QuantizationRule& of, std::string_view source) {
  return by_blocks(*of.format, source, [quantizer = FloatQuantizer(of)](auto block, float tensor, auto&, auto) {
    return quantizer(block, tensor);
  });
}

inline Answer answer_of(const std::string& formats, const std::string& contract, const Quantizer& quantizer) {
  return asked(question_of(formats, contract, false, 1), quantizer);
}
inline bool holds(const std::string& formats, const std::string& contract, const Quantizer& quantizer) {
  const Question question = question_of(formats, contract, false, 1);
  return asked(question, quantizer).holds(question);
}
inline std::vector<std::string> names(const std::vector<QuantizationRule>& rules) {
  std::vector<std::string> all;
  for (const QuantizationRule& each : rules) all.push_back(name_of(each));
  return all;
}

/// A block quantizer with a mistake, and the contract that its author would claim.
struct Mistake {
  const char* what;
  const char* claim;
  OfBlock quantize;
};

inline float amax_of(std::span<const float> x) {
  float amax = 0;
  for (const float each : x) amax = std::max(amax, std::fabs(each));
  return amax;
}
/// A right quantizer for a block whose entries were changed by `change`.
inline OfBlock of_changed(const char* name, const std::function<void(std::vector<float>&)>& change) {
  return [quantizer = FloatQuantizer(rule(name)), change](std::span<const float> x, float tensor, const Place&, auto) {
    std::vector<float> changed(x.begin(), x.end());
    change(changed);
    return quantizer(changed, tensor);
  };
}
inline OfBlock of_rule(const char* name) {
  return of_changed(name, [](std::vector<float>&) {});
}
/// Whether the check accepts the claim of the author.
inline bool is_accepted(const Mistake& mistake) {
  const BlockFormat& format = *rule(mistake.claim).format;
  return holds("f32:" + std::string(format.name), mistake.claim, by_blocks(format, "f32", mistake.quantize));
}

}  // namespace assay::quantizations
