#pragma once
// Properties of quantizers: the bits that a rule requires. `Run` is the kernel.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/quantize_theorems.hpp"
#include "properties/catalog/quantize/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::quantize {

namespace detail {

template <class T>
constexpr int least_exponent(Scaling scaling, bool has_half_scales) {
  constexpr int smallest = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  if (scaling == Scaling::power_of_two) return smallest;
  return std::max(smallest, has_half_scales ? -20 : -99);
}
template <class T>
constexpr int most_exponent(Scaling scaling, bool has_half_scales) {
  return scaling == Scaling::power_of_two ? FloatTraits<T>::emax
                                          : std::min(FloatTraits<T>::emax, has_half_scales ? 14 : 99);
}

/// A number of few leading bits, now and then with its neighbor: elements, their midpoints and thresholds of scales
/// have such bits.
template <class T>
T draw_number(Draw& draw, int exponent) {
  constexpr int p = FloatTraits<T>::precision;
  const bool is_short = draw.coin();
  const std::uint64_t leading = std::uint64_t{1} << (p - 1);
  std::uint64_t m = is_short ? leading | draw.below(32) << (p - 6) : leading | draw.below(leading);
  if (is_short && draw.one_in(4)) m += draw.coin() ? 1 : -std::uint64_t{1};
  const double x = std::ldexp(static_cast<double>(m), exponent - p + 1);
  const T number = static_cast<T>(draw.coin() ? -x : x);
  return is_finite(number) ? number : from_bits<T>(bits::max_finite_bits<T>);
}

template <class T>
TensorCase<T> draw_tensor(Draw& draw, const std::vector<int>& formats, bool is_long, bool has_specials) {
  TensorCase<T> c;
  c.format = formats[draw.below(formats.size())];
  const Format& format = kernel_format(c.format);
  const RuleTable& rules = rules_of(c.format);
  c.rule = std::next(rules.begin(), static_cast<std::ptrdiff_t>(draw.below(rules.size())))->first;
  // A long block is read in parts, or held by threads where its length is a multiple of 16.
  const oracle::BlockFormat& of = oracle_format(c.format);
  const bool has_any_columns = of.columns == 0;
  c.rows = of.rows > 1 ? static_cast<std::int64_t>(of.rows) : draw.between(1, is_long ? 2 : 4);
  if (has_any_columns) {
    c.columns = !is_long ? draw.between(1, 70) : draw.coin() ? draw.between(16000, 17000) : 16 * draw.between(250, 514);
  } else {
    c.columns = static_cast<std::int64_t>(of.columns) * draw.between(1, is_long ? 9 : 3);
  }
  const int least = least_exponent<T>(format.scaling, format.has_half_scales);
  const int top = draw.between(least, most_exponent<T>(format.scaling, format.has_half_scales));
  const int spread = draw.one_in(3) ? 0 : draw.between(1, 24);
  const unsigned zeros = draw.one_in(8) ? 1 : draw.coin() ? 3 : 64;
  const int signs = draw.between(0, 5);  // all positive, all negative, or of both signs
  c.x.resize(static_cast<std::size_t>(c.rows * c.columns));
  for (T& each : c.x) {
    each = draw.one_in(zeros) ? from_bits<T>(draw.coin() ? bits::sign_bit<T> : BitsOf<T>{0})
                              : draw_number<T>(draw, std::max(least, top - draw.between(0, spread)));
    if (signs < 2) each = signs == 0 ? abs(each) : -abs(each);
  }
  if (const oracle::CodeBook* book = of.element.book; book != nullptr && draw.coin()) {
    // Numbers on the borders of the book, in blocks with M = 2^exponent.
    const int exponent = std::max(top, least + 5);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      const float border = from_bits<float>(static_cast<std::uint32_t>(book->borders[draw.below(15)]));
      c.x[i] = static_cast<T>(std::ldexp(i % of.columns == 0 ? 1.0f : border, exponent));
    }
  }
  if (has_specials) {
    constexpr auto infinity = static_cast<BitsOf<T>>(bits::max_finite_bits<T> + 1);
    constexpr auto nan = static_cast<BitsOf<T>>(infinity | BitsOf<T>{1} << (FloatTraits<T>::precision - 2));
    const auto special = static_cast<BitsOf<T>>((draw.coin() ? infinity : nan) | (draw.coin() ? bits::sign_bit<T> : 0));
    c.x[draw.below(c.x.size())] = from_bits<T>(special);
  }
  return c;
}

/// Whether the numbers of a block are what the theorem requires of them.
template <class T>
bool is_tensor(const TensorCase<T>& c, Scaling scaling) {
  if (!has_kernel(c.format) || !rules_of(c.format).contains(c.rule)) {
    return false;
  }
  const Format& format = kernel_format(c.format);
  if (format.scaling != scaling || c.rows < 1 || c.columns < 1 || c.rows > 1 << 10 || c.columns > 1 << 15 ||
      c.rows * c.columns != static_cast<std::int64_t>(c.x.size())) {
    return false;
  }
  const oracle::BlockFormat& of = oracle_format(c.format);
  if ((of.rows != 0 && c.rows % static_cast<std::int64_t>(of.rows) != 0) ||
      (of.columns != 0 && c.columns % static_cast<std::int64_t>(of.columns) != 0)) {
    return false;
  }
  if (scaling == Scaling::power_of_two) return true;
  const double least = format.has_half_scales ? 0x1p-20 : 0x1p-100;
  const double most = format.has_half_scales ? 0x1p15 : 0x1p100;
  return std::ranges::all_of(c.x, [&](T each) {
    const double size = std::abs(static_cast<double>(each));
    return size == 0 || (size >= least && size <= most);
  });
}

}  // namespace detail

template <class T>
Domain<TensorCase<T>> tensors(Scaling scaling) {
  std::vector<int> formats;
  for (int i = 0; i < static_cast<int>(oracle::block_formats().size()); ++i) {
    if (has_kernel(i) && kernel_format(i).scaling == scaling) formats.push_back(i);
  }
  const auto of = [&](std::string name, unsigned weight, bool is_long, bool has_specials) {
    return InputClass<TensorCase<T>>{std::move(name), weight, drawn<TensorCase<T>>([=](Draw& draw) {
                                       return detail::draw_tensor<T>(draw, formats, is_long, has_specials);
                                     })};
  };
  Domain<TensorCase<T>> domain;
  domain.classes = {of("finite numbers", 15, false, false), of("longer rows", 1, true, false)};
  if (scaling == Scaling::power_of_two) domain.classes.push_back(of("a NaN or an infinity", 2, false, true));
  domain.contains = [scaling](const TensorCase<T>& c) { return detail::is_tensor(c, scaling); };
  domain.shrink_shape = smaller_tensors<T>;
  domain.accepts = "a format and a rule of docs/quantize.md, rows and columns of whole blocks" +
                   std::string(scaling == Scaling::power_of_two ? "" : ", finite numbers that its theorem allows");
  return domain;
}

/// Codes, scales and seconds, a number each.
template <class T>
std::vector<double> numbers_of(const TensorCase<T>& c, const Quantized& results) {
  const oracle::BlockFormat& format = oracle_format(c.format);
  const bool high = rules_of(c.format).at(c.rule).nibbles == oracle::Nibbles::high_first;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const auto [byte, bit] = place_of_code(format, i, high);
    const unsigned code = results.codes.at(byte) >> bit;
    numbers.push_back(format.is_packed() ? code & 15 : code);
  }
  const auto append = [&](const std::vector<std::uint8_t>& bytes, std::size_t size) {
    for (std::size_t i = 0; i < bytes.size(); i += size) {
      std::uint32_t pattern = 0;
      std::memcpy(&pattern, bytes.data() + i, size);
      numbers.push_back(pattern);
    }
  };
  append(results.scales, format.scale.bytes());
  append(results.seconds, format.second == nullptr ? 1 : format.second->bytes());
  return numbers;
}

/// What the rule requires of them; 0 where it leaves them open.
template <class T>
std::vector<oracle::Dyadic> wanted_numbers(const TensorCase<T>& c) {
  using oracle::Dyadic;
  const oracle::QuantizationRule& rule = rules_of(c.format).at(c.rule);
  oracle::QuantizationRule low_first = rule;  // the places in a byte are those of place_of_code()
  low_first.nibbles = oracle::Nibbles::low_first;
  const oracle::BlockFormat& format = oracle_format(c.format);
  const oracle::NumberFormat& source = *oracle::find_number_format(format_suffix<T>().substr(1));
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto columns = static_cast<std::size_t>(c.columns);
  const std::size_t count = block_of(format, rows, columns, rows - 1, columns - 1) + 1;
  std::vector<std::vector<oracle::Number>> blocks(count);
  std::vector<std::vector<std::size_t>> places(count);
  oracle::Number amax;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const oracle::Number number = decode(source, bits_of(c.x[i]));
    const std::size_t block = block_of(format, rows, columns, i / columns, i % columns);
    blocks[block].push_back(number);
    places[block].push_back(i);
    if (number.kind == oracle::Number::Kind::finite && is_smaller(amax, number)) amax = number;
  }
  amax.negative = false;
  const auto value = [](const oracle::Wanted& wanted) {
    using Kind = oracle::Wanted::Kind;
    return Dyadic(wanted.kind == Kind::code  ? static_cast<std::int64_t>(wanted.code)
                  : wanted.kind == Kind::nan ? 0xFF
                                             : 0);
  };
  std::vector<Dyadic> numbers(c.x.size());
  std::vector<Dyadic> seconds;
  for (std::size_t k = 0; k < count; ++k) {
    oracle::WantedBlock wanted;
    oracle::quantize(low_first, blocks[k], amax, wanted);
    for (std::size_t i = 0; i < places[k].size(); ++i) numbers[places[k][i]] = value(wanted.codes[i]);
    numbers.push_back(value(wanted.scale));
    if (format.second != nullptr) seconds.push_back(value(wanted.second));
  }
  if (format.scaling == oracle::Scaling::two_level) seconds.resize(1);
  numbers.insert(numbers.end(), seconds.begin(), seconds.end());
  return numbers;
}

/// The property of quantizers to formats with that scaling. `run(on, format, rule, rows, columns, x)` is the kernel.
template <class T, class Run>
Property<TensorCase<T>> quantizer_property(const std::string& name, Scaling scaling, Run run) {
  return {.name = "quantize." + name + format_suffix<T>(),
          .domain = tensors<T>(scaling),
          .subject =
              [run](const Executor& on, const TensorCase<T>& c) {
                return numbers_of(c, run(on, kernel_format(c.format), kernel_rule(rules_of(c.format).at(c.rule)),
                                         static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.columns),
                                         std::span<const T>(c.x)));
              },
          .reference = wanted_numbers<T>,
          .claims = {exact("rule", quantize_rule_1)},
          .inexact =
              [](const TensorCase<T>& c, const std::vector<oracle::Dyadic>&, const std::vector<double>&) {
                return std::ranges::any_of(c.x, [](T each) { return each != T(0.0f); });
              },
          .quick_cases = 500};
}

}  // namespace assay::quantize
