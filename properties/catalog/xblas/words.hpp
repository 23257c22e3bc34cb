#pragma once
// The names of the numbers of words, and a case's flags in the form of the kernels.

#include <cstddef>
#include <string>

#include "kernels/blas/arguments.hpp"
#include "kernels/blas/triangle.hpp"

namespace assay::xblas {

inline std::string suffix_of(std::size_t words) { return words == 1 ? "" : words == 2 ? "_dd" : "_qd"; }

inline blas::Transpose transpose(int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; }
inline blas::Triangle triangle(int upper) { return upper != 0 ? blas::Triangle::upper : blas::Triangle::lower; }
inline blas::Diagonal diagonal(int unit) { return unit != 0 ? blas::Diagonal::unit : blas::Diagonal::stored; }

}  // namespace assay::xblas
