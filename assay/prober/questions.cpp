#include "assay/prober/questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arith/bits/split_mix64.hpp"

namespace assay::prober {
namespace {

/// The places of three numbers in an operation: products, and c in each role.
std::vector<std::array<int, 3>> triples(const Unit& unit, const std::vector<int>& places) {
  std::vector<int> products;
  for (const int each : places) {
    if (each != unit.products) products.push_back(each);
  }
  const bool has_c = products.size() != places.size();
  std::vector<std::array<int, 3>> found;
  if (products.size() >= 3) {
    const int last = products.back();
    found.push_back({products[0], products[1], last});
    found.push_back({last, products[0], products[1]});
  }
  if (has_c && products.size() >= 2) {
    found.push_back({unit.products, products[0], products[1]});
    found.push_back({products[0], products[1], unit.products});
  }
  return found;
}

/// The exponent of the large numbers of a question.
int large_exponent(const Unit& unit) { return std::min(exponents_of(unit, false).largest, 30); }

/// Significands of small numbers: quarters distinguish rounding to nearest from directed rounding.
constexpr std::array small_significands{1.0, 1.25, 1.5, 1.75};
constexpr int most_binades = 40;

/// f(three places, small, exponent) for small numbers small·2^exponent of both signs below 2^large.
template <class F>
void each_small(const Unit& unit, const std::vector<int>& places, int large, const F& f) {
  const int least = exponents_of(unit, false).least;
  for (const std::array<int, 3>& at : triples(unit, places)) {
    for (int exponent = large - 1; exponent >= std::max(large - most_binades, least); --exponent) {
      for (const double small : small_significands) {
        f(at, small, exponent);
        f(at, -small, exponent);
      }
    }
  }
}

/// A number of the format with random fraction bits and the exponent, or the nearest such number.
double drawn(bits::SplitMix64& random, Number format, int exponent) {
  const oracle::Format f = format_of(format);
  exponent = std::min(exponent, f.emax - 1);
  const int fraction = std::min(f.fraction_bits(), exponent - (f.emin - f.fraction_bits()));
  if (fraction < 0) return 0;
  // Few bits half of the time: then sums are near ties and multiples of large powers of two.
  const std::uint64_t word = random();
  const int used = word & 1 ? fraction : std::min<int>(fraction, static_cast<int>((word >> 1) % 4));
  const auto significand = static_cast<double>((word >> 8) & ((std::uint64_t{1} << used) - 1));
  const double x = std::ldexp(1.0 + std::ldexp(significand, -used), exponent);
  return word & 0x80 ? -x : x;
}

/// Draws products of one class after the other.
class Draw {
 public:
  Draw(const Unit& unit, const std::vector<int>& places, std::uint64_t seed)
      : unit_(unit), places_(places), random_{seed}, range_(exponents_of(unit, false)) {
    const oracle::Format in = format_of(unit.input);
    lowest_ = 2 * (in.emin - in.fraction_bits());
    const oracle::Format out = format_of(unit.result);
    range_.largest = std::min(range_.largest, out.emax - 12);
    if (unit.result == Number::f16) range_.largest = out.emax - 3;
    range_.largest = std::min(range_.largest, 2 * (in.emax - 1));
  }

  Product next(std::size_t number) {
    Product product = zeros(unit_);
    const int wide = range_.largest - lowest_;
    switch (number % 6) {
      case 0:
        fill(product, center(8), 6);
        break;
      case 1:
        fill(product, center(40), 34);
        break;
      case 2:
        fill(product, center(40), 30);
        cancel(product);
        break;
      case 3:
        fill(product, center(40), 30);
        spoil(product);
        break;
      case 4:
        fill(product, range_.largest, wide);
        break;
      default:
        fill(product, std::min(range_.least + 4, range_.largest), 30);
        break;
    }
    return product;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(std::max(n, 1))); }

  /// An exponent from which `room` binades downward are normal results, if there are that many.
  int center(int room) {
    const int high = std::min(range_.largest, 60);
    const int low = std::min(std::max(range_.least, -60) + room, high);
    return low + below(high - low + 1);
  }

  void fill(Product& product, int high, int spread) {
    for (const int place : places_) {
      if (below(16) != 0) put_drawn(product, place, high - below(spread + 1));
    }
    if (!places_.empty()) put_drawn(product, places_[static_cast<std::size_t>(below(count()))], high);
  }

  int count() const { return static_cast<int>(places_.size()); }

  void put_drawn(Product& product, int place, int exponent) {
    if (place == unit_.products) {
      product.c = drawn(random_, unit_.result, exponent);
      return;
    }
    const auto at = static_cast<std::size_t>(place);
    const oracle::Format in = format_of(unit_.input);
    const int least = in.emin - in.fraction_bits();
    const int half = std::clamp(exponent / 2 + below(5) - 2, std::max(least, exponent - in.emax + 1), in.emax - 1);
    product.a[at] = drawn(random_, unit_.input, exponent - half);
    product.b[at] = drawn(random_, unit_.input, half);
  }

  /// In some pairs the second product becomes the negative of the first.
  void cancel(Product& product) {
    for (std::size_t i = 0; i + 1 < places_.size(); i += 2) {
      const int first = places_[i];
      const int second = places_[i + 1];
      if (second == unit_.products || below(3) == 0) continue;
      product.a[static_cast<std::size_t>(second)] = -product.a[static_cast<std::size_t>(first)];
      product.b[static_cast<std::size_t>(second)] = product.b[static_cast<std::size_t>(first)];
    }
  }

  /// Some products become zeros times large numbers.
  void spoil(Product& product) {
    const double large = std::ldexp(1.0, format_of(unit_.input).emax - 1);
    for (const int place : places_) {
      if (place == unit_.products || below(3) != 0) continue;
      const auto at = static_cast<std::size_t>(place);
      product.a[at] = below(2) != 0 ? 0.0 : large;
      product.b[at] = product.a[at] == 0 ? large : 0.0;
    }
  }

  const Unit& unit_;
  const std::vector<int>& places_;
  bits::SplitMix64 random_;
  Exponents range_;
  int lowest_;
};

}  // namespace

std::vector<Product> single_questions(const Unit& unit, const std::vector<int>& places) {
  std::vector<Product> questions;
  const Exponents range = exponents_of(unit, false);
  for (int exponent = std::max(range.least, -300); exponent <= std::min(range.largest, 300); ++exponent) {
    Product question = zeros(unit);
    put(question, unit, places[questions.size() % places.size()], 1, exponent);
    questions.push_back(std::move(question));
  }
  return questions;
}

std::vector<Product> alignment_questions(const Unit& unit, const std::vector<int>& places) {
  std::vector<Product> questions;
  const int large = large_exponent(unit) - 2;
  each_small(unit, places, large, [&](const std::array<int, 3>& at, double small, int exponent) {
    for (const double root : {1.0, 1.5}) {
      Product& question = questions.emplace_back(zeros(unit));
      put(question, unit, at[0], root, large, root);
      put(question, unit, at[1], -root, large, root);
      put(question, unit, at[2], small, exponent);
    }
  });
  return questions;
}

std::vector<Product> rounding_questions(const Unit& unit, const std::vector<int>& places) {
  std::vector<Product> questions;
  const int large = large_exponent(unit) - 4;
  each_small(unit, places, large, [&](const std::array<int, 3>& at, double small, int exponent) {
    for (const double root : {1.5, -1.5}) {
      Product& question = questions.emplace_back(zeros(unit));
      for (const int place : {at[0], at[1]}) put(question, unit, place, root, large, 1.5);
      put(question, unit, at[2], small, exponent);
    }
  });
  return questions;
}

std::vector<Product> floor_questions(const Unit& unit, const std::vector<int>& places) {
  std::vector<Product> questions;
  constexpr int last_bit = -149;  // the exponent of the least subnormal number of binary32
  const oracle::Format in = format_of(unit.input);
  if (unit.result != Number::f32 || 2 * in.emin > last_bit - most_binades) return questions;
  // tf32 has 11 bits, and wider formats may be cut to it.
  const int precision = std::min(in.precision, 11);
  for (int bits = 1; bits <= most_binades; ++bits) {
    const int chunks = (bits + precision - 1) / precision;
    std::vector<int> free;
    for (const int each : places) {
      if (each != unit.products) free.push_back(each);
    }
    if (static_cast<int>(free.size()) < chunks + 2) break;
    for (const double sign : {1.0, -1.0}) {
      Product question = zeros(unit);
      std::size_t next = 0;
      for (int from = 0; from < bits; from += precision) {
        const int length = std::min(precision, bits - from);
        put(question, unit, free[next++], sign * (2.0 - std::ldexp(1.0, 1 - length)), last_bit - from - 1);
      }
      for (int twice = 0; twice < 2; ++twice) put(question, unit, free[next++], sign, last_bit - bits - 1);
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

std::vector<Product> random_products(const Unit& unit, const std::vector<int>& places, std::size_t n,
                                     std::uint64_t seed) {
  Draw draw(unit, places, seed);
  std::vector<Product> products;
  for (std::size_t i = 0; i < n; ++i) products.push_back(draw.next(i));
  return products;
}

}  // namespace assay::prober
