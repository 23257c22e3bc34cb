#pragma once
// A unit that multiplies matrices, as a black box: it computes d = c + Σ aᵢbᵢ for a fixed number of products, in an
// unknown way.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executor.hpp"
#include "oracle/format.hpp"

namespace assay::prober {

/// The formats of elements and results. s8 and s32 are integers.
enum class Number { f64, f32, f16, bf16, e4m3, e5m2, s8, s32 };

/// "f64", …, "s32".
std::string_view name_of(Number number);
/// The format of that name. Throws std::invalid_argument for a name that name_of() never gives.
Number number_named(std::string_view name);
/// Whether it is s8 or s32.
bool is_integer(Number number);
/// The format; for integers, a format whose patterns are as wide.
oracle::Format format_of(Number number);
/// The bit pattern of a value of the format: the quiet NaN for a NaN. Requires: the format has the value (not checked;
/// otherwise it is rounded to nearest).
std::uint64_t pattern_of(Number number, double value);
/// The value of a bit pattern.
double value_of(Number number, std::uint64_t pattern);

/// The inputs of a unit. All numbers are values of its formats.
struct Product {
  std::vector<double> a;
  std::vector<double> b;
  double c = 0;
};

/// The unit: `compute` gives the bit pattern of d for each product.
struct Unit {
  std::string name;
  Number input = Number::f16;
  Number result = Number::f32;
  int products = 0;    ///< the number of products aᵢbᵢ
  bool has_c = false;  ///< whether it takes c; otherwise c is 0
  std::function<std::vector<std::uint64_t>(std::span<const Product>)> compute;
  int rows = 0;  ///< for a library's product: product i of a batch is entry (i mod rows, i mod rows); 0: no entries
  std::string entries = {};  ///< which entries of a library's product are used, if not all are computed alike
};

/// The source of a device's units: the library of kernels, without which other kernels can be judged.
struct UnitSources {
  std::vector<Unit> (*instructions)(const Executor& device) = nullptr;
  std::vector<Unit> (*library_products)(const Executor& device) = nullptr;
};
void register_units(const UnitSources& sources);

/// The instructions of a CUDA device that multiply matrices, and the products of cuBLAS; none before register_units().
/// Throws ExecutorError for the device's errors.
std::vector<Unit> instructions_of(const Executor& device);
std::vector<Unit> library_products_of(const Executor& device);

/// A product of the unit's size, all zeros.
Product zeros(const Unit& unit);

/// The exponents that a power of two may have as the product of two elements, and as c if the unit has c.
struct Exponents {
  int least;    ///< for a result that is a normal number, or a subnormal number
  int largest;  ///< so far from overflow that four of them can be added
};
/// `with_subnormals`: elements and results may be subnormal. Requires: floating-point formats (not checked).
Exponents exponents_of(const Unit& unit, bool with_subnormals);

/// Puts s·t·2^exponent at a place: into aᵢbᵢ for i < products, with s in aᵢ and t in bᵢ, and into c for i = products.
/// Requires: the formats have the numbers (not checked).
void put(Product& into, const Unit& unit, int place, double s, int exponent, double t = 1);

}  // namespace assay::prober
