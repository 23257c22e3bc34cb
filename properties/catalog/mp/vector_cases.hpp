#pragma once
// Inputs of the operations on vectors of multiple-precision numbers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/mp/cases.hpp"
#include "properties/framework/number_kinds.hpp"

namespace assay::mp {

namespace detail {

/// The entries of vectors: entry k of x and y, of the scalars α and β.
struct MpEntry {
  double scale;
  oracle::Dyadic significand;
};

inline double power_of(int e, bool negative) {
  const double x = bits::power_of_two<double>(e);
  return negative ? -x : x;
}
/// ±2^e, low ≤ e ≤ high.
inline double draw_power(MpDraw& r, int low, int high) {
  const bool negative = r.draw().coin();
  return power_of(r.draw().between(low, high), negative);
}

inline void append(const MpSystem& system, const MpEntry& entry, std::vector<double>& scale,
                   std::vector<std::uint32_t>& limbs) {
  scale.push_back(entry.scale);
  const std::vector<std::uint32_t> words = oracle::limbs_of(entry.significand, system.limbs);
  limbs.insert(limbs.end(), words.begin(), words.end());
}

/// The place of entry i of a vector.
inline std::size_t mp_place(std::int64_t length, std::int64_t inc, std::int64_t i) {
  return static_cast<std::size_t>(inc < 0 ? (i - length + 1) * inc : i * inc);
}
inline std::size_t mp_places(std::int64_t length, std::int64_t inc) {
  return length == 0 ? 0 : static_cast<std::size_t>(1 + (length - 1) * (inc < 0 ? -inc : inc));
}

inline MpVectorCase vector_case(MpDraw& r, std::int64_t length, const std::vector<MpEntry>& x,
                                const std::vector<MpEntry>& y, const MpEntry& alpha, const MpEntry& beta,
                                std::int64_t incx, std::int64_t incy) {
  MpVectorCase c;
  c.length = length;
  c.incx = incx;
  c.incy = incy;
  const auto lay_out = [&](const std::vector<MpEntry>& entries, std::int64_t inc, std::vector<double>& scale,
                           std::vector<std::uint32_t>& limbs) {
    std::vector<MpEntry> placed(mp_places(length, inc));
    for (MpEntry& each : placed) each = {1.0, oracle::Dyadic(r.draw().below(100))};
    for (std::int64_t i = 0; i < length; ++i) placed[mp_place(length, inc, i)] = entries[static_cast<std::size_t>(i)];
    for (const MpEntry& each : placed) append(r.system(), each, scale, limbs);
  };
  lay_out(x, c.incx, c.x_scale, c.x);
  lay_out(y, c.incy, c.y_scale, c.y);
  append(r.system(), alpha, c.scalar_scale, c.scalar);
  append(r.system(), beta, c.scalar_scale, c.scalar);
  return c;
}

}  // namespace detail

/// The number k of a list of limbs and scales.
inline oracle::Dyadic mp_entry_value(const MpSystem& system, std::span<const double> scale,
                                     std::span<const std::uint32_t> limbs, std::size_t k) {
  return oracle::integer_of_limbs(limbs.subspan(k * system.limbs, system.limbs)) * value_of(scale[k]);
}

/// The length, strides, scalars, and whether the entries of x and y are 0, short or long.
inline Traits<MpVectorCase> mp_vector_traits(const MpSystem& system) {
  using detail::MpEntry;
  using oracle::Dyadic;
  using Case = MpVectorCase;
  static const KindNames lists{"zeros", "short", "long"};
  static const KindNames scalars{"0", "1", "-1", "general"};
  static const KindNames strides{"1", "2 or more", "-1", "-2 or less"};
  constexpr std::uint64_t most_short = 1 << 12;
  const auto list = [&system](const char* name, auto limbs, std::int64_t Case::*inc) {
    return Trait<Case>{{name, lists}, [&system, limbs, inc](const Case& c) {
                         ListKind kind;
                         for (std::int64_t i = 0; i < c.length; ++i) {
                           const std::size_t at = detail::mp_place(c.length, c.*inc, i);
                           const Dyadic x =
                               oracle::integer_of_limbs(std::span(c.*limbs).subspan(at * system.limbs, system.limbs));
                           kind.add(x.is_zero() ? 0u : x <= Dyadic(most_short) ? 1u : 2u);
                         }
                         return kind.value(lists.size());
                       }};
  };
  const auto scalar = [&system](const char* name, std::size_t which) {
    return Trait<Case>{{name, scalars}, [&system, which](const Case& c) -> std::size_t {
                         const Dyadic x = mp_entry_value(system, c.scalar_scale, c.scalar, which);
                         return x.is_zero() ? 0 : x == Dyadic(1) ? 1 : x == Dyadic(-1) ? 2 : 3;
                       }};
  };
  const auto stride = [](const char* name, std::int64_t Case::*inc) {
    return Trait<Case>{{name, strides}, [inc](const Case& c) {
                         return std::size_t{(c.*inc < 0 ? 2u : 0u) + (c.*inc > 1 || c.*inc < -1 ? 1u : 0u)};
                       }};
  };
  const auto draw_row = [&system](Draw& draw, const TraitRow& row) {
    MpDraw r(system, draw);
    const auto entry = [&](std::size_t kind) {
      const double scale = detail::draw_power(r, -8, 8);
      if (kind < 2) return MpEntry{scale, Dyadic(kind == 0 ? 0 : 1 + draw.below(most_short))};
      return MpEntry{scale, r.full()};
    };
    const auto scalar_of = [&](std::size_t kind) {
      return kind < 3 ? MpEntry{kind == 2 ? -1.0 : 1.0, Dyadic(kind == 0 ? 0 : 1)} : entry(2);
    };
    const auto stride_of = [&](std::size_t kind) {
      const std::int64_t length = kind % 2 == 0 ? 1 : draw.between(2, 3);
      return kind < 2 ? length : -length;
    };
    const std::int64_t n = draw_size_of(draw, row[0]);
    std::vector<MpEntry> x;
    std::vector<MpEntry> y;
    for (std::int64_t i = 0; i < n; ++i) {
      x.push_back(entry(row[5]));
      y.push_back(entry(row[6]));
    }
    const std::int64_t incx = stride_of(row[1]);
    const std::int64_t incy = stride_of(row[2]);
    const MpEntry alpha = scalar_of(row[3]);
    return detail::vector_case(r, n, x, y, alpha, scalar_of(row[4]), incx, incy);
  };
  return {{{{"length", size_kinds()}, [](const Case& c) { return size_kind(c.length); }},
           stride("incx", &Case::incx),
           stride("incy", &Case::incy),
           scalar("alpha", 0),
           scalar("beta", 1),
           list("x", &Case::x, &Case::incx),
           list("y", &Case::y, &Case::incy)},
          {{"length", {"0"}, "x", lists, "an empty vector has no kind"},
           {"length", {"0"}, "y", lists, "an empty vector has no kind"}},
          draw_row};
}

/// Vectors of every small length, and of some lengths that several blocks add up, with strides of both signs: any
/// entries, full ones of one sign, sums that cancel, short ones, zeros; scalars 0, 1, −1 and any.
inline Domain<MpVectorCase> mp_vector_domain(const MpSystem& system) {
  using detail::MpEntry;
  using oracle::Dyadic;
  const auto scalar = [](MpDraw& r) {
    const std::uint64_t kind = r.draw().below(6);
    const double scale = detail::draw_power(r, -20, 20);
    return kind == 0   ? MpEntry{1.0, 0}
           : kind == 1 ? MpEntry{1.0, 1}
           : kind == 2 ? MpEntry{-1.0, 1}
           : kind == 3 ? MpEntry{scale, r.full()}
                       : MpEntry{scale, r.significand()};
  };
  const auto of = [&system, scalar](std::string name, unsigned weight, auto length, bool strides, auto entry) {
    return detail::mp_class<MpVectorCase>(std::move(name), weight, system, [=](MpDraw& r) {
      const std::int64_t n = length(r.draw());
      std::vector<MpEntry> x;
      std::vector<MpEntry> y;
      for (std::int64_t i = 0; i < n; ++i) {
        x.push_back(entry(r, x, i, n));
        y.push_back(entry(r, y, i, n));
      }
      const MpEntry alpha = scalar(r);
      const MpEntry beta = scalar(r);
      constexpr std::int64_t all[] = {1, 1, -1, 2, -2, 3};
      const std::int64_t incx = strides ? all[r.draw().below(6)] : 1;
      const std::int64_t incy = strides ? all[r.draw().below(6)] : 1;
      return detail::vector_case(r, n, x, y, alpha, beta, incx, incy);
    });
  };
  const auto small = [](Draw& draw) { return static_cast<std::int64_t>(draw.below(13)); };
  const auto lanes = [](Draw& draw) { return static_cast<std::int64_t>(draw.between(29, 70)); };
  const auto blocks = [](Draw& draw) { return static_cast<std::int64_t>(draw.between(250, 600)); };
  const auto any = [](MpDraw& r, const std::vector<MpEntry>&, std::int64_t, std::int64_t) {
    return MpEntry{detail::draw_power(r, -40, 40), r.draw().one_in(8) ? Dyadic(0) : r.significand()};
  };
  const auto full = [](MpDraw& r, const std::vector<MpEntry>&, std::int64_t, std::int64_t) {
    return MpEntry{detail::power_of(r.draw().between(0, 2), false), r.full()};
  };
  const auto brief = [](MpDraw& r, const std::vector<MpEntry>&, std::int64_t, std::int64_t) {
    return MpEntry{detail::draw_power(r, -8, 8), r.log_uniform(20)};
  };
  const auto cancelling = [](MpDraw& r, const std::vector<MpEntry>& before, std::int64_t i, std::int64_t n) {
    const auto half = static_cast<std::size_t>(n / 2);
    const auto at = static_cast<std::size_t>(i);
    if (at < half) return MpEntry{detail::draw_power(r, -20, 20), r.full()};
    if (at >= 2 * half) return MpEntry{1.0, r.log_uniform(10)};
    const MpEntry& other = before[at - half];
    return MpEntry{-other.scale, r.limited(other.significand + r.log_uniform(r.system().h / 2))};
  };
  Domain<MpVectorCase> domain;
  domain.classes = {
      of("any entries, small", 4, small, true, any),
      of("full entries of one sign, small", 3, small, true, full),
      of("cancelling, small", 4, small, true, cancelling),
      of("any entries, around the lanes", 2, lanes, true, any),
      of("cancelling, around the lanes", 2, lanes, false, cancelling),
      of("short entries, several blocks", 1, blocks, false, brief),
  };
  domain.contains = [&system](const MpVectorCase& c) {
    const auto holds = [&system](std::span<const double> scale, std::span<const std::uint32_t> limbs,
                                 std::size_t count) {
      if (scale.size() != count || limbs.size() != count * system.limbs) return false;
      for (std::size_t k = 0; k < count; ++k) {
        const oracle::Dyadic size = is_finite(scale[k]) ? abs(value_of(scale[k])) : oracle::Dyadic(0);
        if (size.bit_length() != 1 || size.exponent() > 100 || size.exponent() < -100 ||
            oracle::integer_of_limbs(limbs.subspan(k * system.limbs, system.limbs)) > system.largest) {
          return false;
        }
      }
      return true;
    };
    return c.length >= 0 && c.length <= 1000 && c.incx != 0 && c.incy != 0 && c.incx <= 8 && c.incx >= -8 &&
           c.incy <= 8 && c.incy >= -8 && holds(c.x_scale, c.x, detail::mp_places(c.length, c.incx)) &&
           holds(c.y_scale, c.y, detail::mp_places(c.length, c.incy)) && holds(c.scalar_scale, c.scalar, 2);
  };
  domain.axes = [words = system.limbs](const MpVectorCase&) {
    const std::vector<Axes::Side> along_x{{"places", "incx"}};
    const std::vector<Axes::Side> along_y{{"places", "incy"}};
    return Axes{{{"x_scale", along_x, 1, false},
                 {"x", along_x, words, false},
                 {"y_scale", along_y, 1, false},
                 {"y", along_y, words, false}},
                {{"length", "places"}}};
  };
  domain.features = {{"length", 0, 640, 64, [](const MpVectorCase& c) { return static_cast<double>(c.length); }}};
  domain.accepts =
      "vectors of at most 1000 entries with strides ±1 … ±8, and two scalars; entries ±2^e·X, |e| ≤ 100, X ≤ "
      "M·2^(−" +
      std::to_string(system.h) + ")(1 − 2^(−48)), M the product of " + std::to_string(system.n) + " moduli";
  domain.traits = std::make_shared<const Traits<MpVectorCase>>(mp_vector_traits(system));
  return domain;
}

}  // namespace assay::mp
