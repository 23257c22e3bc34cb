#pragma once
// Properties of dequantizers: the number of each code, rounded.

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "errorbounds/quantize_theorems.hpp"
#include "oracle/round.hpp"
#include "properties/catalog/quantize/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::quantize {

namespace detail {

/// The exact value of a code that is a finite number.
inline oracle::Dyadic value_of_code(const oracle::NumberFormat& format, std::uint64_t code) {
  const oracle::Number x = oracle::decode(format, code);
  const oracle::Dyadic size = oracle::Dyadic(static_cast<std::int64_t>(x.m)).mul_2exp(x.e);
  return x.negative ? -size : size;
}
inline bool is_number(const oracle::NumberFormat& format, std::uint64_t code) {
  return (code & ~format.mask()) == 0 && oracle::decode(format, code).kind == oracle::Number::Kind::finite;
}

inline std::uint32_t draw_number(Draw& draw, const oracle::NumberFormat& format) {
  for (;;) {
    const auto code = static_cast<std::uint32_t>(draw.word() & format.mask());
    if (is_number(format, code)) return code;
  }
}

inline CodesCase draw_codes(Draw& draw) {
  CodesCase c;
  c.format = static_cast<int>(std::distance(oracle::block_formats().data(),
                                            oracle::find_block_format(formats()[draw.below(formats().size())].name)));
  const oracle::BlockFormat& of = oracle_format(c.format);
  c.high_half_first = draw.between(0, 1);
  c.rows = of.rows > 1 ? static_cast<std::int64_t>(of.rows) : draw.between(1, 4);
  c.columns = of.columns == 0 ? draw.between(1, 70) : static_cast<std::int64_t>(of.columns) * draw.between(1, 3);
  const oracle::BlockSizes sizes = sizes_of(of, static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.columns));
  for (std::int64_t i = 0; i < c.rows * c.columns; ++i) c.codes.push_back(draw_number(draw, of.element));
  for (std::size_t i = 0; i < sizes.scales / of.scale.bytes(); ++i) {
    const bool is_nan = of.scaling == oracle::Scaling::power_of_two && draw.one_in(8);
    c.scales.push_back(is_nan ? 0xFF : draw_number(draw, of.scale));
  }
  if (of.second != nullptr) {
    for (std::size_t i = 0; i < sizes.seconds / of.second->bytes(); ++i) {
      c.seconds.push_back(draw_number(draw, *of.second));
    }
  }
  return c;
}

inline bool is_codes(const CodesCase& c) {
  if (!has_kernel(c.format) || c.high_half_first < 0 || c.high_half_first > 1 || c.rows < 1 || c.columns < 1 ||
      c.rows > 1 << 10 || c.columns > 1 << 10) {
    return false;
  }
  const oracle::BlockFormat& of = oracle_format(c.format);
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto columns = static_cast<std::size_t>(c.columns);
  if ((of.rows != 0 && rows % of.rows != 0) || (of.columns != 0 && columns % of.columns != 0)) {
    return false;
  }
  const oracle::BlockSizes sizes = sizes_of(of, rows, columns);
  const auto are = [](const std::vector<std::uint32_t>& list, const oracle::NumberFormat& numbers, bool may_be_nan) {
    return std::ranges::all_of(
        list, [&](std::uint32_t each) { return is_number(numbers, each) || (may_be_nan && each == 0xFF); });
  };
  return c.codes.size() == rows * columns && c.scales.size() * of.scale.bytes() == sizes.scales &&
         c.seconds.size() * (of.second == nullptr ? 1 : of.second->bytes()) == sizes.seconds &&
         are(c.codes, of.element, false) && are(c.scales, of.scale, of.scaling == oracle::Scaling::power_of_two) &&
         (of.second == nullptr || are(c.seconds, *of.second, false));
}

/// The arrays of the kernel.
inline Quantized packed(const CodesCase& c) {
  const oracle::BlockFormat& of = oracle_format(c.format);
  Quantized numbers;
  numbers.codes.resize(c.codes.size() / (of.is_packed() ? 2 : 1));
  for (std::size_t i = 0; i < c.codes.size(); ++i) {
    const auto [byte, bit] = place_of_code(of, i, c.high_half_first != 0);
    numbers.codes[byte] = static_cast<std::uint8_t>(numbers.codes[byte] | c.codes[i] << bit);
  }
  const auto bytes_of = [](const std::vector<std::uint32_t>& list, std::size_t size) {
    std::vector<std::uint8_t> bytes(list.size() * size);
    for (std::size_t i = 0; i < list.size(); ++i) std::memcpy(bytes.data() + i * size, &list[i], size);
    return bytes;
  };
  numbers.scales = bytes_of(c.scales, of.scale.bytes());
  if (of.second != nullptr) numbers.seconds = bytes_of(c.seconds, of.second->bytes());
  return numbers;
}

/// The exact number of each code; 0 for a block with the scale NaN.
inline std::vector<oracle::Dyadic> exact_numbers(const CodesCase& c) {
  using oracle::Dyadic;
  const oracle::BlockFormat& of = oracle_format(c.format);
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto columns = static_cast<std::size_t>(c.columns);
  std::vector<Dyadic> numbers;
  for (std::size_t i = 0; i < c.codes.size(); ++i) {
    const std::size_t block = block_of(of, rows, columns, i / columns, i % columns);
    if (!is_number(of.scale, c.scales[block])) {
      numbers.emplace_back();
      continue;
    }
    const Dyadic scale = value_of_code(of.scale, c.scales[block]);
    Dyadic q = value_of_code(of.element, c.codes[i]);
    switch (of.scaling) {
      case oracle::Scaling::two_level:
        numbers.push_back(scale * q * value_of_code(*of.second, c.seconds[0]));
        break;
      case oracle::Scaling::zero_point:
        numbers.push_back(scale * (q - value_of_code(*of.second, c.seconds[block])));
        break;
      case oracle::Scaling::offset_code:
        numbers.push_back(scale * (q - Dyadic(std::int64_t{1} << (of.element.bits - 1))));
        break;
      case oracle::Scaling::minimum:
        numbers.push_back(scale * q + value_of_code(*of.second, c.seconds[block]));
        break;
      default:
        numbers.push_back(scale * q);
    }
  }
  return numbers;
}

/// Rounded to binary32, then to T: its pattern.
template <class T>
std::uint64_t rounded_twice(const oracle::Dyadic& exact) {
  constexpr oracle::Format single = format_of<float>();
  const std::uint64_t pattern = oracle::round(exact, single, oracle::Rounding::nearest);
  if constexpr (std::is_same_v<T, float>) {
    return pattern;
  } else {
    if (!oracle::is_finite(single, pattern)) {
      const oracle::Dyadic huge = oracle::Dyadic(1).mul_2exp(200);
      return oracle::round(oracle::is_negative(single, pattern) ? -huge : huge, format_of<T>(),
                           oracle::Rounding::nearest);
    }
    return oracle::round(oracle::decode_finite(single, pattern), format_of<T>(), oracle::Rounding::nearest,
                         {.negative_zero = oracle::is_negative(single, pattern)});
  }
}

}  // namespace detail

/// The property of dequantizers to T. The sign of an exact zero is left open.
template <class T>
Property<CodesCase, std::vector<T>> number_property() {
  using oracle::Dyadic;
  return {
      .name = "quantize.numbers" + format_suffix<T>(),
      .domain = {.classes = {{"codes and scales of every format", 1, drawn<CodesCase>(detail::draw_codes)}},
                 .contains = detail::is_codes,
                 .accepts = "codes, scales and seconds of whole blocks that are finite numbers, or scales NaN that "
                            "are powers of two otherwise"},
      .subject =
          [](const Executor& on, const CodesCase& c) {
            return dequantize<T>(on, kernel_format(c.format), {.is_high_half_first = c.high_half_first != 0},
                                 static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.columns),
                                 detail::packed(c));
          },
      .reference = detail::exact_numbers,
      .claims = {claim_spec("number", quantize_number_1,
                            [](const CodesCase& c, const std::vector<Dyadic>& truth, const std::vector<T>& got) {
                              const oracle::BlockFormat& of = oracle_format(c.format);
                              const auto columns = static_cast<std::size_t>(c.columns);
                              Judgement worst;
                              for (std::size_t i = 0; i < truth.size(); ++i) {
                                const std::size_t block =
                                    block_of(of, static_cast<std::size_t>(c.rows), columns, i / columns, i % columns);
                                const std::uint64_t bits = bits_of(got[i]);
                                bool is_right;
                                if (!detail::is_number(of.scale, c.scales[block])) {
                                  is_right = oracle::is_nan(format_of<T>(), bits);
                                } else if (truth[i].is_zero()) {
                                  is_right = got[i] == T(0.0f);
                                } else {
                                  is_right = bits == detail::rounded_twice<T>(truth[i]);
                                }
                                worst.worsen(Judgement::of(is_right, i));
                              }
                              worst.judged = truth.size();
                              return worst;
                            })},
      .inexact =
          [](const CodesCase& c, const std::vector<Dyadic>& truth, const std::vector<T>&) {
            return std::ranges::any_of(truth, [](const Dyadic& each) { return !each.is_zero(); }) && !c.codes.empty();
          },
      .quick_cases = 500};
}

}  // namespace assay::quantize
