#include "assay/quantizations/facts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "errorbounds/quantize_theorems.hpp"
#include "oracle/dyadic.hpp"

namespace assay::quantizations {
namespace {

using oracle::BlockFormat;
using oracle::Dyadic;
using oracle::Number;
using oracle::NumberFormat;
using oracle::QuantizationRule;
using oracle::ScaleRule;
using oracle::Scaling;

Dyadic exact(const Number& x) {
  Dyadic result;
  result.assign(x.negative, x.m, x.e);
  return result;
}

std::uint8_t code_of(const QuantizationRule& rule, const Block& block, std::size_t i) {
  return block.codes[place_of_code(rule, i)];
}

/// The number that the code of entry i stands for; empty if it stands for none.
std::optional<Dyadic> stands_for(const QuantizationRule& rule, const Block& block, std::size_t i) {
  const BlockFormat& format = *rule.format;
  const NumberFormat& element = format.element;
  const std::uint8_t code = code_of(rule, block, i);
  if ((code & ~element.mask()) != 0) return std::nullopt;
  const Number q = decode(element, code);
  const Number scale = decode(format.scale, block.scale & format.scale.mask());
  if (q.kind != Number::Kind::finite || scale.kind != Number::Kind::finite) return std::nullopt;
  Dyadic x = exact(q);
  if (format.scaling == Scaling::offset_code) x -= Dyadic(std::uint64_t{1} << (element.bits - 1));
  if (format.scaling == Scaling::zero_point) x -= exact(decode(*format.second, block.second));
  x *= exact(scale);
  if (format.second == nullptr || format.scaling == Scaling::zero_point) return x;
  const Number second = decode(*format.second, block.second);
  if (second.kind != Number::Kind::finite) return std::nullopt;
  if (format.scaling == Scaling::two_level) {
    x *= exact(second);
  } else {
    x += exact(second);
  }
  return x;
}

/// The entries of a block in ascending order.
std::vector<std::size_t> ascending(const Block& block) {
  std::vector<std::size_t> order(block.numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> values;
  values.reserve(order.size());
  for (const Number& each : block.numbers) {
    const double magnitude = std::ldexp(static_cast<double>(each.m), each.e);
    values.push_back(each.negative ? -magnitude : magnitude);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

Example example_of(const QuantizationRule& rule, const Block& block, std::size_t i) {
  Example example;
  example.place = Example::Place::code;
  example.entry = block.patterns[i];
  example.amax = block.amax;
  example.got = code_of(rule, block, i);
  return example;
}

/// Keeps the example with the smallest M.
void keep(std::optional<Example>& smallest, const Example& example) {
  if (!smallest || is_smaller(example.amax, smallest->amax)) smallest = example;
}

/// max − min of a block, both extended to 0.
Dyadic width_of(const Block& block) {
  Dyadic low(0);
  Dyadic high(0);
  for (const Number& each : block.numbers) {
    const Dyadic x = exact(each);
    if (x < low) low = x;
    if (high < x) high = x;
  }
  high -= low;
  return high;
}

/// Entry i; of stored scales, the nearest number between those of the least and the largest code.
Dyadic within_reach(const BlockFormat& format, const Block& block, std::size_t i) {
  Dyadic x = exact(block.numbers[i]);
  if (format.scaling != Scaling::stored) return x;
  Dyadic low = exact(decode(*format.second, block.second));
  Dyadic high = exact(decode(format.scale, block.scale));
  high *= Dyadic(format.element.largest());
  high += low;
  if (high < low) std::swap(low, high);
  return x < low ? low : high < x ? high : x;
}

/// Whether |error| ≤ bound·size, where the size is M, max − min or a scale.
bool is_within(const RoundTripBound& bound, const Dyadic& error, Dyadic size) {
  Dyadic left = abs(error);
  left *= Dyadic(bound.denominator);
  Dyadic right = std::move(size);
  right *= Dyadic(bound.numerator);
  if (bound.slack != 0) {
    left.mul_2exp(bound.slack);
    right *= Dyadic((std::uint64_t{1} << bound.slack) + 1);
  }
  return left <= right;
}

/// A block of x̂. Empty if the source cannot represent all of them.
std::optional<Block> returned(const Question& question, const QuantizationRule& rule, const Block& block) {
  if (!can_ask_again(*question.to) || !block.is_finite()) return std::nullopt;
  Block back;
  const NumberFormat& from = *question.from;
  const Number scale = decode(question.to->scale, block.scale);
  if (scale.kind != Number::Kind::finite) return std::nullopt;
  for (std::size_t i = 0; i < block.codes.size(); ++i) {
    const std::uint8_t code = code_of(rule, block, i);
    if ((code & ~question.to->element.mask()) != 0) return std::nullopt;
    Number x = decode(question.to->element, code);
    if (x.kind != Number::Kind::finite) return std::nullopt;
    x.e += scale.e;
    const std::uint64_t pattern = converted(x, from, oracle::Rule{}).code;
    const Number read = decode(from, pattern);
    if (exact(read) != exact(x)) return std::nullopt;
    back.patterns.push_back(pattern);
    back.numbers.push_back(read);
    if (is_smaller(back.amax, read)) back.amax = read;
  }
  back.amax.negative = false;
  return back;
}

}  // namespace

std::optional<RoundTripBound> round_trip_bound(const BlockFormat& format, ScaleRule scale) {
  const NumberFormat& element = format.element;
  const auto unit = std::uint64_t{1} << element.precision;  // 1/u
  if (format.scaling == Scaling::power_of_two) {
    const Number top = decode(element, element.largest());
    const int emax = static_cast<int>(std::bit_width(top.m)) - 1 + top.e;
    // V in units of the grid of 2·2^Emax.
    const std::uint64_t all = std::uint64_t{2} << (emax - top.e);
    const char* const theorem = quantize_round_trip_1.words.id.text;
    const RoundTripBound of_nearest{scale, 1, unit + 1, 0, theorem};
    switch (scale) {
      case ScaleRule::floor:
        return RoundTripBound{scale, all - top.m, all, 0, theorem};
      case ScaleRule::round_even:
        return element.name == "e4m3fn" ? RoundTripBound{scale, 3, 31, 0, theorem} : of_nearest;
      case ScaleRule::ceil:
      case ScaleRule::round_up:
        return of_nearest;
      default:
        return std::nullopt;
    }
  }
  if (format.scaling == Scaling::zero_point) {
    return RoundTripBound{
        scale, 1, 2 * element.mask(), 12, quantize_round_trip_4.words.id.text, RoundTripBound::Of::width};
  }
  if (format.scaling == Scaling::stored) {
    return RoundTripBound{scale, 1, 2, 17, quantize_round_trip_8.words.id.text, RoundTripBound::Of::scale};
  }
  const bool is_of_ggml = format.scale.name == "f16";
  if (is_of_ggml) {
    const char* const theorem = quantize_round_trip_6.words.id.text;
    if (format.scaling == Scaling::factor) return RoundTripBound{scale, 1151, 260096, 14, theorem};
    const std::uint64_t most = element.mask();
    if (format.scaling == Scaling::offset_code) {
      const std::uint64_t half = most / 2;
      return RoundTripBound{scale, 2048 + half, 2048 * (half + 1), 0, theorem};
    }
    return RoundTripBound{scale, 2048 + 3 * most, 2048 * most, 14, theorem};
  }
  if (format.scaling == Scaling::two_level) {
    return RoundTripBound{scale, 3, 17, 15, quantize_round_trip_7.words.id.text};
  }
  if (element.book != nullptr) {
    // Half of the largest gap of NF4, between its first two numbers.
    return RoundTripBound{scale, 5097039, std::uint64_t{1} << 25, 19, quantize_round_trip_9.words.id.text};
  }
  if (element.is_integer()) {
    const std::uint64_t steps = element.largest() * (scale == ScaleRule::power ? 1 : 2);
    return RoundTripBound{scale, 1, steps, 13, quantize_round_trip_5.words.id.text};
  }
  if (format.scaling == Scaling::factor) {
    if (scale == ScaleRule::power) {
      return RoundTripBound{scale, 1, unit + 1, 0, quantize_round_trip_3.words.id.text};
    }
    // Half a unit at V, over V.
    return RoundTripBound{scale, 1, element.name == "e4m3fn" ? std::uint64_t{28} : std::uint64_t{14}, 16,
                          quantize_round_trip_2.words.id.text};
  }
  return std::nullopt;
}

bool has_bound(const BlockFormat& format, const Block& block) {
  if (!block.is_finite() || block.amax.m == 0) return false;
  if (format.scaling == Scaling::two_level) {
    Dyadic scaled = exact(block.amax);
    scaled *= Dyadic(28672);
    if (scaled < exact(block.tensor_amax)) return false;
  }
  const int e = static_cast<int>(std::bit_width(block.amax.m)) - 1 + block.amax.e;
  if (format.scale.name == "f16") return e >= -7 && e < 16;
  if (format.element.book != nullptr && e >= 126) return false;  // 1/M may be subnormal
  return e >= (format.scaling == Scaling::power_of_two ? -108 : -100);
}

Facts facts_of(const Question& question, const QuantizationRule& nearest, const Quantizer& quantizer,
               const std::vector<Group>& groups) {
  const BlockFormat& format = *question.to;
  Facts facts;
  std::vector<RoundTripBound> bounds;
  for (const oracle::QuantizationRule& each : finite_rules_of(format)) {
    const bool is_new = std::ranges::find(bounds, each.scale, &RoundTripBound::scale) == bounds.end();
    const std::optional<RoundTripBound> bound = round_trip_bound(format, each.scale);
    if (is_new && bound) bounds.push_back(*bound);
  }
  Question of_returned = question;
  for (const Group& group : groups) {
    Group again;
    std::vector<const Block*> before;
    for (const Block& block : group) {
      if (!block.is_finite()) continue;
      std::vector<std::optional<Dyadic>> values(block.codes.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = stands_for(nearest, block, i);
      const std::vector<std::size_t> order = ascending(block);
      const Dyadic* last = nullptr;
      for (const std::size_t i : order) {
        if (!values[i]) {
          if (has_bound(format, block)) keep(facts.not_monotone, example_of(nearest, block, i));
          continue;
        }
        if (last != nullptr && *values[i] < *last) keep(facts.not_monotone, example_of(nearest, block, i));
        last = &*values[i];
      }
      if (has_bound(format, block)) {
        const Dyadic size = format.scaling == Scaling::zero_point ? width_of(block)
                            : format.scaling == Scaling::stored   ? abs(exact(decode(format.scale, block.scale)))
                                                                  : exact(block.amax);
        const double amax = std::ldexp(static_cast<double>(block.amax.m), block.amax.e);
        for (std::size_t i = 0; i < values.size(); ++i) {
          Dyadic error = exact(block.numbers[i]);
          double ratio = HUGE_VAL;
          if (values[i]) {
            Dyadic reached = within_reach(format, block, i);
            reached -= *values[i];
            error -= *values[i];
            ratio = std::nextafter(abs(error).to_double_up() / amax, HUGE_VAL);
            std::erase_if(bounds, [&](const RoundTripBound& each) {
              const double limit = static_cast<double>(each.numerator) / static_cast<double>(each.denominator);
              if (each.of != RoundTripBound::Of::scale && ratio <= limit * 0.999) return false;
              return !is_within(each, reached, size);
            });
          } else {
            bounds.clear();
          }
          if (ratio <= facts.round_trip) continue;
          facts.round_trip = ratio;
          facts.worst_entry = block.patterns[i];
          facts.worst_amax = block.amax;
        }
      }
      if (blocks_with_tail(format, group) != 0) continue;
      if (std::optional<Block> back = returned(question, nearest, block)) {
        again.push_back(std::move(*back));
        before.push_back(&block);
      }
    }
    if (again.empty()) continue;
    facts.asked_again = true;
    fill_results(of_returned, quantizer, again, 1);
    for (std::size_t k = 0; k < again.size(); ++k) {
      for (std::size_t i = 0; i < again[k].codes.size(); ++i) {
        const std::optional<Dyadic> first = stands_for(nearest, *before[k], i);
        const std::optional<Dyadic> second = stands_for(nearest, again[k], i);
        if (!second || *first != *second) keep(facts.not_idempotent, example_of(nearest, *before[k], i));
      }
    }
  }
  for (const RoundTripBound& each : bounds) {
    facts.kept_round_trips.emplace_back(scale_word(each.scale));
  }
  return facts;
}

}  // namespace assay::quantizations
