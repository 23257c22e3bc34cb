#pragma once
// Quantizers a second time, in the processor's operations in binary32, as kernels use them, with a search among the
// numbers of a published table. They share the wording of the rules with the oracle, but no arithmetic.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "oracle/quantization.hpp"
#include "tests/oracle/table_conversion.hpp"

namespace assay::oracle::tables {

/// The result of a quantizer for a block.
struct FloatBlock {
  std::uint32_t scale = 0;
  std::uint32_t second = 0;
  std::vector<std::uint8_t> codes;
};

/// The bits of binary16 of x, to nearest even, by a comparison with all its numbers.
inline std::uint32_t half_bits(float x) {
  static const std::vector<double> numbers = [] {
    std::vector<double> all;
    for (int code = 0; code < 0x7C00; ++code) {
      const int field = code >> 10;
      const double fraction = (code & 0x3FF) * 0x1p-10;
      all.push_back(field == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, field - 15));
    }
    all.push_back(65536);  // the threshold of infinity is the midpoint below
    return all;
  }();
  const double magnitude = std::min(std::fabs(static_cast<double>(x)), 65536.0);
  const std::size_t place = place_of(magnitude, false, numbers, Direction::even);
  return static_cast<std::uint32_t>(std::min<std::size_t>(place, 0x7C00)) | (std::signbit(x) ? 0x8000U : 0U);
}

/// A number rounded to an integer in a direction.
inline double to_integer(double y, Direction direction) {
  const double below = std::floor(y);
  const double rest = y - below;
  const bool is_even = std::fmod(below, 2) == 0;
  const bool is_negative = y < 0;
  double rounded = below;
  const auto nearest = [&](bool tie_up) { return rest > 0.5 || (rest == 0.5 && tie_up) ? below + 1 : below; };
  switch (direction) {
    case Direction::even:
      rounded = nearest(!is_even);
      break;
    case Direction::away:
      rounded = nearest(!is_negative);
      break;
    case Direction::toward:
      rounded = nearest(is_negative);
      break;
    case Direction::ties_up:
      rounded = nearest(true);
      break;
    case Direction::ties_down:
      rounded = nearest(false);
      break;
    case Direction::zero:
      rounded = std::trunc(y);
      break;
    case Direction::up:
      rounded = std::ceil(y);
      break;
    case Direction::down:
      break;
    case Direction::outward:
      rounded = is_negative ? std::floor(y) : std::ceil(y);
      break;
    case Direction::odd:
      rounded = rest == 0 || !is_even ? below : below + 1;
      break;
  }
  return rounded;
}

/// The code of an integer, clamped to the least and the largest code.
inline std::uint8_t clamped_code(double k, double least, double most, int bits) {
  return static_cast<std::uint8_t>(static_cast<int>(std::clamp(k, least, most)) & ((1 << bits) - 1));
}
inline std::uint8_t integer_code(double y, double least, double most, int bits, Direction direction) {
  return clamped_code(to_integer(y, direction), least, most, bits);
}

/// Whether a number is rounded away from zero. δ is its distance from the neighbor toward zero, in units of the gap.
using GoesUp = std::function<bool(double delta, std::uint32_t word)>;

class FloatQuantizer {
 public:
  /// `goes_up`: of a rule with a draw.
  explicit FloatQuantizer(const QuantizationRule& rule, GoesUp goes_up = {})
      : rule_(rule),
        goes_up_(std::move(goes_up)),
        table_(std::ranges::find(tables, rule.format->element.name, &Table::name)),
        is_integer_(table_ == tables.end()) {
    is_book_ = rule.format->element.name == "nf4";
    if (!is_integer_) numbers_ = table_->values();
    const bool is_eight = rule.format->element.name == "int8";
    top_ = is_book_ ? 1 : is_integer_ ? (is_eight ? 127 : 7) : numbers_[numbers_.size() - 2];
    if (!is_integer_) emax_ = std::ilogb(top_);
  }

  /// `tensor_amax`: of the whole tensor. `words`: a random word for each entry. An entry that is infinite or a NaN
  /// follows the words of the rule.
  FloatBlock operator()(std::span<const float> x, float tensor_amax, std::span<const std::uint32_t> words = {}) const {
    words_ = words;
    FloatBlock result;
    float amax = 0;
    bool has_nan = false;
    bool has_infinity = false;
    for (const float each : x) {
      has_nan = has_nan || std::isnan(each);
      has_infinity = has_infinity || std::isinf(each);
      if (std::isfinite(each)) amax = std::max(amax, std::fabs(each));
    }
    result.codes.resize(x.size());
    switch (rule_.format->scaling) {
      case Scaling::power_of_two: {
        const bool is_nan =
            (has_nan && rule_.nan == NanInBlock::block) || (has_infinity && rule_.infinite == InfInBlock::block);
        int k = amax == 0 ? (rule_.zeros == OfZeros::one ? 0 : -127) : std::max(-127, exponent(amax));
        if (has_infinity) k = 127;
        result.scale = is_nan ? 0xFF : static_cast<std::uint32_t>(k + 127);
        if (is_nan) return result;
        set(x, result, [&](float each) { return element(std::ldexp(static_cast<double>(each), -k)); });
        return result;
      }
      case Scaling::factor:
        of_factor(x, amax, result);
        return result;
      case Scaling::two_level:
        of_two_level(x, amax, tensor_amax, result);
        return result;
      case Scaling::zero_point:
        of_zero_point(x, result);
        return result;
      default:
        of_ggml(x, result);
        return result;
    }
  }

 private:
  template <class Of>
  void set(std::span<const float> x, FloatBlock& result, const Of& of) const {
    const std::size_t half = rule_.format->partner;
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::size_t place = i;
      if (rule_.nibbles == Nibbles::high_first) place = half == 1 ? i ^ 1 : i < half ? i + half : i - half;
      entry_ = i;
      result.codes[place] = of(x[i]);
    }
  }

  /// Rounded away from zero by its word, or toward it.
  std::uint8_t drawn(double y) const {
    const double magnitude = std::fabs(y);
    std::size_t place = 0;
    double delta = 0;
    if (is_integer_) {
      place = static_cast<std::size_t>(std::floor(std::min(magnitude, 512.0)));
      delta = magnitude - std::floor(magnitude);
    } else {
      const auto above = std::ranges::upper_bound(numbers_, std::min(magnitude, top_));
      place = static_cast<std::size_t>(above - numbers_.begin()) - 1;
      delta = magnitude > top_ ? 0 : (magnitude - numbers_[place]) / (*above - numbers_[place]);
    }
    if (delta != 0 && goes_up_(delta, words_[entry_])) ++place;
    const bool has_sign = std::signbit(y) && (place != 0 || rule_.keeps_sign_of_zero);
    if (!is_integer_) return static_cast<std::uint8_t>(place | (has_sign ? table_->sign_bit() : 0U));
    const double least = rule_.range == Range::narrow ? -top_ : -top_ - 1;
    return clamped_code(y < 0 ? -static_cast<double>(place) : static_cast<double>(place), least, top_,
                        rule_.format->element.bits);
  }

  /// As bitsandbytes: by comparisons with the borders that it has as decimal numbers.
  std::uint8_t book_code(float y) const {
    static constexpr std::array<float, 16> numbers{
        -1.F,       -0.6961928F, -0.52507305F, -0.3949175F, -0.28444138F, -0.18477343F, -0.091050036F, 0.F,
        0.0795803F, 0.1609302F,  0.2461123F,   0.33791524F, 0.44070983F,  0.562617F,    0.72295684F,   1.F};
    static constexpr std::array<float, 15> borders{-0.8480964004993439F,   -0.6106329262256622F,  -0.4599952697753906F,
                                                   -0.33967943489551544F,  -0.23460740596055984F, -0.13791173323988914F,
                                                   -0.045525018125772476F, 0.03979014977812767F,  0.1202552504837513F,
                                                   0.2035212516784668F,    0.2920137718319893F,   0.3893125355243683F,
                                                   0.5016634166240692F,    0.6427869200706482F,   0.8614784181118011F};
    const bool is_negative = y < 0;
    for (std::uint8_t c = 0; c < borders.size(); ++c) {
      if (y > numbers[c + 1U]) continue;
      if (y <= numbers[c]) return c;
      if (y == numbers[c + 1U]) return static_cast<std::uint8_t>(c + 1);
      const bool is_tie = y == borders[c];
      bool is_up = y > borders[c];
      switch (rule_.direction) {
        case Direction::even:
          is_up = is_up || (is_tie && c % 2 == 1);
          break;
        case Direction::away:
          is_up = is_up || (is_tie && !is_negative);
          break;
        case Direction::toward:
          is_up = is_up || (is_tie && is_negative);
          break;
        case Direction::ties_up:
          is_up = is_up || is_tie;
          break;
        case Direction::ties_down:
          break;
        case Direction::zero:
          is_up = is_negative;
          break;
        case Direction::up:
          is_up = true;
          break;
        case Direction::down:
          is_up = false;
          break;
        case Direction::outward:
          is_up = !is_negative;
          break;
        case Direction::odd:
          is_up = c % 2 == 0;
          break;
      }
      return static_cast<std::uint8_t>(c + (is_up ? 1 : 0));
    }
    return 15;
  }

  std::uint8_t element(double y) const {
    if (is_book_) return book_code(static_cast<float>(y));
    if (goes_up_ && std::isfinite(y)) return drawn(y);
    if (is_integer_) {
      const int bits = rule_.format->element.name == "int8" ? 8 : 4;
      return integer_code(y, rule_.range == Range::narrow ? -top_ : -top_ - 1, top_, bits, rule_.direction);
    }
    Rule rule{.direction = rule_.direction, .keeps_sign_of_zero = rule_.keeps_sign_of_zero};
    constexpr std::array of_nan{OfNan::nan, OfNan::nan, OfNan::max, OfNan::signed_max, OfNan::zero, OfNan::nan};
    rule.nan = of_nan[static_cast<std::size_t>(rule_.nan)];
    const int code = converted(y, *table_, numbers_, rule);
    return static_cast<std::uint8_t>(code < 0 ? table_->last_nan : code);
  }

  /// As in the libraries: by the bits of the pattern, or by comparisons.
  int exponent(float amax) const {
    const int e = std::ilogb(amax);
    switch (rule_.scale) {
      case ScaleRule::ceil:
        return e - emax_ + (amax > std::ldexp(1.F, e) ? 1 : 0);
      case ScaleRule::round_up: {
        int k = e - emax_ - 1;
        while (static_cast<double>(amax) > std::ldexp(top_, k)) ++k;
        return k;
      }
      case ScaleRule::round_up_f32: {
        const float scaled = amax * (1.F / static_cast<float>(top_));
        if (scaled == 0) return -127;
        const int k = std::ilogb(scaled);
        return k + (static_cast<double>(scaled) > std::ldexp(1.0, k) ? 1 : 0);
      }
      case ScaleRule::round_even: {
        const double half_unit = std::ldexp(1.0, e - table_->fraction_bits - 1);
        return std::ilogb(static_cast<double>(amax) + half_unit) - emax_;
      }
      case ScaleRule::log2: {
        const double fraction = std::ldexp(static_cast<double>(amax), -e);
        return e - emax_ + (fraction * fraction > 2 ? 1 : 0);
      }
      default:
        return e - emax_;
    }
  }

  void of_factor(std::span<const float> x, float amax, FloatBlock& result) const {
    constexpr std::array<float, 4> floors{0.F, 1e-4F, 1e-10F, 1e-12F};
    amax = std::max(amax, floors[static_cast<std::size_t>(rule_.least)]);
    const auto top = static_cast<float>(top_ + (rule_.range == Range::half ? 0.5 : rule_.range == Range::full ? 1 : 0));
    const bool is_half = rule_.format->scale.name == "f16";
    if (amax == 0) {
      const float scale = rule_.zeros == OfZeros::one ? 1.F : 0.F;
      result.scale = is_half ? half_bits(scale) : std::bit_cast<std::uint32_t>(scale);
      set(x, result, [&](float each) { return element(each); });
      return;
    }
    float scale = amax / top;
    float multiplier = 1.F / scale;
    if (rule_.scale == ScaleRule::reciprocal) {
      scale = amax * (1.F / top);
      multiplier = 1.F / scale;
    }
    if (rule_.scale == ScaleRule::power) {
      const int k = std::ilogb(scale);
      if (scale > std::ldexp(1.F, k)) scale = std::ldexp(1.F, k + 1);
    }
    if (rule_.scale == ScaleRule::inverse) {
      multiplier = top / amax;
      scale = 1.F / multiplier;
    }
    result.scale = is_half ? half_bits(scale) : std::bit_cast<std::uint32_t>(scale);
    set(x, result, [&](float each) {
      const float y = rule_.factor == Factor::product ? each * multiplier : each / scale;
      return element(y);
    });
  }

  void of_two_level(std::span<const float> x, float amax, float tensor, FloatBlock& result) const {
    static const Table& scales = *std::ranges::find(tables, std::string_view("ue4m3"), &Table::name);
    static const std::vector<double> numbers = scales.values();
    result.second = std::bit_cast<std::uint32_t>(tensor / 2688.F);
    if (amax == 0) {
      set(x, result, [&](float each) { return element(each); });
      return;
    }
    if (rule_.scale == ScaleRule::two_level) {
      // 448·M has 33 bits, T 24: the search compares products that are exact in binary64.
      const double m = 448 * static_cast<double>(amax);
      std::size_t place = 0;
      while (place + 1 < numbers.size() - 1 && (numbers[place] + numbers[place + 1]) / 2 * tensor < m) ++place;
      const bool is_tie = place + 1 < numbers.size() - 1 && (numbers[place] + numbers[place + 1]) / 2 * tensor == m;
      if (is_tie && place % 2 != 0) ++place;
      result.scale = static_cast<std::uint32_t>(place);
      // A quotient of 36 and 28 bits that is not a midpoint differs from it by 2^−33 of it or more.
      const double unit = numbers[place] * tensor;
      set(x, result,
          [&](float each) { return place == 0 ? std::uint8_t{0} : element(static_cast<double>(each) * 2688 / unit); });
      return;
    }
    const float encode = 2688.F / tensor;
    const float scaled = amax * (encode * (1.F / 6.F));
    const int code = converted(scaled, scales, numbers, Rule{});
    result.scale = static_cast<std::uint32_t>(code);
    const auto scale = static_cast<float>(numbers[static_cast<std::size_t>(code)]);
    const float multiplier = 1.F / (scale * (1.F / encode));
    set(x, result, [&](float each) { return code == 0 ? std::uint8_t{0} : element(each * multiplier); });
  }

  /// Like choose_qparams_affine of torchao, DynamicQuantizeLinear of ONNX and pseudo_quantize_tensor of AWQ.
  void of_zero_point(std::span<const float> x, FloatBlock& result) const {
    const int bits = rule_.format->element.name.ends_with("int8") ? 8 : 4;
    const bool is_unsigned = rule_.format->element.name.starts_with("u");
    const float steps = bits == 8 ? 255.F : 15.F;
    const float least = is_unsigned ? 0.F : bits == 8 ? -128.F : -8.F;
    float low = *std::ranges::min_element(x);
    float high = *std::ranges::max_element(x);
    if (rule_.span == Span::with_zero) {
      low = std::min(low, 0.F);
      high = std::max(high, 0.F);
    }
    float width = high - low;
    if (rule_.least == LeastAmax::e5) width = std::max(width, 1e-5F);
    float scale = rule_.scale == ScaleRule::divide ? width / steps : width * (1.F / steps);
    if (rule_.least == LeastAmax::scale) scale = std::max(scale, 0x1p-23F);
    const bool is_zero = scale == 0;
    if (is_zero && rule_.zeros == OfZeros::one) scale = 1;
    result.scale = std::bit_cast<std::uint32_t>(scale);
    const float ratio = is_zero ? 0.F : low / scale;
    const double zero = std::clamp(rule_.zero_point == ZeroPoint::of_sum ? to_integer(least - ratio, rule_.direction)
                                                                         : least - to_integer(ratio, rule_.direction),
                                   static_cast<double>(least), static_cast<double>(least + steps));
    result.second = static_cast<std::uint8_t>(static_cast<int>(zero));
    set(x, result, [&](float each) {
      const float inverse = 1.F / scale;
      const auto z = static_cast<float>(zero);
      const auto code = [&](double k) { return clamped_code(k, least, least + steps, bits); };
      if (is_zero) return code(zero);
      switch (rule_.factor) {
        case Factor::quotient:
          return code(zero + to_integer(each / scale, rule_.direction));
        case Factor::product:
          return code(zero + to_integer(each * inverse, rule_.direction));
        case Factor::separate:
          return code(to_integer(each * inverse + z, rule_.direction));
        default:
          return code(to_integer(std::fma(each, inverse, z), rule_.direction));
      }
    });
  }

  /// quantize_row_q4_0_ref, q4_1, q5_0 and q5_1 of ggml.
  void of_ggml(std::span<const float> x, FloatBlock& result) const {
    const bool has_minimum = rule_.format->scaling == Scaling::minimum;
    float low = x.front();
    float high = x.front();
    float amax = 0;
    float max = 0;
    for (const float each : x) {
      low = std::min(low, each);
      high = std::max(high, each);
      if (amax < std::fabs(each)) {
        amax = std::fabs(each);
        max = each;
      }
    }
    const int bits = rule_.format->element.bits;
    const auto steps = static_cast<float>((1 << bits) - 1);
    const auto zero = static_cast<float>(1 << (bits - 1));
    const float d = has_minimum ? (high - low) / steps : max / -zero;
    const float id = d != 0 ? 1.F / d : 0.F;
    result.scale = half_bits(d);
    if (has_minimum) result.second = half_bits(low);
    const bool is_truncated = rule_.direction == Direction::ties_up;
    const float offset = (has_minimum ? 0.F : zero) + (is_truncated ? 0.5F : 0.F);
    set(x, result, [&](float each) {
      const float shifted = has_minimum ? each - low : each;
      const float y = rule_.factor == Factor::fused ? std::fma(shifted, id, offset) : shifted * id + offset;
      return integer_code(y, 0, steps, bits, is_truncated ? Direction::zero : rule_.direction);
    });
  }

  QuantizationRule rule_;
  GoesUp goes_up_;
  mutable std::span<const std::uint32_t> words_;  ///< of the block at hand
  mutable std::size_t entry_ = 0;                 ///< the entry at hand
  std::vector<Table>::const_iterator table_;
  bool is_integer_;
  bool is_book_ = false;
  std::vector<double> numbers_;
  double top_ = 0;
  int emax_ = 0;
};

}  // namespace assay::oracle::tables
