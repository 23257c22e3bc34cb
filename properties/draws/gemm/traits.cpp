#include "properties/draws/gemm/traits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "properties/draws/gemm/matrices.hpp"
#include "properties/framework/number_kinds.hpp"

namespace assay::gemm {

namespace {

using oracle::MatrixView;
using GemmTrait = Trait<GemmCase>;

/// The indices of the traits in a row.
enum At : std::size_t {
  size_m,
  size_n,
  size_k,
  in_alpha,
  in_beta,
  in_a,
  in_b,
  in_c,
  transposed_a,
  transposed_b,
  gaps_a,
  gaps_b,
  gaps_c,
  shape,
  // Of a batch:
  several,
  stride_a,
  stride_b,
  stride_c
};

// The most products of a row's case: enough for three sides of the largest kind.
constexpr std::int64_t most_products_of_row = 20000;
/// A side up to this length counts as short.
constexpr std::size_t short_side = 2;

/// Which sides are short and which are long: the bits of the index are those of m, n and k, 1 for long.
KindNames shapes() {
  KindNames names;
  for (unsigned at = 0; at < 8; ++at) {
    names.push_back(std::string(at >> 2 & 1 ? "long m" : "short m") + (at >> 1 & 1 ? ", long n" : ", short n") +
                    (at & 1 ? ", long k" : ", short k"));
  }
  return names;
}
/// The shapes with a short, or with a long, side: bit 2 for m, 1 for n, 0 for k.
KindNames shapes_with(unsigned bit, bool is_long) {
  KindNames names;
  for (unsigned at = 0; at < 8; ++at) {
    if ((at >> bit & 1) == (is_long ? 1u : 0u)) names.push_back(shapes()[at]);
  }
  return names;
}
KindNames zeros() { return {"0", "-0"}; }
KindNames unread_starts() { return {"0, alpha = 0", "0, alpha != 0", "-0, alpha = 0", "-0, alpha != 0"}; }
/// The strides of a factor; the result is not shared.
KindNames strides() { return {"tight", "loose", "shared"}; }

std::size_t kind_of(const MatrixView& x, bool single = false) {
  ListKind kind;
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) kind.add(number_kind(x.at(i, j), single));
  }
  return kind.value(list_kinds().size());
}

GemmTrait size_of(const char* name, std::int64_t GemmCase::*dimension) {
  return {{name, size_kinds()}, [dimension](const GemmCase& c) { return size_kind(c.*dimension); }};
}
GemmTrait scalar_of(const char* name, const GemmDomain& domain, double GemmCase::*scalar) {
  return {{name, domain.exceptional ? scalar_kinds() : up_to(scalar_kinds(), finite_scalar_kinds)},
          [scalar](const GemmCase& c) { return scalar_kind(c.*scalar); }};
}
GemmTrait entries_of(const char* name, const GemmDomain& domain, MatrixView (*matrix)(const GemmCase&, std::int64_t)) {
  const bool specials = domain.exceptional || domain.poison;
  return {{name, specials ? list_kinds() : up_to(list_kinds(), finite_list_kinds)},
          [matrix, single = domain.single](const GemmCase& c) { return kind_of(matrix(c, 0), single); }};
}
template <class Holds>
GemmTrait flag(const char* name, Holds holds) {
  return {{name, no_or_yes()}, [holds](const GemmCase& c) { return std::size_t{holds(c) ? 1u : 0u}; }};
}
bool has_nan(const MatrixView& x) { return kind_of(x) + 1 == list_kinds().size(); }

/// A NaN in A under α = ±0, by the sign of the zero.
GemmTrait unread_a() {
  return {{"NaN in A, alpha", zeros()}, [](const GemmCase& c) -> std::size_t {
            return c.alpha != 0 || !has_nan(op_a(c, 0)) ? 2 : std::signbit(c.alpha) ? 1 : 0;
          }};
}
/// A NaN in C under β = ±0, by the sign of the zero and by whether α is zero, too: kernels treat these cases before all
/// others.
GemmTrait unread_c() {
  return {{"NaN in C, beta", unread_starts()}, [](const GemmCase& c) -> std::size_t {
            if (c.beta != 0 || !has_nan(start_of(c, 0))) return 4;
            return (std::signbit(c.beta) ? 2u : 0u) + (c.alpha != 0 ? 1u : 0u);
          }};
}
/// The stride of a batch compared with the extent of one product.
GemmTrait stride_of(const char* name, KindNames values, std::int64_t GemmCase::*stride,
                    std::int64_t (*extent)(const GemmCase&)) {
  return {{name, std::move(values)}, [stride, extent](const GemmCase& c) -> std::size_t {
            if (c.batch == 1) return 3;
            return c.*stride == extent(c) ? 0 : c.*stride == 0 ? 2 : 1;
          }};
}

std::vector<GemmTrait> traits_of(const GemmDomain& domain) {
  const auto is_loose = [](std::int64_t leading, std::int64_t rows) {
    return leading > std::max<std::int64_t>(1, rows);
  };
  std::vector<GemmTrait> all{
      size_of("m", &GemmCase::m),
      size_of("n", &GemmCase::n),
      size_of("k", &GemmCase::k),
      scalar_of("alpha", domain, &GemmCase::alpha),
      scalar_of("beta", domain, &GemmCase::beta),
      entries_of("A", domain, op_a),
      entries_of("B", domain, op_b),
      entries_of("C", domain, start_of),
      flag("A transposed", [](const GemmCase& c) { return c.trans_a != 0; }),
      flag("B transposed", [](const GemmCase& c) { return c.trans_b != 0; }),
      flag("gaps in A", [=](const GemmCase& c) { return is_loose(c.lda, c.trans_a != 0 ? c.k : c.m); }),
      flag("gaps in B", [=](const GemmCase& c) { return is_loose(c.ldb, c.trans_b != 0 ? c.n : c.k); }),
      flag("gaps in C", [=](const GemmCase& c) { return is_loose(c.ldc, c.m); }),
      {{"shape", shapes()},
       [](const GemmCase& c) {
         const auto is_long = [](std::int64_t side) { return size_kind(side) > short_side ? 1u : 0u; };
         return std::size_t{is_long(c.m) << 2 | is_long(c.n) << 1 | is_long(c.k)};
       }},
  };
  if (domain.batches) {
    all.push_back(
        {{"products", {"1", "2 or more"}}, [](const GemmCase& c) { return std::size_t{c.batch == 1 ? 0u : 1u}; }});
    all.push_back(stride_of("stride of A", strides(), &GemmCase::stride_a, extent_of_a));
    all.push_back(stride_of("stride of B", strides(), &GemmCase::stride_b, extent_of_b));
    all.push_back(stride_of("stride of C", up_to(strides(), 2), &GemmCase::stride_c, extent_of_c));
  }
  if (domain.poison || domain.exceptional) {
    all.push_back(unread_a());
    all.push_back(unread_c());
  }
  return all;
}

// ------------------------------------------------------------------------------------------- what no case can have

std::vector<ImpossiblePairs> impossible_pairs(const GemmDomain& domain, const std::vector<GemmTrait>& all) {
  std::vector<ImpossiblePairs> pairs;
  const auto add = [&](const char* trait, KindNames values, const char* other, KindNames others, const char* because) {
    pairs.push_back({trait, std::move(values), other, std::move(others), because});
  };
  const KindNames none{size_kinds().front()};
  const struct {
    const char* matrix;
    const char* sides[2];
  } matrices[] = {{"A", {"m", "k"}}, {"B", {"k", "n"}}, {"C", {"m", "n"}}};
  const bool specials = domain.poison || domain.exceptional;
  const KindNames& kinds = all[in_a].values;
  for (const auto& each : matrices) {
    for (const char* side : each.sides) add(side, none, each.matrix, kinds, "a matrix without entries has no kind");
  }
  const KindNames small = up_to(size_kinds(), short_side + 1);
  const KindNames large = from(size_kinds(), short_side + 1);
  for (unsigned bit = 0; bit < 3; ++bit) {
    const std::string& side = all[size_k - bit].name;
    add(side.c_str(), small, "shape", shapes_with(bit, true), "the shape names the side");
    add(side.c_str(), large, "shape", shapes_with(bit, false), "the shape names the side");
  }
  if (specials) {
    const KindNames& scalars = all[in_alpha].values;
    for (std::size_t zero = 0; zero < 2; ++zero) {
      const KindNames others = all_but(scalars, zeros()[zero]);
      add("NaN in A, alpha", {zeros()[zero]}, "alpha", others, "the trait names alpha");
      add("NaN in C, beta", {unread_starts()[2 * zero], unread_starts()[2 * zero + 1]}, "beta", others,
          "the trait names beta");
      add("NaN in C, beta", {unread_starts()[zero], unread_starts()[zero + 2]}, "alpha",
          zero == 0 ? from(scalars, 2) : zeros(), "the trait names alpha");
    }
    add("NaN in A, alpha", zeros(), "NaN in C, beta", {unread_starts()[1], unread_starts()[3]}, "alpha is 0 or not");
    add("NaN in A, alpha", zeros(), "A", all_but(kinds, "NaN"), "the trait names the NaN");
    add("NaN in C, beta", unread_starts(), "C", all_but(kinds, "NaN"), "the trait names the NaN");
    for (const char* side : {"m", "k"}) add(side, none, "NaN in A, alpha", zeros(), "a matrix without entries");
    for (const char* side : {"m", "n"}) add(side, none, "NaN in C, beta", unread_starts(), "a matrix without entries");
  }
  if (specials && !domain.exceptional) {
    const KindNames read = from(all[in_alpha].values, 2);
    for (const char* factor : {"A", "B"}) {
      add("alpha", read, factor, from(kinds, finite_list_kinds), "numbers that are read are finite in this domain");
      add("NaN in C, beta", {unread_starts()[1], unread_starts()[3]}, factor, from(kinds, finite_list_kinds),
          "numbers that are read are finite in this domain");
    }
    add("beta", read, "C", from(kinds, finite_list_kinds), "numbers that are read are finite in this domain");
  }
  if (domain.batches) {
    for (const std::size_t stride : {stride_a, stride_b, stride_c}) {
      add("products", {"1"}, all[stride].name.c_str(), all[stride].values, "one product has no stride");
    }
    for (const char* side : {"m", "k"}) add(side, none, "stride of A", {"shared"}, "a matrix without entries");
    for (const char* side : {"k", "n"}) add(side, none, "stride of B", {"shared"}, "a matrix without entries");
  }
  return pairs;
}

// ------------------------------------------------------------------------------------------------------- the cases

GemmCase draw_gemm_row(Draw& draw, const TraitRow& row, const GemmDomain& domain) {
  std::array<std::int64_t, 3> side{};
  do {
    for (std::size_t i = 0; i < side.size(); ++i) side[i] = draw_size_of(draw, row[i]);
  } while (side[0] * side[1] * side[2] > most_products_of_row);
  const bool is_batch = domain.batches && row[several] == 1;
  std::vector<GemmEntries> products;
  for (std::uint64_t p = is_batch ? 2 + draw.below(2) : 1; p > 0; --p) {
    GemmEntries& e = products.emplace_back(side[0], side[1], side[2]);
    e.single = domain.single;
    const auto scalar = [&](std::size_t kind) {
      const double x = draw_scalar_of(draw, kind);
      return e.single ? static_cast<float>(x) : x;
    };
    e.alpha = scalar(row[in_alpha]);
    e.beta = scalar(row[in_beta]);
    const auto fill = [&](GemmMatrix& x, std::size_t kind) {
      const ListDraw list(draw, kind, e.single);
      for (double& each : x.all) each = list.number(draw);
      if (list.has_special() && !x.all.empty()) x.all[draw.below(x.all.size())] = list.special(draw);
    };
    fill(e.a, row[in_a]);
    fill(e.b, row[in_b]);
    fill(e.c, row[in_c]);
  }
  const auto gap = [&](std::size_t kind) { return kind == 1 ? 1 + static_cast<std::int64_t>(draw.below(3)) : 0; };
  GemmLayout layout;
  layout.trans_a = row[transposed_a] == 1;
  layout.trans_b = row[transposed_b] == 1;
  layout.above_a = gap(row[gaps_a]);
  layout.above_b = gap(row[gaps_b]);
  layout.above_c = gap(row[gaps_c]);
  if (is_batch) {
    layout.share_a = row[stride_a] == 2;
    layout.share_b = row[stride_b] == 2;
    layout.behind_a = gap(row[stride_a]);
    layout.behind_b = gap(row[stride_b]);
    layout.behind_c = gap(row[stride_c]);
  }
  return laid_out_as(layout, draw, products);
}

}  // namespace

Traits<GemmCase> gemm_traits(const GemmDomain& domain) {
  std::vector<GemmTrait> all = traits_of(domain);
  std::vector<ImpossiblePairs> impossible = impossible_pairs(domain, all);
  return {std::move(all), std::move(impossible),
          [domain](Draw& draw, const TraitRow& row) { return draw_gemm_row(draw, row, domain); }};
}

}  // namespace assay::gemm
