#include "properties/formulas/door/case.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/decode.hpp"
#include "properties/formulas/door/numbers.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/limbs.hpp"
#include "properties/framework/property.hpp"

namespace assay::formulas {
namespace {

using oracle::Dyadic;

constexpr std::uint64_t most_work = std::uint64_t{1} << 22;

Words words_of(const Typed& typed, std::size_t p, const std::vector<std::uint64_t>& bits) {
  const Parameter& parameter = typed.formula->parameters[p];
  return {parameter.index_of ? limb_format : typed.parameters[p],
          parameter.axes.empty() ? Words::Shape::scalar : Words::Shape::list, bits};
}

/// Of mean 0 and variance 1, nearly normal.
double normal(Draw& draw) {
  double sum = 0;
  for (int k = 0; k < 12; ++k) sum += uniform(draw);
  return sum - 6;
}

/// The numbers of one parameter.
class Numbers {
 public:
  Numbers(const oracle::Format& format, std::size_t size, bool is_typical, Draw& draw)
      : format_(format), size_(size), is_typical_(is_typical), draw_(draw) {}

  std::vector<std::uint64_t> in_range(const oracle::Rational& low, const oracle::Rational& high) {
    std::vector<std::uint64_t> bits;
    for (std::size_t i = 0; i < size_; ++i)
      bits.push_back(nearest_number(format_, between(as_double(low), as_double(high))));
    return bits;
  }
  std::vector<std::uint64_t> drawn(Drawing drawing) {
    std::vector<std::uint64_t> bits;
    const double scale = is_typical_ ? 1 : std::ldexp(1.0, scale_exponent(drawing));
    const double offset = with_sign(draw_, std::ldexp(1.0 + uniform(draw_), draw_.between(2, 6)));
    for (std::size_t i = 0; i < size_; ++i) bits.push_back(number(drawing, scale, offset));
    if (drawing == Drawing::pairs) cancel(bits);
    return bits;
  }

 private:
  /// Products of four numbers of another scale do not overflow, and those of eight are no subnormal numbers.
  int scale_exponent(Drawing drawing) {
    if (drawing == Drawing::scaled) return draw_.between(-format_.emax / 8, format_.emax / 4);
    return draw_.between(-3, 3);
  }
  /// From low to high, uniform, or uniform in the exponent if the range is wide. Except in a typical case each end is
  /// met once in 8 draws.
  double between(double low, double high) {
    if (!is_typical_) {
      const std::uint64_t kind = draw_.below(8);
      if (kind < 2) return kind == 0 ? low : high;
    }
    const double t = uniform(draw_);
    const bool is_wide = low > 0 && high / low > 8;
    return std::min(high, is_wide ? low * std::exp(t * std::log(high / low)) : low + t * (high - low));
  }
  static double as_double(const oracle::Rational& x) { return oracle::Ball(x, 64).lower().to_double_nearest(); }

  std::uint64_t number(Drawing drawing, double scale, double offset) {
    const double ulp = std::ldexp(1.0, 1 - format_.precision);
    switch (drawing) {
      case Drawing::one_sign:
        return nearest_number(format_, scale * (0.5 + uniform(draw_)));
      case Drawing::exact:
        return nearest_number(format_, std::ldexp(static_cast<double>(draw_.between(-3, 3)), draw_.between(0, 1)));
      case Drawing::few_large:
        return nearest_number(format_, draw_.one_in(6) ? with_sign(draw_, 8 + 8 * uniform(draw_)) : normal(draw_) / 4);
      case Drawing::offset:
        return nearest_number(format_, offset + normal(draw_));
      case Drawing::spread:
        return nearest_number(format_, with_sign(draw_, std::ldexp(1 + uniform(draw_), draw_.between(-10, 5))));
      case Drawing::ones:
        return nearest_number(format_, 1 + ulp * draw_.between(-2, 2));
      case Drawing::integers:
        return nearest_number(format_, draw_.between(-20, 20));
      case Drawing::sparse:
        return draw_.one_in(5) ? nearest_number(format_, normal(draw_)) : 0;
      case Drawing::ties:
        return nearest_number(format_, draw_.coin() ? 1 : with_sign(draw_, ulp / (draw_.coin() ? 2 : 4)));
      case Drawing::any:
        return draw_.word() & ((format_.sign_mask() << 1U) - 1);
      case Drawing::masked:
        return draw_.one_in(3) ? minus_infinity() : nearest_number(format_, normal(draw_));
      case Drawing::specials:
        return special();
      case Drawing::extreme:
        return nearest_number(
            format_, with_sign(draw_, std::ldexp(1 + uniform(draw_), draw_.between(std::max(format_.emin / 2, -40),
                                                                                   std::min(format_.emax / 2, 10)))));
      default:
        return nearest_number(format_, scale * normal(draw_));
    }
  }
  std::uint64_t minus_infinity() const {
    return format_.sign_mask() | (format_.has_infinity() ? format_.infinity() : format_.largest_finite());
  }
  std::uint64_t special() {
    const std::uint64_t sign = draw_.coin() ? format_.sign_mask() : 0;
    switch (draw_.below(24)) {
      case 0:
        return format_.nan();
      case 1:
        return sign | (format_.has_infinity() ? format_.infinity() : format_.largest_finite());
      case 2:
        return sign | 1;
      case 3:
        return sign;
      case 4:
        return sign | (format_.fraction_mask() + 1);
      default:
        return nearest_number(format_, normal(draw_));
    }
  }
  /// Pairs of numbers that nearly cancel, at random places.
  void cancel(std::vector<std::uint64_t>& bits) {
    for (std::size_t i = 0; i + 1 < bits.size(); i += 2) {
      const std::size_t other = i + 1 + draw_.below(bits.size() - i - 1);
      std::swap(bits[i + 1], bits[other]);
      bits[i + 1] = (bits[i] ^ format_.sign_mask()) + (draw_.coin() && (bits[i] & ~format_.sign_mask()) != 0 ? 0 : 1);
    }
  }

  const oracle::Format& format_;
  std::size_t size_;
  bool is_typical_;
  Draw& draw_;
};

/// The length of the rows of a parameter with axes.
std::size_t row_length(const Shaped& shaped, const Parameter& parameter) {
  return static_cast<std::size_t>(shaped.lengths()[parameter.axes.back()]);
}

/// Rows with a 1 at one place.
std::vector<std::uint64_t> one_hot_rows(const oracle::Format& format, std::size_t size, std::size_t length,
                                        Draw& draw) {
  std::vector<std::uint64_t> bits(size);
  for (std::size_t row = 0; row < size; row += length) bits[row + draw.below(length)] = nearest_number(format, 1);
  return bits;
}

bool has_one_hot_rows(const oracle::Format& format, const std::vector<std::uint64_t>& bits, std::size_t length) {
  const std::uint64_t one = nearest_number(format, 1);
  for (auto row = bits.begin(); row != bits.end(); row += static_cast<std::ptrdiff_t>(length)) {
    const auto end = row + static_cast<std::ptrdiff_t>(length);
    if (std::count(row, end, one) != 1 || std::count(row, end, 0U) != static_cast<std::ptrdiff_t>(length) - 1)
      return false;
  }
  return true;
}

std::int64_t draw_length(Draw& draw, bool is_large) {
  constexpr std::array<std::int64_t, 12> edges{31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
  if (is_large && draw.coin()) return edges[draw.below(edges.size())];
  const std::uint64_t kind = draw.below(24);
  if (kind == 0) return edges[draw.below(6)];
  return 1 + static_cast<std::int64_t>(draw.below(kind < 3 ? 16 : 6));
}

/// One length of 511 or more, at a tile of up to 4096, the others at most 3.
std::vector<std::int64_t> draw_long_lengths(Draw& draw, std::size_t axes) {
  std::vector<std::int64_t> lengths;
  for (std::size_t a = 0; a < axes; ++a) lengths.push_back(1 + static_cast<std::int64_t>(draw.below(3)));
  lengths[draw.below(axes)] = (std::int64_t{512} << draw.below(4)) + draw.between(-1, 1);
  return lengths;
}

/// Lengths for which the formula has a shape, and whose work is not too much.
std::vector<std::int64_t> draw_lengths(const Typed& typed, bool is_large, Draw& draw) {
  if (!typed.lengths.empty()) return typed.lengths;
  if (!typed.shapes.empty()) {
    const AskedLengths asked(draw, typed.shapes[draw.below(typed.shapes.size())]);
    std::vector<std::int64_t> lengths;
    for (const std::size_t a : typed.free_axes()) lengths.push_back(*asked_length(typed.formula->axes[a].name));
    return lengths;
  }
  const std::uint64_t most = is_large ? 1U << 18U : 1U << 14U;
  const std::size_t axes = typed.free_axes().size();
  const bool is_long = is_large && axes != 0 && draw.one_in(6);
  for (int tries = 0; tries < 100; ++tries) {
    std::vector<std::int64_t> lengths;
    if (is_long && tries < 50) {
      lengths = draw_long_lengths(draw, axes);
    } else {
      for (std::size_t a = 0; a < axes; ++a) lengths.push_back(draw_length(draw, is_large && tries < 50));
    }
    std::uint64_t volume = 1;
    for (const std::int64_t each : lengths) volume = std::min(volume * static_cast<std::uint64_t>(each), most_work + 1);
    if (volume > most_work) continue;  // the test of contains(), before tables of that size are made
    try {
      if (work(Shaped(*typed.formula, lengths)) <= most) return lengths;
    } catch (const FormulaError&) {
      continue;
    }
  }
  for (std::int64_t all = 1; all < 64; ++all) {
    std::vector<std::int64_t> lengths(axes, all);
    try {
      const Shaped shaped(*typed.formula, lengths);
      return lengths;
    } catch (const FormulaError&) {
      continue;
    }
  }
  throw FormulaError(typed.formula->name + ": no lengths up to 64 give the formula a shape; give some with --shape");
}

}  // namespace

std::vector<std::size_t> Typed::free_axes() const {
  std::vector<std::size_t> free;
  for (std::size_t a = 0; a < formula->axes.size(); ++a) {
    if (!formula->axes[a].length) free.push_back(a);
  }
  return free;
}

Typed typed(std::shared_ptr<const Formula> formula, const std::string& formats) {
  const std::size_t colon = formats.find(':');
  Typed typed{formula,
              {},
              format_of_name(colon == std::string::npos ? formats : formats.substr(colon + 1)),
              input_classes(*formula)};
  for (const Parameter& each : formula->parameters) {
    typed.parameters.push_back(format_of_name(each.format.empty() ? formats.substr(0, colon) : each.format));
  }
  return typed;
}

Record record_of(const Typed& typed, const Case& c) {
  Record record;
  const std::vector<std::size_t> free = typed.free_axes();
  for (std::size_t a = 0; a < free.size(); ++a)
    record.fields.push_back({typed.formula->axes[free[a]].name, c.lengths[a]});
  for (std::size_t p = 0; p < typed.formula->parameters.size(); ++p) {
    record.fields.push_back({typed.formula->parameters[p].name, words_of(typed, p, c.words[p])});
  }
  return record;
}

std::optional<Case> case_of(const Typed& typed, const Record& record) {
  Case c;
  const std::vector<std::size_t> free = typed.free_axes();
  if (record.fields.size() != free.size() + typed.formula->parameters.size()) return std::nullopt;
  for (std::size_t a = 0; a < free.size(); ++a) {
    const auto* const length = std::get_if<std::int64_t>(&record.fields[a].value);
    if (length == nullptr || record.fields[a].name != typed.formula->axes[free[a]].name) return std::nullopt;
    c.lengths.push_back(*length);
  }
  for (std::size_t p = 0; p < typed.formula->parameters.size(); ++p) {
    const FieldValue& field = record.fields[free.size() + p];
    const auto* const words = std::get_if<Words>(&field.value);
    if (words == nullptr || field.name != typed.formula->parameters[p].name) return std::nullopt;
    const Words expected = words_of(typed, p, {});
    if (words->format != expected.format || words->shape != expected.shape) return std::nullopt;
    c.words.push_back(words->bits);
    const std::optional<std::int64_t> ignored = typed.formula->parameters[p].ignored;
    if (!ignored) continue;
    // A file has the bits of the format alone.
    const std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(limb_format.width())) - 1;
    const auto word = static_cast<std::uint64_t>(*ignored);
    std::ranges::replace_if(
        c.words.back(), [&](std::uint64_t each) { return (each & mask) == (word & mask); }, word);
  }
  return c;
}

Inputs inputs_of(const Typed& typed, const Case& c) {
  Inputs inputs;
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    std::vector<Dyadic>& numbers = inputs.numbers.emplace_back();
    std::vector<std::int64_t>& integers = inputs.integers.emplace_back();
    const bool is_index = typed.formula->parameters[p].index_of.has_value();
    is_index ? integers.reserve(c.words[p].size()) : numbers.reserve(c.words[p].size());
    for (const std::uint64_t word : c.words[p]) {
      if (is_index) {
        integers.push_back(static_cast<std::int64_t>(word));
      } else {
        numbers.push_back(oracle::decode(typed.parameters[p], word).value);
      }
    }
  }
  return inputs;
}

long first_bits(const Typed& typed) {
  return typed.result.precision > 24 || typed.parameters[0].precision > 24 ? 192 : 128;
}

namespace {

/// The product of the lengths of some axes. `lengths`: of all axes.
double volume_of(const std::vector<std::size_t>& axes, const std::vector<std::int64_t>& lengths) {
  double volume = 1;
  for (const std::size_t each : axes) volume *= static_cast<double>(lengths[each]);
  return volume;
}

}  // namespace

double work(const Formula& formula, const std::vector<std::int64_t>& lengths) {
  double sum = 0;
  for (const Node& node : formula.nodes) {
    const bool runs = node.op == Op::sum || node.op == Op::dot || node.op == Op::prod || node.op == Op::maximum_over ||
                      node.op == Op::argmax;
    sum += volume_of(node.axes, lengths) * (runs ? volume_of(node.over, lengths) : 1);
  }
  return sum;
}

double numbers(const Formula& formula, const std::vector<std::int64_t>& lengths) {
  double sum = 0;
  for (const Node& node : formula.nodes) sum += volume_of(node.axes, lengths);
  return sum;
}

std::uint64_t work(const Shaped& shaped) {
  return static_cast<std::uint64_t>(work(shaped.formula(), shaped.lengths()));
}

std::uint64_t numbers(const Shaped& shaped) {
  return static_cast<std::uint64_t>(numbers(shaped.formula(), shaped.lengths()));
}

bool contains(const Typed& typed, const Case& c) {
  const bool is_in_large = std::ranges::any_of(typed.classes, [&](const FormulaClass& each) {
    return std::ranges::equal(c.lengths, each.lengths, std::ranges::less_equal());
  });
  const bool has_any_size = AnySize::is_asked() || !typed.lengths.empty() || !typed.shapes.empty() || is_in_large;
  std::uint64_t volume = 1;
  for (const std::int64_t each : c.lengths) {
    if (each < 1 || (each > longest_axis && !has_any_size)) return false;
    volume *= static_cast<std::uint64_t>(each);
    if (volume > most_work && !has_any_size) return false;
  }
  try {
    const Shaped shaped(*typed.formula, c.lengths);
    if (work(shaped) > most_work && !has_any_size) return false;
    for (std::size_t p = 0; p < typed.formula->parameters.size(); ++p) {
      const Parameter& parameter = typed.formula->parameters[p];
      if (c.words[p].size() != shaped.size_of(parameter.axes)) return false;
      if (parameter.is_one_hot && !has_one_hot_rows(typed.parameters[p], c.words[p], row_length(shaped, parameter))) {
        return false;
      }
      if (!parameter.index_of) continue;
      const auto length = static_cast<std::uint64_t>(shaped.lengths()[*parameter.index_of]);
      if (std::ranges::any_of(c.words[p], [&](std::uint64_t each) {
            return each >= length && !(parameter.ignored && static_cast<std::int64_t>(each) == *parameter.ignored);
          })) {
        return false;
      }
    }
  } catch (const FormulaError&) {
    return false;
  }
  return true;
}

namespace {

/// Whether a parameter has random words, whose ends are drawn more often than others.
bool are_words(const Formula& formula, std::size_t parameter) {
  return std::ranges::any_of(
      formula.nodes, [&](const Node& node) { return node.op == Op::stochastic && node.parameter == parameter; });
}

Case drawn_case(const Typed& typed, const FormulaClass& in_class, bool is_typical, Draw& draw) {
  Case c{in_class.lengths.empty() ? draw_lengths(typed, in_class.is_large, draw) : in_class.lengths, {}};
  static constexpr std::array of_large{Drawing::one_sign,  Drawing::normal, Drawing::offset,
                                       Drawing::few_large, Drawing::exact,  Drawing::spread};
  const Drawing drawing = in_class.lengths.empty() ? in_class.drawing : of_large[draw.below(of_large.size())];
  const Shaped shaped(*typed.formula, c.lengths);
  for (std::size_t p = 0; p < typed.formula->parameters.size(); ++p) {
    const Parameter& parameter = typed.formula->parameters[p];
    const std::size_t size = shaped.size_of(parameter.axes);
    if (parameter.index_of) {
      std::vector<std::uint64_t>& places = c.words.emplace_back();
      const auto length = static_cast<std::uint64_t>(shaped.lengths()[*parameter.index_of]);
      const bool has_words = are_words(*typed.formula, p);
      for (std::size_t i = 0; i < size; ++i) {
        const bool is_ignored = parameter.ignored && draw.one_in(4);
        const bool is_end = has_words && draw.one_in(4);
        places.push_back(is_ignored ? static_cast<std::uint64_t>(*parameter.ignored)
                         : is_end   ? draw.below(2) * (length - 1)
                                    : draw.below(length));
      }
      continue;
    }
    if (parameter.is_one_hot) {
      c.words.push_back(one_hot_rows(typed.parameters[p], size, row_length(shaped, parameter), draw));
      continue;
    }
    Numbers numbers(typed.parameters[p], size, is_typical, draw);
    const auto own = in_class.own ? typed.formula->classes[*in_class.own].settings[p] : std::nullopt;
    if (own) {
      c.words.push_back(own->drawing ? numbers.drawn(*own->drawing) : numbers.in_range(own->low, own->high));
    } else {
      c.words.push_back(parameter.low ? numbers.in_range(*parameter.low, *parameter.high) : numbers.drawn(drawing));
    }
  }
  if (in_class.aim) change(typed, c, *in_class.aim, draw);
  return c;
}

/// Changes a case to one of the blocks that have all numbers of a format together, both signs of each, infinities and
/// NaNs in blocks of their own. The case is left as it is where the formula is no function of one number, where the
/// format has more than 16 bits, where a user gives lengths, and after the last block.
void take_block(const Typed& typed, Case& c, std::uint64_t block) {
  constexpr std::uint64_t most = 4096;
  const std::vector<Parameter>& parameters = typed.formula->parameters;
  const auto is_tensor = [](const Parameter& each) { return !each.axes.empty(); };
  const auto p = static_cast<std::size_t>(std::ranges::find_if(parameters, is_tensor) - parameters.begin());
  const bool is_of_one_number = std::ranges::count_if(parameters, is_tensor) == 1 && c.lengths.size() == 1 &&
                                parameters[p].axes.size() == 1 && !parameters[p].low && !parameters[p].index_of;
  if (!is_of_one_number || !typed.lengths.empty() || !typed.shapes.empty() || typed.parameters[p].width() > 16) return;
  const oracle::Format& format = typed.parameters[p];
  const std::uint64_t all = format.sign_mask() << 1U;
  const std::uint64_t finite = (format.largest_finite() + 1) << 1U;
  const std::uint64_t blocks = (finite + most - 1) / most;
  const std::uint64_t first = block < blocks ? block * most : finite + (block - blocks) * most;
  if (first >= all) return;
  const std::uint64_t end = std::min(first + most, block < blocks ? finite : all);
  c.lengths = {static_cast<std::int64_t>(end - first)};
  c.words[p].clear();
  for (std::uint64_t i = first; i < end; ++i) c.words[p].push_back(i >> 1U | ((i & 1U) != 0 ? format.sign_mask() : 0));
}

}  // namespace

Case draw_case(const Typed& typed, std::size_t in_class, Draw& draw, std::optional<std::uint64_t> among) {
  const FormulaClass& of = typed.classes[in_class];
  Case c = drawn_case(typed, of, false, draw);
  if (of.drawing == Drawing::any && !of.own && among) take_block(typed, c, *among);
  return c;
}

Case typical_case(const Typed& typed, std::uint64_t seed) {
  Draw draw(random_for(seed, typed.formula->name, 0));
  return drawn_case(typed, {"typical", 1}, true, draw);
}

}  // namespace assay::formulas
