#pragma once
// Converts the inputs and the result of a case to arrays, and arrays of a caller to a case.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/judge.h"
#include "properties/framework/record.hpp"

namespace assay::judge {

/// The inputs lie outside the domain of the operation.
class OutsideDomain : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The layout of an array: the entry with index (i, j, …) is number offset + i·strides[0] + j·strides[1] + … of its
/// memory.
struct Layout {
  std::vector<std::int64_t> shape = {};  ///< empty for a single number
  std::vector<std::int64_t> strides = {};

  /// How many entries there are.
  [[nodiscard]] std::size_t entries() const;
  /// f(place) for each entry, with the last index changing fastest; places use the caller's strides.
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

/// The layout of C if none is given.
Layout contiguous(std::span<const std::int64_t> shape);
Layout layout_of(const assay_tensor& tensor);
inline std::span<const std::int64_t> shape_of(const assay_tensor& tensor) {
  return {tensor.shape, static_cast<std::size_t>(tensor.ndim)};
}
/// "(2, 3)"
std::string text_of(std::span<const std::int64_t> shape);

/// An array in memory of its own, as a kernel from outside sees it.
struct Array {
  std::string name;
  oracle::Format format{};
  int integer_bits = 0;  ///< of an integer, in two's complement; 0 for numbers of the format
  Layout layout{};
  std::vector<std::byte> memory{};

  /// A view of this array, which must outlive it.
  assay_tensor view();
};

/// Whether it is a product of a matrix and a vector, whose cases have the fields of gemm.
bool is_vector_product(const std::string& operation);

/// The arguments of a kernel for a case, in their order: α, op(A), op(B), β and C of gemm, α, op(A), x, β and y of
/// gemv, A and B of matmul, α, A, B, β and C of matmul_epilogue; else the fields. `integers`: the numbers of matrices
/// are integers of 8 bits.
std::vector<Array> arguments_of(const std::string& operation, const Record& record, bool integers = false);

/// The array into which a kernel writes the result of a case, which has `numbers` numbers of the format: C or y with
/// its input values, a single number for a reduction, the matrix of matmul and matmul_epilogue, or a vector; numbers
/// without a value before the call are NaNs. `integers`: the numbers are integers of 32 bits, whose patterns are those
/// of binary32.
Array result_of(const std::string& operation, const Record& record, std::size_t numbers, const oracle::Format& format,
                bool integers = false);

/// The bit patterns of the numbers of a result, in the form of the case.
std::vector<std::uint64_t> bits_of(const Array& result);

/// The result of a kernel in an array of a caller. A matrix whose rows stand one after the other may have its shape.
/// Errors: std::invalid_argument for another type or shape.
void assign(Array& result, const assay_tensor& from);

/// The case with these arguments. `prototype`: any case of the operation; `integers` as in arguments_of(). Errors:
/// std::invalid_argument for a wrong number of arguments, and for types or shapes that do not fit; OutsideDomain for
/// vectors of different lengths.
Record record_of(const std::string& operation, const Record& prototype, std::span<const assay_tensor> arguments,
                 bool integers = false);

// ---------------------------------------------------------------------------------------------- parts of record_of()

/// Whether the tensor has single numbers of the format.
bool has_format(const assay_tensor& tensor, const oracle::Format& format);

/// The field of that name. Errors: std::logic_error if there is none.
const FieldValue& field(const Record& record, std::string_view name);
/// The field with the number of the tensor, or with the entries of a vector. Errors: std::invalid_argument for another
/// type or shape.
FieldValue field_of(const FieldValue& prototype, const assay_tensor& tensor);
/// The field with the entries of a tensor in the order of that layout. Errors: std::invalid_argument for another type.
FieldValue field_of(const FieldValue& prototype, const assay_tensor& tensor, const Layout& layout);
/// An integer field with that value.
FieldValue integer_field(const FieldValue& prototype, std::int64_t value);

/// The case for arguments in their natural shapes, where a shape determines further fields (natural.cpp): x of shape
/// (…, columns) determines rows and columns. Empty if the operation has no such form with this number of arguments.
std::vector<FieldValue> fields_of_shapes(const Record& prototype, std::span<const assay_tensor> arguments);

}  // namespace assay::judge
