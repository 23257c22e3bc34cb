#pragma once
// Functions of vector registers, as functions of arrays that `assay check --subject` calls.

#include <immintrin.h>

#include <cstddef>
#include <cstring>

/// y[i] = function(x[i]) for i < n, one register at a time. The last register is filled up with copies of its first
/// number.
template <class Register, class T>
void each_register(Register (*function)(Register), std::size_t n, const T* x, T* y) {
  constexpr std::size_t width = sizeof(Register) / sizeof(T);
  for (std::size_t i = 0; i < n; i += width) {
    const std::size_t count = n - i < width ? n - i : width;
    T lanes[width];
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] = x[i + (lane < count ? lane : 0)];
    Register numbers;
    std::memcpy(&numbers, lanes, sizeof numbers);
    numbers = function(numbers);
    std::memcpy(y + i, &numbers, count * sizeof(T));
  }
}
