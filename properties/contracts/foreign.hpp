#pragma once
// What the calls of foreign functions share.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "exec/fenced.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/operation.hpp"

namespace assay::contracts {

/// The function of the kernel as a function of that type. Requires: it has one (not checked).
template <class Function>
Function* function(const ForeignKernel& kernel) {
  return reinterpret_cast<Function*>(kernel.function);
}

/// Where the arrays of the kernel's calls are: `on`, or the host or the device that the kernel needs in its place.
inline Executor place_of(const ForeignKernel& kernel, const Executor& on) {
  return placed(on, kernel.on_device ? Executor::Kind::cuda : Executor::Kind::host);
}

/// Waits for what a function for a device began. Throws ExecutorError for the device's errors, and where the function
/// returned another status than 0.
inline void finish(const Executor& on, int status) {
  wait(on);
  if (status != 0) throw ExecutorError("the library returned status " + std::to_string(status));
}

/// The number that a function of the form `device` writes behind the other arguments.
template <class T, class... Arguments>
T device_result(const ForeignKernel& kernel, const Executor& on, Arguments... arguments) {
  thread_local FencedMemory memory;
  const T unwritten = std::numeric_limits<T>::quiet_NaN();
  const FencedArray<T> result(memory, on, std::span(&unwritten, 1));
  function<void(Arguments..., T*, void*)>(kernel)(arguments..., result.data(), nullptr);
  finish(on, 0);
  return result.take(on).front();
}

/// The number that a function of the form `cublas` writes to the host.
template <class T, class... Arguments>
T cublas_result(const ForeignKernel& kernel, const Executor& on, Arguments... arguments) {
  T result = std::numeric_limits<T>::quiet_NaN();
  finish(on, function<int(void*, Arguments..., T*)>(kernel)(kernel.handle, arguments..., &result));
  return result;
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
  const std::vector<std::uint64_t> bits = program.compute(on, records, numbers, format_of<T>());
  std::vector<std::vector<T>> results;
  std::size_t at = 0;
  for (const std::size_t count : numbers) {
    std::vector<T>& result = results.emplace_back();
    for (std::size_t i = 0; i < count; ++i) result.push_back(number_of<T>(bits[at++]));
  }
  return results;
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
