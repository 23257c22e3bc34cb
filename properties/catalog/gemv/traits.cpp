#include "properties/catalog/gemv/traits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "properties/catalog/expansion/blas_traits.hpp"
#include "properties/catalog/gemv/cases.hpp"

namespace assay::gemv {

namespace {

using Gemv = expansion::ExpansionGemvCase<double>;

/// Exponents beyond are far.
constexpr int far = 1000;
constexpr int most_threads = 32;

/// Numbers without a sign of zero: 0, 1, −1, ±2ᵉ with e ≠ 0, any other.
expansion::WordKinds mp_scalars(const MpFormat& format) {
  return {all_but(up_to(scalar_kinds(), finite_scalar_kinds), "-0"),
          [](std::span<const double> x) -> std::size_t {
            const auto limbs = x.first(x.size() - 1);
            if (detail::is_mp_zero(x)) return 0;
            if (!detail::is_significand(limbs, 1)) return 4;
            return x.back() != 0 ? 3 : limbs[0] > 0 ? 1 : 2;
          },
          [format](Draw& draw, std::size_t kind, std::span<double> to) {
            const int exponent = draw.between(1, 64);
            if (kind < 4) {
              detail::assign_mp(to, kind == 0 ? 0 : 1, kind == 2 || (kind == 3 && draw.coin()),
                                kind < 3      ? 0
                                : draw.coin() ? exponent
                                              : -exponent);
            } else {
              detail::assign_mp(to, detail::draw_limbs(draw, format.bits), draw.coin(), -draw.between(0, format.bits));
            }
          }};
}

/// Zeros, small integers, numbers with exponents within ±1000, others, poison.
expansion::WordKinds mp_entries(const MpFormat& format) {
  KindNames names = all_but(up_to(list_kinds(), finite_list_kinds), "subnormal numbers");
  names.push_back("NaN");
  return {std::move(names),
          [](std::span<const double> x) -> std::size_t {
            if (detail::is_poison(x)) return 4;
            if (detail::is_mp_zero(x)) return 0;
            if (std::abs(x.back()) > far) return 3;
            const bool is_short = expansion::detail::all_zero(x.subspan(1));
            return is_short && std::abs(x[0]) <= 4096 ? 1 : 2;
          },
          [format](Draw& draw, std::size_t kind, std::span<double> to) {
            const bool negative = draw.coin();
            const int exponent = draw.between(-16, 16);
            if (kind < 2) {
              detail::assign_mp(to, kind == 0 ? 0 : static_cast<std::uint32_t>(draw.between(1, 12)), negative, 0);
            } else if (kind < 4) {
              detail::assign_mp(to, detail::draw_limbs(draw, format.bits), negative,
                                exponent + (kind == 2     ? 0
                                            : draw.coin() ? 10 * far
                                                          : -10 * far));
            } else {
              std::fill(to.begin(), to.end(), number_of<double>(format_of<double>().nan()));
            }
          }};
}

}  // namespace

Traits<MpGemvCase> mp_gemv_traits(const MpFormat& format) {
  const Traits<Gemv> gemv =
      expansion::gemv_traits({format.words(), format.most_products(), mp_scalars(format), 1, mp_entries(format)});
  Traits<MpGemvCase> traits;
  for (const Trait<Gemv>& each : gemv.all) traits.all.push_back({{each.name, each.values}, each.of});
  KindNames threads;
  for (int count = 1; count <= most_threads; count *= 2) threads.push_back(std::to_string(count));
  traits.all.push_back({{"threads", std::move(threads)}, [](const MpGemvCase& c) {
                          return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(c.threads)));
                        }});
  traits.impossible = gemv.impossible;
  traits.draw = [draw_gemv = gemv.draw](Draw& draw, const TraitRow& row) {
    MpGemvCase c;
    static_cast<Gemv&>(c) = draw_gemv(draw, row);
    c.threads = 1 << std::min<std::size_t>(row.back(), 5);
    return c;
  };
  return traits;
}

}  // namespace assay::gemv
