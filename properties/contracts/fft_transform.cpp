#include "properties/contracts/fft_transform.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "oracle/fourier.hpp"
#include "oracle/magnitude.hpp"

namespace assay::contracts::fft {

using oracle::Ball;

namespace {

constexpr long bits = 128;

bool is_short(std::uint64_t n) { return n == 1 || n == 2 || n == 4; }

/// The transform of 1, 2 or 4 complex numbers.
std::vector<Dyadic> short_transform(const std::vector<Dyadic>& x) {
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

/// The transform of one line. Adds to `radius` how far a midpoint may be off.
std::vector<Dyadic> line_transform(const std::vector<Dyadic>& x, oracle::Magnitude& radius) {
  if (is_short(x.size() / 2)) return short_transform(x);
  const std::vector<Ball> balls = oracle::fourier(x, bits);
  std::vector<Dyadic> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    radius = max(radius, oracle::Magnitude::radius(balls[i]));
    arf_set(y[i].arf(), arb_midref(balls[i].get()));
  }
  return y;
}

/// Replaces `lines` lines of n complex numbers by their transforms. `step`: from a number of a line to the next;
/// `apart`: from the first number of a line to that of the next.
oracle::Magnitude transform_lines(std::vector<Dyadic>& x, std::size_t lines, std::size_t apart, std::size_t n,
                                  std::size_t step) {
  oracle::Magnitude radius;
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<Dyadic> of_line(2 * n);
    const auto place = [&](std::size_t i) { return 2 * (line * apart + i / 2 * step) + i % 2; };
    for (std::size_t i = 0; i < 2 * n; ++i) swap(of_line[i], x[place(i)]);
    of_line = line_transform(of_line, radius);
    for (std::size_t i = 0; i < 2 * n; ++i) swap(of_line[i], x[place(i)]);
  }
  return radius;
}

/// exp(−2πijk/n) in both dimensions. What the rows are off by, at most √2 times their radius in each complex number,
/// the columns add up.
Transformed forward(const Lengths& lengths, std::vector<Dyadic> x) {
  if (is_first_alone(x)) {
    for (std::size_t i = 2; i < x.size(); ++i) x[i] = x[i % 2];
    return {std::move(x), Dyadic()};
  }
  Dyadic radius = transform_lines(x, lengths.rows, lengths.columns, lengths.columns, 1).value();
  if (lengths.rows > 1) {
    const Dyadic of_columns = transform_lines(x, lengths.columns, 1, lengths.rows, lengths.columns).value();
    radius = Dyadic(2) * Dyadic(lengths.rows) * radius + of_columns;
  }
  return {std::move(x), std::move(radius)};
}

void conjugate(std::vector<Dyadic>& x) {
  for (std::size_t i = 1; i < x.size(); i += 2) x[i].negate();
}

/// Divides by n.
void divide(Transformed& of, std::uint64_t n) {
  of.radius.mul_2exp(1 - static_cast<long>(std::bit_width(n)));  // by at most n
  if (std::has_single_bit(n)) {
    for (Dyadic& each : of.y) each.mul_2exp(1 - static_cast<long>(std::bit_width(n)));
    return;
  }
  oracle::Magnitude radius;
  for (Dyadic& each : of.y) {
    const Ball quotient = div(Ball(each), Ball(Dyadic(n)), bits);
    radius = max(radius, oracle::Magnitude::radius(quotient));
    arf_set(each.arf(), arb_midref(quotient.get()));
  }
  of.radius += radius.value();
}

}  // namespace

std::size_t numbers_taken(const Transform& of, const Lengths& lengths) {
  return numbers_given({!of.is_inverse, of.is_half}, lengths);
}

std::size_t numbers_given(const Transform& of, const Lengths& lengths) {
  const std::uint64_t n = lengths.points();
  if (!of.is_half) return 2 * n;
  return of.is_inverse ? n : 2 * (n / 2 + 1);
}

std::uint64_t weight_of(const Transform& of, const Lengths& lengths, std::size_t i) {
  const std::size_t k = i / 2;
  return of.is_half && !of.is_inverse && k != 0 && 2 * k != lengths.points() ? 2 : 1;
}

std::vector<Dyadic> whole(const Transform& of, const Lengths& lengths, const std::vector<Dyadic>& taken) {
  if (!of.is_half) return taken;
  const std::size_t n = lengths.points();
  std::vector<Dyadic> all(2 * n);
  for (std::size_t k = 0; k < n; ++k) {
    if (!of.is_inverse) {
      all[2 * k] = taken[k];
      continue;
    }
    const std::size_t other = std::min(k, n - k);
    all[2 * k] = taken[2 * other];
    if (k == 0 || 2 * k == n) continue;
    all[2 * k + 1] = taken[2 * other + 1];
    if (other != k) all[2 * k + 1].negate();
  }
  return all;
}

bool is_first_alone(const std::vector<Dyadic>& x) {
  return std::all_of(x.begin() + std::min<std::ptrdiff_t>(2, std::ssize(x)), x.end(),
                     [](const Dyadic& each) { return each.is_zero(); });
}

Transformed transformed(const Transform& of, const Lengths& lengths, std::vector<Dyadic> signal) {
  if (signal.empty()) return {};
  if (of.is_inverse) conjugate(signal);
  Transformed result = forward(lengths, std::move(signal));
  if (of.is_inverse) {
    conjugate(result.y);
    divide(result, lengths.points());
  }
  if (!result.radius.is_zero()) {
    for (Dyadic& each : result.y) {  // 0 in the place of those that 0 cannot be told from
      if (compare_abs(each, result.radius) <= 0) each = Dyadic();
    }
    result.radius.mul_2exp(1);
  }
  if (of.is_half && of.is_inverse) {
    for (std::size_t i = 0; i < lengths.points(); ++i) swap(result.y[i], result.y[2 * i]);
  }
  result.y.resize(numbers_given(of, lengths));
  return result;
}

}  // namespace assay::contracts::fft
