#include <string>
#include <tuple>

#include "kernels/dw/double_word.hpp"
#include "kernels/eft/error_free.hpp"
#include "kernels/op/operations.hpp"
#include "tests/digests/fixed_inputs.hpp"

namespace assay {
namespace {

template <class T>
constexpr oracle::Format format{FloatTraits<T>::precision, FloatTraits<T>::emin, FloatTraits<T>::emax};

/// A normal number of T with the exponent, and sign and fraction from the bits.
template <class T>
T number(int exponent, std::uint64_t bits) {
  const oracle::Format& f = format<T>;
  const auto field = static_cast<std::uint64_t>(exponent - f.emin + 1);
  const std::uint64_t pattern =
      (bits & (f.sign_mask() | f.fraction_mask())) | (field << static_cast<unsigned>(f.fraction_bits()));
  return from_bits<T>(static_cast<typename FloatTraits<T>::Bits>(pattern));
}

/// Fills a number whose exponent is within p of 0.
template <class T>
void fill(Sequence& sequence, T& x) {
  constexpr int p = FloatTraits<T>::precision;
  const int exponent = static_cast<int>(sequence.next() % (2 * p + 1)) - p;
  x = number<T>(exponent, sequence.next());
}
/// Fills a double word: |x.l| < ulp(x.h)/2.
template <class T>
void fill(Sequence& sequence, DoubleWord<T>& x) {
  constexpr int p = FloatTraits<T>::precision;
  const int exponent = static_cast<int>(sequence.next() % 3);
  const int gap = p + 1 + static_cast<int>(sequence.next() % 2);
  x = {number<T>(exponent, sequence.next()), number<T>(exponent - gap, sequence.next())};
}

template <class T>
void add(Words& words, const T& x) {
  words.bits.push_back(static_cast<std::uint64_t>(to_bits(x)));
}
template <class T>
void add(Words& words, const DoubleWord<T>& x) {
  add(words, x.h);
  add(words, x.l);
}
template <class T>
void add(Words& words, const FmaError<T>& x) {
  add(words, x.r1);
  add(words, x.r2);
  add(words, x.r3);
}
template <class T>
void add(Words& words, const Product<T>& x) {
  add(words, x.p);
  add(words, x.e);
}

/// 256 operands of Op, an operation on numbers of T.
template <class T, class Op>
void run(const Executor& on, Digest& inputs, Digest& outputs) {
  std::vector<typename Op::Input> x(256);
  Words words{format<T>, Words::Shape::list, {}};
  Sequence sequence(21);
  for (auto& each : x) {
    std::apply(
        [&](const auto&... field) {
          (fill(sequence, each.*(field.member)), ...);
          (add(words, each.*(field.member)), ...);
        },
        Op::Input::fields());
  }
  inputs.add(words);
  words.bits.clear();
  for (const auto& each : elementwise<Op>(on, x)) add(words, each);
  outputs.add(with_one_nan(words));
}

/// The same operations for every T.
template <template <class> class... Ops>
struct OperationList {
  template <class... T>
  static Digests in(const Executor& on, std::uint64_t) {
    Digest inputs;
    Digest outputs;
    (all<T>(on, inputs, outputs), ...);
    return {inputs.value(), outputs.value()};
  }
  template <class T>
  static void all(const Executor& on, Digest& inputs, Digest& outputs) {
    (run<T, Ops<T>>(on, inputs, outputs), ...);
  }
};

using Basic = OperationList<op::Add, op::Sub, op::Mul, op::Div, op::Sqrt, op::Fma>;
using DoubleWords = OperationList<dw::DwMul1, dw::DwDiv1, dw::DwDiv2, dw::DwDiv3>;
using DoubleWordsOfFew =
    OperationList<dw::DwAccurateAdd, dw::DwAddFp, dw::DwMulFp1, dw::DwMulFp2, dw::DwMulFp3, dw::DwDivFp1, dw::DwDivFp2,
                  dw::DwDivFp3, dw::DwMul2, dw::DwMul3, dw::DwSloppyAdd, dw::DwSqrt>;

}  // namespace

std::vector<DigestSubject> small_formats() {
  return {
      {.name = "fixed_inputs.double_words_binary16", .run = DoubleWordsOfFew::in<binary16>},
      {.name = "fixed_inputs.double_words_few_bits", .run = DoubleWords::in<Toy<3>, Toy<4>, Toy<5>, binary16>},
      {.name = "fixed_inputs.err_fma_few_bits", .run = OperationList<eft::ErrFma>::in<Toy<3>, Toy<4>, Toy<7>, Toy<8>>},
      {.name = "fixed_inputs.masked_prod_few_bits", .run = OperationList<eft::MaskedProd>::in<Toy<3>, Toy<5>, Toy<7>>},
      {.name = "fixed_inputs.operations_few_bits", .run = Basic::in<Toy<3>, Toy<4>, Toy<5>, Toy<6>, Toy<7>, Toy<8>>},
  };
}

}  // namespace assay
