#include "properties/catalog/expansion/decimal.hpp"

#include <charconv>
#include <stdexcept>

#include "oracle/decimal.hpp"
#include "oracle/round.hpp"
#include "properties/framework/structure.hpp"

namespace assay::expansion {

using oracle::Dyadic;
using oracle::Rational;

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument("not a decimal number: \"" + std::string(text) + "\"");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 10^n.
Dyadic power_of_ten(long n) {
  Dyadic result = 1;
  Dyadic square = 10;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result *= square;
    square *= square;
  }
  return result;
}

}  // namespace

Rational decimal_value(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  Dyadic digits;
  long places = 0;
  std::size_t count = 0;
  bool point = false;
  while (!rest.empty() && (is_digit(rest[0]) || (rest[0] == '.' && !point))) {
    if (rest[0] == '.') {
      point = true;
    } else {
      digits *= 10;
      digits += rest[0] - '0';
      ++count;
      places += point ? 1 : 0;
    }
    rest.remove_prefix(1);
  }
  if (count == 0) refuse(text);
  long exponent = 0;
  if (!rest.empty()) {
    if (rest[0] != 'e' && rest[0] != 'E') refuse(text);
    rest.remove_prefix(1);
    if (rest.starts_with('+') && rest.size() > 1 && is_digit(rest[1])) rest.remove_prefix(1);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    constexpr long most = 100000;
    if (error != std::errc() || end != rest.data() + rest.size() || exponent > most || exponent < -most) refuse(text);
  }
  exponent -= places;
  if (negative) digits.negate();
  return exponent >= 0 ? Rational(digits * power_of_ten(exponent)) : Rational(digits, power_of_ten(-exponent));
}

std::vector<std::uint64_t> nearest_words(const oracle::Format& format, Rational q, std::size_t k) {
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < k; ++i) {
    words.push_back(q.is_zero() ? 0 : oracle::round(q, format, oracle::Rounding::nearest));
    q -= Rational(oracle::decode_finite(format, words.back()));
  }
  return words;
}

template <FloatingPoint T>
std::string to_decimal(std::span<const T> x, int digits) {
  return oracle::decimal(sum_of_words(x), digits);
}
template <FloatingPoint T>
std::string to_exact_decimal(std::span<const T> x) {
  return oracle::to_string(sum_of_words(x));
}

template std::string to_decimal(std::span<const double>, int);
template std::string to_decimal(std::span<const float>, int);
template std::string to_exact_decimal(std::span<const double>);
template std::string to_exact_decimal(std::span<const float>);

}  // namespace assay::expansion
