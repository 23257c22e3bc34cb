#pragma once
// Data on which another order of additions shows, and the rows that stand beside a row.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts {

/// Random words that are a function of the case.
bits::SplitMix64 words_of(const Record& record);

/// n terms of which about two thirds are 1 and −1, as many as of the other sign, and the others odd multiples of 2^(−q)
/// up to 5·2^(−q) in magnitude, in any order.
std::vector<double> terms_of_both_signs(bits::SplitMix64& next, std::size_t n, int q);

/// n terms above 0: one is 1, half of the others are from 0.3·2^(−q) to 6·2^(−q), and the rest from 2^(−6) to 1.
std::vector<double> terms_of_one_sign(bits::SplitMix64& next, std::size_t n, int q);

/// The q with which an order shows where sums of numbers of T are added in T, in binary32 for narrow numbers, and, for
/// a quarter of the words, in another format that kernels add in.
template <FloatingPoint T>
int bits_that_show(bits::SplitMix64& next) {
  if (next() % 4 != 0) return FloatTraits<Wide<T>>::precision;
  if (is_narrow<T>) return FloatTraits<T>::precision;
  return FloatTraits<T>::precision == FloatTraits<float>::precision ? 53 : 64;
}

/// The numbers nearest to x.
template <FloatingPoint T>
std::vector<T> nearest_of(const std::vector<double>& x) {
  std::vector<T> numbers;
  numbers.reserve(x.size());
  for (const double each : x) numbers.push_back(nearest_to<T>(oracle::exact(each)));
  return numbers;
}

/// A number that fills a row beside another: a NaN, an infinity, the largest number, 0 or 1, where the format has it.
template <FloatingPoint T>
T number_beside(std::uint64_t word) {
  constexpr oracle::Format of = format<T>;
  const std::uint64_t kind = word % 6;
  if (kind == 0 || (kind < 4 && !of.has_infinity())) return number_of<T>(of.nan());
  if (kind < 3) return number_of<T>(of.infinity() | (kind == 1 ? 0 : of.sign_mask()));
  if (kind == 3) return number_of<T>(of.infinity() - 1);
  return nearest_to<T>(oracle::Dyadic(kind == 4 ? 0 : 1));
}

}  // namespace assay::contracts
