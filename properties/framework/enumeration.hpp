#pragma once
// Enumerations of all inputs up to exact symmetries, for formats with few significands and a wide exponent range.
// docs/bounds/small_formats.md has the argument.

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/framework/generators.hpp"

namespace assay {

/// Every pattern of every operand: case i has the operands' patterns as digits of i, the last one lowest. Cases outside
/// `contains` are rejected; without `contains`, none is.
template <class Case, FloatingPoint T>
Enumeration<Case> every_pattern(SharedFunction<bool(const Case&)> contains = {}) {
  constexpr int width = format_of<T>().width();
  constexpr int operands = static_cast<int>(std::tuple_size_v<decltype(Case::fields())>);
  static_assert(width * operands < 64);
  return {
      .size = std::uint64_t{1} << (width * operands), .at = [contains](std::uint64_t i, Case& out) {
        int shift = width * operands;
        std::apply(
            [&](const auto&... each) {
              ((shift -= width, out.*(each.member) = number_of<T>((i >> shift) & ((std::uint64_t{1} << width) - 1))),
               ...);
            },
            Case::fields());
        return !contains || contains(out);
      }};
}

/// How many significands a normal number of T has.
template <FloatingPoint T>
constexpr std::uint64_t significands() {
  return std::uint64_t{1} << (FloatTraits<T>::precision - 1);
}

/// The i-th number of [2^exponent, 2^(exponent + 1)), with a sign. Requires: i < significands<T>() (not checked).
template <FloatingPoint T>
constexpr T number_at(std::uint64_t i, int exponent = 0, bool negative = false) {
  return compose<T>(negative, significands<T>() + i, exponent - FloatTraits<T>::precision + 1);
}

/// The second operands that are combined with numbers of [1, 2): every significand, both signs, exponents −gaps … gaps;
/// and 0.
template <FloatingPoint T>
constexpr std::uint64_t second_operands(int gaps) {
  return significands<T>() * 2 * static_cast<std::uint64_t>(2 * gaps + 1) + 1;
}
template <FloatingPoint T>
constexpr T second_operand_at(std::uint64_t i, int gaps) {
  if (i == second_operands<T>(gaps) - 1) {
    return T{};
  }
  const std::uint64_t m = i % significands<T>();
  const std::uint64_t rest = i / significands<T>();
  return number_at<T>(m, static_cast<int>(rest / 2) - gaps, (rest & 1) != 0);
}

/// Every a of [1, 2) with every second operand b; then a = 0 with b of [1, 2) and b = 0. Cases outside `contains` are
/// rejected.
template <FloatingPoint T>
Enumeration<Pair<T>> every_pair(int gaps, bool (*contains)(const Pair<T>&)) {
  const std::uint64_t seconds = second_operands<T>(gaps);
  const std::uint64_t first_part = significands<T>() * seconds;
  return {.size = first_part + significands<T>() + 1, .at = [=](std::uint64_t i, Pair<T>& out) {
            if (i < first_part) {
              out = {number_at<T>(i / seconds), second_operand_at<T>(i % seconds, gaps)};
            } else {
              const std::uint64_t m = i - first_part;
              out = {T{}, m == significands<T>() ? T{} : number_at<T>(m)};
            }
            return contains(out);
          }};
}

/// Every a of [1, 2).
template <FloatingPoint T>
Enumeration<Single<T>> every_number(bool (*contains)(const Single<T>&)) {
  return {.size = significands<T>(), .at = [=](std::uint64_t i, Single<T>& out) {
            out = {number_at<T>(i)};
            return contains(out);
          }};
}

/// Every a and b of [1, 2) with every c of second_operands().
template <FloatingPoint T>
Enumeration<Triple<T>> every_triple(int gaps, bool (*contains)(const Triple<T>&)) {
  const std::uint64_t thirds = second_operands<T>(gaps);
  return {.size = significands<T>() * significands<T>() * thirds, .at = [=](std::uint64_t i, Triple<T>& out) {
            const std::uint64_t ab = i / thirds;
            out = {number_at<T>(ab / significands<T>()), number_at<T>(ab % significands<T>()),
                   second_operand_at<T>(i % thirds, gaps)};
            return contains(out);
          }};
}

/// Every double word whose high word lies in [1, 2): low words 0, half the distance to the neighbor where that is a
/// tie toward the high word, and every significand of both signs with exponents −p − 1 (−p − 2 toward the nearer
/// neighbor of 1) down to −p − depth.
template <FloatingPoint T>
std::vector<DoubleWord<T>> every_double_word(int depth) {
  constexpr int p = FloatTraits<T>::precision;
  std::vector<DoubleWord<T>> all;
  for (std::uint64_t high = 0; high < significands<T>(); ++high) {
    const T h = number_at<T>(high);
    all.push_back({h, T{}});
    for (int exponent = -p - depth; exponent <= -p; ++exponent) {
      for (std::uint64_t low = 0; low < 2 * significands<T>(); ++low) {
        const DoubleWord<T> x{h, number_at<T>(low / 2, exponent, (low & 1) != 0)};
        if (is_double_word(x)) {
          all.push_back(x);
        }
      }
    }
  }
  return all;
}

/// ±x·2^k. Requires: no word leaves the normal range (not checked).
template <FloatingPoint T>
constexpr T moved(T x, int k, bool negative) {
  const NumberParts parts = parts_of(x);
  return compose<T>(parts.negative != negative, parts.significand, parts.exponent + k);
}
template <FloatingPoint T>
constexpr DoubleWord<T> moved(const DoubleWord<T>& x, int k, bool negative) {
  return {moved(x.h, k, negative), moved(x.l, k, negative)};
}

/// Every double word x of every_double_word() with every ±y·2^k, |k| ≤ gaps, y one of them too. With `one_sign`, `gaps`
/// is 0 and y has no sign, if both are exact symmetries of the operation.
template <FloatingPoint T>
Enumeration<DwDw<T>> every_double_word_pair(int depth, int gaps, bool one_sign) {
  const auto table = std::make_shared<const std::vector<DoubleWord<T>>>(every_double_word<T>(depth));
  const std::uint64_t count = table->size();
  const std::uint64_t signs = one_sign ? 1 : 2;
  const std::uint64_t seconds = count * signs * static_cast<std::uint64_t>(2 * gaps + 1);
  return {.size = count * seconds, .at = [=](std::uint64_t i, DwDw<T>& out) {
            const std::uint64_t second = i % seconds;
            const std::uint64_t rest = second / count;
            out = {(*table)[i / seconds],
                   moved((*table)[second % count], static_cast<int>(rest / signs) - gaps, rest % signs != 0)};
            return true;
          }};
}

/// Every double word x of every_double_word() with every number of second_operands(); with `one_sign`, only with
/// numbers of [1, 2).
template <FloatingPoint T>
Enumeration<DwFp<T>> every_double_word_and_number(int depth, int gaps, bool one_sign) {
  const auto table = std::make_shared<const std::vector<DoubleWord<T>>>(every_double_word<T>(depth));
  const std::uint64_t seconds = one_sign ? significands<T>() : second_operands<T>(gaps);
  return {.size = table->size() * seconds, .at = [=](std::uint64_t i, DwFp<T>& out) {
            const std::uint64_t second = i % seconds;
            out = {(*table)[i / seconds], one_sign ? number_at<T>(second) : second_operand_at<T>(second, gaps)};
            return true;
          }};
}

/// Every double word of every_double_word(), and twice each of them: roots depend on the parity of the exponent.
template <FloatingPoint T>
Enumeration<Dw<T>> every_radicand(int depth) {
  const auto table = std::make_shared<const std::vector<DoubleWord<T>>>(every_double_word<T>(depth));
  return {.size = 2 * table->size(), .at = [=](std::uint64_t i, Dw<T>& out) {
            out = {moved((*table)[i / 2], static_cast<int>(i % 2), false)};
            return true;
          }};
}

/// The domain of an enumeration: all its cases, and any other case that `contains` accepts.
template <class Case>
Domain<Case> exhaustive(Enumeration<Case> enumeration, SharedFunction<bool(const Case&)> contains,
                        std::string accepts) {
  return {.classes = {},
          .contains = std::move(contains),
          .enumeration = std::move(enumeration),
          .accepts = std::move(accepts)};
}

}  // namespace assay
