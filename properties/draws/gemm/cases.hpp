#pragma once
// Inputs of C ← α·op(A)·op(B) + β·C in binary64: shapes at the edges of tiles, layouts with gaps, batches, and entries
// with structures for which slices, residues, sums and roundings have large errors. Kernels of this tree and libraries
// are tested with the same cases. Inputs in binary32 are drawn and judged as numbers of binary64 with the same values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/integer_product.hpp"
#include "properties/draws/gemm/case_fields.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"

namespace assay::gemm {

/// C_p ← α·op(A_p)·op(B_p) + β·C_p for p < batch, op(A) of m × k, op(B) of k × n: column-major, entry (i, j) of the
/// stored A_p at a[p·stride_a + i + j·lda]. Each array ends with its last entry.
template <FloatingPoint T>
struct GemmCaseOf {
  int trans_a = 0, trans_b = 0;  ///< 1: transposed
  std::int64_t m = 0, n = 0, k = 0, lda = 1, ldb = 1, ldc = 1;
  std::int64_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;
  T alpha = 1;
  std::vector<T> a, b;
  T beta = 0;
  std::vector<T> c;
  static constexpr auto fields() {
    using C = GemmCaseOf;
    return std::tuple_cat(std::tuple{field("trans_a", &C::trans_a), field("trans_b", &C::trans_b)}, shape_fields<C>(),
                          std::tuple{field("batch", &C::batch), field("stride_a", &C::stride_a),
                                     field("stride_b", &C::stride_b), field("stride_c", &C::stride_c)},
                          array_fields<C>());
  }
  /// Whether the product, and whether β·C, is part of the result. A part that is not included is not read.
  [[nodiscard]] bool reads_ab() const { return k > 0 && alpha != 0; }
  [[nodiscard]] bool reads_c() const { return beta != 0; }
  /// The place of entry (i, j) of C_p in the array.
  [[nodiscard]] std::size_t c_at(std::int64_t p, std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(p * stride_c + i + j * ldc);
  }
};
using GemmCase = GemmCaseOf<double>;

/// The case with its numbers in the type To. Requires: the numbers are representable in that type (not checked). A NaN
/// stays one.
template <FloatingPoint To, FloatingPoint From>
GemmCaseOf<To> with_numbers_of(const GemmCaseOf<From>& c) {
  const auto all = [](const std::vector<From>& x) { return std::vector<To>(x.begin(), x.end()); };
  return {c.trans_a,  c.trans_b,  c.m,        c.n,         c.k,      c.lda,    c.ldb,      c.ldc,   c.batch,
          c.stride_a, c.stride_b, c.stride_c, To(c.alpha), all(c.a), all(c.b), To(c.beta), all(c.c)};
}

/// op(A_p), op(B_p) and C_p in the arrays of the case; C_p in another array of the same layout.
/// Requires: a case whose sizes fit (not checked).
oracle::MatrixView op_a(const GemmCase& c, std::int64_t p);
oracle::MatrixView op_b(const GemmCase& c, std::int64_t p);
oracle::MatrixView start_of(const GemmCase& c, std::int64_t p);

/// f(p, i, j, place in the array of C) for every entry of every C_p.
template <class F>
void for_each_entry(const GemmCase& c, F&& f) {
  for (std::int64_t p = 0; p < c.batch; ++p) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.m; ++i) f(p, i, j, c.c_at(p, i, j));
    }
  }
}

/// The result of IEEE arithmetic for an entry if a number that is read is infinite or NaN.
enum class GemmEntry { finite, nan, plus_infinity, minus_infinity };

/// By place in the array of C: `finite` if row i of op(A), column j of op(B), α, β and c(i, j), as far as they are
/// read, are finite; else the sum of the terms α·a·b and β·c: NaN if one is NaN, is 0·∞, or both infinities occur among
/// them; else the infinity that occurs. Finite factors have finite products: nothing overflows by itself.
std::vector<GemmEntry> kinds_of_entries(const GemmCase& c);

/// α·op(A)·op(B) + β·C exactly, by place in the array of C; 0 in gaps and if an entry is not finite. By
/// oracle::IntegerProduct.
std::vector<oracle::Dyadic> exact_gemm(const GemmCase& c);

/// |α|·|op(A)|·|op(B)| + |β·C| exactly, in the same layout.
std::vector<oracle::Dyadic> exact_gemm_magnitudes(const GemmCase& c);

/// The case (D₁AD₂⁻¹)(D₂BD₃) with D₁CD₃ and powers of two from 2⁻⁴ to 2⁴ that only depend on the index, and by place in
/// the array of C the exponents of D₁·D₃.
struct ScaledGemm {
  GemmCase scaled;
  std::vector<int> exponents;
};
ScaledGemm with_scaled_lines(const GemmCase& c);
/// The exponents of numbers that stay normal under this scaling: within ±1000 in binary64, ±100 in binary32.
Box scaling_box(const oracle::Format& format);
/// Whether the scaling only changes exponents: every number that is read, and every entry of `truth`, is 0 or has its
/// exponent in the box.
bool scales_exactly(const GemmCase& c, const std::vector<oracle::Dyadic>& truth, const Box& box);

// ------------------------------------------------------------------------------------------------------ the classes

/// A matrix without a layout, column-major.
struct GemmMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> all = {};
  GemmMatrix() = default;
  GemmMatrix(std::int64_t r, std::int64_t c) : rows(r), columns(c), all(static_cast<std::size_t>(r * c)) {}
  double& at(std::int64_t i, std::int64_t j) { return all[static_cast<std::size_t>(i + j * rows)]; }
  [[nodiscard]] double at(std::int64_t i, std::int64_t j) const { return all[static_cast<std::size_t>(i + j * rows)]; }
  [[nodiscard]] oracle::MatrixView view() const { return {all.data(), rows, columns, 1, rows}; }
};

/// One product: op(A), op(B), C and the scalars.
struct GemmEntries {
  double alpha = 1, beta = 0;
  GemmMatrix a, b, c;
  int widest_gap = 500;  ///< binades between a term that decides a rounding and the other terms
  bool single = false;   ///< all numbers are numbers of binary32
  GemmEntries() = default;
  GemmEntries(std::int64_t m, std::int64_t n, std::int64_t k) : a(m, k), b(k, n), c(m, n) {}
};

/// The α and β of a class: any; α a power of two, which keeps ties, and β 0 or 1; or the class draws them itself.
enum class GemmScalars { any, exact, own };

/// A named class of entries: `fill` draws A, B and C of the shapes given. Cost: about 10 to 50 ns for each entry.
struct GemmClass {
  std::string name;
  unsigned weight;
  GemmScalars scalars;
  void (*fill)(Draw&, GemmEntries&);
};

/// Every class of finite entries; `single`: classes of numbers of binary32.
const std::vector<GemmClass>& gemm_classes(bool single = false);

/// Entries (rand − 1/2)·exp(φ·randn).
void draw_gemm_spread(Draw& draw, GemmEntries& e, double phi);

/// The scalars and the entries of one product of the class, all finite.
void draw_gemm_entries(Draw& draw, const GemmClass& of_class, GemmEntries& e);

// ------------------------------------------------------------------------------------------------------- the domain

/// The longest dimension, and the most products m·n·k·batch, of a case; but one product of 64 × 64 × 64 and one of two
/// rows and columns with 2¹⁷ + 1 terms are cases, too.
inline constexpr std::int64_t gemm_longest_side = 2048;
inline constexpr std::int64_t gemm_most_products = std::int64_t{1} << 17;
inline constexpr std::int64_t gemm_cube_side = 64;
inline constexpr std::int64_t gemm_longest_inner = (std::int64_t{1} << 17) + 1;

struct GemmDomain {
  bool batches = false;      ///< several products in a case; otherwise batch = 1
  bool exceptional = false;  ///< infinities and NaNs among the numbers that are read
  bool layouts = true;       ///< transposes, gaps and empty shapes; otherwise none
  int widest_gap = 500;      ///< as in GemmEntries
  bool poison = true;        ///< infinities and NaNs in operands that are not read because α = 0 or β = 0
  bool large = false;        ///< classes of 64 × 64 × 64 and of inner dimensions 2¹⁷ ± 1, in binary64
  bool single = false;       ///< all numbers are numbers of binary32
  /// Cases for kernels from outside: sides up to the longest, batches of up to 9, more small integers.
  bool foreign = false;
};

/// The layout of matrices in their arrays.
struct GemmLayout {
  bool trans_a = false, trans_b = false;
  std::int64_t above_a = 0, above_b = 0, above_c = 0;     ///< leading dimension − rows
  std::int64_t behind_a = 0, behind_b = 0, behind_c = 0;  ///< stride − entries of a product
  bool share_a = false, share_b = false;                  ///< all products of the batch share this factor: stride 0
};

/// The number of places of an array from the first entry of a product to its last.
std::int64_t extent_of_a(const GemmCase& c);
std::int64_t extent_of_b(const GemmCase& c);
std::int64_t extent_of_c(const GemmCase& c);

/// The case of those products, with the scalars of the first: NaN or other specials in the gaps of A and B, numbers in
/// the gaps of C. Requires: at least one product, all of one shape (not checked).
GemmCase laid_out_as(const GemmLayout& layout, Draw& draw, const std::vector<GemmEntries>& products);

/// The case of those products, with the scalars of the first: a random layout, NaN or other specials in the gaps of A
/// and B and in entries that are not read. Requires: at least one product, all of one shape (not checked).
GemmCase laid_out(Draw& draw, const std::vector<GemmEntries>& products, const GemmDomain& domain);

/// Shapes mostly small, at the edges of tiles, rarely with a long inner dimension; every class.
Domain<GemmCase> gemm_domain(const GemmDomain& options = {});

}  // namespace assay::gemm
