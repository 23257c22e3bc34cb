#pragma once
// What the calls of foreign functions share.

#include <cstdint>
#include <span>
#include <vector>

#include "properties/framework/codec.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/operation.hpp"

namespace assay::contracts {

/// The function of the kernel as a function of that type. Requires: it has one (not checked).
template <class Function>
Function* function(const ForeignKernel& kernel) {
  return reinterpret_cast<Function*>(kernel.function);
}

/// The results of a program, each of as many numbers as numbers_of(case) says.
template <FloatingPoint T, class Case, class NumbersOf>
std::vector<std::vector<T>> results_of(ForeignProgram& program, std::span<const Case> cases,
                                       const NumbersOf& numbers_of) {
  std::vector<Record> records;
  std::vector<std::size_t> numbers;
  for (const Case& each : cases) {
    records.push_back(record_of(each));
    numbers.push_back(numbers_of(each));
  }
  const std::vector<std::uint64_t> bits = program.compute(records, numbers, format_of<T>());
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
