// Arguments in their natural shapes: values that a shape determines are not passed separately.

#include <algorithm>

#include "assay/judge/arrays.hpp"

namespace assay::judge {
namespace {

bool begins_with(const Record& record, std::initializer_list<const char*> names) {
  return record.fields.size() > names.size() &&
         std::ranges::equal(names, std::span(record.fields).first(names.size()),
                            [](const char* name, const FieldValue& each) { return each.name == name; });
}

std::int64_t length_of(const assay_tensor& tensor) { return tensor.ndim == 1 ? tensor.shape[0] : 0; }

/// rows, columns and the other fields of an operation on the rows of x, whose last axis is a row.
std::vector<FieldValue> of_rows(const Record& prototype, std::span<const assay_tensor> arguments) {
  std::vector<FieldValue> fields = prototype.fields;
  for (std::size_t i = 2; i < fields.size(); ++i) {
    const assay_tensor& tensor = arguments[i - 2];
    if (fields[i].name != "x") {
      fields[i] = field_of(fields[i], tensor);
      continue;
    }
    const Layout layout = layout_of(tensor);
    if (layout.shape.empty()) throw std::invalid_argument("x: a single number, which has no rows");
    const std::int64_t columns = layout.shape.back();
    if (columns == 0) throw OutsideDomain("x: it has shape " + text_of(layout.shape) + ", rows without a number");
    fields[0] = integer_field(fields[0], static_cast<std::int64_t>(layout.entries()) / columns);
    fields[1] = integer_field(fields[1], columns);
    fields[i] = field_of(fields[i], tensor, layout);
  }
  return fields;
}

/// rows, columns, offsets, columns of the entries, values and x of a sparse product.
std::vector<FieldValue> of_sparse(const Record& prototype, std::span<const assay_tensor> arguments) {
  std::vector<FieldValue> fields = prototype.fields;
  for (std::size_t i = 2; i < fields.size(); ++i) fields[i] = field_of(fields[i], arguments[i - 2]);
  fields[0] = integer_field(fields[0], length_of(arguments.front()) - 1);
  fields[1] = integer_field(fields[1], length_of(arguments.back()));
  return fields;
}

/// upper, trans, unit, n, lda, A and x of a triangular system.
std::vector<FieldValue> of_system(const Record& prototype, std::span<const assay_tensor> arguments) {
  std::vector<FieldValue> fields = prototype.fields;
  for (std::size_t i = 0; i < 3; ++i) fields[i] = field_of(fields[i], arguments[i]);
  Layout by_columns = layout_of(arguments[3]);
  if (by_columns.shape.size() != 2 || by_columns.shape[0] != by_columns.shape[1]) {
    throw std::invalid_argument("a: it has shape " + text_of(by_columns.shape) + ", not that of a square matrix");
  }
  std::swap(by_columns.strides[0], by_columns.strides[1]);
  fields[3] = integer_field(fields[3], by_columns.shape[0]);
  fields[4] = integer_field(fields[4], std::max<std::int64_t>(1, by_columns.shape[0]));
  fields[5] = field_of(fields[5], arguments[3], by_columns);
  fields[6] = field_of(fields[6], arguments[4]);
  return fields;
}

}  // namespace

std::vector<FieldValue> fields_of_shapes(const Record& prototype, std::span<const assay_tensor> arguments) {
  if (arguments.size() + 2 != prototype.fields.size()) return {};
  if (begins_with(prototype, {"rows", "columns", "row_offsets"})) return of_sparse(prototype, arguments);
  if (begins_with(prototype, {"rows", "columns"})) return of_rows(prototype, arguments);
  if (begins_with(prototype, {"upper", "trans", "unit", "n", "lda", "a"})) return of_system(prototype, arguments);
  return {};
}

}  // namespace assay::judge
