#include "properties/contracts/matmul_cases.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "oracle/round.hpp"
#include "properties/contracts/matmul_shapes.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::contracts {

template <FloatingPoint T>
double in_binary64(T x) {
  static constexpr oracle::Format format = format_of<T>();
  if constexpr (format.width() > 16) {
    return x;
  } else {
    static const std::vector<double> table = [] {
      std::vector<double> all(std::size_t{1} << format.width());
      for (std::size_t bits = 0; bits < all.size(); ++bits) {
        all[bits] = oracle::is_finite(format, bits)
                        ? std::bit_cast<double>(oracle::round(oracle::decode_finite(format, bits), oracle::binary64,
                                                              oracle::Rounding::nearest))
                    : oracle::is_nan(format, bits)      ? std::numeric_limits<double>::quiet_NaN()
                    : oracle::is_negative(format, bits) ? -std::numeric_limits<double>::infinity()
                                                        : std::numeric_limits<double>::infinity();
      }
      return all;
    }();
    return table[static_cast<std::size_t>(bits_of(x))];
  }
}

template <FloatingPoint T>
std::vector<std::size_t> places_to_ask_alone(const MatmulCase<T>& c) {
  std::uint64_t state = 0x9e3779b97f4a7c15;
  const auto mix = [&](std::uint64_t word) {
    state = (state ^ word) * 0xbf58476d1ce4e5b9;
    state ^= state >> 29;
  };
  for (const std::int64_t each : {c.batch, c.m, c.n, c.k}) mix(static_cast<std::uint64_t>(each));
  for (const std::vector<T>* list : {&c.a, &c.b}) {
    for (std::size_t i = 0; i < std::min<std::size_t>(list->size(), 16); ++i) mix(bits_of((*list)[i]));
  }
  const auto one_of = [&](std::int64_t count) -> std::int64_t {
    mix(static_cast<std::uint64_t>(count));
    const std::uint64_t kind = state >> 60;
    return kind < 3   ? 0
           : kind < 8 ? count - 1
                      : static_cast<std::int64_t>((state >> 20) % static_cast<std::uint64_t>(count));
  };
  std::vector<std::size_t> places{0, c.results() - 1};
  for (int i = 0; i < 2; ++i) {
    const std::int64_t row = one_of(c.batch) * c.m + one_of(c.m);
    places.push_back(static_cast<std::size_t>(row * c.n + one_of(c.n)));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

namespace {

using oracle::Dyadic;

// ------------------------------------------------------------------------------------------------------ the classes

/// How the numbers of a case are drawn: their exponents lie in the box.
template <FloatingPoint T>
using Fill = void (*)(Draw&, MatmulCase<T>&, Box);

template <FloatingPoint T>
T& a_at(MatmulCase<T>& c, std::int64_t row, std::int64_t l) {
  return c.a[static_cast<std::size_t>(row * c.k + l)];
}
template <FloatingPoint T>
T& b_at(MatmulCase<T>& c, std::int64_t p, std::int64_t l, std::int64_t j) {
  return c.b[static_cast<std::size_t>((p * c.k + l) * c.n + j)];
}

template <FloatingPoint T>
void draw_all(Draw& draw, std::vector<T>& x, Significand kind, Box box) {
  for (T& each : x) each = draw_number<T>(draw, kind, draw.between(box.low, box.high));
}

Box narrowed(Box box, int distance) {
  const int middle = std::clamp(0, box.low, box.high);
  return {std::max(box.low, middle - distance), std::min(box.high, middle + distance)};
}

template <FloatingPoint T>
void fill_random(Draw& draw, MatmulCase<T>& c, Box box) {
  const Box near = narrowed(box, 3);
  draw_all(draw, c.a, Significand::dense, near);
  draw_all(draw, c.b, Significand::dense, near);
}

template <FloatingPoint T>
void fill_wide(Draw& draw, MatmulCase<T>& c, Box box) {
  draw_all(draw, c.a, Significand::any, box);
  draw_all(draw, c.b, Significand::any, box);
}

template <FloatingPoint T>
void fill_one_sign(Draw& draw, MatmulCase<T>& c, Box box) {
  const Box near = narrowed(box, 1);
  const bool negative = draw.coin();
  for (T& each : c.a) each = draw_number<T>(draw, Significand::all_ones, draw.between(near.low, near.high), negative);
  for (T& each : c.b) each = draw_number<T>(draw, Significand::any, draw.between(near.low, near.high), false);
}

/// The second half of the terms takes back the first, but for a few places of the last bit.
template <FloatingPoint T>
void fill_cancelling(Draw& draw, MatmulCase<T>& c, Box box) {
  draw.coin() ? fill_random(draw, c, box) : fill_wide(draw, c, box);
  for (std::int64_t l = 0; l < c.k / 2; ++l) {
    const std::int64_t other = c.k - 1 - l;
    for (std::int64_t row = 0; row < c.batch * c.m; ++row) a_at(c, row, other) = negated(a_at(c, row, l));
    for (std::int64_t p = 0; p < c.batch; ++p) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        const T same = b_at(c, p, l, j);
        b_at(c, p, other, j) = in_box(same, {box.low + 1, box.high - 1}) && draw.one_in(8) ? stepped(same, 1) : same;
      }
    }
  }
}

/// One large term and, so many binades below it that an accumulator may cut them off, all others; sometimes a second
/// large term takes the first one back.
template <FloatingPoint T>
void fill_leader(Draw& draw, MatmulCase<T>& c, Box box) {
  constexpr std::array cuts{11, 13, 23, 24, 25};
  const int below = draw.one_in(4) ? draw.between(1, 30) : cuts[draw.below(cuts.size())] + draw.between(-1, 1);
  const int of_a = std::min((below + 1) / 2, box.high - box.low);
  const int of_b = std::min(below - of_a, box.high - box.low);
  const bool same_sign = draw.coin();
  const auto last = static_cast<std::uint64_t>(c.k);
  const auto leader = draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(last));
  const auto second = draw.coin() ? -1 : static_cast<std::int64_t>(draw.below(last));
  const Significand small = draw.coin() ? Significand::all_ones : Significand::any;
  const auto is_large = [&](std::int64_t l) { return l == leader || l == second; };
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    for (std::int64_t l = 0; l < c.k; ++l) {
      const int exponent = box.high - (is_large(l) ? 0 : of_a);
      const bool negative = l == second || (!same_sign && !is_large(l) && draw.coin());
      a_at(c, row, l) = draw_number<T>(draw, is_large(l) ? Significand::power_of_two : small, exponent, negative);
    }
  }
  for (std::int64_t p = 0; p < c.batch; ++p) {
    for (std::int64_t l = 0; l < c.k; ++l) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        const int exponent = box.high - (is_large(l) ? 0 : of_b);
        b_at(c, p, l, j) = draw_number<T>(draw, is_large(l) ? Significand::power_of_two : small, exponent, false);
      }
    }
  }
}

/// The terms grow by a binade with every few of them.
template <FloatingPoint T>
void fill_growing(Draw& draw, MatmulCase<T>& c, Box box) {
  const std::int64_t step = std::int64_t{2} << draw.below(6);
  const auto exponent = [&](std::int64_t l) {
    return static_cast<int>(std::min<std::int64_t>(box.low + l / step, box.high));
  };
  fill_one_sign(draw, c, box);
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    for (std::int64_t l = 0; l < c.k; ++l) {
      a_at(c, row, l) = draw_number<T>(draw, Significand::all_ones, exponent(l), false);
    }
  }
}

/// Small integers: every partial sum is a number of every accumulator.
template <FloatingPoint T>
void fill_integers(Draw& draw, MatmulCase<T>& c, Box) {
  for (auto* list : {&c.a, &c.b}) {
    for (T& each : *list) each = compose<T>(draw.coin(), draw.below(4), 0);
  }
}

/// Small integers, of which few of a row are not 0: every partial sum of an entry is an integer of at most 8 bits.
template <FloatingPoint T>
void fill_few_integers(Draw& draw, MatmulCase<T>& c, Box) {
  constexpr std::uint64_t most = 27;  // with the one before, at most 27 terms of 3·3: 243
  const auto small = [&] { return compose<T>(draw.coin(), 1 + draw.below(3), 0); };
  for (T& each : c.a) each = compose<T>(draw.coin(), 0, 0);
  for (T& each : c.b) each = small();
  const auto terms = static_cast<std::uint64_t>(c.k);
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    a_at(c, row, c.k - 1 - static_cast<std::int64_t>(draw.below(std::min<std::uint64_t>(terms, 9)))) = small();
    for (std::uint64_t left = draw.below(std::min(most, terms)); left > 0; --left) {
      a_at(c, row, static_cast<std::int64_t>(draw.below(terms))) = small();
    }
  }
}

/// Large terms take one another back, or do not: sums leave the range of the results on the way, or for good.
template <FloatingPoint T>
void fill_beyond(Draw& draw, MatmulCase<T>& c, Box box) {
  fill_random(draw, c, box);
  const auto terms = static_cast<std::uint64_t>(c.k);
  const bool comes_back = c.k > 1 && !draw.one_in(4);
  const int exponent = FloatTraits<T>::emax / 2 + draw.between(0, 2);
  for (int left = draw.between(1, 3); left > 0; --left) {
    const auto l = static_cast<std::int64_t>(draw.below(terms));
    auto back = static_cast<std::int64_t>(draw.below(terms));
    if (back == l) back = (l + 1) % c.k;
    for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
      a_at(c, row, l) = draw_number<T>(draw, Significand::any, exponent);
      if (comes_back) a_at(c, row, back) = a_at(c, row, l);
    }
    for (std::int64_t p = 0; p < c.batch; ++p) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        b_at(c, p, l, j) = draw_number<T>(draw, Significand::any, exponent);
        if (comes_back) b_at(c, p, back, j) = negated(b_at(c, p, l, j));
      }
    }
  }
}

/// Some rows and columns are 0, of either sign.
template <FloatingPoint T>
void fill_zeros(Draw& draw, MatmulCase<T>& c, Box box) {
  fill_random(draw, c, box);
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    if (!draw.coin()) continue;
    for (std::int64_t l = 0; l < c.k; ++l) a_at(c, row, l) = compose<T>(draw.coin(), 0, 0);
  }
}

/// The products are subnormal numbers of the accumulator, or less.
template <FloatingPoint T>
void fill_tiny(Draw& draw, MatmulCase<T>& c, Box) {
  const int low = full_box<T>().low;
  const int middle = std::max(low, FloatTraits<T>::emin) / 2;
  draw_all(draw, c.a, Significand::any, {low, std::max(low, middle)});
  draw_all(draw, c.b, Significand::any, {middle, std::min(0, middle + 20)});
}

/// Infinities and NaNs here and there, some of which meet a zero.
template <FloatingPoint T>
void fill_exceptional(Draw& draw, MatmulCase<T>& c, Box box) {
  constexpr oracle::Format format = format_of<T>();
  const auto place = [&](std::int64_t count) {
    return static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(count)));
  };
  fill_random(draw, c, box);
  for (int left = draw.between(1, 3); left > 0; --left) {
    const std::uint64_t sign = draw.coin() ? format.sign_mask() : 0;
    const T special =
        number_of<T>(sign | (format.has_infinity() && !draw.one_in(4) ? format.infinity() : format.nan()));
    const std::int64_t p = place(c.batch);
    const std::int64_t l = place(c.k);
    T& of_a = a_at(c, p * c.m + place(c.m), l);
    T& of_b = b_at(c, p, l, place(c.n));
    T& first = draw.coin() ? of_a : of_b;
    T& second = &first == &of_a ? of_b : of_a;
    first = special;
    if (draw.coin()) second = T{};
  }
}

/// Integers of 8 bits: any, the ends of their range, or large ones of one sign, whose sums take the most bits.
template <FloatingPoint T>
void fill_bytes(Draw& draw, MatmulCase<T>& c, Box) {
  const std::uint64_t kind = draw.below(3);
  for (auto* list : {&c.a, &c.b}) {
    for (T& each : *list) {
      const int value = kind == 0   ? draw.between(-128, 127)
                        : kind == 1 ? (draw.coin() ? -128 : 127)
                                    : draw.between(64, 127);
      each = compose<T>(value < 0, static_cast<std::uint64_t>(std::abs(value)), 0);
    }
  }
}

// ------------------------------------------------------------------------------------------------------- the domain

/// The exponents of the numbers: k products of two of them stay below half of 2^highest_result, and if the format has
/// room no product underflows.
template <FloatingPoint T>
Box exponents_for(const MatmulLimits& limits, std::int64_t k) {
  const int of_sum = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(k, 1))));
  const int high = (limits.highest_result - 1 - of_sum) / 2 - 1;
  const int low = std::max(full_box<T>().low, FloatTraits<T>::precision == 53 ? -300 : -40);
  if (limits.up_to_the_end)
    return {std::max(0, std::min(high, FloatTraits<T>::emax - 1) - 20), std::min(high, FloatTraits<T>::emax - 1)};
  return {low, std::min({high, FloatTraits<T>::emax - 1, -low})};
}

template <FloatingPoint T>
Axes matmul_axes(const MatmulCase<T>&) {
  return {.lists = {{"a", {{"term"}, {"row"}, {"product"}}}, {"b", {{"column"}, {"term"}, {"product"}}}},
          .lengths = {{"batch", "product"}, {"m", "row"}, {"n", "column"}, {"k", "term"}},
          .sums = {"term"}};
}

template <FloatingPoint T>
InputClass<MatmulCase<T>> class_of(const char* name, unsigned weight, MatmulSize size, Fill<T> fill,
                                   const MatmulLimits& limits) {
  return {name, weight, drawn<MatmulCase<T>>([size, fill, limits](Draw& draw) {
            const MatmulShape shape = draw_shape(draw, size, limits.multiple_of);
            MatmulCase<T> c{shape.batch, shape.m, shape.n, shape.k, {}, {}};
            c.a.resize(static_cast<std::size_t>(c.batch * c.m * c.k));
            c.b.resize(static_cast<std::size_t>(c.batch * c.k * c.n));
            if (!c.a.empty() && !c.b.empty()) fill(draw, c, exponents_for<T>(limits, c.k));
            return c;
          })};
}

/// Whether the dimensions and lists go together, and no sum of magnitudes comes near the largest result.
template <FloatingPoint T>
bool is_inside(const MatmulCase<T>& c, const MatmulLimits& limits) {
  const std::int64_t longest = most_of(longest_side);
  for (const std::int64_t each : {c.batch, c.m, c.n, c.k}) {
    if (each < 0 || each > longest) return false;
  }
  for (const std::int64_t each : {c.m, c.n, c.k}) {
    if (each % limits.multiple_of != 0) return false;
  }
  if (c.a.size() != static_cast<std::size_t>(c.batch * c.m * c.k) ||
      c.b.size() != static_cast<std::size_t>(c.batch * c.k * c.n)) {
    return false;
  }
  double largest_a = 0;
  double largest_b = 0;
  for (const T& each : c.a)
    largest_a = std::fmax(largest_a, std::isfinite(in_binary64(each)) ? std::abs(in_binary64(each)) : 0);
  for (const T& each : c.b)
    largest_b = std::fmax(largest_b, std::isfinite(in_binary64(each)) ? std::abs(in_binary64(each)) : 0);
  const Dyadic most = value_of(largest_a) * value_of(largest_b) * Dyadic(c.k);
  if (most > Dyadic::scaled(1, limits.highest_sum - 1)) return false;
  const auto is_byte = [](const T& each) {
    const double x = in_binary64(each);
    return x == std::floor(x) && x >= -128 && x <= 127;
  };
  return !limits.integers ||
         (std::all_of(c.a.begin(), c.a.end(), is_byte) && std::all_of(c.b.begin(), c.b.end(), is_byte));
}

}  // namespace

template <FloatingPoint T>
Domain<MatmulCase<T>> matmul_domain(const MatmulLimits& limits) {
  using Case = MatmulCase<T>;
  std::vector<InputClass<Case>> classes;
  if (limits.integers) {
    classes = {class_of<T>("integers of 8 bits", 36, MatmulSize::small, fill_bytes<T>, limits),
               class_of<T>("long sums", 2, MatmulSize::long_sums, fill_bytes<T>, limits),
               class_of<T>("panels", 1, MatmulSize::panels, fill_bytes<T>, limits),
               class_of<T>("thin", 8, MatmulSize::thin, fill_bytes<T>, limits),
               class_of<T>("tiles", 2, MatmulSize::tiles, fill_bytes<T>, limits)};
  } else {
    classes = {class_of<T>("random", 8, MatmulSize::small, fill_random<T>, limits),
               class_of<T>("all exponents", 5, MatmulSize::small, fill_wide<T>, limits),
               class_of<T>("one sign", 3, MatmulSize::small, fill_one_sign<T>, limits),
               class_of<T>("cancelling", 6, MatmulSize::small, fill_cancelling<T>, limits),
               class_of<T>("a leader and terms at the cut", 8, MatmulSize::small, fill_leader<T>, limits),
               class_of<T>("growing terms", 2, MatmulSize::small, fill_growing<T>, limits),
               class_of<T>("small integers", 2, MatmulSize::small, fill_integers<T>, limits),
               class_of<T>("rows of zeros", 1, MatmulSize::small, fill_zeros<T>, limits),
               class_of<T>("infinities and NaNs", 3, MatmulSize::small, fill_exceptional<T>, limits),
               class_of<T>("long sums", 1, MatmulSize::long_sums, fill_one_sign<T>, limits),
               class_of<T>("long sums at the cut", 1, MatmulSize::long_sums, fill_leader<T>, limits),
               class_of<T>("panels", 1, MatmulSize::panels, fill_random<T>, limits),
               class_of<T>("thin", 3, MatmulSize::thin, fill_random<T>, limits),
               class_of<T>("thin, infinities and NaNs", 1, MatmulSize::thin, fill_exceptional<T>, limits),
               class_of<T>("tiles", 1, MatmulSize::tiles, fill_random<T>, limits),
               class_of<T>("few small integers", 4, MatmulSize::small, fill_few_integers<T>, limits),
               class_of<T>("thin, few small integers", 3, MatmulSize::thin, fill_few_integers<T>, limits),
               class_of<T>("long sums of few small integers", 1, MatmulSize::long_sums, fill_few_integers<T>, limits)};
    if (limits.highest_sum > limits.highest_result) {
      classes.push_back(
          class_of<T>("sums beyond the range of the results", 3, MatmulSize::small, fill_beyond<T>, limits));
    } else {
      MatmulLimits largest = limits;
      largest.up_to_the_end = true;
      classes.push_back(class_of<T>("the largest numbers", 1, MatmulSize::small, fill_wide<T>, largest));
    }
    if (FloatTraits<T>::emin == oracle::binary32.emin) {
      classes.push_back(class_of<T>("tiny numbers", 2, MatmulSize::small, fill_tiny<T>, limits));
    }
  }
  return {
      .classes = std::move(classes),
      .contains = [limits](const Case& c) { return is_inside(c, limits); },
      .axes = matmul_axes<T>,
      .accepts =
          std::string(limits.integers ? "integers in [-128, 127]; " : "") +
          (limits.multiple_of > 1 ? "dimensions are multiples of " + std::to_string(limits.multiple_of) + "; " : "") +
          "k·max|a|·max|b| <= 2^" + std::to_string(limits.highest_sum - 1)};
}

#define ASSAY_PLACES(T) template std::vector<std::size_t> places_to_ask_alone(const MatmulCase<T>&);
ASSAY_PLACES(double)
ASSAY_PLACES(float)
ASSAY_PLACES(binary16)
ASSAY_PLACES(bfloat16)
ASSAY_PLACES(e4m3)
ASSAY_PLACES(e5m2)
#undef ASSAY_PLACES
template double in_binary64(double);
template double in_binary64(float);
template double in_binary64(binary16);
template double in_binary64(bfloat16);
template double in_binary64(e4m3);
template double in_binary64(e5m2);
template Domain<MatmulCase<double>> matmul_domain(const MatmulLimits&);
template Domain<MatmulCase<float>> matmul_domain(const MatmulLimits&);
template Domain<MatmulCase<binary16>> matmul_domain(const MatmulLimits&);
template Domain<MatmulCase<bfloat16>> matmul_domain(const MatmulLimits&);
template Domain<MatmulCase<e4m3>> matmul_domain(const MatmulLimits&);
template Domain<MatmulCase<e5m2>> matmul_domain(const MatmulLimits&);

}  // namespace assay::contracts
