#pragma once
// Inputs of convolutions and of their gradients.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "properties/contracts/convolution_geometry.hpp"
#include "properties/contracts/exceptional.hpp"

namespace assay::contracts::convolution {

/// The most products of a drawn case.
inline constexpr std::int64_t most_products = 8192;

/// The longest length, so that no sum of lengths overflows.
inline constexpr std::int64_t longest = std::int64_t{1} << 24;
inline bool are_lengths(std::initializer_list<std::int64_t> lengths, std::int64_t least = 1) {
  return std::ranges::all_of(lengths, [=](std::int64_t each) { return least <= each && each <= longest; });
}
inline bool have_product(std::initializer_list<std::int64_t> lengths, std::int64_t most) {
  std::int64_t product = 1;
  for (const std::int64_t each : lengths) {
    if (each > most / product) return false;
    product *= each;
  }
  return true;
}

/// Whether the lengths are positive, the products few, and the first tap of every result meets a number or the padding
/// before the numbers.
inline bool is_geometry(const Geometry& of) {
  const std::int64_t most = most_of(most_products);
  return are_lengths({of.b, of.g, of.ci, of.co, of.h, of.w, of.r, of.s, of.i, of.j}) &&
         are_lengths({of.stride_h, of.stride_w, of.dilation_h, of.dilation_w}) &&
         are_lengths({of.padding_h, of.padding_w}, 0) &&
         have_product({of.b, of.g, of.ci, of.co, of.r, of.s, of.i, of.j}, most) &&
         have_product({of.b, of.g, of.ci, of.h, of.w}, most) && (of.i - 1) * of.stride_h < of.h + of.padding_h &&
         (of.j - 1) * of.stride_w < of.w + of.padding_w;
}

template <FloatingPoint T>
bool has_lengths(const Case<T>& c) {
  if (c.first.empty() || c.second.empty() || !are_lengths({c.h, c.w, c.r, c.s})) return false;
  const Geometry of = geometry_of(c);
  return is_geometry(of) && c.first.size() == length_of(of_first(of)) && c.second.size() == length_of(of_second(of)) &&
         c.bias.size() == (of.kind->has_bias ? static_cast<std::size_t>(of.g * of.co) : 0);
}

/// The results of h numbers and r taps: as many as fit, at least one.
inline std::int64_t results_of_length(std::int64_t h, std::int64_t r, std::int64_t stride, std::int64_t padding,
                                      std::int64_t dilation) {
  return std::max<std::int64_t>((h + 2 * padding - dilation * (r - 1) - 1 + stride) / stride, 1);
}

/// The names of the lengths that a shape may name.
inline std::vector<std::string> names_of_lengths(const Kind& kind) {
  if (kind.is_whole && !kind.is_plane()) return {"m", "n"};
  if (kind.is_whole) return {"h", "w", "r", "s"};
  if (!kind.is_plane()) return {"b", "g", "ci", "co", "n", "r", "stride", "padding", "dilation"};
  return {"b", "g",        "ci",       "co",        "h",         "w",          "r",
          "s", "stride_h", "stride_w", "padding_h", "padding_w", "dilation_h", "dilation_w"};
}

/// One length is beside the sizes of vectors, tiles and blocks, and the others are small. Taps are up to 33, so that
/// the products of a case are few enough without fewer taps.
inline void draw_long_length(Draw& draw, Geometry& of) {
  static constexpr std::array<std::int64_t, 8> sizes{8, 16, 32, 64, 8, 16, 32, 128};
  const std::int64_t length = sizes[draw.below(sizes.size())] + draw.between(-1, 1);
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::int64_t>(1 + draw.below(n)); };
  of.b = of.g = of.ci = of.co = 1;
  of.w = up_to(3);
  of.s = up_to(3);
  if (of.kind->is_plane()) of.h = up_to(2);
  if (of.kind->is_plane()) of.r = up_to(2);
  std::int64_t* const lengths[] = {&of.s, &of.w, &of.b, &of.g, &of.ci, &of.co};
  std::int64_t& chosen = *lengths[draw.below(of.kind->is_whole ? 2 : 6)];
  chosen = &chosen == &of.w   ? 8 * length + draw.between(-1, 1)
           : &chosen == &of.s ? std::min<std::int64_t>(length, 33)
                              : length;
}

/// A half has 3 taps and neither strides nor dilations, so that Winograd's algorithm applies.
inline Geometry draw_geometry(Draw& draw, const Kind& kind) {
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::int64_t>(1 + draw.below(n)); };
  const bool is_line = !kind.is_plane();
  Geometry of;
  of.kind = &kind;
  if (!kind.is_whole) {
    of.b = up_to(2);
    of.g = draw.coin() ? 1 : up_to(3);
    of.ci = draw.one_in(4) ? 1 : up_to(4);
    of.co = draw.one_in(4) ? 1 : up_to(3);
  }
  const bool is_plain = draw.coin();
  of.w = draw.one_in(4) ? up_to(40) : up_to(12);
  of.s = is_plain ? 3 : up_to(5);
  if (!is_line) {
    of.h = up_to(9);
    of.r = is_plain ? 3 : up_to(4);
  }
  if (draw.one_in(12)) draw_long_length(draw, of);
  if (!kind.is_whole) {
    of.padding_w = up_to(static_cast<std::uint64_t>(of.s)) - 1;
    if (!is_line) of.padding_h = up_to(static_cast<std::uint64_t>(of.r)) - 1;
    if (!is_plain) {
      of.stride_w = up_to(3);
      of.dilation_w = up_to(3);
      if (!is_line) of.stride_h = up_to(3);
      if (!is_line) of.dilation_h = up_to(3);
    }
  }
  const auto ask = [](std::int64_t& length, const char* name) {
    if (const auto asked = asked_length(name)) length = *asked;
  };
  bool is_asked = false;
  for (const std::string& name : names_of_lengths(kind)) is_asked = is_asked || asked_length(name);
  if (kind.is_whole && is_line) {
    ask(of.w, "m");
    ask(of.s, "n");
  } else if (is_line) {
    ask(of.w, "n");
    ask(of.s, "r");
    ask(of.stride_w, "stride");
    ask(of.padding_w, "padding");
    ask(of.dilation_w, "dilation");
  } else {
    ask(of.h, "h");
    ask(of.w, "w");
    ask(of.r, "r");
    ask(of.s, "s");
    ask(of.stride_h, "stride_h");
    ask(of.stride_w, "stride_w");
    ask(of.padding_h, "padding_h");
    ask(of.padding_w, "padding_w");
    ask(of.dilation_h, "dilation_h");
    ask(of.dilation_w, "dilation_w");
  }
  ask(of.b, "b");
  ask(of.g, "g");
  ask(of.ci, "ci");
  ask(of.co, "co");
  const auto with_results = [&] {
    if (kind.is_whole) {
      of = whole(of);
    } else {
      of.i = results_of_length(of.h, of.r, of.stride_h, of.padding_h, of.dilation_h);
      of.j = results_of_length(of.w, of.s, of.stride_w, of.padding_w, of.dilation_w);
    }
  };
  with_results();
  while (!is_asked && !is_geometry(of)) {
    std::int64_t& largest = of.b > 1 ? of.b : of.g > 1 ? of.g : of.co > 1 ? of.co : of.w > 12 ? of.w : of.ci;
    largest = (largest + 1) / 2;
    with_results();
  }
  return of;
}

/// A case whose arrays are 0.
template <FloatingPoint T>
Case<T> of_zeros(const Geometry& of) {
  Case<T> c;
  static_cast<Geometry&>(c) = of;
  c.first.resize(length_of(of_first(of)));
  c.second.resize(length_of(of_second(of)));
  if (of.kind->has_bias) c.bias.resize(static_cast<std::size_t>(of.g * of.co));
  return c;
}

/// Numbers with exponents low … high.
template <FloatingPoint T>
void put_numbers(Draw& draw, std::vector<T>& x, Significand kind, int low, int high, bool is_positive = false) {
  for (T& each : x) {
    each = draw_number<T>(draw, kind, draw.between(low, high), !is_positive && draw.coin());
  }
}

/// Changes one number so that a result is small against its terms.
template <FloatingPoint T>
void cancel(Draw& draw, Case<T>& c) {
  const Geometry of = geometry_of(c);
  const std::size_t wanted = draw.below(length_of(of_result(of)));
  Dyadic sum = of.kind->has_bias ? value_of(c.bias[channel_of(of, wanted)]) : Dyadic();
  std::pair<std::size_t, std::size_t> last;
  std::size_t count = 0;
  for_each_term(of, [&](std::size_t y, std::size_t a, std::size_t b) {
    if (y != wanted) return;
    if (count++ > 0) sum.add_mul(value_of(c.first[last.first]), value_of(c.second[last.second]));
    last = {a, b};
  });
  if (count < 2 || value_of(c.second[last.second]).is_zero()) return;
  c.first[last.first] = nearest_to<T>(oracle::quotient(-sum, value_of(c.second[last.second])));
}

/// The case with one length less by one, each that is more than 1; the numbers beyond are left out.
template <FloatingPoint T>
std::vector<Case<T>> smaller_cases(const Case<T>& c) {
  const Geometry of = geometry_of(c);
  std::vector<Case<T>> all;
  const auto copy = [](const std::array<std::int64_t, 5>& from, const std::array<std::int64_t, 5>& to,
                       const std::vector<T>& numbers, std::vector<T>& kept) {
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(kept.size()); ++n) {
      std::array<std::int64_t, 5> at{};
      for (std::int64_t d = 4, rest = n; d >= 0; --d) {
        at[static_cast<std::size_t>(d)] = rest % to[static_cast<std::size_t>(d)];
        rest /= to[static_cast<std::size_t>(d)];
      }
      kept[static_cast<std::size_t>(n)] = numbers[place(from, at)];
    }
  };
  for (std::int64_t Geometry::*const length : {&Geometry::b, &Geometry::g, &Geometry::ci, &Geometry::co, &Geometry::h,
                                               &Geometry::w, &Geometry::r, &Geometry::s, &Geometry::i, &Geometry::j}) {
    if (of.*length < 2) continue;
    Geometry less = of;
    less.*length -= 1;
    less.i = std::min(less.i, (less.h + less.padding_h - 1) / less.stride_h + 1);
    less.j = std::min(less.j, (less.w + less.padding_w - 1) / less.stride_w + 1);
    if (of.kind->is_whole) less = whole(less);
    Case<T> other = of_zeros<T>(less);
    copy(of_first(of), of_first(less), c.first, other.first);
    copy(of_second(of), of_second(less), c.second, other.second);
    for (std::size_t i = 0; i < other.bias.size(); ++i) {
      const auto channels = static_cast<std::size_t>(less.co);
      other.bias[i] = c.bias[i / channels * static_cast<std::size_t>(of.co) + i % channels];
    }
    all.push_back(std::move(other));
  }
  return all;
}

template <FloatingPoint T>
bool is_finite_case(const Case<T>& c) {
  return all_finite(c.first) && all_finite(c.second) && all_finite(c.bias);
}
template <FloatingPoint T>
Case<T> finite_part_of(Case<T> c) {
  c.first = finite_part(std::move(c.first));
  c.second = finite_part(std::move(c.second));
  c.bias = finite_part(std::move(c.bias));
  return c;
}

template <FloatingPoint T>
Domain<Case<T>> domain(const Kind& kind) {
  using F = FloatTraits<T>;
  using C = Case<T>;
  constexpr int p = F::precision;
  const auto of = [&kind](SharedFunction<void(Draw&, C&)> put) {
    return drawn<C>([put = std::move(put), &kind](Draw& draw) {
      C c = of_zeros<T>(draw_geometry(draw, kind));
      put(draw, c);
      return c;
    });
  };
  const auto within = [of](Significand kind, int low, int high, bool is_positive = false) {
    return of([=](Draw& draw, C& c) {
      for (std::vector<T>* const x : {&c.first, &c.second, &c.bias})
        put_numbers(draw, *x, kind, low, high, is_positive);
    });
  };
  const auto cancelling = [](Draw& draw, C& c) {
    for (std::vector<T>* const x : {&c.first, &c.second, &c.bias}) put_numbers(draw, *x, Significand::any, -4, 4);
    cancel(draw, c);
  };
  const auto few_large = [](Draw& draw, C& c) {
    for (std::vector<T>* const x : {&c.first, &c.second, &c.bias}) put_numbers(draw, *x, Significand::any, -1, 1);
    for (std::uint64_t count = 1 + draw.below(3); count != 0; --count) {
      std::vector<T>& x = draw.one_in(3) ? c.second : c.first;
      x[draw.below(x.size())] = draw_number<T>(draw, Significand::any, draw.between(8, p + 4));
    }
  };
  const auto integers = [](Draw& draw, C& c) {
    for (std::vector<T>* const x : {&c.first, &c.second, &c.bias}) {
      for (T& each : *x) each = compose<T>(draw.coin(), draw.below(10), 0);
    }
  };
  const auto few = [](Draw& draw, C& c) {
    for (std::vector<T>* const x : {&c.first, &c.second, &c.bias}) {
      for (T& each : *x) {
        if (draw.one_in(4)) each = draw_number<T>(draw, Significand::any, draw.between(-4, 4));
      }
    }
  };
  const auto small_products = [](Draw& draw, C& c) {
    const int low = F::emin - p + draw.between(0, p + 8);
    put_numbers(draw, c.first, Significand::any, low / 2 - 2, low / 2 + 2);
    put_numbers(draw, c.second, Significand::any, low - low / 2 - 2, low - low / 2 + 2);
    put_numbers(draw, c.bias, Significand::any, F::emin - p + 1, F::emin + 2);
  };
  const auto large_products = [](Draw& draw, C& c) {
    const int high = (F::emax - 5 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(c.products())))) / 2;
    put_numbers(draw, c.first, Significand::any, high - 3, high);
    put_numbers(draw, c.second, Significand::any, high - 3, high);
    put_numbers(draw, c.bias, Significand::any, F::emax - 6, F::emax - 5);
  };
  const auto exceptional = [](Draw& draw, C& c) {
    for (std::vector<T>* const x : {&c.first, &c.second, &c.bias}) put_numbers(draw, *x, Significand::any, -2, 2);
    put_exceptional(draw, c.first);
  };
  Domain<C> finite{
      .classes = {{"any significand, exponents within ±4", 4, within(Significand::any, -4, 4)},
                  {"dense, products of one sign", 2, within(Significand::dense, -1, 1, true)},
                  {"any significand, exponents within ±p", 2, within(Significand::any, -p, p)},
                  {"a sum that cancels", 3, of(cancelling)},
                  {"few large numbers", 4, of(few_large)},
                  {"small integers", 3, of(integers)},
                  {"mostly zeros", 2, of(few)},
                  {"products in the range of underflow", 2, of(small_products)},
                  {"near overflow", 1, of(large_products)}},
      .contains =
          [](const C& c) {
            return has_lengths(c) && std::ranges::all_of(terms_of(c), [](const Terms& terms) {
                     return stays_finite<Wide<T>>(terms.magnitudes);
                   });
          },
      .features = {{"log2 of the products + 1, rounded up", 0, 14, 14,
                    [](const C& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(geometry_of(c).products())));
                    }}},
      .shrink_shape = smaller_cases<T>,
      .accepts =
          "lengths of at least 1, up to 8192 products and numbers, every result with its first tap before the end; "
          "finite "
          "numbers, the magnitudes of each result's products at most 2^" +
          std::to_string(FloatTraits<Wide<T>>::emax - 2) + " together"};
  return with_exceptional<C>(std::move(finite), {{"NaN or infinities", 2, of(exceptional)}},
                             [](const C& c) { return finite_part_of(c); });
}

}  // namespace assay::contracts::convolution

namespace assay::contracts {

template <FloatingPoint T>
struct ShapeOf<convolution::Case<T>> {
  static constexpr double bytes = 400;
  static std::vector<std::string> names(std::string_view operation) {
    return convolution::names_of_lengths(convolution::kind_of(operation));
  }
  static std::string large(std::string_view operation) {
    const convolution::Kind& kind = convolution::kind_of(operation);
    if (kind.is_whole && !kind.is_plane()) return "m=4097,n=33;m=65537,n=3;m=513,n=511";
    if (kind.is_whole) return "h=65,w=63,r=3,s=5;h=1,w=65537,r=1,s=3;h=33,w=31,r=17,s=15";
    if (!kind.is_plane()) {
      return "b=1,g=1,ci=17,co=15,n=129,r=3;b=1,g=1,ci=1,co=1,n=65537,r=3;b=33,g=3,ci=3,co=5,n=31,r=7";
    }
    return "b=1,g=1,ci=17,co=15,h=17,w=15,r=3,s=3;b=1,g=1,ci=1,co=1,h=257,w=255,r=3,s=3;"
           "b=9,g=3,ci=3,co=5,h=7,w=9,r=1,s=7";
  }
  static double numbers(std::string_view operation, const AskedShape& shape) {
    double all = 1;
    for (const std::string& name : names(operation)) {
      const bool is_length =
          !name.starts_with("stride") && !name.starts_with("padding") && !name.starts_with("dilation");
      if (is_length) all *= longest_of(shape, name, 2);
    }
    return all;
  }
  static convolution::Case<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};

}  // namespace assay::contracts
