// Operations on triple words outside the ranges of their theorems.

#include "properties/catalog/triple/outside.hpp"

#include "kernels/triple/triple_word.hpp"

namespace assay::triple {

namespace {

/// Appends the words of Op's results to those of each case.
template <class Op, class T>
void append(const Executor& on, std::span<const TwTw<T>> cases, std::vector<Expansions<T>>& results) {
  const auto values = elementwise<Op>(on, cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    results[i].words.insert(results[i].words.end(), {values[i].x0, values[i].x1, values[i].x2});
  }
}

template <class T>
Registration outside() {
  return Registration(outside_property<T>([](const Executor& on, std::span<const TwTw<T>> cases) {
    std::vector<Expansions<T>> results(cases.size(), Expansions<T>{{}, 3});
    append<TwAdd<T>>(on, cases, results);
    append<TwMulAccurate<T>>(on, cases, results);
    append<TwMulFast<T>>(on, cases, results);
    return results;
  }));
}

const LateRegistration binary64_outside{"triple", [] { outside<double>(); }};
const LateRegistration binary32_outside{"triple", [] { outside<float>(); }};

}  // namespace

}  // namespace assay::triple
