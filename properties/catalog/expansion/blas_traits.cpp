#include "properties/catalog/expansion/blas_traits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "properties/catalog/expansion/term_draws.hpp"
#include "properties/framework/generators.hpp"

namespace assay::expansion {

namespace {

using Case = ExpansionGemvCase<double>;
using Problem = ExpansionBlasProblem<double>;
using detail::EntryMatrix;
using detail::EntryPlaces;
using GemvTrait = Trait<Case>;

/// The indices of the traits in a row.
enum At : std::size_t {
  size_rows,
  size_terms,
  in_alpha,
  in_beta,
  in_a,
  in_x,
  in_y,
  transposed,
  gaps,
  stride_x,
  stride_y,
};

constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* finite_where_read = "entries that are read are no NaN in this domain";

KindNames strides() { return {"1", "2 or 3", "-1", "-2 or -3"}; }
std::size_t stride_kind(std::int64_t stride) { return (stride < 0 ? 2u : 0u) + (std::abs(stride) > 1 ? 1u : 0u); }
std::int64_t draw_stride(Draw& draw, std::size_t kind) {
  const std::int64_t length = kind % 2 == 0 ? 1 : draw.between(2, 3);
  return kind < 2 ? length : -length;
}

/// The kind of the entries of a matrix.
std::size_t kind_of(const WordKinds& kinds, const Problem& p, std::span<const double> array, const EntryPlaces& places,
                    std::int64_t rows, std::int64_t columns) {
  ListKind kind;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) kind.add(kinds.of(p.entry(array, places(i, j))));
  }
  return kind.value(kinds.names.size());
}

void fill(Draw& draw, const WordKinds& kinds, std::size_t kind, EntryMatrix<double>& matrix) {
  const std::size_t nan = kinds.names.size() - 1;
  constexpr std::size_t any = 2;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) kinds.draw(draw, kind < nan ? kind : any, matrix.at(i, j));
  }
  if (kind != nan || matrix.all.empty()) return;
  const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(matrix.rows)));
  const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(matrix.columns)));
  kinds.draw(draw, nan, matrix.at(i, j));
}

std::vector<GemvTrait> traits_of(const std::shared_ptr<const GemvNumbers>& numbers) {
  const auto size = [](const char* name, bool of_y) {
    return GemvTrait{{name, size_kinds()},
                     [of_y](const Case& c) { return size_kind(of_y == (c.trans == 0) ? c.m : c.n); }};
  };
  const auto scalar = [&](const char* name, std::vector<double> Case::*which) {
    return GemvTrait{{name, numbers->scalars.names},
                     [numbers, which](const Case& c) { return numbers->scalars.of(c.*which); }};
  };
  const auto entries = [&](const char* name, auto places_and_sizes) {
    return GemvTrait{{name, numbers->entries.names}, [numbers, places_and_sizes](const Case& c) {
                       const Problem p = problem_of(c, numbers->words, 1);
                       return std::apply([&](const auto&... each) { return kind_of(numbers->entries, p, each...); },
                                         places_and_sizes(p));
                     }};
  };
  const auto stride = [](const char* name, std::int64_t Case::*which) {
    return GemvTrait{{name, strides()}, [which](const Case& c) { return stride_kind(c.*which); }};
  };
  return {size("rows", true),
          size("terms", false),
          scalar("alpha", &Case::alpha),
          scalar("beta", &Case::beta),
          entries("A", [](const Problem& p) { return std::tuple(p.a, p.a_at, p.m, p.k); }),
          entries("x", [](const Problem& p) { return std::tuple(p.b, p.b_at, p.k, std::int64_t{1}); }),
          entries("y", [](const Problem& p) { return std::tuple(p.c, p.c_at, p.m, std::int64_t{1}); }),
          {{"A transposed", no_or_yes()}, [](const Case& c) { return std::size_t{c.trans != 0 ? 1u : 0u}; }},
          {{"gaps in A", no_or_yes()},
           [](const Case& c) { return std::size_t{c.lda > std::max<std::int64_t>(1, c.m) ? 1u : 0u}; }},
          stride("incx", &Case::incx),
          stride("incy", &Case::incy),
          {{"NaN in y, alpha", {"0", "other"}}, [numbers](const Case& c) -> std::size_t {
             const Problem p = problem_of(c, numbers->words, 1);
             const bool has_nan =
                 kind_of(numbers->entries, p, p.c, p.c_at, p.m, 1) + 1 == numbers->entries.names.size();
             if (!has_nan || numbers->scalars.of(c.beta) >= numbers->zero_scalars) return 2;
             return numbers->scalars.of(c.alpha) < numbers->zero_scalars ? 0 : 1;
           }}};
}

std::vector<ImpossiblePairs> impossible_pairs(const GemvNumbers& numbers) {
  std::vector<ImpossiblePairs> pairs;
  const auto add = [&](const char* trait, KindNames values, const char* other, KindNames others, const char* because) {
    pairs.push_back({trait, std::move(values), other, std::move(others), because});
  };
  const KindNames& kinds = numbers.entries.names;
  const KindNames& scalars = numbers.scalars.names;
  const KindNames zeros = up_to(scalars, numbers.zero_scalars);
  const KindNames others = from(scalars, numbers.zero_scalars);
  const KindNames none{size_kinds().front()};
  const KindNames nan{kinds.back()};
  for (const char* side : {"rows", "terms"}) add(side, none, "A", kinds, "a matrix without entries has no kind");
  add("rows", none, "y", kinds, "a vector without entries has no kind");
  add("rows", none, "NaN in y, alpha", {"0", "other"}, "a vector without entries has no NaN");
  add("terms", none, "x", kinds, "a vector without entries has no kind");
  add("alpha", others, "A", nan, finite_where_read);
  add("alpha", others, "x", nan, finite_where_read);
  add("beta", others, "y", nan, finite_where_read);
  add("NaN in y, alpha", {"0", "other"}, "y", up_to(kinds, kinds.size() - 1), "the trait names the NaN");
  add("NaN in y, alpha", {"0", "other"}, "beta", others, "the NaN is not read");
  add("NaN in y, alpha", {"0"}, "alpha", others, "the trait names alpha");
  add("NaN in y, alpha", {"other"}, "alpha", zeros, "the trait names alpha");
  for (const char* factor : {"A", "x"}) add("NaN in y, alpha", {"other"}, factor, nan, finite_where_read);
  for (std::size_t rows = 0; rows < size_kinds().size(); ++rows) {
    for (std::size_t terms = 0; terms < size_kinds().size(); ++terms) {
      if (smallest_size(rows) * smallest_size(terms) <= numbers.most_products) continue;
      add("rows", {size_kinds()[rows]}, "terms", {size_kinds()[terms]}, "more products than a case has");
    }
  }
  return pairs;
}

Case draw_gemv_row(Draw& draw, const TraitRow& row, const GemvNumbers& numbers) {
  std::int64_t rows = 0;
  std::int64_t terms = 0;
  do {
    rows = draw_size_of(draw, row[size_rows]);
    terms = draw_size_of(draw, row[size_terms]);
  } while (rows * terms > numbers.most_products);
  detail::BlasLayout layout;
  layout.transa = row[transposed] == 1;
  layout.above_a = row[gaps] == 1 ? draw.between(1, 3) : 0;
  layout.incx = draw_stride(draw, row[stride_x]);
  layout.incy = draw_stride(draw, row[stride_y]);
  const std::size_t words = numbers.words;
  detail::BlasEntries<double> e{
      std::vector<double>(words), std::vector<double>(words), detail::zero_matrix<double>(rows, terms, words),
      detail::zero_matrix<double>(terms, 1, words), detail::zero_matrix<double>(rows, 1, words)};
  numbers.scalars.draw(draw, row[in_alpha], e.alpha);
  numbers.scalars.draw(draw, row[in_beta], e.beta);
  fill(draw, numbers.entries, row[in_a], e.a);
  fill(draw, numbers.entries, row[in_x], e.b);
  fill(draw, numbers.entries, row[in_y], e.c);
  Case c;
  std::size_t at = 0;
  const auto number = [&] { return at++ % words == 0 ? 3.0 : 0.0; };
  detail::lay_out(
      e, layout, [] { return quiet_nan; }, number, c);
  return c;
}

using GemmCase = ExpansionGemmCase<double>;

/// The indices of the traits of a GEMM in a row.
enum AtGemm : std::size_t {
  gemm_rows,
  gemm_columns,
  gemm_terms,
  gemm_alpha,
  gemm_beta,
  a_transposed,
  b_transposed,
  gaps_in_a,
  gaps_in_b,
  gaps_in_c,
  nan_in_a,
  nan_in_c,
};

/// 0, 1, 2 to 4, 5 and more.
const KindNames& few_sizes() {
  static const KindNames names{"0", "1", "2 to 4", "5 and more"};
  return names;
}
std::size_t few_size_kind(std::int64_t n) { return n > 4 ? 3 : n > 1 ? 2 : static_cast<std::size_t>(n); }
std::int64_t draw_few(Draw& draw, std::size_t kind) {
  return kind == 0 ? 0 : kind == 1 ? 1 : kind == 3 ? draw.between(5, 9) : draw.between(2, 4);
}

/// 0, 1, any other.
std::size_t short_scalar_kind(const GemmNumbers& numbers, const std::vector<double>& x) {
  return numbers.is_zero(x) ? 0 : detail::is_one<double>(x) ? 1 : 2;
}

bool holds_nan(const Problem& p, std::span<const double> array, const EntryPlaces& places, std::int64_t rows,
               std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto words = p.entry(array, places(i, j));
      if (std::any_of(words.begin(), words.end(), [](double each) { return std::isnan(each); })) return true;
    }
  }
  return false;
}

GemmCase draw_gemm_row(Draw& draw, const TraitRow& row, const GemmNumbers& numbers) {
  const std::size_t words = numbers.words;
  const std::int64_t m = draw_few(draw, row[gemm_rows]);
  const std::int64_t n = draw_few(draw, row[gemm_columns]);
  const std::int64_t k = draw_few(draw, row[gemm_terms]);
  const auto above = [&](AtGemm which) -> std::int64_t { return row[which] == 1 ? draw.between(1, 3) : 0; };
  const detail::BlasLayout layout{row[a_transposed] == 1, row[b_transposed] == 1, above(gaps_in_a), above(gaps_in_b),
                                  above(gaps_in_c)};
  detail::BlasEntries<double> e{std::vector<double>(words), std::vector<double>(words),
                                detail::zero_matrix<double>(m, k, words), detail::zero_matrix<double>(k, n, words),
                                detail::zero_matrix<double>(m, n, words)};
  const auto assign = [&](std::span<double> to) { numbers.draw(draw, to); };
  const auto assign_scalar = [&](std::vector<double>& to, std::size_t kind) {
    if (kind == 1) to[0] = 1;
    if (kind > 1) assign(to);
  };
  assign_scalar(e.alpha, row[gemm_alpha]);
  assign_scalar(e.beta, row[gemm_beta]);
  for (EntryMatrix<double>* matrix : {&e.a, &e.b, &e.c}) {
    for (std::int64_t i = 0; i < matrix->rows; ++i) {
      for (std::int64_t j = 0; j < matrix->columns; ++j) assign(matrix->at(i, j));
    }
  }
  const auto poison = [&](EntryMatrix<double>& matrix) {
    const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(matrix.rows)));
    const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(matrix.columns)));
    std::ranges::fill(matrix.at(i, j), quiet_nan);
  };
  if (row[nan_in_a] == 1) poison(e.a);
  if (row[nan_in_c] == 1) poison(e.c);
  GemmCase c;
  std::size_t at = 0;
  detail::lay_out(
      e, layout, [] { return quiet_nan; }, [&] { return at++ % words == 0 ? 3.0 : 0.0; }, c);
  return c;
}

}  // namespace

Traits<GemmCase> gemm_traits(const GemmNumbers& numbers) {
  const std::size_t words = numbers.words;
  using C = GemmCase;
  const auto size = [](const char* name, std::int64_t C::*which) {
    return Trait<C>{{name, few_sizes()}, [which](const C& c) { return few_size_kind(c.*which); }};
  };
  const KindNames scalars{"0", "1", "other"};
  const auto scalar = [&](const char* name, std::vector<double> C::*which) {
    return Trait<C>{{name, scalars}, [which, numbers](const C& c) { return short_scalar_kind(numbers, c.*which); }};
  };
  const auto choice = [](const char* name, auto is) {
    return Trait<C>{{name, no_or_yes()}, [is](const C& c) { return std::size_t{is(c) ? 1u : 0u}; }};
  };
  const auto gaps = [](std::int64_t leading, std::int64_t rows) { return leading > std::max<std::int64_t>(1, rows); };
  const KindNames none{"0"};
  const KindNames yes{no_or_yes().back()};
  const KindNames not_zero = from(scalars, 1);
  const char* const empty = "a matrix without entries has no NaN";
  return {{size("rows", &C::m), size("columns", &C::n), size("terms", &C::k), scalar("alpha", &C::alpha),
           scalar("beta", &C::beta), choice("A transposed", [](const C& c) { return c.transa != 0; }),
           choice("B transposed", [](const C& c) { return c.transb != 0; }),
           choice("gaps in A", [gaps](const C& c) { return gaps(c.lda, c.transa != 0 ? c.k : c.m); }),
           choice("gaps in B", [gaps](const C& c) { return gaps(c.ldb, c.transb != 0 ? c.n : c.k); }),
           choice("gaps in C", [gaps](const C& c) { return gaps(c.ldc, c.m); }),
           choice("NaN in A",
                  [words](const C& c) {
                    const Problem p = problem_of(c, words, 1);
                    return holds_nan(p, p.a, p.a_at, p.m, p.k);
                  }),
           choice("NaN in C",
                  [words](const C& c) {
                    const Problem p = problem_of(c, words, 1);
                    return holds_nan(p, p.c, p.c_at, p.m, p.n);
                  })},
          {{"NaN in A", yes, "rows", none, empty},
           {"NaN in A", yes, "terms", none, empty},
           {"NaN in C", yes, "rows", none, empty},
           {"NaN in C", yes, "columns", none, empty},
           {"NaN in A", yes, "alpha", not_zero, finite_where_read},
           {"NaN in C", yes, "beta", not_zero, finite_where_read}},
          [numbers](Draw& draw, const TraitRow& row) { return draw_gemm_row(draw, row, numbers); }};
}

Traits<GemmCase> gemm_traits(std::size_t words) {
  return gemm_traits({words, [](std::span<const double> x) { return detail::all_zero(x); },
                      [](Draw& draw, std::span<double> to) {
                        const auto drawn =
                            detail::draw_expansion<double>(draw, to.size(), to.size(), detail::WordStyle::dense,
                                                           detail::Signs::mixed, draw.between(-8, 8));
                        std::copy(drawn.begin(), drawn.end(), to.begin());
                      }});
}

GemvNumbers expansion_numbers(std::size_t words, std::int64_t most_products) {
  const auto expansion = [](Draw& draw, std::span<double> to, int exponent) {
    const auto drawn = detail::draw_expansion<double>(draw, to.size(), to.size(), detail::WordStyle::dense,
                                                      detail::Signs::mixed, exponent);
    std::copy(drawn.begin(), drawn.end(), to.begin());
  };
  WordKinds scalars{up_to(scalar_kinds(), finite_scalar_kinds),
                    [](std::span<const double> x) {
                      const bool is_short = detail::all_zero(x.subspan(1));
                      return is_short ? scalar_kind(x[0]) : finite_scalar_kinds - 1;
                    },
                    [expansion](Draw& draw, std::size_t kind, std::span<double> to) {
                      to[0] = draw_scalar_of(draw, kind);
                      if (kind + 1 >= finite_scalar_kinds) expansion(draw, to, draw.between(-8, 8));
                    }};
  KindNames names = up_to(list_kinds(), finite_list_kinds);
  names.push_back("NaN");
  WordKinds entries{std::move(names),
                    [](std::span<const double> x) {
                      const bool has_nan =
                          std::any_of(x.begin(), x.end(), [](double each) { return std::isnan(each); });
                      return has_nan ? finite_list_kinds : number_kind(x[0]);
                    },
                    [expansion](Draw& draw, std::size_t kind, std::span<double> to) {
                      const ListDraw list(draw, kind);
                      std::fill(to.begin(), to.end(), 0.0);
                      to[0] = kind == finite_list_kinds ? quiet_nan : list.number(draw);
                      if (kind == 2 || kind == 3) expansion(draw, to, std::ilogb(to[0]));
                    }};
  return {words, most_products, std::move(scalars), 2, std::move(entries)};
}

Traits<Case> gemv_traits(const GemvNumbers& numbers) {
  const auto shared = std::make_shared<const GemvNumbers>(numbers);
  return {traits_of(shared), impossible_pairs(numbers),
          [shared](Draw& draw, const TraitRow& row) { return draw_gemv_row(draw, row, *shared); }};
}

}  // namespace assay::expansion
