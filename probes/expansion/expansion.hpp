#pragma once
// Probes of sums of expansions of 2 to 8 words, and of products, quotients and roots of 2 to 4. The certified
// operations claim a relative error; the quick sum claims an error relative to |x₀| + |y₀|.

#include "arith/expansion/expansion.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_word_sums.hpp"
#include "probes/words.hpp"

namespace assay::probes::expansion {

inline constexpr int most_summed = 8;
inline constexpr int most_multiplied = 4;

/// Expansions with first words of the range. The other words are normal numbers, and words of factors are at least
/// 2⁻⁴⁸⁴, so that no product is below 2⁻⁹⁶⁹.
template <int lowest>
struct Draws : WordSumDraws {
  static constexpr bool moves = false;  // the properties have these cases in another form
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    constexpr int normal = FloatTraits<typename NumberOf<decltype(Case::x)>::Type>::emin;
    return WordSumDraws::draw<Case>(stream, input_class, range, Range{lowest > normal ? lowest : normal, range.high});
  }
};
using Summands = Draws<-1022>;
using Factors = Draws<-484>;

/// One operand above 0: −x for a drawn x below 0.
struct Radicands : Factors {
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    Case c = Factors::draw<Case>(stream, input_class, range);
    if (c.x.x[0] < 0) {
      for (auto& word : c.x.x) word = -word;
    }
    return c;
  }
};

/// Op(x, y) against x + y, relative to |x₀| + |y₀|.
template <class Draws, class Case, auto Op>
using AdditionByFirstWords = AdditionByMagnitudes<Draws, Case, Op, OfFirstWord>;

/// The probes for n words.
template <int n>
struct OfWords {
  template <class T>
  using Two = OperandsOf<Expansion<T, n>, Expansion<T, n>>;
  template <class T>
  using One = OperandOf<Expansion<T, n>>;

  template <class T>
  using CertifiedAdd = Addition<Summands, Two<T>, assay::expansion::certified_add<n, T, n, n>>;
  template <class T>
  using QuickAdd = AdditionByFirstWords<Summands, Two<T>, assay::expansion::quick_add<n, T, n, n>>;
  template <class T>
  using CertifiedMul = Multiplication<Factors, Two<T>, assay::expansion::certified_mul<n, T, n, n>>;
  template <class T>
  using TruncatedMul = Multiplication<Factors, Two<T>, assay::expansion::truncated_mul<n, T, n, n>>;
  template <class T>
  using Div = Division<Factors, Two<T>, assay::expansion::div<n, T, n, n>>;
  template <class T>
  using Reciprocal = probes::Reciprocal<Factors, One<T>, assay::expansion::reciprocal<n, T, n>>;
  template <class T>
  using Sqrt = SquareRoot<Radicands, One<T>, assay::expansion::sqrt<n, T, n>>;

  using Sums = Operations<CertifiedAdd, QuickAdd>;
  using Products = Operations<CertifiedMul, TruncatedMul, Div, Reciprocal, Sqrt>;
};

}  // namespace assay::probes::expansion
