#pragma once
// What the calls of foreign functions share.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"
#include "errorbounds/any_zero.hpp"
#include "exec/fenced.hpp"
#include "oracle/round.hpp"
#include "properties/contracts/shaped.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/cost.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts {

/// The format of a number type.
template <FloatingPoint T>
constexpr oracle::Format format = format_of<T>();

/// A function of a kernel whose calls are timed.
template <class Function>
struct TimedFunction {
  Function* pointer;
  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    const TimedCall call;
    return pointer(arguments...);
  }
};

/// The function of the kernel as a function of that type. Requires: it has one (not checked).
template <class Function>
TimedFunction<Function> function(const ForeignKernel& kernel) {
  return {reinterpret_cast<Function*>(kernel.function)};
}

/// Where the arrays of the kernel's calls are: `on`, or the host or the device that the kernel needs in its place.
inline Executor place_of(const ForeignKernel& kernel, const Executor& on) {
  return placed(on, kernel.on_device ? Executor::Kind::cuda : Executor::Kind::host);
}

/// Waits for what a function for a device began. Throws ExecutorError for the device's errors, and where the function
/// returned another status than 0.
inline void finish(const Executor& on, int status) {
  {
    const TimedCall rest_of_the_call;
    wait(on);
  }
  if (status != 0) throw ExecutorError("the library returned status " + std::to_string(status));
}

/// The number that a function of the form `device` writes behind the other arguments.
template <class T, class... Arguments>
T device_result(const ForeignKernel& kernel, const Executor& on, Arguments... arguments) {
  thread_local FencedMemory memory;
  const T unwritten = number_of<T>(format<T>.nan());
  const FencedArray<T> result(memory, on, std::span(&unwritten, 1));
  function<void(Arguments..., T*, void*)>(kernel)(arguments..., result.data(), nullptr);
  finish(on, 0);
  return result.take(on).front();
}

/// The number that a function of the form `cublas` writes to the host.
template <class T, class... Arguments>
T cublas_result(const ForeignKernel& kernel, const Executor& on, Arguments... arguments) {
  T result = number_of<T>(format<T>.nan());
  finish(on, function<int(void*, Arguments..., T*)>(kernel)(kernel.handle, arguments..., &result));
  return result;
}

/// The patterns that a program or a table computes, timed.
inline std::vector<std::uint64_t> computed(ForeignProgram& program, const Executor& on, std::span<const Record> cases,
                                           std::span<const std::size_t> numbers, const oracle::Format& format) {
  const TimedCall call;
  return program.compute(on, cases, numbers, format);
}

/// The numbers with these patterns, cut into results of so many numbers.
template <FloatingPoint T>
std::vector<std::vector<T>> cut_results(const std::vector<std::uint64_t>& bits,
                                        const std::vector<std::size_t>& numbers) {
  std::vector<std::vector<T>> results;
  std::size_t at = 0;
  for (const std::size_t count : numbers) {
    std::vector<T>& result = results.emplace_back();
    for (std::size_t i = 0; i < count; ++i) result.push_back(number_of<T>(bits[at++]));
  }
  return results;
}

/// The results of a program or a table, each of as many numbers as numbers_of(case) says.
template <FloatingPoint T, class Case, class NumbersOf>
std::vector<std::vector<T>> results_of(ForeignProgram& program, const Executor& on, std::span<const Case> cases,
                                       const NumbersOf& numbers_of) {
  std::vector<Record> records;
  std::vector<std::size_t> numbers;
  for (const Case& each : cases) {
    records.push_back(record_of(each));
    numbers.push_back(numbers_of(each));
  }
  return cut_results<T>(computed(program, on, records, numbers, format_of<T>()), numbers);
}

/// run(arguments…), after which the floating-point environment and the locale are as before: for claims that run a
/// kernel once more.
template <class Run, class... Arguments>
auto run_fenced(const Run& run, const Arguments&... arguments) {
  EnvironmentFence fence;
  auto result = run(arguments...);
  fence.restore();
  return result;
}

/// The number nearest to an exact value.
template <FloatingPoint T>
T nearest_to(const auto& exact) {
  return number_of<T>(oracle::round(exact, format<T>, oracle::Rounding::nearest));
}

/// Every number of the result has the bits of the truth rounded to nearest; a zero may have either sign.
auto nearest_with_any_zero(std::string id, const AnyTheorem auto& theorem) {
  return claim_spec(std::move(id), theorem, [](const auto&, const auto& truth, const auto& result) {
    constexpr auto of_result = assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
    return assay::detail::by_number(truth, result, [&](std::uint64_t got, const auto& exact, std::size_t i) {
      return judge_rounded_to_any_zero(got, exact, of_result, i);
    });
  });
}

/// The property that make(T{}, question, kernel) gives for the number type T of the question's format, f64 or f32.
/// Errors: std::invalid_argument for another format.
template <auto make>
std::unique_ptr<PropertyModel> property_in_format(const Question& question, const ForeignKernel& kernel) {
  if (question.format == "f64") return make(double{}, question, kernel);
  if (question.format == "f32") return make(float{}, question, kernel);
  throw std::invalid_argument("no format " + question.format);
}

/// The same for f64, f32, f16 and bf16; the last two are numbers of 16 bits.
template <auto make>
std::unique_ptr<PropertyModel> property_in_any_format(const Question& question, const ForeignKernel& kernel) {
  if (question.format == "f16") return make(binary16{}, question, kernel);
  if (question.format == "bf16") return make(bfloat16{}, question, kernel);
  return property_in_format<make>(question, kernel);
}

/// The property of a kernel from outside, with its name and the settings of the question. Errors: ShapeError for shapes
/// that the operation does not have.
template <class Case, class Result, class Truth>
std::unique_ptr<PropertyModel> asked(Property<Case, Result, Truth> property, const std::string& name,
                                     const Question& question) {
  property.name = question.family + "." + name;
  for (auto& each : property.claims) each.info.is_open = question.is_open;
  property.quick_cases = 1000;
  property.host_only = !question.on_device;
  property.device_only = question.on_device;
  const std::string operation = name.substr(0, name.find('.'));
  if (!question.shapes.empty()) {
    ask_at_shapes(property, operation, shapes_of(question.shapes));
  } else if (question.has_large) {
    add_large_shapes(property, operation);
  }
  return std::make_unique<TypedModel<Case, Result, Truth>>(std::move(property));
}

/// The length of a text, which Fortran passes behind the other arguments.
using FortranTextLength = std::size_t;

/// The numbers by which CBLAS names the layout of columns and the transposes.
inline constexpr int cblas_column_major = 102;
inline constexpr int cblas_no_transpose = 111;
inline constexpr int cblas_transpose = 112;

/// An integer argument by its address, as Fortran takes it. A function that is made for integers of 64 bits reads the
/// same number.
class FortranNumber {
 public:
  explicit FortranNumber(std::int64_t value) : words_{static_cast<int>(value), 0} {}
  [[nodiscard]] const int* address() const { return words_; }

 private:
  alignas(8) int words_[2];
};

}  // namespace assay::contracts
