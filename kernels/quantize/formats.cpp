#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {
namespace {

constexpr std::array all_formats{
    Format{"mxfp8_e4m3", Element::e4m3, Scaling::power_of_two, 1, 32},
    Format{"mxfp8_e5m2", Element::e5m2, Scaling::power_of_two, 1, 32},
    Format{"mxfp6_e3m2", Element::e3m2, Scaling::power_of_two, 1, 32},
    Format{"mxfp6_e2m3", Element::e2m3, Scaling::power_of_two, 1, 32},
    Format{"mxfp4", Element::e2m1, Scaling::power_of_two, 1, 32},
    Format{"nvfp4", Element::e2m1, Scaling::two_level, 1, 16},
    Format{"e4m3_1x128", Element::e4m3, Scaling::factor, 1, 128},
    Format{"e4m3_128x128", Element::e4m3, Scaling::factor, 128, 128},
    Format{"e4m3_row", Element::e4m3, Scaling::factor, 1, 0},
    Format{"e4m3_tensor", Element::e4m3, Scaling::factor, 0, 0},
    Format{"e5m2_row", Element::e5m2, Scaling::factor, 1, 0},
    Format{"e5m2_tensor", Element::e5m2, Scaling::factor, 0, 0},
    Format{"int8_row", Element::int8, Scaling::factor, 1, 0},
    Format{"int8_tensor", Element::int8, Scaling::factor, 0, 0},
    Format{"int8_1x128", Element::int8, Scaling::factor, 1, 128},
    Format{"int4_1x32", Element::int4, Scaling::factor, 1, 32},
    Format{"int4_1x128", Element::int4, Scaling::factor, 1, 128},
    Format{"uint8_zero_row", Element::uint8, Scaling::zero_point, 1, 0},
    Format{"uint8_zero_tensor", Element::uint8, Scaling::zero_point, 0, 0},
    Format{"int8_zero_row", Element::int8, Scaling::zero_point, 1, 0},
    Format{"int8_zero_tensor", Element::int8, Scaling::zero_point, 0, 0},
    Format{"uint4_zero_1x32", Element::uint4, Scaling::zero_point, 1, 32},
    Format{"uint4_zero_1x128", Element::uint4, Scaling::zero_point, 1, 128},
    Format{"int4_zero_1x32", Element::int4, Scaling::zero_point, 1, 32},
    Format{"q8_0", Element::int8, Scaling::factor, 1, 32, true},
    Format{"q4_0", Element::uint4, Scaling::offset_code, 1, 32, true},
    Format{"q4_1", Element::uint4, Scaling::minimum, 1, 32, true},
    Format{"q5_0", Element::uint5, Scaling::offset_code, 1, 32, true},
    Format{"q5_1", Element::uint5, Scaling::minimum, 1, 32, true},
    Format{"nf4_1x64", Element::nf4, Scaling::factor, 1, 64},
    Format{"nf4_1x128", Element::nf4, Scaling::factor, 1, 128},
};

}  // namespace

std::span<const Format> formats() { return all_formats; }

const Format* find_format(std::string_view name) {
  const auto found = std::ranges::find(all_formats, name, &Format::name);
  return found == all_formats.end() ? nullptr : &*found;
}

Sizes sizes_of(const Format& format, std::size_t rows, std::size_t columns) {
  const detail::Shape block = detail::block_of(format, rows, columns);
  if (rows == 0 || columns == 0 || rows % block.rows != 0 || columns % block.columns != 0) {
    throw std::invalid_argument(std::string(format.name) + ": " + std::to_string(rows) + " x " +
                                std::to_string(columns) + " numbers are not whole blocks");
  }
  const bool has_byte_scales = format.scaling == Scaling::power_of_two || format.scaling == Scaling::two_level;
  const std::size_t blocks = detail::blocks_of(format, rows, columns);
  Sizes sizes;
  sizes.codes = rows * columns / (format.is_packed() ? 2 : 1);
  sizes.scales = blocks * (has_byte_scales ? 1 : format.has_half_scales ? 2 : 4);
  if (format.scaling == Scaling::zero_point) sizes.seconds = blocks;
  if (format.scaling == Scaling::minimum) sizes.seconds = 2 * blocks;
  if (format.scaling == Scaling::two_level) sizes.seconds = 4;
  sizes.workspace = detail::workspace_of(format, rows, columns);
  return sizes;
}

}  // namespace assay::quantize
