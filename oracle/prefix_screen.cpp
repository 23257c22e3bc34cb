#include "oracle/prefix_screen.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "oracle/decode.hpp"

namespace assay::oracle {
namespace {

/// A number of the format, which binary64 has, too; a NaN for an infinity.
class NumberReader {
 public:
  explicit NumberReader(const Format& format) : format_(format), below_(std::ldexp(1.0, format.emin - fraction())) {}

  [[nodiscard]] double operator()(std::uint64_t bits) const {
    if (format_ == binary64) return std::bit_cast<double>(bits);
    if (format_ == binary32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    const std::uint64_t field = (bits & format_.exponent_mask()) >> fraction();
    const std::uint64_t significand = (bits & format_.fraction_mask()) | (field == 0 ? 0 : format_.fraction_mask() + 1);
    if ((bits & format_.exponent_mask()) == format_.exponent_mask()) return std::nan("");
    const double magnitude = std::ldexp(static_cast<double>(significand),
                                        format_.emin - fraction() + static_cast<int>(field == 0 ? 0 : field - 1));
    return (bits & format_.sign_mask()) != 0 ? -magnitude : magnitude;
  }
  /// The distance of a finite number to the nearer one of its neighbors.
  [[nodiscard]] double gap(std::uint64_t bits) const {
    const std::uint64_t field = (bits & format_.exponent_mask()) >> fraction();
    const bool is_power = (bits & format_.fraction_mask()) == 0 && field > 1;
    return std::ldexp(below_, field == 0 ? 0 : static_cast<int>(field) - 1 - (is_power ? 1 : 0));
  }

 private:
  [[nodiscard]] int fraction() const { return format_.fraction_bits(); }
  Format format_;
  double below_;
};

/// What may be between a result and the sum; for the roundings, less than that.
double allowed(const PrefixRule& rule, const NumberReader& read, std::uint64_t bits) {
  switch (rule.kind) {
    case PrefixRule::Kind::within:
      return rule.bound;
    case PrefixRule::Kind::stored:
      return std::max(rule.bound, read.gap(bits) / 2);
    case PrefixRule::Kind::rounded:
      return read.gap(bits) / 2;
    default:
      return read.gap(bits);
  }
}

}  // namespace

PrefixScreen screen_prefixes(const Format& format, const Strided& x, const Strided& got, std::size_t n,
                             const Dyadic& start, double largest, bool is_exact, const PrefixRule& rule) {
  constexpr double up = 1 + 0x1p-50;
  const NumberReader read(format);
  const bool is_strict = rule.kind != PrefixRule::Kind::within;
  double high = start.to_double_nearest();
  double low = (start - exact(high)).to_double_nearest();
  PrefixScreen found;
  for (std::size_t i = 0; i < n; ++i) {
    const double term = read(bits_at(x, i, format));
    // (s, e) = high + term; then the low word joins the error.
    const double s = high + term;
    const double rest = s - high;
    const double e = (high - (s - rest)) + (term - rest);
    const double v = low + e;
    high = s + v;
    low = v - (high - s);
    const double radius = is_exact ? 0 : static_cast<double>(i + 2) * 0x1p-104 * largest;
    const std::uint64_t bits = bits_at(got, i, format);
    const double first = read(bits) - high;
    const double second = first - low;
    // Where `first` is rounded, |got − high| is at least |high|/2 (Sterbenz), so that `second` is nearly as large.
    const double error = std::abs(second) * up;
    const double most = allowed(rule, read, bits);
    const double above = second == 0 && first == 0 ? radius : (error + radius) * up;
    const bool is_decided = is_strict ? above < most : above <= most;
    if (!is_decided) {  // or a NaN
      found.open.push_back(i);
    } else if (above > found.share * most) {
      found.share = above / most;
      found.nearest = i;
    }
  }
  return found;
}

}  // namespace assay::oracle
