#pragma once
// Calls of functions that compute a batch of cases: the operands and the results in arrays, one for each word.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "arith/words/operands.hpp"
#include "oracle/round.hpp"
#include "properties/contracts/controls.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"

namespace assay::contracts {

/// The words of the operands, in the order of the arguments.
template <class T>
std::array<T, 1> operand_words(const Single<T>& c) {
  return {c.a};
}
template <class T>
std::array<T, 2> operand_words(const Pair<T>& c) {
  return {c.a, c.b};
}
template <class T>
std::array<T, 2> operand_words(const Dw<T>& c) {
  return {c.x.h, c.x.l};
}
template <class T>
std::array<T, 4> operand_words(const DwDw<T>& c) {
  return {c.x.h, c.x.l, c.y.h, c.y.l};
}

/// How many words a result has.
template <class Result>
inline constexpr std::size_t result_words = ResultTraits<Result>::per_component;

/// The result of these words.
template <class Result, class T>
Result result_of(const std::array<T, result_words<Result>>& words) {
  return [&]<std::size_t... j>(std::index_sequence<j...>) {
    return Result{words[j]...};
  }(std::make_index_sequence<result_words<Result>>());
}

/// A result with that number in every word.
template <class Result, class T>
Result every_word(T x) {
  std::array<T, result_words<Result>> words;
  words.fill(x);
  return result_of<Result>(words);
}

/// A number that was never written: the pattern of fenced memory.
template <class T>
T unwritten_number() {
  T x;
  std::memset(static_cast<void*>(&x), std::to_integer<int>(FencedMemory::pattern), sizeof x);
  return x;
}

/// The names of the arrays of the operands: those of the fields of a case, of a double word x "xh" and "xl".
template <class Case>
std::vector<std::string> operand_names() {
  std::vector<std::string> names;
  for (const FieldValue& field : record_of(Case{}).fields) {
    const auto* const words = std::get_if<Words>(&field.value);
    if (words != nullptr && words->bits.size() == 2) {
      names.insert(names.end(), {field.name + "h", field.name + "l"});
    } else {
      names.push_back(field.name);
    }
  }
  return names;
}

/// The results of f(n, operands…, results…), all of them arrays of n numbers.
template <class Result, class Case>
std::vector<Result> call_with_arrays(const ForeignKernel& kernel, const Executor& on, std::span<const Case> cases) {
  using T = typename ResultTraits<Result>::Number;
  constexpr std::size_t ins = decltype(operand_words(std::declval<Case>())){}.size();
  constexpr std::size_t outs = result_words<Result>;
  thread_local std::array<FencedMemory, ins + outs> memory;
  std::array<std::vector<T>, ins> inputs;
  for (const Case& each : cases) {
    const auto words = operand_words(each);
    for (std::size_t i = 0; i < ins; ++i) inputs[i].push_back(words[i]);
  }
  return [&]<std::size_t... i, std::size_t... j>(std::index_sequence<i...>, std::index_sequence<j...>) {
    const FencedArray<T> in[] = {FencedArray<T>(memory[i], inputs[i])...};
    const FencedArray<T> out[] = {FencedArray<T>(memory[ins + j], cases.size())...};
    using Function = void(std::size_t, decltype(static_cast<const T*>(in[i].data()))..., decltype(out[j].data())...);
    function<Function>(kernel)(cases.size(), in[i].data()..., out[j].data()...);
    static const std::vector<std::string> names = operand_names<Case>();
    (check_input(in[i], on, inputs[i], names[i]), ...);
    const std::array<std::vector<T>, outs> words{out[j].take(on)...};
    std::vector<Result> results;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      results.push_back(result_of<Result>(std::array<T, outs>{words[j][k]...}));
    }
    return results;
  }(std::make_index_sequence<ins>(), std::make_index_sequence<outs>());
}

/// The results of a program, whose frames have the words of a result one behind the other.
template <class Result, class Case>
std::vector<Result> ask_program(ForeignProgram& program, const Executor& on, std::span<const Case> cases) {
  using T = typename ResultTraits<Result>::Number;
  std::vector<Result> results;
  for (const std::vector<T>& each :
       results_of<T>(program, on, cases, [](const Case&) { return result_words<Result>; })) {
    std::array<T, result_words<Result>> words;
    std::ranges::copy(each, words.begin());
    results.push_back(result_of<Result>(words));
  }
  return results;
}

/// How many of the cases, from the first on, the next call of an element-wise kernel computes. The cases alone decide
/// it, and not the time that cut them into batches: every run has short calls whose lengths are no multiples of a tile,
/// and long ones. Requires: cases (not checked).
template <class Case>
std::size_t length_of_call(std::span<const Case> cases) {
  constexpr std::uint64_t long_calls = 4;  // one of so many goes on to the last case
  constexpr std::uint64_t mean_length = 64;
  const auto mixed = [](const Case& c) {
    std::uint64_t hash = 0;
    for (const auto& word : operand_words(c)) hash = bits::SplitMix64::mixed(hash ^ bits_of(word));
    return hash;
  };
  if (mixed(cases.front()) % long_calls == 0) return cases.size();
  const auto last =
      std::ranges::find_if(cases, [&](const Case& c) { return mixed(c) / long_calls % mean_length == 0; });
  return last == cases.end() ? cases.size() : static_cast<std::size_t>(last - cases.begin()) + 1;
}

/// The subject of an element-wise operation: a program, a control, or a function of arrays. answers_of(case) gives the
/// Answers of the controls. Of few cases the second half is one call, and at least 64 of them, so that these are enough
/// for each place of a tile of 64; of many, some call is as long by itself.
template <class Result, class Case, class AnswersOf>
auto elementwise_subject(const ForeignKernel& kernel, AnswersOf answers_of) {
  return [kernel, answers_of](const Executor& on, std::span<const Case> cases) {
    std::vector<Result> results;
    if (kernel.control) {
      for (const Case& c : cases) results.push_back(controlled(*kernel.control, answers_of(c)));
      return results;
    }
    constexpr std::size_t tile = 64;
    constexpr std::size_t few = 8 * tile;
    const bool are_few = cases.size() >= tile && cases.size() <= few;
    const std::size_t together = are_few ? std::max(cases.size() / 2, tile) : 0;
    while (!cases.empty()) {
      const bool is_last_call = cases.size() == together;
      const std::span<const Case> now =
          is_last_call ? cases : cases.first(length_of_call(cases.first(cases.size() - together)));
      std::ranges::copy(kernel.program != nullptr ? ask_program<Result>(*kernel.program, on, now)
                                                  : call_with_arrays<Result>(kernel, on, now),
                        std::back_inserter(results));
      cases = cases.subspan(now.size());
    }
    return results;
  };
}

/// The answers of an operation whose results are two words: the first word of the right result alone, and the first
/// number of the inputs, have a zero behind them.
template <class Result, class T>
Answers<Result> answers_of_words(T first_input, const Result& right) {
  const T nan = number_of<T>(format_of<T>().nan());
  const T one = number_of<T>(oracle::round(oracle::Dyadic(1), format_of<T>(), oracle::Rounding::nearest));
  return {.one = Result{one, T{}},
          .nan = every_word<Result>(nan),
          .first_term = Result{ResultTraits<Result>::word(right, 0), T{}},
          .copy = Result{first_input, T{}},
          .unwritten = every_word<Result>(unwritten_number<T>()),
          .right = right};
}

/// The two words that are nearest to r: RN(r), and RN of the rest.
template <class Result>
Result nearest_words(const oracle::Dyadic& r) {
  using T = typename ResultTraits<Result>::Number;
  const auto nearest = [](const oracle::Dyadic& x) {
    return number_of<T>(oracle::round(x, format_of<T>(), oracle::Rounding::nearest));
  };
  const T first = nearest(r);
  return {first, is_finite(first) ? nearest(r - value_of(first)) : T{}};
}

}  // namespace assay::contracts
