#pragma once
// Inputs of the operations on matrices of multiple-precision numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/mp/vector_cases.hpp"

namespace assay::mp {

/// An m × n matrix, vectors x and y of m and n entries, and the scalars α and β, as limbs and scales (MpVectorCase).
/// upper: 1 if the upper triangle of a symmetric matrix is stored, with m = n.
struct MpMatrixCase {
  int upper = 0;
  std::int64_t m = 0, n = 0, lda = 1, incx = 1, incy = 1;
  std::vector<double> a_scale, x_scale, y_scale, scalar_scale;
  std::vector<std::uint32_t> a, x, y, scalar;
  static constexpr auto fields() {
    using C = MpMatrixCase;
    return std::tuple{field("upper", &C::upper),
                      field("m", &C::m),
                      field("n", &C::n),
                      field("lda", &C::lda),
                      field("incx", &C::incx),
                      field("incy", &C::incy),
                      field("a_scale", &C::a_scale),
                      field("a", &C::a),
                      field("x_scale", &C::x_scale),
                      field("x", &C::x),
                      field("y_scale", &C::y_scale),
                      field("y", &C::y),
                      field("scalar_scale", &C::scalar_scale),
                      field("scalar", &C::scalar)};
  }
};

namespace detail {

inline std::size_t mp_matrix_places(const MpMatrixCase& c) {
  return c.m == 0 || c.n == 0 ? 0 : static_cast<std::size_t>(c.m + (c.n - 1) * c.lda);
}
inline std::size_t mp_matrix_place(const MpMatrixCase& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(i + j * c.lda);
}

inline oracle::Dyadic value_of(const MpEntry& entry) { return entry.significand * assay::value_of(entry.scale); }

/// The exponents of scales lie within ± this.
inline constexpr int most_scale = 900;

/// ±2^e·X next to x toward zero, X of at most h − 1 bits; 0 if e is out of range.
inline MpEntry truncated_entry(const MpDraw& r, const oracle::Dyadic& x) {
  if (x.is_zero()) return {1.0, 0};
  const long e = x.exponent() + 2 - r.system().h;
  if (e > most_scale || e < -most_scale) return {1.0, 0};
  return {power_of(static_cast<int>(e), x.sign() < 0), r.limited(oracle::floor_scaled(abs(x), e))};
}

/// The entries of a case in a separate order: a_ij at i + j·m.
struct MpMatrixEntries {
  std::int64_t m, n;
  std::vector<MpEntry> a, x, y;
  MpEntry alpha, beta;
  MpEntry& at(std::int64_t i, std::int64_t j) { return a[static_cast<std::size_t>(i + j * m)]; }
};

inline MpMatrixCase laid_out(MpDraw& r, const MpMatrixEntries& e) {
  constexpr std::int64_t all[] = {1, 1, -1, 2, -2, 3};
  MpMatrixCase c;
  c.upper = r.draw().coin() ? 1 : 0;
  c.m = e.m;
  c.n = e.n;
  c.lda = std::max<std::int64_t>(1, e.m) + (r.draw().coin() ? 0 : r.draw().between(1, 2));
  c.incx = all[r.draw().below(6)];
  c.incy = all[r.draw().below(6)];
  const auto place = [&](std::size_t size, std::vector<double>& scale, std::vector<std::uint32_t>& limbs,
                         const auto& entry_at) {
    std::vector<MpEntry> placed(size);
    for (MpEntry& each : placed) each = {1.0, oracle::Dyadic(r.draw().below(100))};
    entry_at(placed);
    for (const MpEntry& each : placed) append(r.system(), each, scale, limbs);
  };
  place(mp_matrix_places(c), c.a_scale, c.a, [&](std::vector<MpEntry>& to) {
    for (std::size_t k = 0; k < e.a.size(); ++k) {
      to[k % static_cast<std::size_t>(e.m) + k / static_cast<std::size_t>(e.m) * static_cast<std::size_t>(c.lda)] =
          e.a[k];
    }
  });
  const auto vector = [&](const std::vector<MpEntry>& from, std::int64_t inc, std::vector<double>& scale,
                          std::vector<std::uint32_t>& limbs) {
    const auto length = static_cast<std::int64_t>(from.size());
    place(mp_places(length, inc), scale, limbs, [&](std::vector<MpEntry>& to) {
      for (std::int64_t i = 0; i < length; ++i) to[mp_place(length, inc, i)] = from[static_cast<std::size_t>(i)];
    });
  };
  vector(e.x, c.incx, c.x_scale, c.x);
  vector(e.y, c.incy, c.y_scale, c.y);
  append(r.system(), e.alpha, c.scalar_scale, c.scalar);
  append(r.system(), e.beta, c.scalar_scale, c.scalar);
  return c;
}

/// 0, 1, −1, a full significand or any.
inline MpEntry draw_scalar(MpDraw& r) {
  const std::uint64_t kind = r.draw().below(8);
  const double scale = draw_power(r, -20, 20);
  return kind == 0   ? MpEntry{1.0, 0}
         : kind == 1 ? MpEntry{1.0, 1}
         : kind == 2 ? MpEntry{-1.0, 1}
         : kind == 3 ? MpEntry{scale, r.significand()}
                     : MpEntry{scale, r.full()};
}

inline bool holds_mp_entries(const MpSystem& system, std::span<const double> scale,
                             std::span<const std::uint32_t> limbs, std::size_t count) {
  if (scale.size() != count || limbs.size() != count * system.limbs) return false;
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_finite(scale[k]) || assay::value_of(scale[k]).bit_length() != 1 ||
        std::abs(assay::exponent(scale[k])) > most_scale ||
        oracle::integer_of_limbs(limbs.subspan(k * system.limbs, system.limbs)) > system.largest) {
      return false;
    }
  }
  return true;
}

}  // namespace detail

/// Matrices of small shapes, and some with a long side: any entries, full ones of one sign, entries that cancel what is
/// added to them except for some bits, exponents apart by about the precision; scalars 0, 1, −1 and others. If a
/// symmetric matrix is square, y cancels; otherwise the matrix does.
inline Domain<MpMatrixCase> mp_matrix_domain(const MpSystem& system, bool symmetric, bool cancels_vector = false) {
  using detail::MpEntry;
  using detail::MpMatrixEntries;
  using oracle::Dyadic;
  const auto of = [&system, symmetric](std::string name, unsigned weight, auto make) {
    return detail::mp_class<MpMatrixCase>(std::move(name), weight, system, [=](MpDraw& r) {
      const auto side = [&] { return static_cast<std::int64_t>(r.draw().one_in(16) ? 0 : 1 + r.draw().below(4)); };
      MpMatrixEntries e{side(), side(), {}, {}, {}, detail::draw_scalar(r), detail::draw_scalar(r)};
      if (r.draw().one_in(12)) e.m = r.draw().between(7, symmetric ? 9 : 40);
      if (symmetric) e.n = e.m;
      e.a.resize(static_cast<std::size_t>(e.m * e.n));
      e.x.resize(static_cast<std::size_t>(e.m));
      e.y.resize(static_cast<std::size_t>(e.n));
      make(r, e);
      return detail::laid_out(r, e);
    });
  };
  const auto fill = [](MpMatrixEntries& e, const auto& entry) {
    for (std::vector<MpEntry>* list : {&e.a, &e.x, &e.y}) {
      for (MpEntry& each : *list) each = entry();
    }
  };
  const auto full = [fill](MpDraw& r, MpMatrixEntries& e) {
    fill(e, [&] { return MpEntry{detail::draw_power(r, -8, 8), r.full()}; });
  };
  Domain<MpMatrixCase> domain;
  domain.classes = {
      of("any entries", 3,
         [fill](MpDraw& r, MpMatrixEntries& e) {
           fill(e, [&] {
             return MpEntry{detail::draw_power(r, -40, 40), r.draw().one_in(8) ? Dyadic(0) : r.significand()};
           });
         }),
      of("full entries of one sign", 3,
         [fill](MpDraw& r, MpMatrixEntries& e) {
           fill(e, [&] { return MpEntry{detail::power_of(r.draw().between(0, 2), false), r.full()}; });
           if (!e.alpha.significand.is_zero()) e.alpha.scale = std::abs(e.alpha.scale);
         }),
      of("the start cancels the product but for some bits", 4,
         [=](MpDraw& r, MpMatrixEntries& e) {
           full(r, e);
           if (cancels_vector) {
             e.beta = {r.draw().coin() ? 1.0 : -1.0, 1};
             for (std::int64_t i = 0; i < e.n; ++i) {
               Dyadic sum;
               for (std::int64_t j = 0; j < e.n; ++j) {
                 e.at(j, i) = e.at(std::min(i, j), std::max(i, j));
                 sum.add_mul(value_of(e.at(i, j)), value_of(e.x[static_cast<std::size_t>(j)]));
               }
               e.y[static_cast<std::size_t>(i)] =
                   detail::truncated_entry(r, -value_of(e.beta) * value_of(e.alpha) * sum);
             }
             return;
           }
           for (std::int64_t j = 0; j < e.n; ++j) {
             for (std::int64_t i = 0; i < e.m; ++i) {
               const MpEntry& second = (symmetric ? e.x : e.y)[static_cast<std::size_t>(j)];
               const Dyadic product = value_of(e.alpha) * value_of(e.x[static_cast<std::size_t>(i)]) * value_of(second);
               MpEntry& entry = e.at(i, j) = detail::truncated_entry(r, -product);
               entry.significand = r.limited(entry.significand - r.log_uniform(r.system().h / 2));
             }
           }
         }),
      of("exponents apart by about the precision", 3,
         [full](MpDraw& r, MpMatrixEntries& e) {
           full(r, e);
           const int gap = std::min(r.system().h + r.draw().between(-4, 4), detail::most_scale - 8);
           const bool small = r.draw().coin();
           for (MpEntry& each : e.a) {
             each.scale = detail::draw_power(r, -4, 4) * detail::power_of(small ? -gap : gap, false);
           }
         }),
      of("a long start and short products below its last bit", 3,
         [full](MpDraw& r, MpMatrixEntries& e) {
           full(r, e);
           const auto brief = [&] { return MpEntry{detail::draw_power(r, -60, 0), r.log_uniform(20) + Dyadic(1)}; };
           e.alpha = brief();
           for (std::vector<MpEntry>* list : {&e.x, &e.y}) {
             for (MpEntry& each : *list) each = brief();
           }
         }),
      of("short entries: no operation rounds", 1,
         [fill](MpDraw& r, MpMatrixEntries& e) {
           fill(e, [&] { return MpEntry{detail::draw_power(r, -8, 8), r.log_uniform(12)}; });
         }),
  };
  domain.contains = [&system, symmetric](const MpMatrixCase& c) {
    const auto is_stride = [](std::int64_t inc) { return inc != 0 && inc <= 8 && inc >= -8; };
    return (c.upper == 0 || c.upper == 1) && c.m >= 0 && c.m <= 64 && c.n >= 0 && c.n <= 64 &&
           (!symmetric || c.m == c.n) && c.lda >= 1 && c.lda >= c.m && c.lda <= 80 && is_stride(c.incx) &&
           is_stride(c.incy) && detail::holds_mp_entries(system, c.a_scale, c.a, detail::mp_matrix_places(c)) &&
           detail::holds_mp_entries(system, c.x_scale, c.x, detail::mp_places(c.m, c.incx)) &&
           detail::holds_mp_entries(system, c.y_scale, c.y, detail::mp_places(c.n, c.incy)) &&
           detail::holds_mp_entries(system, c.scalar_scale, c.scalar, 2);
  };
  if (!symmetric) {
    domain.axes = [words = system.limbs](const MpMatrixCase&) {
      const std::vector<Axes::Side> matrix{{"rows"}, {"columns", "lda"}};
      const std::vector<Axes::Side> along_x{{"rows", "incx"}};
      const std::vector<Axes::Side> along_y{{"columns", "incy"}};
      return Axes{{{"a_scale", matrix, 1, false},
                   {"a", matrix, words, false},
                   {"x_scale", along_x, 1, false},
                   {"x", along_x, words, false},
                   {"y_scale", along_y, 1, false},
                   {"y", along_y, words, false}},
                  {{"m", "rows"}, {"n", "columns"}}};
    };
  }
  domain.accepts = std::string(symmetric ? "square matrices" : "matrices") +
                   " of at most 64 rows and columns, strides ±1 … ±8, two scalars; entries ±2^e·X, |e| ≤ 900, X ≤ "
                   "M·2^(−" +
                   std::to_string(system.h) + ")(1 − 2^(−48)), M the product of " + std::to_string(system.n) +
                   " moduli";
  return domain;
}

}  // namespace assay::mp
