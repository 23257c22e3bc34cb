#pragma once

#include <cstddef>
#include <vector>

/// The dot product of two vectors of one length, with two running sums.
inline double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double even = 0;
  double odd = 0;
  std::size_t i = 0;
  for (; i + 1 < x.size(); i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  if (i < x.size()) even += x[i] * y[i];
  return even + odd;
}
