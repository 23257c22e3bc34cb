#include "oracle/term_totals.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "oracle/decode.hpp"

namespace assay::oracle {
namespace {

template <class Word>
std::uint64_t load(const std::byte* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// f(Word{}) for the unsigned type of the format's patterns.
template <class F>
auto with_word(const Format& format, F&& f) {
  return format.width() == 64 ? f(std::uint64_t{}) : format.width() == 32 ? f(std::uint32_t{}) : f(std::uint16_t{});
}

/// (−1)^negative · m · 2^e, an infinity or a NaN.
struct TermFactor {
  std::uint64_t m;
  int e;
  bool negative;
  bool is_subnormal;
  bool is_infinite;
  bool is_nan;

  [[nodiscard]] bool is_finite() const { return !is_infinite && !is_nan; }
  [[nodiscard]] bool is_zero() const { return m == 0 && is_finite(); }
  [[nodiscard]] long leading() const { return e + static_cast<long>(std::bit_width(m)) - 1; }
  [[nodiscard]] long lowest() const { return e + std::countr_zero(m); }
};

/// Reads patterns of a format.
class TermReader {
 public:
  explicit TermReader(const Format& format)
      : exponent_(format.exponent_mask()),
        fraction_(format.fraction_mask()),
        sign_(format.sign_mask()),
        fraction_bits_(format.fraction_bits()),
        lowest_(format.emin - format.fraction_bits()) {}

  [[nodiscard]] TermFactor operator()(std::uint64_t bits) const {
    const std::uint64_t field = bits & exponent_;
    const std::uint64_t fraction = bits & fraction_;
    const bool is_normal = field != 0;
    return {.m = is_normal ? fraction | (fraction_ + 1) : fraction,
            .e = lowest_ + (is_normal ? static_cast<int>(field >> fraction_bits_) - 1 : 0),
            .negative = (bits & sign_) != 0,
            .is_subnormal = !is_normal,
            .is_infinite = field == exponent_ && fraction == 0,
            .is_nan = field == exponent_ && fraction != 0};
  }

 private:
  std::uint64_t exponent_, fraction_, sign_;
  int fraction_bits_, lowest_;
};

}  // namespace

std::uint64_t bits_at(const Strided& numbers, std::size_t i, const Format& format) {
  return with_word(format, [&]<class Word>(Word) { return load<Word>(numbers.from(i).data); });
}

template <class Word>
void TermTotals::add_numbers(const Strided& x, std::size_t n) {
  const TermReader read(format_);
  for (std::size_t i = 0; i < n; ++i) {
    const TermFactor a = read(load<Word>(x.from(i).data));
    if (!a.is_finite()) {
      (a.is_nan ? has_nan : has_infinity[a.negative ? 1 : 0]) = true;
    } else if (a.m != 0) {
      least = std::min(least, a.leading());
      most = std::max(most, a.leading());
      grid = std::min(grid, a.lowest());
      sum_.add(a.negative, a.m, a.e);
      if (a.is_subnormal) lost_.add(false, a.m, a.e);
    }
  }
}

template <class Word>
void TermTotals::add_products(const Strided& x, const Strided& y, std::size_t n) {
  const TermReader read(format_);
  for (std::size_t i = 0; i < n; ++i) {
    const TermFactor a = read(load<Word>(x.from(i).data));
    const TermFactor b = read(load<Word>(y.from(i).data));
    const bool negative = a.negative != b.negative;
    if (!a.is_finite() || !b.is_finite()) {
      const bool makes_nan = a.is_nan || b.is_nan || a.is_zero() || b.is_zero();
      (makes_nan ? has_nan : has_infinity[negative ? 1 : 0]) = true;
    } else if (a.m != 0 && b.m != 0) {
      least = std::min({least, a.leading(), b.leading()});
      most = std::max({most, a.leading(), b.leading()});
      grid = std::min(grid, a.lowest() + b.lowest());
      const auto m = static_cast<LongSum::Significand>(a.m) * b.m;
      sum_.add(negative, m, a.e + b.e);
      if (a.is_subnormal || b.is_subnormal) lost_.add(false, m, a.e + b.e);
    }
  }
}

void TermTotals::add(const Strided& x, const Strided* y, std::size_t count) {
  n += count;
  with_word(format_,
            [&]<class Word>(Word) { y == nullptr ? add_numbers<Word>(x, count) : add_products<Word>(x, *y, count); });
}

void TermTotals::add(const TermTotals& other) {
  sum_.add(other.sum_);
  lost_.add(other.lost_);
  n += other.n;
  grid = std::min(grid, other.grid);
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  has_nan = has_nan || other.has_nan;
  for (const int sign : {0, 1}) has_infinity[sign] = has_infinity[sign] || other.has_infinity[sign];
}

}  // namespace assay::oracle
