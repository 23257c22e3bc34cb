// Operations on double words outside the ranges of their theorems.

#include "properties/catalog/dw/outside.hpp"

#include "kernels/dw/double_word.hpp"

namespace assay::dw {

namespace {

/// Puts the results of Op into component `at` of each case's results.
template <class Op, class T>
void put_results(const Executor& on, std::span<const DwDw<T>> cases, std::size_t at,
                 std::vector<OutsideResults<T>>& results) {
  using Input = typename Op::Input;
  std::vector<Input> inputs;
  inputs.reserve(cases.size());
  for (const DwDw<T>& c : cases) {
    if constexpr (std::is_same_v<Input, DwFp<T>>) {
      inputs.push_back({c.x, c.y.h});
    } else if constexpr (std::is_same_v<Input, Dw<T>>) {
      inputs.push_back({c.x});
    } else {
      inputs.push_back(c);
    }
  }
  const auto values = elementwise<Op>(on, inputs);
  for (std::size_t i = 0; i < cases.size(); ++i) results[i][at] = values[i];
}

/// All operations, in the order of `Operation`.
template <class T, class... Op>
Subject<DwDw<T>, OutsideResults<T>> results_of() {
  static_assert(sizeof...(Op) == static_cast<std::size_t>(Operation::count));
  return [](const Executor& on, std::span<const DwDw<T>> cases) {
    std::vector<OutsideResults<T>> results(cases.size(), OutsideResults<T>(sizeof...(Op)));
    std::size_t at = 0;
    (put_results<Op, T>(on, cases, at++, results), ...);
    return results;
  };
}

template <class T>
Registration outside() {
  return Registration(
      outside_property<T>(results_of<T, DwAddFp<T>, DwAccurateAdd<T>, DwSloppyAdd<T>, DwMulFp1<T>, DwMulFp2<T>,
                                     DwMulFp3<T>, DwMul1<T>, DwMul2<T>, DwMul3<T>, DwDivFp1<T>, DwDivFp2<T>,
                                     DwDivFp3<T>, DwDiv1<T>, DwDiv2<T>, DwDiv3<T>, DwSqrt<T>>()));
}

const LateRegistration binary64_outside{"dw", [] { outside<double>(); }};
const LateRegistration binary32_outside{"dw", [] { outside<float>(); }};

}  // namespace

}  // namespace assay::dw
