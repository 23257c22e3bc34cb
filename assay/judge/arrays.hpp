#pragma once
// The inputs and the result of a case as arrays, and arrays of a caller as a case.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/judge.h"
#include "properties/framework/record.hpp"

namespace assay::judge {

/// The layout of an array: the entry with index (i, j, …) is number offset + i·strides[0] + j·strides[1] + … of its
/// memory.
struct Layout {
  std::vector<std::int64_t> shape = {};  ///< empty for a single number
  std::vector<std::int64_t> strides = {};

  /// How many entries there are.
  [[nodiscard]] std::size_t entries() const;
  /// f(place) for each entry, the last index first; with a caller's strides the places are theirs.
  template <class F>
  void for_each(const F& f) const {
    std::vector<std::int64_t> at(shape.size());
    for (std::size_t left = entries(); left != 0; --left) {
      std::int64_t place = 0;
      for (std::size_t d = 0; d < at.size(); ++d) place += at[d] * strides[d];
      f(place);
      for (std::size_t d = at.size(); d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
    }
  }
};

/// An array in memory of its own, as a kernel from outside sees it.
struct Array {
  std::string name;
  oracle::Format format{};
  bool is_integer = false;
  Layout layout{};
  std::vector<std::byte> memory{};

  /// A view of this array, which must outlive it.
  assay_tensor view();
};

/// Whether it is the product of a matrix and a vector, whose cases have the fields of gemm.
bool is_vector_product(const std::string& operation);

/// The arguments of a kernel for a case, in their order: α, op(A), op(B), β and C of gemm, α, op(A), x, β and y of
/// gemv, A and B of matmul, α, A, B, β and C of matmul_epilogue; else the fields.
std::vector<Array> arguments_of(const std::string& operation, const Record& record);

/// Where a kernel writes the result of a case, which has `numbers` numbers of the format: C or y as it was, a single
/// number of a reduction, the matrix of matmul and matmul_epilogue, or a vector; what has no value before the call
/// holds NaNs.
Array result_of(const std::string& operation, const Record& record, std::size_t numbers, const oracle::Format& format);

/// The bit patterns of the numbers of a result as the case has them.
std::vector<std::uint64_t> bits_of(const Array& result);

/// The result of a kernel in an array of a caller. Errors: std::invalid_argument for another type or shape.
void assign(Array& result, const assay_tensor& from);

/// The case with these arguments. `prototype`: any case of the operation. Errors: std::invalid_argument for a wrong
/// number of arguments, and for types or shapes that do not fit.
Record record_of(const std::string& operation, const Record& prototype, std::span<const assay_tensor> arguments);

}  // namespace assay::judge
