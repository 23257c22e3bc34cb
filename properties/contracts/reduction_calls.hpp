#pragma once
// The calls of functions of one or two vectors that return a number.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/contracts/foreign.hpp"
#include "properties/contracts/increments.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/draws/sum/exact_sums.hpp"

namespace assay::contracts::reductions {

using sum::DotCase;
using sum::SumCase;

/// The increments of the vectors of a case.
template <FloatingPoint T>
int increment_for(const ForeignKernel& kernel, const SumCase<T>& c) {
  return increment_of(kernel.form, hash_of(c.x), 0);
}
template <FloatingPoint T>
std::array<int, 2> increments_for(const ForeignKernel& kernel, const DotCase<T>& c) {
  const std::uint64_t hash = hash_of(c.x) ^ hash_of(c.y);
  return {increment_of_input(kernel.form, hash, 0, c.x), increment_of_input(kernel.form, hash, 1, c.y)};
}
template <FloatingPoint T>
std::string increments_told(const ForeignKernel& kernel, const SumCase<T>& c) {
  return increment_text("incx", increment_for(kernel, c));
}
template <FloatingPoint T>
std::string increments_told(const ForeignKernel& kernel, const DotCase<T>& c) {
  const auto [incx, incy] = increments_for(kernel, c);
  return increments_text(incx, incy);
}

template <FloatingPoint T>
T call_with(const ForeignKernel& kernel, const Executor& on, const SumCase<T>& c, int increment) {
  thread_local FencedMemory memory;
  const std::vector<T> array = spread(c.x, increment);
  const FencedArray<T> x(memory, on, array);
  const std::size_t n = c.x.size();
  T result{};
  switch (kernel.form) {
    case CallForm::plain:
      result = function<T(std::size_t, const T*)>(kernel)(n, x.data());
      break;
    case CallForm::cblas:
      result = function<T(int, const T*, int)>(kernel)(static_cast<int>(n), x.data(), increment);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const FortranNumber step(increment);
      result = function<T(const int*, const T*, const int*)>(kernel)(length.address(), x.data(), step.address());
      break;
    }
    case CallForm::device:
      result = device_result<T>(kernel, on, n, x.data());
      break;
    case CallForm::cublas:
      result = cublas_result<T>(kernel, on, static_cast<int>(n), x.data(), increment);
      break;
    default:
      break;  // no signature of the operation
  }
  check_input(x, on, array, "x");
  return result;
}

/// The call of a function of one vector that returns a number. BLAS of before 2021 returns 0 of a norm and of a sum of
/// magnitudes for an increment below 1: a function that does so is called again with the magnitude of the increment.
template <FloatingPoint T>
T call(const ForeignKernel& kernel, const Executor& on, const SumCase<T>& c) {
  const int increment = increment_for(kernel, c);
  const T result = call_with<T>(kernel, on, c, increment);
  const bool is_zero = (bits_of(result) & ~format<T>.sign_mask()) == 0;
  return increment < 0 && is_zero ? call_with<T>(kernel, on, c, -increment) : result;
}

/// The call of a function of two vectors that returns a number.
template <FloatingPoint T>
T call(const ForeignKernel& kernel, const Executor& on, const DotCase<T>& c) {
  thread_local std::array<FencedMemory, 2> memory;
  const auto [incx, incy] = increments_for(kernel, c);
  const std::vector<T> array_of_x = spread(c.x, incx);
  const std::vector<T> array_of_y = spread(c.y, incy);
  const FencedArray<T> x(memory[0], on, array_of_x);
  const FencedArray<T> y(memory[1], on, array_of_y);
  const std::size_t n = c.x.size();
  T result{};
  switch (kernel.form) {
    case CallForm::plain:
      result = function<T(std::size_t, const T*, const T*)>(kernel)(n, x.data(), y.data());
      break;
    case CallForm::cblas:
      result =
          function<T(int, const T*, int, const T*, int)>(kernel)(static_cast<int>(n), x.data(), incx, y.data(), incy);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const std::array<FortranNumber, 2> steps{FortranNumber(incx), FortranNumber(incy)};
      result = function<T(const int*, const T*, const int*, const T*, const int*)>(kernel)(
          length.address(), x.data(), steps[0].address(), y.data(), steps[1].address());
      break;
    }
    case CallForm::device:
      result = device_result<T>(kernel, on, n, x.data(), y.data());
      break;
    case CallForm::cublas:
      result = cublas_result<T>(kernel, on, static_cast<int>(n), x.data(), incx, y.data(), incy);
      break;
    default:
      break;  // no signature of the operation
  }
  check_input(x, on, array_of_x, "x");
  check_input(y, on, array_of_y, "y");
  return result;
}

}  // namespace assay::contracts::reductions
