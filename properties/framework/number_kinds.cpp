#include "properties/framework/number_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "properties/framework/generators.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// The exponents of a list's numbers when they are drawn, and the limit beyond which they count as far.
constexpr int spread = 4;
constexpr int far = 100;
constexpr int largest_integer = 1 << 12;

struct Sizes {
  std::int64_t low, high;
};
constexpr std::array<Sizes, 5> sizes{{{0, 0}, {1, 1}, {2, 4}, {5, 16}, {17, 33}}};

}  // namespace

const KindNames& scalar_kinds() {
  static const KindNames names{"0", "-0", "1", "-1", "2^e", "general", "infinity", "NaN"};
  return names;
}

std::size_t scalar_kind(double x) {
  if (std::isnan(x)) return 7;
  if (std::isinf(x)) return 6;
  if (x == 0) return std::signbit(x) ? 1 : 0;
  if (std::abs(x) == 1) return x > 0 ? 2 : 3;
  int exponent = 0;
  return std::abs(std::frexp(x, &exponent)) == 0.5 ? 4 : 5;
}

double draw_scalar_of(Draw& draw, std::size_t kind) {
  switch (kind) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    case 2:
      return 1;
    case 3:
      return -1;
    case 4:
      return compose<double>({.exponent = draw.coin() ? draw.between(1, 12) : -draw.between(1, 12),
                              .significand = 1,
                              .negative = draw.coin()});
    case 6:
      return draw.coin() ? infinity : -infinity;
    case 7:
      return quiet_nan;
    default:
      return draw_number<double>(draw, Significand::dense, draw.between(-8, 8));
  }
}

const KindNames& list_kinds() {
  static const KindNames names{"zeros", "small integers", "general", "far exponents", "subnormal numbers", "infinity",
                               "NaN"};
  return names;
}

std::size_t number_kind(double x, bool single) {
  if (std::isnan(x)) return 6;
  if (std::isinf(x)) return 5;
  if (x == 0) return 0;
  if (std::abs(x) < (single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min())) return 4;
  int exponent = 0;
  std::frexp(x, &exponent);
  if (std::abs(exponent) > far) return 3;
  return std::abs(x) <= largest_integer && x == std::trunc(x) ? 1 : 2;
}

template <class T>
double ListDraw::number_of_type(Draw& draw) const {
  switch (kind_) {
    case 0:
      return draw.coin() ? 0.0 : -0.0;
    case 1: {
      const double one = draw_number<T>(draw, Significand::power_of_two, 0);
      return one * static_cast<double>(1 + draw.below(12));
    }
    case 3:
      return draw_number<T>(draw, Significand::any, offset_ + draw.between(-spread, spread));
    case 4:
      return draw_number<T>(draw, Significand::any, draw.between(full_box<T>().low, FloatTraits<T>::emin - 1));
    default:
      return draw_number<T>(draw, Significand::dense, draw.between(-spread, spread));
  }
}

double ListDraw::number(Draw& draw) const {
  return single_ ? number_of_type<float>(draw) : number_of_type<double>(draw);
}

double ListDraw::special(Draw& draw) const {
  return kind_ == finite_list_kinds ? (draw.coin() ? infinity : -infinity) : quiet_nan;
}

const KindNames& size_kinds() {
  static const KindNames names{"0", "1", "2 to 4", "5 to 16", "17 and more"};
  return names;
}

std::size_t size_kind(std::int64_t n) {
  const auto above = std::find_if(sizes.begin(), sizes.end(), [n](const Sizes& each) { return n < each.low; });
  return static_cast<std::size_t>(above - sizes.begin()) - 1;
}

std::int64_t smallest_size(std::size_t kind) { return sizes[kind].low; }

std::int64_t draw_size_of(Draw& draw, std::size_t kind) {
  const Sizes range = kind < sizes.size() ? sizes[kind] : Sizes{1, 4};
  return range.low + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(range.high - range.low + 1)));
}

const KindNames& no_or_yes() {
  static const KindNames names{"no", "yes"};
  return names;
}

KindNames from(const KindNames& names, std::size_t first) {
  return {names.begin() + static_cast<std::ptrdiff_t>(first), names.end()};
}
KindNames up_to(const KindNames& names, std::size_t last) {
  return {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(last)};
}
KindNames all_but(const KindNames& names, const std::string& one) {
  KindNames others = names;
  std::erase(others, one);
  return others;
}

}  // namespace assay
