#pragma once
// Probes of triple-word arithmetic on all triple words of a window of toy formats, up to the exact symmetries of an
// operation. docs/bounds/small_formats.md defines this list.

#include <cstdint>

#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"
#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "exec/elementwise.hpp"
#include "probes/dw/every.hpp"
#include "probes/listed.hpp"
#include "probes/stream.hpp"
#include "probes/words.hpp"

namespace assay::probes::triple {

/// Triple words whose leading word lies in [1, 2), by number, each once: for each leading word the next word is 0, or
/// has any significand, either sign and an exponent p … p + depth − 1 below. The third word is 0, or is drawn in the
/// same way below the second one.
template <class T, int depth>
struct EveryTripleWord {
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr std::uint64_t significands = std::uint64_t{1} << (p - 1);
  static constexpr std::uint64_t low_words = 2 * significands * depth;
  static constexpr std::uint64_t tails = 1 + low_words * (1 + low_words);
  static constexpr std::uint64_t size = significands * tails;

  /// Triple word i times ±2^k.
  ASSAY_HD static constexpr TripleWord<T> at(std::uint64_t i, int k, bool negative) {
    const T x0 = number<T>(negative, significands + i / tails, k);
    const std::uint64_t tail = i % tails;
    if (tail == 0) return {x0, T(0), T(0)};
    const std::uint64_t second = (tail - 1) / (1 + low_words);
    const std::uint64_t third = (tail - 1) % (1 + low_words);
    const T x1 = below(k, second, negative);
    if (third == 0) return {x0, x1, T(0)};
    return {x0, x1, below(exponent_below(k, second), third - 1, negative)};
  }

 private:
  /// The exponent of low word i of a word with the exponent e.
  ASSAY_HD static constexpr int exponent_below(int e, std::uint64_t i) {
    return e - p - static_cast<int>(i / (2 * significands));
  }
  /// Low word i of a word with the exponent e.
  ASSAY_HD static constexpr T below(int e, std::uint64_t i, bool negative) {
    const bool opposite = i / significands % 2 != 0;
    return number<T>(opposite != negative, significands + i % significands, exponent_below(e, i));
  }
};

/// Every triple word x of these with ±y·2^k, |k| ≤ gaps, y one of them.
template <class T, int depth, int gaps>
struct EveryPair {
  using Case = TwTw<T>;
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all triple words of the window, all gaps, both signs"};
  using Word = EveryTripleWord<T, depth>;
  static constexpr std::uint64_t seconds = Word::size * 2 * (2 * gaps + 1);
  ASSAY_HD static constexpr std::uint64_t size(int) { return Word::size * seconds; }
  ASSAY_HD static constexpr TwTw<T> at(int, std::uint64_t number) {
    const std::uint64_t second = number % seconds;
    const std::uint64_t rest = second / Word::size;
    return {Word::at(number / seconds, 0, false),
            Word::at(second % Word::size, static_cast<int>(rest / 2) - gaps, (rest & 1) != 0)};
  }
};

/// Every x of the list X with every triple word y of these: the factors ±2^k of each operand are symmetries.
template <class X, class T, int depth>
struct EveryProduct {
  using Word = EveryTripleWord<T, depth>;
  using Case = OperandsOf<decltype(X::at(0, 0, false)), TripleWord<T>>;
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all words of the window in [1, 2]"};
  ASSAY_HD static constexpr std::uint64_t size(int) { return X::size * Word::size; }
  ASSAY_HD static constexpr Case at(int, std::uint64_t number) {
    return {X::at(number / Word::size, 0, false), Word::at(number % Word::size, 0, false)};
  }
};

/// |x1| < ulp(x0), |x2| < ulp(x1), and zeros last.
template <class T>
ASSAY_HD constexpr bool is_triple_word(const TripleWord<T>& x) {
  const auto follows = [](T high, T low) {
    return low == T(0) ||
           (!(high == T(0)) && assay::exponent(low) <= assay::exponent(high) - FloatTraits<T>::precision);
  };
  return follows(x.x0, x.x1) && follows(x.x1, x.x2);
}

/// The probe, which proves nothing if the result is not a triple word.
template <class Probe>
struct WithStructure : Probe {
  using typename Probe::Input;
  using typename Probe::Output;
  ASSAY_HD constexpr Scaled error(const Input& c, const Output& z) const {
    return is_triple_word(z) ? Probe::error(c, z) : Scaled{from_bits<double>(0x7FF0000000000000u), 0};
  }
};

/// The depth of the sums: 2p + 3 for p = 3. For p = 4 it is the deepest list below 10¹¹ cases.
template <class T>
inline constexpr int sum_depth = FloatTraits<T>::precision == 3 ? 9 : 4;
/// Gaps until the leading word of one operand lies p + 2 places below the last word of the other.
template <class T>
inline constexpr int sum_gaps = 3 * FloatTraits<T>::precision + 2 * sum_depth<T>;
/// The depth of the products: 2p + 3.
template <class T>
inline constexpr int product_depth = 2 * FloatTraits<T>::precision + 3;

template <class T>
using EverySumOf = EveryPair<T, sum_depth<T>, sum_gaps<T>>;
template <class T>
using EveryProductOf = EveryProduct<EveryTripleWord<T, product_depth<T>>, T, product_depth<T>>;
template <class T>
using EveryDoubleWordProductOf = EveryProduct<dw::EveryDoubleWord<T, product_depth<T>>, T, product_depth<T>>;

template <class T>
using EveryAdd = WithStructure<ListedAddition<EverySumOf<T>, assay::triple::add<T>>>;
template <class T>
using EveryMulAccurate =
    WithStructure<ListedMultiplication<EveryProductOf<T>, assay::triple::mul_accurate<TripleWord<T>, T>>>;
template <class T>
using EveryMulFast = WithStructure<ListedMultiplication<EveryProductOf<T>, assay::triple::mul_fast<TripleWord<T>, T>>>;
template <class T>
using EveryMulDwAccurate =
    WithStructure<ListedMultiplication<EveryDoubleWordProductOf<T>, assay::triple::mul_accurate<DoubleWord<T>, T>>>;
template <class T>
using EveryMulDwFast =
    WithStructure<ListedMultiplication<EveryDoubleWordProductOf<T>, assay::triple::mul_fast<DoubleWord<T>, T>>>;

using ProbesOfAll = Operations<EveryAdd, EveryMulAccurate, EveryMulFast, EveryMulDwAccurate, EveryMulDwFast>;

}  // namespace assay::probes::triple
