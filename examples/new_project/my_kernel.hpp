#pragma once

#include <span>

namespace my_kernel {

/// The sum of the numbers, added from the first to the last; 0 of none. Not checked: overflow.
double sum(std::span<const double> x);

}  // namespace my_kernel
