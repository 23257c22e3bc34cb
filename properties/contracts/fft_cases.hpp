#pragma once
// Cases of discrete Fourier transforms. A complex number is two numbers, the real part first.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/fft_transform.hpp"
#include "properties/contracts/rows.hpp"

namespace assay::contracts::fft {

using oracle::Ball;

/// The most points of a case.
inline constexpr std::int64_t most_points = 4096;

/// One signal of as many points as x has.
template <FloatingPoint T>
struct FftCase {
  std::vector<T> x;
  static constexpr auto fields() { return std::tuple{field("x", &FftCase::x)}; }
};

/// The numbers 0 … ⌊n/2⌋ of the transform of n real numbers.
template <FloatingPoint T>
struct HalfCase {
  std::int64_t n = 1;
  std::vector<T> x;
  static constexpr auto fields() { return std::tuple{field("n", &HalfCase::n), field("x", &HalfCase::x)}; }
};

/// Rows, one behind the other.
template <FloatingPoint T>
struct GridCase {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::vector<T> x;
  static constexpr auto fields() {
    return std::tuple{field("rows", &GridCase::rows), field("columns", &GridCase::columns), field("x", &GridCase::x)};
  }
};

/// The signals of a case, which have the same lengths.
struct Layout {
  std::uint64_t signals = 1;
  Lengths lengths;
};

// An operation `Of` has the type of its cases, its transform, its name, and layout(case).

/// Signals of complex numbers whose length follows from x.
template <FloatingPoint T>
Layout layout_of_points(const FftCase<T>& c, std::size_t words) {
  return {1, {1, c.x.size() / words}};
}

struct Forward {
  template <FloatingPoint T>
  using Case = FftCase<T>;
  static constexpr Transform transform{};
  static constexpr const char* name = "fft";
  static constexpr const char* accepts =
      "up to 4096 complex numbers, each a real and an imaginary part; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) { return layout_of_points(c, 2); }
};
struct Inverse {
  template <FloatingPoint T>
  using Case = FftCase<T>;
  static constexpr Transform transform{true, false};
  static constexpr const char* name = "ifft";
  static constexpr const char* accepts =
      "up to 4096 complex numbers, each a real and an imaginary part; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) { return layout_of_points(c, 2); }
};
struct OfReal {
  template <FloatingPoint T>
  using Case = FftCase<T>;
  static constexpr Transform transform{false, true};
  static constexpr const char* name = "rfft";
  static constexpr const char* accepts = "1 to 4096 real numbers; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) { return layout_of_points(c, 1); }
};
struct ToReal {
  template <FloatingPoint T>
  using Case = HalfCase<T>;
  static constexpr Transform transform{true, true};
  static constexpr const char* name = "irfft";
  static constexpr const char* accepts =
      "n from 1 to 4096, and ⌊n/2⌋ + 1 complex numbers; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) { return {1, {1, static_cast<std::uint64_t>(c.n)}}; }
};
struct OfRows {
  template <FloatingPoint T>
  using Case = GridCase<T>;
  static constexpr Transform transform{};
  static constexpr const char* name = "fft_rows";
  static constexpr const char* accepts =
      "rows of one complex number or more, up to 4096 in all; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) {
    return {static_cast<std::uint64_t>(c.rows), {1, static_cast<std::uint64_t>(c.columns)}};
  }
};
struct OfPlane {
  template <FloatingPoint T>
  using Case = GridCase<T>;
  static constexpr Transform transform{};
  static constexpr const char* name = "fft2";
  static constexpr const char* accepts =
      "rows and columns of complex numbers, from 1 to 4096 in all; any numbers, infinities and NaNs";
  static Layout layout(const auto& c) {
    return {1, {static_cast<std::uint64_t>(c.rows), static_cast<std::uint64_t>(c.columns)}};
  }
};

/// Whether the signals of the operation have two dimensions.
template <class Of>
inline constexpr bool is_plane = std::is_same_v<Of, OfPlane>;
template <class Of>
inline constexpr bool is_half = Of::transform.is_half;
template <class Of>
inline constexpr bool is_inverse = Of::transform.is_inverse;

/// How many numbers x has.
template <class Of>
std::size_t numbers_taken(const Layout& layout) {
  return layout.signals * numbers_taken(Of::transform, layout.lengths);
}
template <class Of>
std::size_t numbers_given(const Layout& layout) {
  return layout.signals * numbers_given(Of::transform, layout.lengths);
}

/// The numbers of signal s in an array of equally long ones.
template <class Number>
std::vector<Number> part_of(const std::vector<Number>& all, std::uint64_t signals, std::uint64_t s) {
  const auto length = static_cast<std::ptrdiff_t>(all.size() / std::max<std::uint64_t>(signals, 1));
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(s) * length;
  return {first, first + length};
}

/// Signal s of a case, whole, with 0 in the place of what is no number.
template <class Of>
std::vector<Dyadic> signal_of(const auto& c, std::uint64_t s) {
  const Layout layout = Of::layout(c);
  std::vector<Dyadic> taken;
  for (const auto& each : finite_part(part_of(c.x, layout.signals, s))) taken.push_back(value_of(each));
  return whole(Of::transform, layout.lengths, taken);
}

/// The transforms of all signals. Those of the last case are kept in the thread.
template <class Of>
const Transformed& transformed(const auto& c) {
  return kept<Transformed>(
      c,
      [&] {
        const Layout layout = Of::layout(c);
        Transformed all;
        for (std::uint64_t s = 0; s < layout.signals; ++s) {
          Transformed each = transformed(Of::transform, layout.lengths, signal_of<Of>(c, s));
          all.y.insert(all.y.end(), each.y.begin(), each.y.end());
          if (all.radius < each.radius) all.radius = each.radius;
        }
        return all;
      },
      Of());
}

// -------------------------------------------------------------------------------------------------------- facts

/// The norm of x lies between two powers of 2 with these exponents, where the bounds speak of it.
template <FloatingPoint T>
inline constexpr int lowest_norm = FloatTraits<T>::emin / 4;
template <FloatingPoint T>
inline constexpr int largest_norm = FloatTraits<T>::emax / 4;

/// What the bounds take of a signal.
struct Facts {
  bool is_zero = false;
  bool is_in_range = false;  ///< finite, n ≤ 2²⁴, the norm as the theorems have it, no imaginary part that is ignored
  Dyadic square;             ///< n‖x‖², by which ‖y‖² is this, or this over n² of an inverse
  Dyadic norm;               ///< at least ‖y‖
  Dyadic sum;                ///< at least Σ|xⱼ|, or this over n of an inverse
};

/// Whether the imaginary parts of y₀ and y_{n/2} are 0, which a transform to real numbers does not use.
template <FloatingPoint T>
bool has_real_ends(const std::vector<T>& x, const Lengths& lengths) {
  const std::size_t n = lengths.points();
  return x[1] == T{} && (n % 2 == 1 || x[n + 1] == T{});
}

template <class Of, FloatingPoint T>
Facts facts_from(const std::vector<T>& x, const std::vector<Dyadic>& signal, const Lengths& lengths) {
  const std::uint64_t n = lengths.points();
  if (n == 0 || !all_finite(x)) return {};
  Dyadic squares;
  oracle::Magnitude sum;
  for (std::size_t j = 0; j < signal.size(); j += 2) {
    const Dyadic square = signal[j] * signal[j] + signal[j + 1] * signal[j + 1];
    squares += square;
    sum += sqrt(oracle::Magnitude(square));
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 24;
  constexpr long bits = 64;
  Facts facts;
  facts.is_zero = squares.is_zero();
  facts.square = Dyadic(n) * squares;
  const Dyadic factor = is_inverse<Of> ? Dyadic(n) : Dyadic(1);
  facts.is_in_range = n <= most && squares >= factor * factor * Dyadic::scaled(1, 2 * lowest_norm<T>) &&
                      squares <= Dyadic::scaled(1, 2 * largest_norm<T>);
  facts.norm = div(sqrt(Ball(facts.square), bits), Ball(factor), bits).upper();
  facts.sum = div(Ball(sum.value()), Ball(factor), bits).upper();
  return facts;
}

/// The facts of every signal; those of the last case are kept in the thread.
template <class Of>
const std::vector<Facts>& facts_of(const auto& c) {
  return kept<std::vector<Facts>>(
      c,
      [&] {
        const Layout layout = Of::layout(c);
        std::vector<Facts> facts;
        for (std::uint64_t s = 0; s < layout.signals; ++s) {
          facts.push_back(facts_from<Of>(part_of(c.x, layout.signals, s), signal_of<Of>(c, s), layout.lengths));
        }
        return facts;
      },
      Of());
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

/// Rows and columns: powers of 2, small lengths, and a few longer ones.
inline Lengths draw_lengths(Draw& draw) {
  static constexpr std::array<std::uint64_t, 6> longer{9, 15, 25, 31, 64, 97};
  const auto length = [&](const char* name) -> std::uint64_t {
    if (const auto asked = asked_length(name)) return static_cast<std::uint64_t>(std::max<std::int64_t>(*asked, 1));
    const std::uint64_t kind = draw.below(8);
    if (kind < 4) return std::uint64_t{1} << draw.below(5);
    return kind < 7 ? 1 + draw.below(8) : longer[draw.below(longer.size())];
  };
  Lengths lengths{length("rows"), length("columns")};
  if (lengths.points() > most_points && !asked_length("rows")) lengths.rows = 1;
  return lengths;
}

/// A case of zeros. `is_short`: of length 1, 2 or 4.
template <class Of, FloatingPoint T>
auto draw_zeros(Draw& draw, bool is_short = false) {
  typename Of::template Case<T> c;
  const auto short_length = [&] { return std::int64_t{1} << draw.between(0, 2); };
  if constexpr (requires { c.rows; }) {
    const Lengths lengths = draw_lengths(draw);
    const bool is_asked = asked_length("rows") || asked_length("columns");
    c.rows = is_short && !is_asked ? short_length() : static_cast<std::int64_t>(lengths.rows);
    c.columns = is_short && !is_asked ? short_length() : static_cast<std::int64_t>(lengths.columns);
    c.x.resize(numbers_taken<Of>(Of::layout(c)));
    return c;
  } else {
    std::int64_t n = is_short && !asked_length("n") ? short_length() : static_cast<std::int64_t>(draw_length(draw));
    if (is_half<Of>) n = std::max<std::int64_t>(n, 1);
    if constexpr (requires { c.n; }) c.n = n;
    c.x.resize(numbers_taken(Of::transform, {1, static_cast<std::uint64_t>(n)}));
    return c;
  }
}

/// Numbers with exponents base − spread … base.
template <FloatingPoint T>
void put_numbers(Draw& draw, std::vector<T>& x, int base, int spread) {
  for (T& each : x) each = draw_number<T>(draw, Significand::any, base - static_cast<int>(draw.below(spread + 1)));
}

/// Few numbers that are not 0, anywhere.
template <FloatingPoint T>
void put_impulses(Draw& draw, std::vector<T>& x) {
  const std::size_t n = x.size() / 2;
  if (n == 0) return;
  static constexpr std::array<std::size_t, 4> counts{1, 1, 2, 3};
  const std::size_t count = counts[draw.below(counts.size())];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = draw.one_in(4) ? 0 : draw.one_in(3) ? n - 1 : draw.below(n);
    x[2 * at] = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
    if (draw.coin()) x[2 * at + 1] = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  }
}

/// The same complex number, turned by the same number of quarters from each place to the next.
template <FloatingPoint T>
void put_quarter_turns(Draw& draw, std::vector<T>& x) {
  T a = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  T b = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
  const std::uint64_t quarters = draw.below(4);
  for (std::size_t j = 0; j + 1 < x.size(); j += 2) {
    x[j] = a;
    x[j + 1] = b;
    for (std::uint64_t i = 0; i < quarters; ++i) a = -std::exchange(b, a);
  }
}

/// Real numbers: +0 or −0 as imaginary parts.
template <FloatingPoint T>
void put_real(Draw& draw, std::vector<T>& x) {
  put_numbers(draw, x, draw.between(-2, 4), 3);
  const T zero = compose<T>(draw.one_in(4), 0, 0);
  for (std::size_t i = 1; i < x.size(); i += 2) x[i] = zero;
}

/// Small integers.
template <FloatingPoint T>
void put_integers(Draw& draw, std::vector<T>& x) {
  for (T& each : x) each = static_cast<T>(draw.between(-9, 9));
}

/// A case whose numbers put(draw, x) writes. In most cases of half a transform the ends are real.
template <class Of, FloatingPoint T>
auto draw_case(Draw& draw, bool is_short, const auto& put) {
  auto c = draw_zeros<Of, T>(draw, is_short);
  put(draw, c.x);
  if constexpr (requires { c.n; }) {
    if (draw.one_in(5)) return c;
    c.x[1] = T{};
    if (c.n % 2 == 0) c.x[static_cast<std::size_t>(c.n) + 1] = T{};
  }
  return c;
}

/// How the list x lies along axes, for shrinking. Of half a transform no axis is told: n and x change together.
template <class Of>
Axes axes_of_signals() {
  constexpr std::size_t words = is_half<Of> ? 1 : 2;
  if constexpr (std::is_same_v<Of, OfRows> || is_plane<Of>) {
    return {{{"x", {{"column"}, {"row"}}, words, false}}, {{"rows", "row"}, {"columns", "column"}}, {}};
  } else if constexpr (std::is_same_v<Of, ToReal>) {
    return {};
  } else {
    return {{{"x", {{"point"}}, words, false}}};
  }
}

/// Whether x has the numbers that the lengths of a case say.
template <class Of>
bool has_lengths(const auto& c) {
  const std::int64_t most = most_of(most_points);
  if constexpr (requires { c.n; }) {
    if (c.n < 1 || c.n > most) return false;
  } else if constexpr (requires { c.rows; }) {
    if (c.rows < 1 || c.columns < 1 || c.rows > most / c.columns) return false;
  } else if (is_half<Of> && c.x.empty()) {
    return false;
  }
  const Layout layout = Of::layout(c);
  return c.x.size() == numbers_taken<Of>(layout) &&
         static_cast<std::int64_t>(layout.signals * layout.lengths.points()) <= most;
}

template <class Of, FloatingPoint T>
Domain<typename Of::template Case<T>> fft_domain() {
  using Case = typename Of::template Case<T>;
  using Numbers = std::vector<T>;
  constexpr int p = FloatTraits<T>::precision;
  const auto of = [](auto put) {
    return drawn<Case>([put](Draw& draw) { return draw_case<Of, T>(draw, false, put); });
  };
  const auto near_ends = [](Draw& draw, Numbers& x) {
    const int lowest = lowest_norm<T> + 1 + (is_inverse<Of> ? static_cast<int>(std::bit_width(x.size())) : 0);
    put_numbers(draw, x, draw.coin() ? lowest : largest_norm<T> - 9, 1);
  };
  const auto exceptional = [](Draw& draw, Numbers& x) {
    put_numbers(draw, x, 2, 3);
    put_exceptional(draw, x);
  };
  return {.classes = {{"numbers of one size", 4,
                       of([](Draw& draw, Numbers& x) { put_numbers(draw, x, draw.between(-4, 4), 1); })},
                      {"numbers of many sizes", 2, of([](Draw& draw, Numbers& x) { put_numbers(draw, x, 4, 2 * p); })},
                      {"few numbers that are not 0", 4, of(put_impulses<T>)},
                      {"small integers", 2,
                       drawn<Case>([](Draw& draw) { return draw_case<Of, T>(draw, draw.coin(), put_integers<T>); })},
                      {"quarter turns", 2, of(put_quarter_turns<T>)},
                      {"real numbers", 2, of(put_real<T>)},
                      {"near the ends of the range", 1, of(near_ends)},
                      {"NaN or infinities", 2, of(exceptional)}},
          .contains = [](const Case& c) { return has_lengths<Of>(c); },
          .features = {{"log2 of n, rounded up", 0, 13, 13,
                        [](const Case& c) {
                          const std::uint64_t n = Of::layout(c).lengths.points();
                          return static_cast<double>(std::bit_width(n == 0 ? n : n - 1));
                        }}},
          .axes = [](const Case&) { return axes_of_signals<Of>(); },
          .accepts = Of::accepts};
}

}  // namespace assay::contracts::fft

namespace assay::contracts {

template <FloatingPoint T>
struct ShapeOf<fft::FftCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static std::string large(std::string_view /*operation*/) { return "n=8192,8191,10000"; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return 2 * longest_of(shape, "n", 0);
  }
  static fft::FftCase<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};
template <FloatingPoint T>
struct ShapeOf<fft::HalfCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static std::string large(std::string_view /*operation*/) { return "n=8192,8191,10000"; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return longest_of(shape, "n", 0) + 2;
  }
  static fft::HalfCase<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};
template <FloatingPoint T>
struct ShapeOf<fft::GridCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"rows", "columns"}; }
  static std::string large(std::string_view /*operation*/) {
    return "rows=128,columns=64;rows=3,columns=4097;rows=101,columns=97";
  }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return 2 * longest_of(shape, "rows", 97) * longest_of(shape, "columns", 97);
  }
  static fft::GridCase<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};

}  // namespace assay::contracts
