// Kernels that compute one result for each element of an array, in binary64. n is the number of elements. The calls
// take arrays of the host: on a device their times include the copies to it and back.
#include <initializer_list>

#include "bench/curves/curve.hpp"
#include "exec/elementwise.hpp"
#include "kernels/dw/double_word.hpp"
#include "kernels/eft/error_free.hpp"
#include "kernels/elementary/elementary.hpp"
#include "kernels/expansion/expansion.hpp"
#include "kernels/expansion/quad_double.hpp"
#include "kernels/op/operations.hpp"
#include "kernels/pair/native_pair.hpp"
#include "kernels/triple/triple_word.hpp"

namespace assay::bench {
namespace {

/// The words of `count` elements: word j of an operand is 2^−53j times a number of [1/2, 1). `shape`: how many words
/// each operand of an element has.
std::vector<double> words_of(std::size_t count, std::initializer_list<int> shape) {
  Numbers number;
  std::vector<double> words;
  for (std::size_t i = 0; i < count; ++i) {
    for (const int operand : shape) {
      double scale = 1;
      for (int j = 0; j < operand; ++j, scale *= 0x1p-53) {
        const double x = number() * scale;
        words.push_back(j == 0 && x < 0 ? -x : x);
      }
    }
  }
  return words;
}

class Adder {
 public:
  explicit Adder(std::vector<Curve>& curves) : curves_(curves) {}

  /// An operation on each element. The limit of the host's memory is shown with it.
  template <class Op>
  void operator()(const std::string& name, std::initializer_list<int> shape) {
    using Input = typename Op::Input;
    using Output = typename Op::Output;
    constexpr double moved = sizeof(Input) + sizeof(Output);
    const std::vector<int> kept(shape);
    add(name, moved, [shape = shape_of(shape)](const Executor& on, std::size_t n) -> Call {
      const std::vector<double> words = shape(n);
      std::vector<Input> x(n);
      static_assert(sizeof(Input) % sizeof(double) == 0);
      std::copy_n(reinterpret_cast<const char*>(words.data()), n * sizeof(Input), reinterpret_cast<char*>(x.data()));
      return [on, x = std::move(x)] { keep(elementwise<Op>(on, x)); };
    });
  }

  /// An operation on expansions of k words.
  void expansion(const std::string& name, expansion::ExpansionOp op, int k, bool binary) {
    const double moved = (binary ? 3.0 : 2.0) * 8 * k;
    add(name, moved, [op, k, binary](const Executor& on, std::size_t n) -> Call {
      const std::vector<double> x = words_of(n, {k});
      const std::vector<double> y = binary ? words_of(n, {k}) : std::vector<double>();
      return [=] { keep(expansion::expansion_op<double>(on, op, k, x, y)); };
    });
  }

  void distillation(const std::string& name, expansion::Distillation what, int n_words, int m_words) {
    add(name, 8.0 * (n_words + m_words), [=](const Executor& on, std::size_t n) -> Call {
      const std::vector<double> x = words_of(n, {n_words});
      return [=] { keep(expansion::distill<double>(on, what, n_words, m_words, x)); };
    });
  }

 private:
  using Words = std::function<std::vector<double>(std::size_t)>;
  static Words shape_of(std::initializer_list<int> shape) {
    const auto copy = [](auto... operands) -> Words {
      return [=](std::size_t n) { return words_of(n, {operands...}); };
    };
    const int* const at = shape.begin();
    return shape.size() == 1 ? copy(at[0]) : shape.size() == 2 ? copy(at[0], at[1]) : copy(at[0], at[1], at[2]);
  }
  void add(const std::string& name, double moved, std::function<Call(const Executor&, std::size_t)> prepare) {
    const auto bytes = [moved](double n) { return moved * n; };
    curves_.push_back({name, 1, bytes, std::move(prepare)});
    curves_.push_back({name + "/limit:copy", 1, bytes,
                       [moved](const Executor&, std::size_t n) { return copy_of(moved * static_cast<double>(n)); },
                       true, false});
  }
  std::vector<Curve>& curves_;
};

}  // namespace

void add_elementwise(std::vector<Curve>& curves) {
  Adder add(curves);
  add.operator()<op::Add<double>>("op.add", {1, 1});
  add.operator()<op::Div<double>>("op.div", {1, 1});
  add.operator()<op::Sqrt<double>>("op.sqrt", {1});
  add.operator()<op::Fma<double>>("op.fma", {1, 1, 1});
  add.operator()<op::AddRu<double>>("op.add_ru", {1, 1});
  add.operator()<op::DivRu<double>>("op.div_ru", {1, 1});
  add.operator()<eft::TwoSum<double>>("eft.two_sum", {1, 1});
  add.operator()<eft::FastTwoSum<double>>("eft.fast_two_sum", {2});
  add.operator()<eft::TwoProd<double>>("eft.two_prod", {1, 1});
  add.operator()<eft::VeltkampSplit<double>>("eft.veltkamp_split", {1});
  add.operator()<eft::DekkerProd<double>>("eft.dekker_prod", {1, 1});
  add.operator()<eft::ErrFma<double>>("eft.err_fma", {1, 1, 1});
  add.operator()<dw::DwAddFp<double>>("dw.add_fp", {2, 1});
  add.operator()<dw::DwSloppyAdd<double>>("dw.sloppy_add", {2, 2});
  add.operator()<dw::DwAccurateAdd<double>>("dw.accurate_add", {2, 2});
  add.operator()<dw::DwMulFp1<double>>("dw.mul_fp1", {2, 1});
  add.operator()<dw::DwMulFp3<double>>("dw.mul_fp3", {2, 1});
  add.operator()<dw::DwMul1<double>>("dw.mul1", {2, 2});
  add.operator()<dw::DwMul3<double>>("dw.mul3", {2, 2});
  add.operator()<dw::DwDivFp3<double>>("dw.div_fp3", {2, 1});
  add.operator()<dw::DwDiv2<double>>("dw.div2", {2, 2});
  add.operator()<dw::DwDiv3<double>>("dw.div3", {2, 2});
  add.operator()<dw::DwSqrt<double>>("dw.sqrt", {2});
  add.operator()<triple::TwFromThree<double>>("triple.from_three", {3});
  add.operator()<triple::TwAdd<double>>("triple.add", {3, 3});
  add.operator()<triple::TwMulAccurate<double>>("triple.mul_accurate", {3, 3});
  add.operator()<triple::TwMulFast<double>>("triple.mul_fast", {3, 3});
  add.operator()<triple::TwReciprocalFast<double>>("triple.reciprocal_fast", {3});
  add.operator()<triple::TwDivAccurate<double>>("triple.div_accurate", {3, 3});
  add.operator()<triple::TwSqrtFast<double>>("triple.sqrt_fast", {3});
  add.operator()<pair::PairAdd<double>>("pair.add", {2, 2});
  add.operator()<pair::PairMul<pair::NativeMul::fma, double>>("pair.mul_fma", {2, 2});
  add.operator()<pair::PairMul<pair::NativeMul::split, double>>("pair.mul_split", {2, 2});
  add.operator()<expansion::QdIeeeAdd<double>>("expansion.qd_ieee_add", {4, 4});
  add.operator()<expansion::QdMul<double>>("expansion.qd_mul", {4, 4});
  using Double = DoubleWord<double>;
  using Quad = QuadDouble<double>;
  add.operator()<elementary::Exp<Double>>("elementary.exp", {2});
  add.operator()<elementary::Log<Double>>("elementary.log", {2});
  add.operator()<elementary::Sin<Double>>("elementary.sin", {2});
  add.operator()<elementary::Atan<Double>>("elementary.atan", {2});
  add.operator()<elementary::Tanh<Double>>("elementary.tanh", {2});
  add.operator()<elementary::Pow<Double>>("elementary.pow", {2, 2});
  add.operator()<elementary::Exp<Quad>>("elementary.exp_qd", {4});
  add.operator()<elementary::Log<Quad>>("elementary.log_qd", {4});
  add.operator()<elementary::Sin<Quad>>("elementary.sin_qd", {4});
  add.operator()<elementary::Pow<Quad>>("elementary.pow_qd", {4, 4});
  using expansion::ExpansionOp;
  for (const int k : {2, 4, 8}) {
    const std::string words = std::to_string(k);
    add.expansion("expansion.certified_add" + words, ExpansionOp::certified_add, k, true);
    add.expansion("expansion.certified_mul" + words, ExpansionOp::certified_mul, k, true);
  }
  add.expansion("expansion.quick_mul8", ExpansionOp::quick_mul, 8, true);
  add.expansion("expansion.div4", ExpansionOp::div, 4, true);
  add.expansion("expansion.sqrt4", ExpansionOp::sqrt, 4, false);
  add.distillation("expansion.renormalize16_to_8", expansion::Distillation::renormalize, 16, 8);
}

}  // namespace assay::bench
