#pragma once
// Cases of the multiple-precision matrix product, in the form of the GEMV's cases
// (properties/catalog/gemv/problem.hpp): a number is its limbs and an exponent.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/gemv/cases.hpp"

namespace assay::mp {

/// C ← α·op(A)·op(B) + β·C.
using MpGemmCase = expansion::ExpansionGemmCase<double>;

/// The longest dimension, and the most products, of a case.
inline constexpr std::int64_t longest_gemm_dimension = 80;
inline constexpr std::int64_t most_gemm_products = 2048;

/// `blas` gives the places of the entries.
struct MpGemmProblem {
  expansion::ExpansionBlasProblem<double> blas;
  bool adds_product, adds_start;

  MpGemmProblem(const MpGemmCase& c, const gemv::MpFormat& format)
      : blas(problem_of(c, format.words(), 1)),
        adds_product(blas.k > 0 && !gemv::detail::is_mp_zero(c.alpha)),
        adds_start(!gemv::detail::is_mp_zero(c.beta)) {
    blas.returns_at_once = blas.m == 0 || blas.n == 0 || (!adds_product && expansion::detail::is_one<double>(c.beta));
  }
};

/// C after the operation, exactly; 0 for poison.
inline std::vector<oracle::Dyadic> exact_result(const MpGemmProblem& p) {
  using gemv::detail::mp_value;
  std::vector<oracle::Dyadic> truth(p.blas.c.size() / p.blas.words);
  for (std::size_t at = 0; at < truth.size(); ++at) {
    const std::span<const double> number = p.blas.entry(p.blas.c, at);
    if (!gemv::detail::is_poison(number)) truth[at] = mp_value(number);
  }
  if (p.blas.returns_at_once) return truth;
  const oracle::Dyadic alpha = mp_value(p.blas.alpha);
  const oracle::Dyadic beta = mp_value(p.blas.beta);
  std::vector<oracle::Dyadic> a;
  std::vector<oracle::Dyadic> b;
  if (p.adds_product) {
    a = expansion::detail::by_entry(p.blas, p.blas.a, p.blas.a_at, p.blas.m, p.blas.k, mp_value);
    b = expansion::detail::by_entry(p.blas, p.blas.b, p.blas.b_at, p.blas.k, p.blas.n, mp_value);
  }
  expansion::for_each_written(p.blas, [&](std::int64_t i, std::int64_t j, std::size_t place) {
    oracle::Dyadic sum;
    for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
      sum.add_mul(a[static_cast<std::size_t>(i * p.blas.k + l)], b[static_cast<std::size_t>(l * p.blas.n + j)]);
    }
    oracle::Dyadic value = alpha * sum;
    if (p.adds_start) value.add_mul(beta, truth[place]);
    truth[place] = std::move(value);
  });
  return truth;
}

namespace detail {

using GemmEntries = gemv::detail::MpEntries;

/// Columns 2l and 2l + 1 of A cancel except for one bit, against equal rows of B.
inline void draw_gemm_cancelling(Draw& draw, GemmEntries& e, const gemv::MpFormat& format) {
  using gemv::detail::MpSignificand;
  gemv::detail::draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      std::copy(e.b.at(l, j).begin(), e.b.at(l, j).end(), e.b.at(l + 1, j).begin());
    }
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const std::span<double> twin = e.a.at(i, l + 1);
      std::copy(e.a.at(i, l).begin(), e.a.at(i, l).end(), twin.begin());
      gemv::detail::negate_mp(twin);
      gemv::detail::flip_bit(twin, static_cast<int>(draw.below(static_cast<std::uint64_t>(format.bits - 1))));
    }
  }
}

/// α = ±1, β = ±1 and C next to the value that cancels the product.
inline void draw_gemm_cancelling_start(Draw& draw, GemmEntries& e, const gemv::MpFormat& format) {
  using gemv::detail::MpSignificand;
  gemv::detail::draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  const bool minus = draw.coin();
  const bool minus_start = draw.coin();
  gemv::detail::assign_mp(e.alpha, 1, minus, 0);
  gemv::detail::assign_mp(e.beta, 1, minus_start, 0);
  expansion::detail::draw_matrix(e.c, [&](std::span<double> to, std::int64_t i, std::int64_t j) {
    oracle::Dyadic sum;
    for (std::int64_t l = 0; l < e.a.columns; ++l) {
      sum.add_mul(gemv::detail::mp_value(std::as_const(e.a).at(i, l)),
                  gemv::detail::mp_value(std::as_const(e.b).at(l, j)));
    }
    if (minus == minus_start) sum.negate();
    gemv::detail::assign_truncated(to, sum, format);
  });
}

/// The sum of an entry is a number of P bits and a half of its last place; C is far below, or 0, and decides.
inline void draw_gemm_ties(Draw& draw, GemmEntries& e, const gemv::MpFormat& format) {
  const auto assign_all = [&](expansion::detail::EntryMatrix<double>& matrix, auto&& of) {
    expansion::detail::draw_matrix(matrix,
                                   [&](std::span<double> number, std::int64_t i, std::int64_t j) { of(number, i, j); });
  };
  gemv::detail::assign_mp(e.alpha, 1, draw.coin(), draw.between(-64, 64));
  gemv::detail::assign_mp(e.beta, 1, draw.coin(), 0);
  assign_all(e.b, [&](std::span<double> number, std::int64_t, std::int64_t) {
    gemv::detail::assign_mp(number, 1, draw.coin(), draw.between(-3, 3));
  });
  assign_all(e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) {
    const auto limbs = gemv::detail::draw_limbs(draw, format.bits);
    if (l == 0) gemv::detail::assign_mp(number, limbs, draw.coin(), 8);
    if (l == 1) gemv::detail::assign_mp(number, 1, draw.coin(), draw.between(0, 10));
    if (l > 1) gemv::detail::assign_mp(number, 0, false, 0);
  });
  const int gap = draw.coin() ? draw.between(1, 80) : 4 * format.bits + draw.between(-3, 3);
  assign_all(e.c, [&](std::span<double> number, std::int64_t, std::int64_t) {
    gemv::detail::assign_mp(number, draw.one_in(3) ? 0 : 1, draw.coin(), -gap);
  });
}

/// Exponents of chosen lines are spread around the width of one window, and beyond.
inline void draw_gemm_spread(Draw& draw, GemmEntries& e, const gemv::MpFormat& format, int spread, bool all_lines) {
  using gemv::detail::MpSignificand;
  gemv::detail::draw_mp_all(draw, e, format, draw.coin() ? MpSignificand::full : MpSignificand::any,
                            expansion::detail::Signs::mixed, 0, 0);
  const auto spread_line = [&](expansion::detail::EntryMatrix<double>& matrix, bool by_rows) {
    const std::int64_t lines = by_rows ? matrix.rows : matrix.columns;
    const std::int64_t length = by_rows ? matrix.columns : matrix.rows;
    for (std::int64_t line = 0; line < lines; ++line) {
      if (!all_lines && !draw.one_in(4)) continue;
      for (std::int64_t at = 0; at < length; ++at) {
        const std::span<double> number = by_rows ? matrix.at(line, at) : matrix.at(at, line);
        if (!gemv::detail::is_mp_zero(number))
          number.back() += draw.coin() ? draw.between(0, spread) : draw.coin() ? spread : 0;
      }
    }
  };
  spread_line(e.a, true);
  spread_line(e.b, false);
}

/// Numbers next to 2ᴾ of one sign with exponents `apart` above the exponent of a 1 in the same line: the largest sums
/// of an alignment of that many bits.
inline void draw_gemm_largest(Draw& draw, GemmEntries& e, const gemv::MpFormat& format, int apart) {
  std::vector<std::uint32_t> limbs(format.limbs(), ~std::uint32_t{0});
  limbs.back() = (std::uint32_t{2} << ((format.bits - 1) % 32)) - 1;
  const bool minus = draw.coin();
  const auto assign = [&](std::span<double> number, std::int64_t l, bool negative) {
    if (l == 0) gemv::detail::assign_mp(number, 1, negative, 0);
    if (l > 0) gemv::detail::assign_mp(number, limbs, negative, apart);
  };
  expansion::detail::draw_matrix(
      e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) { assign(number, l, minus); });
  expansion::detail::draw_matrix(
      e.b, [&](std::span<double> number, std::int64_t l, std::int64_t) { assign(number, l, false); });
}

/// Full significands, and one row of A and one column of B whose exponents are far apart.
inline void draw_gemm_one_apart(Draw& draw, GemmEntries& e, const gemv::MpFormat& format) {
  gemv::detail::draw_mp_all(draw, e, format, gemv::detail::MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  const auto move = [&](std::span<double> number) {
    if (!gemv::detail::is_mp_zero(number)) number.back() += draw.coin() ? 500 : 0;
  };
  for (std::int64_t l = 0; l < e.a.columns && e.a.rows > 0; ++l) move(e.a.at(e.a.rows / 2, l));
  for (std::int64_t l = 0; l < e.b.rows && e.b.columns > 0; ++l) move(e.b.at(l, e.b.columns / 2));
}

/// A shape around the edges of tiles, of at most most_gemm_products.
struct GemmShape {
  std::int64_t m, n, k;
};
inline GemmShape draw_gemm_shape(Draw& draw, bool long_sums) {
  static constexpr std::array<std::int64_t, 6> edges{15, 16, 17, 31, 33, 65};
  const auto dimension = [&]() -> std::int64_t {
    const std::uint64_t kind = draw.below(16);
    return kind == 0 ? 0 : kind < 12 ? 1 + static_cast<std::int64_t>(draw.below(4)) : edges[draw.below(edges.size())];
  };
  GemmShape s{dimension(), dimension(), long_sums ? draw.between(60, 80) : dimension()};
  while (s.m * s.n * s.k > most_gemm_products) (s.m > s.n ? s.m : s.n) = 1 + static_cast<std::int64_t>(draw.below(3));
  return s;
}

template <class Make>
MpGemmCase draw_gemm(Draw& draw, const gemv::MpFormat& format, const GemmShape& shape, Make&& make) {
  const std::size_t words = format.words();
  const auto zeros = [words](std::int64_t rows, std::int64_t columns) {
    return expansion::detail::zero_matrix<double>(rows, columns, words);
  };
  GemmEntries e{gemv::detail::draw_mp_scalar(draw, format), gemv::detail::draw_mp_scalar(draw, format),
                zeros(shape.m, shape.k), zeros(shape.k, shape.n), zeros(shape.m, shape.n)};
  make(draw, e);
  const double nan = number_of<double>(format_of<double>().nan());
  const auto poison = [&](std::vector<double>& all) { std::fill(all.begin(), all.end(), nan); };
  if ((gemv::detail::is_mp_zero(e.alpha) || shape.k == 0) && draw.coin()) {
    poison(e.a.all);
    poison(e.b.all);
  }
  if (gemv::detail::is_mp_zero(e.beta) && shape.m > 0 && shape.n > 0 && draw.coin()) poison(e.c.all);
  const auto above = [&]() -> std::int64_t { return draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(4)); };
  const expansion::detail::BlasLayout layout{draw.coin(), draw.coin(), above(), above(), above()};
  MpGemmCase c;
  const bool poisoned = draw.coin();
  std::size_t at = 0;
  const auto filler = [&] { return poisoned ? nan : at++ % words == 0 ? 3.0 : 0.0; };
  expansion::detail::lay_out(e, layout, filler, filler, c);
  return c;
}

/// Every number that is read is a number of the format; sizes fit; poison only occurs where nothing is read.
inline bool is_gemm_case(const MpGemmCase& c, const gemv::MpFormat& format) {
  using expansion::detail::is_flag;
  const std::size_t words = format.words();
  const auto is_dimension = [](std::int64_t x) { return x >= 0 && x <= longest_gemm_dimension; };
  const auto is_leading = [](std::int64_t x, std::int64_t rows) {
    return x >= 1 && x >= rows && x <= longest_gemm_dimension + 4;
  };
  if (!is_flag(c.transa) || !is_flag(c.transb) || !is_dimension(c.m) || !is_dimension(c.n) || !is_dimension(c.k) ||
      c.m * c.n * c.k > most_gemm_products || !is_leading(c.lda, c.transa != 0 ? c.k : c.m) ||
      !is_leading(c.ldb, c.transb != 0 ? c.n : c.k) || !is_leading(c.ldc, c.m) || c.alpha.size() != words ||
      c.beta.size() != words) {
    return false;
  }
  const MpGemmProblem p(c, format);
  if (!expansion::detail::has_array_sizes(p.blas)) return false;
  const auto is_number = [&](std::span<const double> number) { return gemv::is_mp_number(number, format); };
  const auto may_stand = [&](std::span<const double> array) {
    for (std::size_t at = 0; at < array.size(); at += words) {
      const auto number = array.subspan(at, words);
      if (!gemv::detail::is_poison(number) && !is_number(number)) return false;
    }
    return true;
  };
  if (!is_number(c.alpha) || !is_number(c.beta) || !may_stand(c.a) || !may_stand(c.b) || !may_stand(c.c)) return false;
  if (p.blas.returns_at_once) return true;
  bool all = true;
  const auto require = [&](std::span<const double> array, std::size_t place) {
    all = all && !gemv::detail::is_poison(p.blas.entry(array, place));
  };
  for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
    for (std::int64_t i = 0; i < p.blas.m; ++i) require(p.blas.a, p.blas.a_at(i, l));
    for (std::int64_t j = 0; j < p.blas.n; ++j) require(p.blas.b, p.blas.b_at(l, j));
  }
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) {
    if (p.adds_start) require(p.blas.c, place);
  });
  return all;
}

inline Axes gemm_axes(const MpGemmCase& c, std::size_t words) {
  Axes axes = expansion::blas_axes(c, words);
  for (Axes::List& list : axes.lists) list.adds_up = false;
  return axes;
}

}  // namespace detail

inline Domain<MpGemmCase> mp_gemm_domain(const gemv::MpFormat& format) {
  using detail::GemmEntries;
  using expansion::detail::Signs;
  using gemv::detail::MpSignificand;
  const auto of = [format](auto make, bool long_sums = false) {
    return drawn<MpGemmCase>([=](Draw& draw) {
      return detail::draw_gemm(draw, format, detail::draw_gemm_shape(draw, long_sums),
                               [&](Draw& d, GemmEntries& e) { make(d, e, format); });
    });
  };
  const auto entries = [&](MpSignificand kind, Signs signs, int low, int high) {
    return of([=](Draw& draw, GemmEntries& e, const gemv::MpFormat& f) {
      gemv::detail::draw_mp_all(draw, e, f, kind, signs, low, high);
    });
  };
  const auto spread = [&](int by, bool all_lines) {
    return of([=](Draw& draw, GemmEntries& e, const gemv::MpFormat& f) {
      detail::draw_gemm_spread(draw, e, f, by, all_lines);
    });
  };
  return {
      .classes =
          {{"full significands", 3, entries(MpSignificand::full, Signs::mixed, -4, 4)},
           {"full significands of one sign", 2, entries(MpSignificand::full, Signs::same, -1, 1)},
           {"significands of any length", 2, entries(MpSignificand::any, Signs::mixed, -8, 8)},
           {"few bits", 1, entries(MpSignificand::few_bits, Signs::mixed, -4, 4)},
           {"all ones", 2, entries(MpSignificand::ones, Signs::mixed, -2, 2)},
           {"maximal residues", 1, entries(MpSignificand::maximal_residues, Signs::mixed, -1, 1)},
           {"small integers", 1,
            of([](Draw& draw, GemmEntries& e, const gemv::MpFormat&) { gemv::detail::draw_mp_integers(draw, e); })},
           {"pairs of products cancel down to one bit", 3, of(detail::draw_gemm_cancelling)},
           {"the start cancels the product", 3, of(detail::draw_gemm_cancelling_start)},
           {"a start far below decides a tie", 3, of(detail::draw_gemm_ties)},
           {"sums of 60 to 80 products of one sign", 1,
            of(
                [](Draw& draw, GemmEntries& e, const gemv::MpFormat& f) {
                  gemv::detail::draw_mp_all(draw, e, f, MpSignificand::ones, Signs::same, 0, 0);
                },
                true)},
           {"exponents of some lines spread by 48", 3, spread(48, false)},
           {"exponents of all lines spread by 36 to 44", 3, of([](Draw& draw, GemmEntries& e, const gemv::MpFormat& f) {
              detail::draw_gemm_spread(draw, e, f, draw.between(36, 44), true);
            })},
           {"exponents of some lines spread by 10000", 2, spread(10000, false)},
           {"largest sums of lines 34 to 42 bits apart", 2, of([](Draw& draw, GemmEntries& e, const gemv::MpFormat& f) {
              detail::draw_gemm_largest(draw, e, f, draw.between(34, 42));
            })},
           {"one row and one column with exponents far apart", 3, drawn<MpGemmCase>([format](Draw& draw) {
              const auto side = [&] { return static_cast<std::int64_t>(draw.between(3, 6)); };
              return detail::draw_gemm(draw, format, {side(), side(), static_cast<std::int64_t>(draw.between(2, 4))},
                                       [&](Draw& d, GemmEntries& e) { detail::draw_gemm_one_apart(d, e, format); });
            })}},
      .contains = [format](const MpGemmCase& c) { return detail::is_gemm_case(c, format); },
      .features = {{"log2 of the inner dimension + 1, rounded up", 0, 9, 9,
                    [](const MpGemmCase& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.k)));
                    }}},
      .axes = [words = format.words()](const MpGemmCase& c) { return detail::gemm_axes(c, words); },
      .accepts = "dimensions up to " + std::to_string(longest_gemm_dimension) + ", at most " +
                 std::to_string(most_gemm_products) + " products; numbers of " + std::to_string(format.limbs()) +
                 " limbs of one sign and an exponent, below 2^" + std::to_string(format.bits) +
                 ", the exponent within 2^20; a NaN where nothing is read",
      .traits = std::make_shared<const Traits<MpGemmCase>>(
          expansion::gemm_traits({format.words(), [](std::span<const double> x) { return gemv::detail::is_mp_zero(x); },
                                  [format](Draw& draw, std::span<double> to) {
                                    gemv::detail::assign_mp(to, {.exponent = -draw.between(0, format.bits),
                                                                 .negative = draw.coin(),
                                                                 .limbs = gemv::detail::draw_limbs(draw, format.bits)});
                                  }}))};
}

}  // namespace assay::mp
