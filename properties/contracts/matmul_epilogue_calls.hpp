#pragma once
// The call of a function for αAB + βC, and the results of controls.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/contracts/inputs.hpp"
#include "properties/contracts/matmul_epilogue_cases.hpp"

namespace assay::contracts::matmul_epilogue {

/// The call of a function for C.
template <class N>
std::vector<typename N::Out> called(const ForeignKernel& kernel, const Executor& on, const EpilogueCase<N>& c) {
  using In = typename N::In;
  using Out = typename N::Out;
  using Acc = typename N::Accumulator;
  thread_local std::array<FencedMemory, 4> memory;
  const FencedArray<In> a(memory[0], on, c.a);
  const FencedArray<In> b(memory[1], on, c.b);
  const FencedArray<Out> start(memory[2], on, c.c);
  const FencedArray<Out> result(memory[3], on, std::vector<Out>(c.results(), number_of<Out>(out<N>.nan())));
  const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
  const auto call = [&](auto... behind) {
    using Size = std::size_t;
    function<void(Size, Size, Size, Size, Acc, const In*, const In*, Acc, const Out*, Out*, decltype(behind)...)>(
        kernel)(size(c.batch), size(c.m), size(c.n), size(c.k), c.alpha, a.data(), b.data(), c.beta, start.data(),
                result.data(), behind...);
  };
  if (kernel.form == CallForm::device) {
    call(static_cast<void*>(nullptr));
  } else {
    call();
  }
  finish(on, 0);
  check_input(a, on, c.a, "a");
  check_input(b, on, c.b, "b");
  check_input(start, on, c.c, "c");
  return result.take(on);
}

/// The result of a control.
template <class N>
std::vector<typename N::Out> controlled(Control control, const EpilogueCase<N>& c) {
  using Out = typename N::Out;
  thread_local Out last{};
  const auto same = [&](Out x) { return std::vector<Out>(c.results(), x); };
  switch (control) {
    case Control::zeros:
      return same(Out{});
    case Control::ones:
      return same(static_cast<Out>(1.0));
    case Control::nan:
    case Control::unwritten:
      return same(number_of<Out>(out<N>.nan()));
    case Control::copy:
      return c.c;
    case Control::first_term:
    case Control::previous:
    case Control::last_product:
      break;
  }
  std::vector<Out> result(c.results());
  const auto of_one = static_cast<std::size_t>(c.m * c.n);
  for (const EpilogueEntry& entry : entries_of(c)) {
    Out& got = result[entry.place];
    got = nearest_to<Out>(control == Control::first_term ? entry.alpha * entry.product.sum : entry.exact);
    if (control == Control::previous) std::swap(got, last);
    if (control == Control::last_product && entry.place / of_one + 1 == static_cast<std::size_t>(c.batch)) {
      got = result[entry.place % of_one];
    }
  }
  return result;
}

}  // namespace assay::contracts::matmul_epilogue
