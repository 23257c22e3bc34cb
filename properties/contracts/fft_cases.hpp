#pragma once
// Cases and truths of discrete Fourier transforms. A complex number is two numbers, the real part first.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "oracle/fourier.hpp"
#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/rows.hpp"

namespace assay::contracts::fft {

using oracle::Ball;
using oracle::Dyadic;

/// The most complex numbers of a case.
inline constexpr std::int64_t most_points = 4096;

/// n complex numbers.
template <FloatingPoint T>
struct FftCase {
  std::vector<T> x;
  static constexpr auto fields() { return std::tuple{field("x", &FftCase::x)}; }
};

template <FloatingPoint T>
std::uint64_t points_of(const FftCase<T>& c) {
  return c.x.size() / 2;
}

// ------------------------------------------------------------------------------------------------------- truths

/// The transform of a case.
struct Transformed {
  std::vector<Dyadic> y;  ///< real and imaginary parts
  Dyadic radius;          ///< no number of y is off by more; 0 where y is the transform
};

/// Whether no number but the first complex one is different from 0.
inline bool is_first_alone(const std::vector<Dyadic>& x) {
  return std::all_of(x.begin() + std::min<std::ptrdiff_t>(2, std::ssize(x)), x.end(),
                     [](const Dyadic& each) { return each.is_zero(); });
}

/// The transform of 1, 2 or 4 complex numbers.
inline std::vector<Dyadic> exact_short_transform(const std::vector<Dyadic>& x) {
  const std::size_t n = x.size() / 2;
  std::vector<Dyadic> y(x.size());
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      Dyadic a = x[2 * j];
      Dyadic b = x[2 * j + 1];
      for (std::size_t quarters = j * k * (4 / n) % 4; quarters > 0; --quarters) {  // clockwise
        swap(a, b);
        b.negate();
      }
      y[2 * k] += a;
      y[2 * k + 1] += b;
    }
  }
  return y;
}

/// The midpoints of balls, and 0 in the place of those that 0 cannot be told from.
inline Transformed midpoints_of_transform(const std::vector<Dyadic>& x) {
  constexpr long bits = 128;
  const std::vector<Ball> balls = oracle::fourier(x, bits);
  oracle::Magnitude radius;
  for (const Ball& each : balls) radius = max(radius, oracle::Magnitude::radius(each));
  Transformed of{std::vector<Dyadic>(x.size()), radius.value()};
  for (std::size_t i = 0; i < x.size(); ++i) {
    arf_set(of.y[i].arf(), arb_midref(balls[i].get()));
    if (compare_abs(of.y[i], of.radius) <= 0) of.y[i] = Dyadic();
  }
  of.radius.mul_2exp(1);
  return of;
}

/// The transform: exact for n = 1, 2, 4 and where x₀ alone is not 0, else to about 2⁻¹²⁰ of the largest number. Of a
/// case that is not finite, the transform with 0 in the place of what is no number. That of the last case is kept in
/// the thread.
template <FloatingPoint T>
const Transformed& transformed(const FftCase<T>& c) {
  return kept<Transformed>(c, [&]() -> Transformed {
    std::vector<Dyadic> x;
    for (const T& each : finite_part(c.x)) x.push_back(value_of(each));
    const std::size_t n = x.size() / 2;
    if (n == 0) return {};
    if (is_first_alone(x)) {
      Transformed of;
      for (std::size_t i = 0; i < 2 * n; ++i) of.y.push_back(x[i % 2]);
      return of;
    }
    if (n == 1 || n == 2 || n == 4) return {exact_short_transform(x), Dyadic()};
    return midpoints_of_transform(x);
  });
}

template <FloatingPoint T>
std::vector<Dyadic> transform_of(const FftCase<T>& c) {
  return transformed(c).y;
}

// -------------------------------------------------------------------------------------------------------- facts

/// The norm of x lies between two powers of 2 with these exponents, where the bounds speak of it.
template <FloatingPoint T>
inline constexpr int lowest_norm = FloatTraits<T>::emin / 4;
template <FloatingPoint T>
inline constexpr int largest_norm = FloatTraits<T>::emax / 4;

/// What the bounds take of a case.
struct Facts {
  bool is_in_range = false;  ///< finite, n ≤ 2²⁴, and the norm of x as lowest_norm and largest_norm have it
  Dyadic norm;               ///< at least ‖y‖ = √n·‖x‖
  Dyadic sum;                ///< at least Σ|xⱼ|
};

template <FloatingPoint T>
Facts facts_from(const FftCase<T>& c) {
  if (!all_finite(c.x)) return {};
  Dyadic squares;
  oracle::Magnitude sum;
  for (std::size_t j = 0; j < c.x.size(); j += 2) {
    const Dyadic a = value_of(c.x[j]);
    const Dyadic b = value_of(c.x[j + 1]);
    const Dyadic square = a * a + b * b;
    squares += square;
    sum += sqrt(oracle::Magnitude(square));
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 24;
  Facts facts;
  facts.is_in_range = points_of(c) <= most && squares >= Dyadic::scaled(1, 2 * lowest_norm<T>) &&
                      squares <= Dyadic::scaled(1, 2 * largest_norm<T>);
  constexpr long bits = 64;
  facts.norm = sqrt(Ball(Dyadic(points_of(c)) * squares), bits).upper();
  facts.sum = sum.value();
  return facts;
}

/// The facts; those of the last case are kept in the thread.
template <FloatingPoint T>
const Facts& facts_of(const FftCase<T>& c) {
  return kept<Facts>(c, [&] { return facts_from(c); });
}

// ------------------------------------------------------------------------------------------------------- domain

/// Lengths: powers of 2, 3 and 5, primes, and others; sometimes 0 or 1, rarely thousands.
inline std::size_t draw_length(Draw& draw) {
  if (const auto asked = asked_length("n")) return static_cast<std::size_t>(*asked);
  static constexpr std::array<std::size_t, 7> threes{3, 9, 27, 81, 243, 729, 6};
  static constexpr std::array<std::size_t, 5> fives{5, 25, 125, 625, 10};
  static constexpr std::array<std::size_t, 12> primes{3, 7, 11, 13, 17, 31, 61, 67, 97, 127, 257, 521};
  const auto power = [&](int low, int high) { return std::size_t{1} << draw.between(low, high); };
  const std::uint64_t kind = draw.below(1000);
  if (kind < 300) return power(0, 5);
  if (kind < 480) return power(6, 9);
  if (kind < 495) return power(10, 12);
  if (kind < 620) return draw.below(13);
  if (kind < 720) return draw.below(65);
  if (kind < 800) return threes[draw.below(threes.size())];
  if (kind < 870) return fives[draw.below(fives.size())];
  if (kind < 990) return primes[draw.below(primes.size())];
  return draw.below(1500);
}

/// Numbers with exponents base − spread … base.
template <FloatingPoint T>
FftCase<T> draw_numbers(Draw& draw, int base, int spread) {
  FftCase<T> c;
  c.x.resize(2 * draw_length(draw));
  for (T& each : c.x) each = draw_number<T>(draw, Significand::any, base - static_cast<int>(draw.below(spread + 1)));
  return c;
}

/// Few numbers that are not 0, anywhere.
template <FloatingPoint T>
FftCase<T> draw_impulses(Draw& draw) {
  FftCase<T> c;
  const std::size_t n = draw_length(draw);
  c.x.resize(2 * n);
  if (n == 0) return c;
  static constexpr std::array<std::size_t, 4> counts{1, 1, 2, 3};
  const std::size_t count = counts[draw.below(counts.size())];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = draw.one_in(4) ? 0 : draw.one_in(3) ? n - 1 : draw.below(n);
    c.x[2 * at] = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
    if (draw.coin()) c.x[2 * at + 1] = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  }
  return c;
}

/// Small integers, half of them 1, 2 or 4 complex ones.
template <FloatingPoint T>
FftCase<T> draw_integers(Draw& draw) {
  FftCase<T> c;
  const bool is_short = draw.coin() && !asked_length("n");
  c.x.resize(2 * (is_short ? std::size_t{1} << draw.between(0, 2) : draw_length(draw)));
  for (T& each : c.x) each = static_cast<T>(draw.between(-9, 9));
  return c;
}

/// The same complex number, turned by the same number of quarters from each place to the next.
template <FloatingPoint T>
FftCase<T> draw_quarter_turns(Draw& draw) {
  FftCase<T> c;
  const std::size_t n = draw_length(draw);
  T a = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  T b = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  const std::uint64_t quarters = draw.below(4);
  for (std::size_t j = 0; j < n; ++j) {
    c.x.push_back(a);
    c.x.push_back(b);
    for (std::uint64_t i = 0; i < quarters; ++i) a = -std::exchange(b, a);
  }
  return c;
}

/// Real numbers: +0 or −0 as imaginary parts.
template <FloatingPoint T>
FftCase<T> draw_real(Draw& draw) {
  FftCase<T> c = draw_numbers<T>(draw, draw.between(-2, 4), 3);
  const T zero = compose<T>(draw.one_in(4), 0, 0);
  for (std::size_t i = 1; i < c.x.size(); i += 2) c.x[i] = zero;
  return c;
}

template <FloatingPoint T>
Domain<FftCase<T>> fft_domain() {
  using Case = FftCase<T>;
  constexpr int p = FloatTraits<T>::precision;
  return {
      .classes = {{"numbers of one size", 4,
                   drawn<Case>([](Draw& draw) { return draw_numbers<T>(draw, draw.between(-4, 4), 1); })},
                  {"numbers of many sizes", 2, drawn<Case>([](Draw& draw) { return draw_numbers<T>(draw, 4, 2 * p); })},
                  {"few numbers that are not 0", 4, drawn<Case>(draw_impulses<T>)},
                  {"small integers", 2, drawn<Case>(draw_integers<T>)},
                  {"quarter turns", 2, drawn<Case>(draw_quarter_turns<T>)},
                  {"real numbers", 2, drawn<Case>(draw_real<T>)},
                  {"near the ends of the range", 1, drawn<Case>([](Draw& draw) {
                     return draw_numbers<T>(draw, draw.coin() ? lowest_norm<T> + 1 : largest_norm<T> - 9, 1);
                   })},
                  {"NaN or infinities", 2, drawn<Case>([](Draw& draw) {
                     Case c = draw_numbers<T>(draw, 2, 3);
                     put_exceptional(draw, c.x);
                     return c;
                   })}},
      .contains = [](const Case& c) { return c.x.size() % 2 == 0 && std::ssize(c.x) <= most_of(2 * most_points); },
      .features = {{"log2 of n, rounded up", 0, 13, 13,
                    [](const Case& c) {
                      const std::uint64_t n = points_of(c);
                      return static_cast<double>(std::bit_width(n == 0 ? n : n - 1));
                    }}},
      .axes =
          [](const Case&) {
            return Axes{{{"x", {{"point"}}, 2, false}}};
          },
      .accepts = "up to 4096 complex numbers, each a real and an imaginary part; any numbers, infinities and NaNs"};
}

}  // namespace assay::contracts::fft

namespace assay::contracts {

template <FloatingPoint T>
struct ShapeOf<fft::FftCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static double numbers(const AskedShape& shape) { return 2 * longest_of(shape, "n", 0); }
  static fft::FftCase<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};

}  // namespace assay::contracts
