#include "properties/draws/gemm/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "properties/draws/gemm/matrices.hpp"
#include "properties/draws/gemm/traits.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/shapes.hpp"

namespace assay::gemm {

using detail::draw_scalar;
using detail::fill_zero_lines;
using detail::finite;
using detail::infinity;
using detail::quiet_nan;
using oracle::MatrixView;

namespace {

std::int64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  return rows == 0 || columns == 0 ? 0 : (columns - 1) * leading + rows;
}
std::size_t array_size(std::int64_t extent_of_one, std::int64_t stride, std::int64_t batch) {
  return extent_of_one == 0 || batch == 0 ? 0 : static_cast<std::size_t>((batch - 1) * stride + extent_of_one);
}

struct Stored {
  std::int64_t rows, columns, leading, stride;
  [[nodiscard]] std::int64_t extent_of_one() const { return extent(rows, columns, leading); }
};
Stored stored_a(const GemmCase& c) {
  return c.trans_a != 0 ? Stored{c.k, c.m, c.lda, c.stride_a} : Stored{c.m, c.k, c.lda, c.stride_a};
}
Stored stored_b(const GemmCase& c) {
  return c.trans_b != 0 ? Stored{c.n, c.k, c.ldb, c.stride_b} : Stored{c.k, c.n, c.ldb, c.stride_b};
}
Stored stored_c(const GemmCase& c) { return {c.m, c.n, c.ldc, c.stride_c}; }

/// The array of the matrices, `filler()` in the gaps.
template <class Filler>
std::vector<double> array_of(const std::vector<GemmEntries>& products, GemmMatrix GemmEntries::*which, const Stored& in,
                             bool transposed, Filler&& filler) {
  const auto batch = static_cast<std::int64_t>(products.size());
  std::vector<double> array(array_size(in.extent_of_one(), in.stride, batch));
  for (double& each : array) each = filler();
  const bool shared = in.stride == 0;
  for (std::int64_t p = 0; p < (shared ? std::min<std::int64_t>(batch, 1) : batch); ++p) {
    const GemmMatrix& x = products[static_cast<std::size_t>(p)].*which;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        array[static_cast<std::size_t>(p * in.stride + (transposed ? j + i * in.leading : i + j * in.leading))] =
            x.at(i, j);
      }
    }
  }
  return array;
}

/// The case of those products, with the scalars of the first; if a factor is shared, it is the first one's. Requires:
/// at least one product, all of one shape (not checked).
template <class Filler, class KeptFiller>
GemmCase placed(const std::vector<GemmEntries>& products, const GemmLayout& layout, Filler&& filler,
                KeptFiller&& kept_filler) {
  const GemmEntries& first = products.front();
  GemmCase c;
  c.trans_a = layout.trans_a ? 1 : 0;
  c.trans_b = layout.trans_b ? 1 : 0;
  c.m = first.a.rows;
  c.k = first.a.columns;
  c.n = first.b.columns;
  c.lda = std::max<std::int64_t>(1, layout.trans_a ? c.k : c.m) + layout.above_a;
  c.ldb = std::max<std::int64_t>(1, layout.trans_b ? c.n : c.k) + layout.above_b;
  c.ldc = std::max<std::int64_t>(1, c.m) + layout.above_c;
  c.batch = static_cast<std::int64_t>(products.size());
  if (c.batch > 1) {
    c.stride_a = layout.share_a ? 0 : stored_a(c).extent_of_one() + layout.behind_a;
    c.stride_b = layout.share_b ? 0 : stored_b(c).extent_of_one() + layout.behind_b;
    c.stride_c = stored_c(c).extent_of_one() + layout.behind_c;
  }
  c.alpha = first.alpha;
  c.beta = first.beta;
  c.a = array_of(products, &GemmEntries::a, stored_a(c), layout.trans_a, filler);
  c.b = array_of(products, &GemmEntries::b, stored_b(c), layout.trans_b, filler);
  c.c = array_of(products, &GemmEntries::c, stored_c(c), false, kept_filler);
  return c;
}

}  // namespace

std::int64_t extent_of_a(const GemmCase& c) { return stored_a(c).extent_of_one(); }
std::int64_t extent_of_b(const GemmCase& c) { return stored_b(c).extent_of_one(); }
std::int64_t extent_of_c(const GemmCase& c) { return stored_c(c).extent_of_one(); }

GemmCase laid_out_as(const GemmLayout& layout, Draw& draw, const std::vector<GemmEntries>& products) {
  const bool single = products.front().single;
  const auto special = [&]() -> double {
    return draw.coin() ? quiet_nan : single ? draw_special<float>(draw) : draw_special<double>(draw);
  };
  const auto number = [&]() -> double {
    const int exponent = draw.between(-4, 4);
    return single ? draw_number<float>(draw, Significand::any, exponent)
                  : draw_number<double>(draw, Significand::any, exponent);
  };
  return placed(products, layout, special, number);
}

GemmCase laid_out(Draw& draw, const std::vector<GemmEntries>& products, const GemmDomain& domain) {
  GemmLayout layout;
  if (domain.layouts) {
    const auto gap = [&]() -> std::int64_t { return draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(4)); };
    layout = {draw.coin(), draw.coin(), gap(), gap(), gap(), gap(), gap(), gap(), draw.one_in(8), draw.one_in(8)};
  }
  const bool poisons_factors = domain.poison && products.front().alpha == 0 && draw.coin();
  const bool poisons_start = domain.poison && products.front().beta == 0 && draw.coin();
  const double poison = draw.coin() ? quiet_nan : infinity;
  std::vector<GemmEntries> poisoned = products;
  for (GemmEntries& e : poisoned) {
    if (poisons_factors) {
      for (GemmMatrix* each : {&e.a, &e.b}) std::fill(each->all.begin(), each->all.end(), poison);
    }
    if (poisons_start) std::fill(e.c.all.begin(), e.c.all.end(), poison);
  }
  return laid_out_as(layout, draw, poisoned);
}

// ------------------------------------------------------------------------------------------------------- the domain

namespace {

std::int64_t most_in_batch(const GemmDomain& domain) { return !domain.batches ? 1 : domain.foreign ? 9 : 4; }
bool is_shape_asked() { return asked_length("m") || asked_length("n") || asked_length("k"); }
std::uint64_t draw_batch(Draw& draw, const GemmDomain& domain) {
  if (is_shape_asked() || !domain.batches || !draw.one_in(3)) return 1;
  return domain.foreign && draw.one_in(3) ? 4 + draw.below(6) : 2 + draw.below(2);
}

bool is_flag(int x) { return x == 0 || x == 1; }
bool is_dimension(std::int64_t x) { return x >= 0 && x <= most_of(gemm_longest_inner); }

/// Whether a case has few enough numbers. Requires: is_dimension of each side, 1 ≤ batch ≤ 4 (not checked).
bool has_gemm_size(const GemmCase& c) {
  if (AnySize::is_asked()) return true;
  if (c.batch == 1 && std::max({c.m, c.n, c.k}) <= gemm_cube_side) return true;
  if (c.batch == 1 && std::max(c.m, c.n) <= 2) return true;
  return std::max({c.m, c.n, c.k}) <= gemm_longest_side && c.m * c.n * c.k * c.batch <= gemm_most_products &&
         std::max({c.m * c.n, c.m * c.k, c.n * c.k}) * c.batch <= gemm_most_products;
}

bool fits(const Stored& in, std::int64_t batch, const std::vector<double>& array, bool may_share) {
  const std::int64_t one = in.extent_of_one();
  constexpr std::int64_t widest_gap = 8;
  const bool leading = in.leading >= std::max<std::int64_t>(1, in.rows) &&
                       in.leading - widest_gap <= std::max(in.rows, most_of(gemm_longest_side));
  const bool stride =
      batch <= 1 ? in.stride == 0 : (in.stride >= one && in.stride <= one + 8) || (may_share && in.stride == 0);
  return leading && stride && array.size() == array_size(one, in.stride, batch);
}

bool is_gemm_case(const GemmCase& c, const GemmDomain& domain) {
  if (!is_flag(c.trans_a) || !is_flag(c.trans_b) || !is_dimension(c.m) || !is_dimension(c.n) || !is_dimension(c.k) ||
      c.batch < 1 || c.batch > most_in_batch(domain) || !has_gemm_size(c) || !fits(stored_a(c), c.batch, c.a, true) ||
      !fits(stored_b(c), c.batch, c.b, true) || !fits(stored_c(c), c.batch, c.c, false)) {
    return false;
  }
  if (domain.exceptional) return true;
  const auto all_finite = [](const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        if (!finite(x.at(i, j))) return false;
      }
    }
    return true;
  };
  if (!finite(c.alpha) || !finite(c.beta)) return false;
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if ((c.reads_ab() || !domain.poison) && (!all_finite(op_a(c, p)) || !all_finite(op_b(c, p)))) return false;
    if ((c.reads_c() || !domain.poison) && !all_finite(start_of(c, p))) return false;
  }
  return true;
}

/// Products of a batch, rows and columns of C, and terms.
Axes gemm_axes(const GemmCase& c) {
  const auto stored = [](const char* name, bool transposed, Axes::Side rows, Axes::Side columns, const char* leading,
                         const char* stride, bool shared) {
    if (transposed) std::swap(rows, columns);
    columns.step = leading;
    std::vector<Axes::Side> sides{rows, columns};
    if (!shared) sides.push_back({"batch", stride, true});
    return Axes::List{name, std::move(sides)};
  };
  return {{stored("a", c.trans_a != 0, {"m"}, {"k"}, "lda", "stride_a", c.batch > 1 && c.stride_a == 0),
           stored("b", c.trans_b != 0, {"k"}, {"n"}, "ldb", "stride_b", c.batch > 1 && c.stride_b == 0),
           stored("c", false, {"m"}, {"n"}, "ldc", "stride_c", false)},
          {{"m", "m"}, {"n", "n"}, {"k", "k"}, {"batch", "batch"}},
          {"k"}};
}

/// A dimension: small, or at the edge of a tile; 0 once in 48.
std::int64_t draw_side(Draw& draw) {
  static constexpr std::array<std::int64_t, 9> edges{7, 8, 9, 15, 16, 17, 31, 32, 33};
  const std::uint64_t kind = draw.below(48);
  if (kind == 0) return 0;
  if (kind < 30) return 1 + static_cast<std::int64_t>(draw.below(4));
  if (kind < 36) return 5 + static_cast<std::int64_t>(draw.below(8));
  return edges[draw.below(edges.size())];
}

struct Shape {
  std::int64_t m, n, k;
};

/// A shape with up to about 3000 products, seldom more; one in 16 has one long dimension. If a user names dimensions,
/// the shape has these, and all others are small.
Shape draw_shape(Draw& draw, bool empty, bool foreign, bool is_long = false) {
  static constexpr std::array<std::int64_t, 18> longer{63,  64,   65,   127, 128, 129, 256,  257,  300,
                                                       511, 1000, 1025, 255, 512, 513, 1024, 2047, 2048};
  const std::size_t count = foreign ? longer.size() : 12;
  Shape shape{draw_side(draw), draw_side(draw), draw_side(draw)};
  if (!empty) {
    for (std::int64_t* each : {&shape.m, &shape.n, &shape.k}) *each = std::max<std::int64_t>(1, *each);
  }
  const auto asked = [](const char* name, std::int64_t otherwise) { return asked_length(name).value_or(otherwise); };
  if (is_shape_asked()) {
    return {asked("m", std::min<std::int64_t>(shape.m, 4)), asked("n", std::min<std::int64_t>(shape.n, 4)),
            asked("k", std::min<std::int64_t>(shape.k, 4))};
  }
  const std::uint64_t kind = draw.below(is_long ? 6 : 64);
  if (kind < 6) {
    shape = {1 + static_cast<std::int64_t>(draw.below(2)), 1 + static_cast<std::int64_t>(draw.below(2)),
             longer[draw.below(count)]};
    if (kind == 0) std::swap(shape.m, shape.k);
    if (kind == 1) std::swap(shape.n, shape.k);
  }
  while (shape.m * shape.n * shape.k > 3000 && kind != 6) {
    (shape.m > shape.n ? shape.m : shape.n) = 1 + static_cast<std::int64_t>(draw.below(3));
  }
  return shape;
}

GemmCase draw_gemm_case(Draw& draw, const GemmClass& of_class, const GemmDomain& domain, bool is_long = false) {
  const Shape shape = draw_shape(draw, domain.layouts, domain.foreign, is_long);
  std::vector<GemmEntries> products;
  const std::uint64_t batch = draw_batch(draw, domain);
  for (std::uint64_t p = 0; p < batch; ++p) {
    GemmEntries& e = products.emplace_back(shape.m, shape.n, shape.k);
    e.widest_gap = domain.widest_gap;
    e.single = domain.single;
    draw_gemm_entries(draw, of_class, e);
  }
  return laid_out(draw, products, domain);
}

/// The φ for which entries (rand − 1/2)·exp(φ·randn) have the same variance of ln|x| as the entries of A and B: φ² + 1.
double phi_of(const GemmCase& c) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::int64_t p = 0; c.reads_ab() && p < c.batch; ++p) {
    for (const MatrixView& x : {op_a(c, p), op_b(c, p)}) {
      for (std::int64_t j = 0; j < x.columns; ++j) {
        for (std::int64_t i = 0; i < x.rows; ++i) {
          if (x.at(i, j) == 0 || !finite(x.at(i, j))) continue;
          const double logarithm = std::log(std::abs(x.at(i, j)));
          sum += logarithm;
          squares += logarithm * logarithm;
          ++count;
        }
      }
    }
  }
  return count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count) - 1));
}

/// Infinities and NaNs in some places: of A, of B, of C, or a scalar; the other numbers are drawn with phi = 1.
GemmCase draw_exceptional(Draw& draw, const GemmDomain& domain) {
  const Shape shape = draw_shape(draw, domain.layouts, domain.foreign);
  std::vector<GemmEntries> products;
  const std::uint64_t batch = draw_batch(draw, domain);
  const auto special = [&] {
    const std::uint64_t kind = draw.below(8);
    return kind == 0 ? draw_special<double>(draw) : kind < 3 ? quiet_nan : kind < 6 ? infinity : -infinity;
  };
  for (std::uint64_t p = 0; p < batch; ++p) {
    GemmEntries& e = products.emplace_back(shape.m, shape.n, shape.k);
    e.single = domain.single;
    fill_zero_lines(draw, e);
    const auto put = [&](GemmMatrix& x) {
      if (!x.all.empty()) x.all[draw.below(x.all.size())] = special();
    };
    e.alpha = draw_scalar(draw, 1, e.single);
    e.beta = draw_scalar(draw, 4, e.single);
    const std::uint64_t where = draw.below(8);
    if (where < 3) put(e.a);
    if (where >= 2 && where < 5) put(e.b);
    if (where == 5 || where == 1) put(e.c);
    if (where == 6) e.beta = special();
    if (where == 7) e.alpha = special();
    if (draw.one_in(4)) put(e.a);
  }
  return laid_out(draw, products, domain);
}

/// The accuracy test of the publication: α = 1, β = 0.
GemmCase draw_cube(Draw& draw, const GemmDomain& domain) {
  std::vector<GemmEntries> one(1, GemmEntries(gemm_cube_side, gemm_cube_side, gemm_cube_side));
  draw_gemm_spread(draw, one.front(), static_cast<double>(draw.below(9)));
  return laid_out(draw, one, domain);
}

/// One or two rows and columns of 2¹⁷ − 1, 2¹⁷ or 2¹⁷ + 1 terms, where the width of slices changes.
GemmCase draw_long_inner(Draw& draw, const GemmDomain& domain) {
  const auto side = [&] { return 1 + static_cast<std::int64_t>(draw.below(2)); };
  const std::int64_t m = side();
  const std::int64_t k = gemm_longest_inner - static_cast<std::int64_t>(draw.below(3));
  std::vector<GemmEntries> one(1, GemmEntries(m, side(), k));
  const auto& classes = gemm_classes();
  const char* const name = draw.coin() ? "one sign, [1/2, 1)" : draw.coin() ? "maximal significands" : nullptr;
  const auto of_class = std::find_if(classes.begin(), classes.end(),
                                     [&](const GemmClass& each) { return name != nullptr && each.name == name; });
  if (of_class != classes.end()) {
    draw_gemm_entries(draw, *of_class, one.front());
    if (one.front().alpha == 0) one.front().alpha = 1;
  } else {
    draw_gemm_spread(draw, one.front(), static_cast<double>(draw.below(5)));
  }
  return laid_out(draw, one, domain);
}

/// Integers up to 3: every sum has few bits.
void fill_small_integers(Draw& draw, GemmEntries& e) {
  for (GemmMatrix* const each : {&e.a, &e.b, &e.c}) {
    for (double& x : each->all) x = compose<double>(draw.coin(), draw.below(4), 0);
  }
}
const GemmClass sums_of_small_integers{"sums of small integers", 0, GemmScalars::exact, fill_small_integers};

}  // namespace

Domain<GemmCase> gemm_domain(const GemmDomain& options) {
  Domain<GemmCase> domain;
  for (const GemmClass& each : gemm_classes(options.single)) {
    domain.classes.push_back({each.name, each.weight, drawn<GemmCase>([&each, options](Draw& draw) {
                                return draw_gemm_case(draw, each, options);
                              })});
  }
  if (options.foreign) {
    for (const bool is_long : {false, true}) {
      domain.classes.push_back({is_long ? "sums of small integers, one side long" : "sums of small integers", 2,
                                drawn<GemmCase>([is_long, options](Draw& draw) {
                                  return draw_gemm_case(draw, sums_of_small_integers, options, is_long);
                                })});
    }
  }
  if (options.exceptional) {
    domain.classes.push_back(
        {"infinities and NaNs", 4, drawn<GemmCase>([options](Draw& draw) { return draw_exceptional(draw, options); })});
  }
  if (options.large) {
    domain.classes.push_back({"64 × 64 × 64, (rand - 1/2)exp(phi randn), phi = 0 … 8", 1,
                              drawn<GemmCase>([options](Draw& draw) { return draw_cube(draw, options); })});
    domain.classes.push_back({"inner dimension 2^17 ± 1", 1,
                              drawn<GemmCase>([options](Draw& draw) { return draw_long_inner(draw, options); })});
  }
  domain.contains = [options](const GemmCase& c) { return is_gemm_case(c, options); };
  domain.features = {
      {"bits of k", 0, 12, 12,
       [](const GemmCase& c) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.k))); }},
      {"φ of the entries of A and B", 0, 10, 20, phi_of}};
  domain.axes = gemm_axes;
  if (options.layouts) domain.traits = std::make_shared<const Traits<GemmCase>>(gemm_traits(options));
  domain.accepts =
      "dimensions up to " + std::to_string(gemm_longest_side) + ", at most " + std::to_string(gemm_most_products) +
      " products, or 64 × 64 × 64, or two rows and columns of up to " + std::to_string(gemm_longest_inner) + " terms" +
      (options.batches ? ", 1 to " + std::to_string(most_in_batch(options)) + " in a batch" : ", one in a batch") +
      "; arrays that end with their last entry, gaps of up to 8 entries between products; " +
      (options.exceptional ? "infinities and NaNs anywhere" : "all numbers that are read finite");
  return domain;
}

}  // namespace assay::gemm
