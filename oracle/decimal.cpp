#include "oracle/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "oracle/decode.hpp"
#include "oracle/gmp_value.hpp"
#include "oracle/rational.hpp"
#include "oracle/round.hpp"

namespace assay::oracle {
namespace {

/// x to `digits` decimal digits: |x| ≈ 0.ddd · 10^e.
struct Digits {
  std::string text;
  long e = 0;
};

Digits digits_of(const Dyadic& x, int digits) {
  const ExponentRange restored_at_the_end;
  Integer m;
  long e = 0;
  significand(x, m, e);
  mpz_abs(m.z, m.z);
  Float f(std::max(2L, x.bit_length()));
  mpfr_set_z_2exp(f.f, m.z, e, MPFR_RNDN);
  Digits result;
  mpfr_exp_t exponent = 0;
  char* const text = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), f.f, MPFR_RNDN);
  result.text = text;
  result.e = exponent;
  mpfr_free_str(text);
  return result;
}

std::string scientific(bool negative, const Digits& digits) {
  std::string text = negative ? "-" : "";
  text += digits.text.substr(0, 1);
  const std::size_t last = digits.text.find_last_not_of('0');
  if (last >= 1) text.append(".").append(digits.text, 1, last);
  return text.append("e").append(std::to_string(digits.e - 1));
}

Rational value_of(const Digits& digits) {
  mpq_t q;
  mpq_init(q);
  mpz_set_str(mpq_numref(q), digits.text.c_str(), 10);
  const long power = digits.e - static_cast<long>(digits.text.size());
  Integer ten;
  mpz_ui_pow_ui(ten.z, 10, static_cast<unsigned long>(power < 0 ? -power : power));
  if (power < 0) {
    mpz_set(mpq_denref(q), ten.z);
  } else {
    mpz_mul(mpq_numref(q), mpq_numref(q), ten.z);
  }
  mpq_canonicalize(q);
  Rational result;
  fmpq_set_mpq(result.get(), q);
  mpq_clear(q);
  return result;
}

std::string hexadecimal(std::uint64_t value) {
  char text[16];
  return {text, std::to_chars(text, text + sizeof text, value, 16).ptr};
}

/// The sign and what follows it.
bool take_minus(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  return negative;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

template <class T>
bool parse_whole(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

/// A hexadecimal float without its sign, 0xh.hhhp±d. False if it is not a hexadecimal float.
bool parse_magnitude(std::string_view text, Dyadic& value) {
  if (!text.starts_with("0x")) return false;
  text.remove_prefix(2);
  const std::size_t p = text.find('p');
  if (p == std::string_view::npos) return false;
  std::string_view exponent_text = text.substr(p + 1);
  if (exponent_text.starts_with('+')) {
    exponent_text.remove_prefix(1);
    if (exponent_text.starts_with('-')) return false;
  }
  int exponent = 0;
  if (!parse_whole(exponent_text, exponent, 10)) return false;
  long after_point = 0;
  bool point = false;
  bool any = false;
  for (const char c : text.substr(0, p)) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    const int digit = hex_digit(c);
    if (digit < 0) return false;
    value.mul_2exp(4);
    value += digit;
    any = true;
    if (point) after_point += 4;
  }
  value.mul_2exp(exponent - after_point);
  return any;
}

}  // namespace

std::string decimal(const Dyadic& x, int digits) {
  return x.is_zero() ? "0" : scientific(x.sign() < 0, digits_of(x, digits));
}

std::string shortest_decimal(const Format& format, std::uint64_t bits) {
  const Decoded x = decode(format, bits);
  const std::string sign = x.negative ? "-" : "";
  if (x.kind == Decoded::Kind::nan) return sign + "nan";
  if (x.kind == Decoded::Kind::infinite) return sign + "inf";
  if (x.value.is_zero()) return sign + "0";
  const std::uint64_t magnitude = bits & (format.sign_mask() - 1);
  for (int n = 1;; ++n) {
    const Digits digits = digits_of(x.value, n);
    if (round(value_of(digits), format, Rounding::nearest) == magnitude) return scientific(x.negative, digits);
  }
}

std::string to_hex(const Format& format, std::uint64_t bits) {
  const std::string sign = is_negative(format, bits) ? "-" : "";
  const std::uint64_t fraction = bits & format.fraction_mask();
  switch (kind_of(format, bits)) {
    case Decoded::Kind::nan: {
      const std::uint64_t field = (bits & format.exponent_mask());
      if (field == format.exponent_mask()) return sign + "nan:0x" + hexadecimal(fraction);
      return sign + "nan:0x" + hexadecimal(field | fraction);
    }
    case Decoded::Kind::infinite:
      return sign + "inf";
    case Decoded::Kind::finite:
      break;
  }
  const auto field = static_cast<long>((bits & format.exponent_mask()) >> format.fraction_bits());
  if (field == 0 && fraction == 0) return sign + "0x0p+0";
  std::string text = sign + (field == 0 ? "0x0" : "0x1");
  if (fraction != 0) {
    const int digits = (format.fraction_bits() + 3) / 4;
    std::string tail = hexadecimal(fraction << (4 * digits - format.fraction_bits()));
    tail.insert(0, static_cast<std::size_t>(digits) - tail.size(), '0');
    text.append(".").append(tail, 0, tail.find_last_not_of('0') + 1);
  }
  const long exponent = format.emin + std::max(field - 1, 0L);
  return text.append(exponent < 0 ? "p" : "p+").append(std::to_string(exponent));
}

std::uint64_t parse_hex(const Format& format, std::string_view text) {
  const auto wrong = [whole = std::string(text), &format] {
    return std::invalid_argument("'" + whole + "' is no " + name(format) + " number");
  };
  const bool negative = take_minus(text);
  const std::uint64_t sign = negative ? format.sign_mask() : 0;
  constexpr std::string_view nan = "nan:0x";
  if (text == "inf" && format.has_infinity()) return sign | format.infinity();
  if (text.starts_with(nan)) {
    std::uint64_t payload = 0;
    if (!parse_whole(text.substr(nan.size()), payload, 16)) throw wrong();
    const std::uint64_t magnitude = payload <= format.fraction_mask() ? format.exponent_mask() | payload : payload;
    if (magnitude >= format.sign_mask() || !is_nan(format, magnitude)) throw wrong();
    return sign | magnitude;
  }
  Dyadic value;
  if (!parse_magnitude(text, value)) throw wrong();
  const std::uint64_t magnitude = round(value, format, Rounding::zero);
  if (decode_finite(format, magnitude) != value) throw wrong();
  return sign | magnitude;
}

}  // namespace assay::oracle
