#include "assay/judge/arrays.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "properties/framework/limbs.hpp"

namespace assay::judge {

bool is_vector_product(const std::string& operation) {
  return operation == "gemv" || operation == "gemv_n" || operation == "csrmv";
}

namespace {

/// The operations whose result is one number.
constexpr std::array<std::string_view, 4> reductions{"asum", "dot", "nrm2", "sum"};

bool is_product(const std::string& operation) { return operation == "gemm" || is_vector_product(operation); }

/// A number type in the notation of DLPack.
struct Type {
  int code;
  int bits;
  bool operator==(const Type&) const = default;
};

Type type_of(const oracle::Format& format) {
  if (format == oracle::bfloat16) return {ASSAY_BFLOAT, 16};
  if (format == oracle::e4m3) return {ASSAY_E4M3FN, 8};
  if (format == oracle::e5m2) return {ASSAY_E5M2, 8};
  if (format == limb_format) return {ASSAY_INT, 64};
  return {ASSAY_FLOAT, format.width()};
}
Type type_of(const Array& array) {
  return array.integer_bits != 0 ? Type{ASSAY_INT, array.integer_bits} : type_of(array.format);
}

std::string name_of(const Type& type) {
  switch (type.code) {
    case ASSAY_BFLOAT:
      return "bfloat16";
    case ASSAY_E4M3FN:
      return "e4m3";
    case ASSAY_E5M2:
      return "e5m2";
    default:
      return (type.code == ASSAY_FLOAT ? "float"
              : type.code == ASSAY_INT ? "int"
                                       : "another type of ") +
             std::to_string(type.bits);
  }
}

std::int64_t integer(const Record& record, std::string_view name) {
  return std::get<std::int64_t>(field(record, name).value);
}

void store(std::byte* at, std::uint64_t bits, std::size_t width) { std::memcpy(at, &bits, width); }
std::uint64_t load(const std::byte* at, std::size_t width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, width);
  return bits;
}

std::size_t width_of(const Array& array) { return static_cast<std::size_t>(type_of(array).bits / 8); }

/// A field as an array of that layout.
Array array_of(const FieldValue& field, Layout layout) {
  Array array{.name = field.name};
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    array.integer_bits = 64;
    array.memory.resize(sizeof *number);
    std::memcpy(array.memory.data(), number, sizeof *number);
    return array;
  }
  const Words& words = std::get<Words>(field.value);
  array.format = words.format;
  array.layout = std::move(layout);
  const std::size_t width = width_of(array);
  array.memory.resize(words.bits.size() * width);
  for (std::size_t i = 0; i < words.bits.size(); ++i) store(array.memory.data() + i * width, words.bits[i], width);
  return array;
}
/// A single number, or a vector.
Array array_of(const FieldValue& field) {
  const auto* words = std::get_if<Words>(&field.value);
  if (words == nullptr || words->shape == Words::Shape::scalar) return array_of(field, {});
  return array_of(field, {{static_cast<std::int64_t>(words->bits.size())}, {1}});
}

/// Rows and columns of a stored matrix (one of a batch), with the steps from a row, a column, a matrix to the next.
Layout matrix(const Record& record, std::int64_t rows, std::int64_t columns, std::int64_t row_step,
              std::int64_t column_step, const char* stride) {
  Layout layout{{rows, columns}, {row_step, column_step}};
  if (const std::int64_t batch = integer(record, "batch"); batch != 1) {
    layout.shape.insert(layout.shape.begin(), batch);
    layout.strides.insert(layout.strides.begin(), integer(record, stride));
  }
  return layout;
}

Layout layout_of_a(const Record& record) {
  const std::int64_t lda = integer(record, "lda");
  const bool turned = integer(record, "trans_a") != 0;
  return matrix(record, integer(record, "m"), integer(record, "k"), turned ? lda : 1, turned ? 1 : lda, "stride_a");
}
Layout layout_of_b(const Record& record) {
  const std::int64_t ldb = integer(record, "ldb");
  const bool turned = integer(record, "trans_b") != 0;
  return matrix(record, integer(record, "k"), integer(record, "n"), turned ? ldb : 1, turned ? 1 : ldb, "stride_b");
}
Layout layout_of_c(const Record& record) {
  return matrix(record, integer(record, "m"), integer(record, "n"), 1, integer(record, "ldc"), "stride_c");
}
/// The only column of a matrix; an empty vector if it has none.
Layout column(const Layout& matrix) { return {{matrix.shape[1] == 0 ? 0 : matrix.shape[0]}, {matrix.strides[0]}}; }

/// Refuses arrays of another type.
void expect_type(const assay_tensor& tensor, const Array& wanted) {
  const Type is{tensor.code, tensor.bits};
  const Type type = type_of(wanted);
  const bool is_short = type == Type{ASSAY_INT, 64} && is == Type{ASSAY_INT, 32};  // the type of scipy's indices
  if ((is != type && !is_short) || tensor.lanes != 1) {
    throw std::invalid_argument(wanted.name + ": it has numbers of " + name_of(is) + ", not of " +
                                name_of(type_of(wanted)));
  }
}

/// The bit patterns of an array's entries.
std::vector<std::uint64_t> gathered(const assay_tensor& tensor, const Layout& layout) {
  std::vector<std::uint64_t> bits;
  bits.reserve(layout.entries());
  const std::size_t width = tensor.bits / 8;
  const bool is_short_integer = tensor.code == ASSAY_INT && tensor.bits < 64;
  layout.for_each([&](std::int64_t place) {
    std::uint64_t each =
        load(static_cast<const std::byte*>(tensor.data) + place * static_cast<std::int64_t>(width), width);
    if (is_short_integer && (each >> (tensor.bits - 1)) != 0) each -= std::uint64_t{1} << tensor.bits;
    bits.push_back(each);
  });
  return bits;
}

/// The numbers of a matrix: integers of 8 bits are numbers of binary32 in a case.
std::vector<std::uint64_t> numbers_of(const assay_tensor& tensor, const Array& wanted, const Layout& layout,
                                      bool integers) {
  Array of = wanted;
  if (integers) of.integer_bits = 8;
  expect_type(tensor, of);
  std::vector<std::uint64_t> bits = gathered(tensor, layout);
  for (std::uint64_t& each : bits) {
    if (integers) each = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(each)));
  }
  return bits;
}

/// The matrix of integers of 8 bits as a kernel sees it.
Array as_bytes(Array matrix) {
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at < matrix.memory.size(); at += sizeof(float)) {
    float number = 0;
    std::memcpy(&number, matrix.memory.data() + at, sizeof number);
    bytes.push_back(static_cast<std::byte>(static_cast<std::int8_t>(number)));
  }
  matrix.memory = std::move(bytes);
  matrix.integer_bits = 8;
  return matrix;
}

/// The layout of rows × columns matrices, one after the other, row by row; of a single matrix if batch is 1.
Layout by_rows(const Record& record, const char* rows, const char* columns) {
  std::vector<std::int64_t> shape{integer(record, rows), integer(record, columns)};
  if (const std::int64_t batch = integer(record, "batch"); batch != 1) shape.insert(shape.begin(), batch);
  return contiguous(shape);
}

constexpr std::string_view epilogue = "matmul_epilogue";
bool is_matmul(const std::string& operation) { return operation == "matmul" || operation == epilogue; }

/// A case of matmul, or of matmul_epilogue with its α, A, B, β and C. Errors: as record_of().
Record matmul_of(const std::string& operation, const Record& prototype, std::span<const assay_tensor> arguments,
                 bool integers) {
  Record record = prototype;
  const bool has_all = operation == epilogue;
  if (arguments.size() != (has_all ? 5 : 2)) {
    throw std::invalid_argument(
        operation + (has_all ? ": it needs five arguments: α, A, B, β and C" : ": it needs two arguments: A and B"));
  }
  const std::span given = arguments.subspan(has_all ? 1 : 0, 2);
  const auto refuse = [&] {
    throw std::invalid_argument("a and b: shapes " + text_of(shape_of(given[0])) + " and " +
                                text_of(shape_of(given[1])) + " make no product");
  };
  const auto axes = static_cast<std::size_t>(given[0].ndim);
  if (given[0].ndim != given[1].ndim || (axes != 2 && axes != 3)) refuse();
  const std::span a = shape_of(given[0]);
  const std::span b = shape_of(given[1]);
  if (a[axes - 1] != b[axes - 2] || (axes == 3 && a[0] != b[0])) refuse();
  for (FieldValue& each : record.fields) {
    if (each.name == "batch") each.value = axes == 3 ? a[0] : 1;
    if (each.name == "m") each.value = a[axes - 2];
    if (each.name == "n") each.value = b[axes - 1];
    if (each.name == "k") each.value = a[axes - 1];
    if (each.name == "alpha" || each.name == "beta") each = field_of(each, arguments[each.name == "alpha" ? 0 : 3]);
    if (each.name != "a" && each.name != "b") continue;
    const assay_tensor& tensor = given[each.name == "a" ? 0 : 1];
    std::get<Words>(each.value).bits = numbers_of(tensor, array_of(each), layout_of(tensor), integers);
  }
  if (!has_all) return record;
  FieldValue& c = record.fields.back();
  expect_type(arguments[4], array_of(c));
  const Layout of_c = layout_of(arguments[4]);
  const Layout wanted = by_rows(record, "m", "n");
  // A batch of one product may have an axis for the batch.
  const std::size_t front = of_c.shape.size() == 3 && of_c.shape[0] == 1 && wanted.shape.size() == 2 ? 1 : 0;
  if (!std::ranges::equal(std::span(of_c.shape).subspan(front), wanted.shape)) {
    throw std::invalid_argument("c: it has shape " + text_of(of_c.shape) + ", which a and b do not make");
  }
  std::get<Words>(c.value).bits = gathered(arguments[4], of_c);
  return record;
}

/// α, A, B, β and C of a product. Defaults for missing arguments: α = 1, β = 0, C of zeros.
class Product {
 public:
  Product(const std::string& operation, const Record& prototype, std::span<const assay_tensor> given)
      : record_(prototype) {
    const bool is_vector = is_vector_product(operation);
    if (given.size() != 2 && given.size() != 5) {
      throw std::invalid_argument(
          operation + ": it takes two arguments, " +
          (is_vector ? "A and x, or five, α, A, x, β and y" : "A and B, or five, α, A, B, β and C"));
    }
    const bool has_all = given.size() == 5;
    const assay_tensor& a = given[has_all ? 1 : 0];
    const assay_tensor& b = given[has_all ? 2 : 1];
    const Layout of_a = matrix_of("a", a, false);
    const Layout of_b = matrix_of("b", b, is_vector);
    const std::int64_t m = of_a.shape[1];
    const std::int64_t k = of_a.shape[2];
    const std::int64_t n = of_b.shape[2];
    const std::int64_t batch = of_a.shape[0];
    if (of_b.shape[1] != k || of_b.shape[0] != batch) {
      throw std::invalid_argument("a and b: shapes " + text_of(shape_of(a)) + " and " + text_of(shape_of(b)) +
                                  " make no product");
    }
    for (const char* const name : {"trans_a", "trans_b"}) set(name, 0);
    for (const auto& [name, value] : {std::pair{"m", m},
                                      {"n", n},
                                      {"k", k},
                                      {"lda", std::max<std::int64_t>(1, m)},
                                      {"ldb", std::max<std::int64_t>(1, k)},
                                      {"ldc", std::max<std::int64_t>(1, m)},
                                      {"batch", batch},
                                      {"stride_a", batch == 1 ? 0 : m * k},
                                      {"stride_b", batch == 1 ? 0 : k * n},
                                      {"stride_c", batch == 1 ? 0 : m * n}}) {
      set(name, value);
    }
    words("a").bits = by_columns(a, of_a);
    words("b").bits = by_columns(b, of_b);
    const oracle::Format format = words("a").format;
    constexpr std::uint64_t zero = 0;
    words("alpha").bits = {(static_cast<std::uint64_t>(-format.emin) + 1) << format.fraction_bits()};
    words("beta").bits = {zero};
    words("c").bits.assign(static_cast<std::size_t>(batch * m * n), zero);
    if (!has_all) return;
    words("alpha") = std::get<Words>(field_of(field(prototype, "alpha"), given[0]).value);
    words("beta") = std::get<Words>(field_of(field(prototype, "beta"), given[3]).value);
    const Layout of_c = matrix_of("c", given[4], is_vector);
    if (of_c.shape != std::vector{batch, m, n}) {
      throw std::invalid_argument("c: it has shape " + text_of(shape_of(given[4])) + ", which a and b do not make");
    }
    words("c").bits = by_columns(given[4], of_c);
  }

  Record take() { return std::move(record_); }

 private:
  /// Batch, rows and columns of a matrix; a vector counts as a column.
  Layout matrix_of(const char* name, const assay_tensor& tensor, bool is_vector) {
    expect_type(tensor, array_of(field(record_, name)));
    Layout layout = layout_of(tensor);
    const std::size_t axes = layout.shape.size();
    if (is_vector ? axes != 1 : axes != 2 && axes != 3) {
      throw std::invalid_argument(std::string(name) + ": it has shape " + text_of(shape_of(tensor)) + ", not that of " +
                                  (is_vector ? "a vector" : "a matrix or of several"));
    }
    if (is_vector) {
      layout.shape.push_back(1);
      layout.strides.push_back(1);
    }
    if (layout.shape.size() == 2) {
      layout.shape.insert(layout.shape.begin(), 1);
      layout.strides.insert(layout.strides.begin(), 0);
    }
    return layout;
  }

  static std::vector<std::uint64_t> by_columns(const assay_tensor& tensor, Layout layout) {
    std::swap(layout.shape[1], layout.shape[2]);
    std::swap(layout.strides[1], layout.strides[2]);
    return gathered(tensor, layout);
  }

  FieldValue& value(std::string_view name) { return const_cast<FieldValue&>(field(record_, name)); }
  Words& words(std::string_view name) { return std::get<Words>(value(name).value); }
  void set(std::string_view name, std::int64_t to) { value(name).value = to; }

  Record record_;
};

}  // namespace

std::string text_of(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + ")";
}

Layout contiguous(std::span<const std::int64_t> shape) {
  Layout layout{{shape.begin(), shape.end()}, std::vector<std::int64_t>(shape.size(), 1)};
  for (std::size_t d = shape.size(); d-- > 1;) layout.strides[d - 1] = layout.strides[d] * layout.shape[d];
  return layout;
}
Layout layout_of(const assay_tensor& tensor) {
  Layout layout = contiguous(shape_of(tensor));
  if (tensor.strides != nullptr) layout.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  return layout;
}

bool has_format(const assay_tensor& tensor, const oracle::Format& format) {
  return Type{tensor.code, tensor.bits} == type_of(format) && tensor.lanes == 1;
}

const FieldValue& field(const Record& record, std::string_view name) {
  const auto at = std::ranges::find(record.fields, name, &FieldValue::name);
  if (at == record.fields.end()) throw std::logic_error("a case without " + std::string(name));
  return *at;
}

FieldValue field_of(const FieldValue& prototype, const assay_tensor& tensor, const Layout& layout) {
  expect_type(tensor, array_of(prototype));
  FieldValue value = prototype;
  std::vector<std::uint64_t> bits = gathered(tensor, layout);
  if (auto* words = std::get_if<Words>(&value.value)) {
    words->bits = std::move(bits);
  } else {
    value.value = static_cast<std::int64_t>(bits.front());
  }
  return value;
}

FieldValue field_of(const FieldValue& prototype, const assay_tensor& tensor) {
  const Array wanted = array_of(prototype);
  expect_type(tensor, wanted);
  if (static_cast<std::size_t>(tensor.ndim) != wanted.layout.shape.size()) {
    throw std::invalid_argument(wanted.name + ": it has shape " + text_of(shape_of(tensor)) + ", not that of a " +
                                (wanted.layout.shape.empty() ? "single number" : "vector"));
  }
  return field_of(prototype, tensor, layout_of(tensor));
}

FieldValue integer_field(const FieldValue& prototype, std::int64_t value) { return {prototype.name, value}; }

std::size_t Layout::entries() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                         [](std::size_t all, std::int64_t each) { return all * static_cast<std::size_t>(each); });
}

assay_tensor Array::view() {
  const Type type = type_of(*this);
  return {.struct_size = sizeof(assay_tensor),
          .name = name.c_str(),
          .data = memory.data(),
          .ndim = static_cast<std::int32_t>(layout.shape.size()),
          .code = static_cast<std::uint8_t>(type.code),
          .bits = static_cast<std::uint8_t>(type.bits),
          .lanes = 1,
          .shape = layout.shape.data(),
          .strides = layout.strides.data()};
}

std::vector<Array> arguments_of(const std::string& operation, const Record& record, bool integers) {
  std::vector<Array> arguments;
  if (is_matmul(operation)) {
    const bool has_all = operation == epilogue;
    if (has_all) arguments.push_back(array_of(field(record, "alpha")));
    for (Array each : {array_of(field(record, "a"), by_rows(record, "m", "k")),
                       array_of(field(record, "b"), by_rows(record, "k", "n"))}) {
      arguments.push_back(integers ? as_bytes(std::move(each)) : std::move(each));
    }
    if (has_all) arguments.push_back(array_of(field(record, "beta")));
    if (has_all) arguments.push_back(array_of(field(record, "c"), by_rows(record, "m", "n")));
    return arguments;
  }
  if (!is_product(operation)) {
    for (const FieldValue& each : record.fields) arguments.push_back(array_of(each));
    return arguments;
  }
  const bool is_vector = is_vector_product(operation);
  const Layout of_b = layout_of_b(record);
  const Layout of_c = layout_of_c(record);
  arguments.push_back(array_of(field(record, "alpha")));
  arguments.push_back(array_of(field(record, "a"), layout_of_a(record)));
  arguments.push_back(array_of(field(record, "b"), is_vector ? column(of_b) : of_b));
  arguments.push_back(array_of(field(record, "beta")));
  arguments.push_back(array_of(field(record, "c"), is_vector ? column(of_c) : of_c));
  return arguments;
}

Array result_of(const std::string& operation, const Record& record, std::size_t numbers, const oracle::Format& format,
                bool integers) {
  if (is_product(operation)) {
    const Layout of_c = layout_of_c(record);
    Array result = array_of(field(record, "c"), is_vector_product(operation) ? column(of_c) : of_c);
    result.name = "result";
    return result;
  }
  const Words nans{format, Words::Shape::list, std::vector<std::uint64_t>(numbers, format.nan())};
  if (is_matmul(operation)) {
    Array result = array_of({"result", nans}, by_rows(record, "m", "n"));
    if (integers) result.integer_bits = format.width();
    return result;
  }
  const bool is_number = std::ranges::find(reductions, operation) != reductions.end();
  return array_of({"result", nans}, is_number ? Layout{} : Layout{{static_cast<std::int64_t>(numbers)}, {1}});
}

std::vector<std::uint64_t> bits_of(const Array& result) {
  const std::size_t width = width_of(result);
  std::vector<std::uint64_t> bits;
  for (std::size_t at = 0; at < result.memory.size(); at += width)
    bits.push_back(load(result.memory.data() + at, width));
  return bits;
}

void assign(Array& result, const assay_tensor& from) {
  expect_type(from, result);
  const Layout layout = layout_of(from);
  // A matrix for its rows one after the other, or a single number for a vector of one.
  const bool is_other_form = result.layout.shape.size() == 1 && layout.shape.size() != 1;
  if (is_other_form ? layout.entries() != result.layout.entries() : layout.shape != result.layout.shape) {
    throw std::invalid_argument("result: it has shape " + text_of(layout.shape) + ", not " +
                                text_of(result.layout.shape));
  }
  const std::vector<std::uint64_t> bits = gathered(from, layout);
  const std::size_t width = width_of(result);
  auto next = bits.begin();
  result.layout.for_each([&](std::int64_t place) {
    store(result.memory.data() + static_cast<std::size_t>(place) * width, *next++, width);
  });
}

Record record_of(const std::string& operation, const Record& prototype, std::span<const assay_tensor> arguments,
                 bool integers) {
  if (is_matmul(operation)) return matmul_of(operation, prototype, arguments, integers);
  if (is_product(operation)) return Product(operation, prototype, arguments).take();
  if (std::vector<FieldValue> fields = fields_of_shapes(prototype, arguments); !fields.empty()) {
    return {std::move(fields)};
  }
  if (arguments.size() != prototype.fields.size()) {
    std::string names;
    for (const FieldValue& each : prototype.fields) names += (names.empty() ? "" : ", ") + each.name;
    throw std::invalid_argument(operation + ": it takes " + std::to_string(prototype.fields.size()) + " arguments, " +
                                names + ", not " + std::to_string(arguments.size()));
  }
  Record record;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    record.fields.push_back(field_of(prototype.fields[i], arguments[i]));
  }
  if (operation == "dot" || operation == "axpy") {
    const auto length = [&](const char* name) { return std::get<Words>(field(record, name).value).bits.size(); };
    if (length("x") != length("y")) {
      throw OutsideDomain("x and y: vectors of " + std::to_string(length("x")) + " and " + std::to_string(length("y")) +
                          " numbers, which must have one length");
    }
  }
  return record;
}

}  // namespace assay::judge
