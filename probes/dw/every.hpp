#pragma once
// Probes of double-word arithmetic on all double words of toy formats, up to the exact symmetries of an operation.
// docs/bounds/small_formats.md proves that these are all.

#include <cstdint>

#include "arith/float/small_float.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_words.hpp"
#include "probes/listed.hpp"
#include "probes/words.hpp"

namespace assay::probes::dw {

/// Double words whose high word lies in [1, 2), by number: for each high word the low word 0, and low words with every
/// significand, either sign and exponents −p down to −p − depth. If the two are not a double word, the low word is 0
/// instead.
template <class T, int depth>
struct EveryDoubleWord {
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr std::uint64_t significands = std::uint64_t{1} << (p - 1);
  static constexpr std::uint64_t low_words = 1 + 2 * significands * (depth + 1);
  static constexpr std::uint64_t size = significands * low_words;

  /// Word pair i times ±2^k.
  ASSAY_HD static constexpr DoubleWord<T> at(std::uint64_t i, int k, bool negative) {
    const T h = number<T>(negative, significands + i / low_words, k);
    const std::uint64_t low = i % low_words;
    if (low == 0) return {h, T(0)};
    const std::uint64_t rest = (low - 1) / significands;
    const T l = number<T>(((rest & 1) != 0) != negative, significands + (low - 1) % significands,
                          k - p - static_cast<int>(rest / 2));
    return {h, h + l == h ? l : T(0)};
  }
};

/// Every double word x of these with ±y·2^k, |k| ≤ gaps, y one of them.
template <class T, int depth, int gaps>
struct EveryPair {
  using Case = DwDw<T>;
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all double words, all gaps, both signs"};
  using Word = EveryDoubleWord<T, depth>;
  static constexpr std::uint64_t seconds = Word::size * 2 * (2 * gaps + 1);
  ASSAY_HD static constexpr std::uint64_t size(int) { return Word::size * seconds; }
  ASSAY_HD static constexpr DwDw<T> at(int, std::uint64_t number) {
    const std::uint64_t second = number % seconds;
    const std::uint64_t rest = second / Word::size;
    return {Word::at(number / seconds, 0, false),
            Word::at(second % Word::size, static_cast<int>(rest / 2) - gaps, (rest & 1) != 0)};
  }
};

/// Every double word x of these with every y of these: the factors ±2^k of each operand are symmetries.
template <class T, int depth>
struct EveryProduct {
  using Case = DwDw<T>;
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all double words of [1, 2]"};
  using Word = EveryDoubleWord<T, depth>;
  ASSAY_HD static constexpr std::uint64_t size(int) { return Word::size * Word::size; }
  ASSAY_HD static constexpr DwDw<T> at(int, std::uint64_t number) {
    return {Word::at(number / Word::size, 0, false), Word::at(number % Word::size, 0, false)};
  }
};

/// Op(x, y) against x/y.
template <class List, auto Op>
struct ListedDivision : ListedOperation<List, Op> {
  using typename ListedOperation<List, Op>::Output;
  ASSAY_HD constexpr Scaled error(const typename List::Case& c, const Output& z) const {
    return relative_to_dividend(words_of(z), words_of(c.y), words_of(c.x));
  }
};

/// Low words down to 2^(−3p − 3), gaps to 2p + 3.
template <class T>
inline constexpr int every_depth = 2 * FloatTraits<T>::precision + 3;
template <class T>
using EverySumOf = EveryPair<T, every_depth<T>, every_depth<T>>;
template <class T>
using EveryProductOf = EveryProduct<T, every_depth<T>>;

template <class T>
using EveryAccurateAdd = ListedAddition<EverySumOf<T>, assay::dw::accurate_add<T>>;
template <class T>
using EveryMul2 = ListedMultiplication<EveryProductOf<T>, assay::dw::mul2<T>>;
template <class T>
using EveryMul3 = ListedMultiplication<EveryProductOf<T>, assay::dw::mul3<T>>;
template <class T>
using EveryDiv2 = ListedDivision<EveryProductOf<T>, assay::dw::div2<T>>;

using ProbesOfAll = Operations<EveryAccurateAdd, EveryMul2, EveryMul3, EveryDiv2>;

}  // namespace assay::probes::dw
