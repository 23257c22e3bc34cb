#pragma once
// Inputs of D = α·A·B + β·C in mixed formats, and their exact results.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/contracts/matmul_numbers.hpp"
#include "properties/contracts/matmul_screen.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/same_case.hpp"

namespace assay::contracts {

/// D_p = α·A_p·B_p + β·C_p, C_p in the layout and the format of D_p.
template <class N>
struct EpilogueCase : MatmulCase<typename N::In> {
  typename N::Accumulator alpha = 1, beta = 0;
  std::vector<typename N::Out> c;
  static constexpr auto fields() {
    return std::tuple{
        field("batch", &EpilogueCase::batch), field("m", &EpilogueCase::m),         field("n", &EpilogueCase::n),
        field("k", &EpilogueCase::k),         field("alpha", &EpilogueCase::alpha), field("a", &EpilogueCase::a),
        field("b", &EpilogueCase::b),         field("beta", &EpilogueCase::beta),   field("c", &EpilogueCase::c)};
  }
  /// Whether the product, and whether β·C, is part of the result. What is not is not read.
  [[nodiscard]] bool reads_ab() const { return this->k > 0 && alpha != 0; }
  [[nodiscard]] bool reads_c() const { return beta != 0; }
};
template <class N>
struct ShapeOf<EpilogueCase<N>> : ShapeOfProducts<EpilogueCase<N>> {};

/// One entry αs + βc.
struct EpilogueEntry {
  EntryKind kind = EntryKind::finite;
  MatmulTerms product;  ///< of s; all 0 where it is not read or not finite
  oracle::Dyadic alpha;
  oracle::Dyadic addend;  ///< βc; 0 where it is not read or not finite
  bool has_subnormal_start = false;
  std::size_t place = 0;
  /// Numbers of binary64: |s| and T from below, |α|, |βc| and αs + βc rounded.
  double least_sum = 0, least_magnitude = 0, scale = 0, start = 0, rounded = 0;
  oracle::Dyadic exact;            ///< αs + βc
  std::optional<bool> is_on_grid;  ///< is_on_grid() of a finite entry, where it is computed
};

inline EntryKind with_sign_of(double factor, EntryKind kind) {
  if (factor > 0 || kind == EntryKind::finite || kind == EntryKind::nan) return kind;
  return kind == EntryKind::plus_infinity ? EntryKind::minus_infinity : EntryKind::plus_infinity;
}
inline EntryKind sum_of(EntryKind x, EntryKind y) {
  if (x == EntryKind::finite) return y;
  return y == EntryKind::finite || x == y ? x : EntryKind::nan;
}
template <FloatingPoint T>
EntryKind kind_of(T x) {
  const std::uint64_t bits = bits_of(x);
  if (oracle::is_finite(format<T>, bits)) return EntryKind::finite;
  if (oracle::is_nan(format<T>, bits)) return EntryKind::nan;
  return oracle::is_negative(format<T>, bits) ? EntryKind::minus_infinity : EntryKind::plus_infinity;
}

template <class N>
MatmulSum sum_of(const EpilogueCase<N>& c, const EpilogueEntry& entry) {
  return {static_cast<std::uint64_t>(c.k), entry.product, N::accumulator, out<N>, format_of<typename N::In>()};
}
inline EpilogueOfSum epilogue_of(const EpilogueEntry& entry) {
  return {entry.alpha, entry.addend, entry.has_subnormal_start, entry.is_on_grid};
}

/// is_on_grid() of an entry. Most are shown to be off the grid by arithmetic in binary64: |α|T, where α is a power of
/// two, is more than 2^bits of the grid that αs has, and so are the magnitudes of all terms on theirs, which is no
/// coarser.
template <class N>
bool is_exact_on_grid(const EpilogueCase<N>& c, const EpilogueEntry& entry) {
  if (entry.is_on_grid) return *entry.is_on_grid;
  if (entry.kind != EntryKind::finite) return false;
  static const int bits = bits_of_partial_sums(format_of<typename N::In>(), N::accumulator, out<N>);
  if (entry.least_magnitude > power_of_two(entry.product.grid + bits)) return false;
  return is_on_grid(sum_of<N>(c, entry), epilogue_of(entry));
}

/// The entry at that place. `sum` and `magnitude`: s rounded to binary64, and a number that T does not fall below.
template <class N>
EpilogueEntry epilogue_entry(const EpilogueCase<N>& c, std::size_t place, const MatmulTerms& terms, double sum,
                             double magnitude) {
  EpilogueEntry entry;
  entry.place = place;
  if (c.reads_ab()) {
    entry.product = terms;
    entry.least_sum = std::abs(sum) * (1 - 0x1p-52);
    entry.least_magnitude = magnitude;
    entry.scale = std::abs(static_cast<double>(c.alpha));
    entry.alpha = value_of(c.alpha);
    entry.kind = with_sign_of(c.alpha, entry.product.kind);
  }
  if (c.reads_c()) {
    const typename N::Out start = c.c[place];
    const EntryKind of_start = kind_of(start);
    if (of_start == EntryKind::finite) {
      entry.addend = value_of(c.beta) * value_of(start);
      const double of_start_alone = std::abs(in_binary64(start));
      entry.has_subnormal_start = of_start_alone != 0 && of_start_alone < std::ldexp(1.0, out<N>.emin);
    }
    entry.kind = sum_of(entry.kind, with_sign_of(c.beta, of_start));
  }
  entry.start = abs(entry.addend).to_double_nearest();
  entry.exact = entry.alpha * entry.product.sum + entry.addend;
  entry.rounded = entry.exact.to_double_nearest();
  return entry;
}

template <class N>
std::vector<EpilogueEntry> computed_entries(const EpilogueCase<N>& c) {
  std::vector<EpilogueEntry> entries;
  const MatmulTruth& truth = matmul_truth<typename N::In>(c);
  entries.reserve(truth.entries.size());
  for (std::size_t i = 0; i < truth.entries.size(); ++i) {
    entries.push_back(epilogue_entry(c, truth.entries[i].place, truth.terms[i], truth.sums[i], truth.magnitudes[i]));
    entries.back().is_on_grid = is_exact_on_grid<N>(c, entries.back());
  }
  return entries;
}

/// The judged entries. Those of the last case of a thread are kept.
template <class N>
const std::vector<EpilogueEntry>& entries_of(const EpilogueCase<N>& c) {
  struct Last {
    EpilogueCase<N> of;
    std::vector<EpilogueEntry> entries;
  };
  thread_local std::optional<Last> last;
  if (!last || !is_same_case(last->of, c)) last = Last{c, computed_entries(c)};
  return last->entries;
}

template <FloatingPoint T>
bool has_special(const std::vector<T>& x) {
  return std::ranges::any_of(x, [](T each) { return kind_of(each) != EntryKind::finite; });
}
/// Whether infinities or NaNs stand where nothing is to be read.
template <class N>
bool is_poisoned(const EpilogueCase<N>& c) {
  return (!c.reads_ab() && (has_special(c.a) || has_special(c.b))) || (!c.reads_c() && has_special(c.c));
}

/// Binades between the largest product of the domain, as those of matmul, and the largest result: room for α, β and C.
inline constexpr int room_of_epilogue = 6;
/// |α| and |β| are below 2^largest_scalar.
inline constexpr int largest_scalar = 3;

template <class N>
MatmulLimits limits_of_product() {
  MatmulLimits limits = limits_of<N>();
  limits.highest_result -= room_of_epilogue;
  limits.highest_sum -= room_of_epilogue;
  return limits;
}

/// 1, −1, 0 as often as `zeros` of 16 say, a power of two, or any number.
template <FloatingPoint T>
T draw_epilogue_scalar(Draw& draw, std::uint64_t zeros) {
  const std::uint64_t kind = draw.below(16);
  if (kind < zeros) return compose<T>(draw.one_in(4), 0, 0);
  switch (draw.below(6)) {
    case 0:
      return -1;
    case 1:
      return draw_number<T>(draw, Significand::power_of_two, draw.between(-4, largest_scalar - 1));
    case 2:
    case 3:
      return draw_number<T>(draw, Significand::any, draw.between(-4, largest_scalar - 1));
    default:
      return 1;
  }
}

/// How C is drawn.
enum class EpilogueStart {
  near,       ///< of about the magnitude of αAB, or of any other
  cancelling  ///< −αAB/β, or a place beside it
};

template <class N>
void draw_epilogue(Draw& draw, EpilogueCase<N>& c, EpilogueStart start) {
  using Out = typename N::Out;
  c.alpha = draw_epilogue_scalar<typename N::Accumulator>(draw, start == EpilogueStart::cancelling ? 0 : 2);
  c.beta = draw_epilogue_scalar<typename N::Accumulator>(draw, start == EpilogueStart::cancelling ? 0 : 4);
  if (start == EpilogueStart::cancelling) c.beta = draw.coin() ? 1 : -1;
  const int high = limits_of_product<N>().highest_result - 1;
  const int low = full_box<Out>().low;
  const bool is_wide = draw.one_in(4);
  const int middle = draw.between(-4, 12);
  c.c.resize(c.results());
  for (Out& each : c.c) {
    const int exponent = is_wide ? draw.between(low, high) : std::clamp(middle + draw.between(-2, 2), low, high);
    each = draw_number<Out>(draw, Significand::any, exponent);
  }
  if (start == EpilogueStart::cancelling) {
    for (const EpilogueEntry& entry : entries_of(c)) {
      const oracle::Dyadic wanted = entry.alpha * entry.product.sum;
      const Out nearest = nearest_to<Out>(c.beta > 0 ? -wanted : wanted);
      c.c[entry.place] =
          draw.coin() || !in_box(nearest, {low + 1, high - 1}) ? nearest : stepped(nearest, draw.between(-1, 1));
    }
  }
  const typename N::In special = number_of<typename N::In>(format<typename N::In>.nan());
  if (c.alpha == 0 && draw.coin()) std::ranges::fill(draw.coin() ? c.a : c.b, special);
  if (c.beta == 0 && draw.coin()) std::ranges::fill(c.c, number_of<Out>(out<N>.nan()));
}

/// βc lies beside the middle between two numbers of the accumulator, and so does its sum with s: both roundings err by
/// nearly half a place, in one direction. A and B have one term other than 0 in each sum, just above 1.
template <class N>
void draw_two_roundings(Draw& draw, EpilogueCase<N>& c) {
  using Acc = typename N::Accumulator;
  using In = typename N::In;
  constexpr int p = FloatTraits<Acc>::precision;
  constexpr int half = p / 2;
  constexpr std::uint64_t one = std::uint64_t{1} << (p - 1);
  for (auto* list : {&c.a, &c.b}) std::ranges::fill(*list, In{});
  const auto above_one =
      compose<In>(false, (std::uint64_t{1} << (FloatTraits<In>::precision - 1)) + 1, 1 - FloatTraits<In>::precision);
  const bool negative = draw.coin();
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    c.a[static_cast<std::size_t>(row * c.k)] = negative ? negated(above_one) : above_one;
  }
  for (std::int64_t p_of = 0; p_of < c.batch; ++p_of) {
    for (std::int64_t j = 0; j < c.n; ++j)
      c.b[static_cast<std::size_t>(p_of * c.k * c.n + j)] = compose<In>(false, 1, 0);
  }
  // β = 1 + e and c = 2^p(1 − e + t·2^−p) with e = 2^−half and t = e²·2^p + 1: βc/2^p is just above 1 + 2^−p.
  c.alpha = 1;
  c.beta = compose<Acc>(false, one + (std::uint64_t{1} << (p - 1 - half)), 1 - p);
  const std::uint64_t t = (std::uint64_t{1} << (p - 2 * half)) + 1;
  const std::uint64_t below_one = (std::uint64_t{1} << p) - (std::uint64_t{1} << (p - half)) + t;
  c.c.assign(c.results(), nearest_to<typename N::Out>(value_of(compose<Acc>(negative, below_one, 0))));
}

/// α and β are powers of two and C small integers: on small integers every step of every kernel is exact.
template <class N>
void draw_on_grid(Draw& draw, EpilogueCase<N>& c) {
  using Acc = typename N::Accumulator;
  const auto scalar = [&] {
    return draw.one_in(8) ? Acc{0} : compose<Acc>(draw.one_in(4), 1, draw.one_in(4) ? draw.between(0, 1) : 0);
  };
  c.alpha = scalar();
  c.beta = scalar();
  c.c.resize(c.results());
  for (auto& each : c.c) each = compose<typename N::Out>(draw.coin(), draw.below(4), 0);
}

template <class N>
InputClass<EpilogueCase<N>> class_over(const InputClass<MatmulCase<typename N::In>>& of, std::string name,
                                       unsigned weight, void (*epilogue)(Draw&, EpilogueCase<N>&)) {
  return {std::move(name), weight,
          CaseGenerator<EpilogueCase<N>>([generator = of.generator, epilogue](const rc::Random& random) {
            rc::Random parts = random;
            EpilogueCase<N> c;
            static_cast<MatmulCase<typename N::In>&>(c) = generator(parts.split());
            Draw draw(parts);
            if (c.results() == 0 || c.k == 0) {
              c.c.resize(c.results());
            } else {
              epilogue(draw, c);
            }
            return c;
          })};
}

/// The classes of matmul with α, β and C, and two more: C that cancels αAB, and roundings that add up.
template <class N>
Domain<EpilogueCase<N>> epilogue_domain() {
  const Domain<MatmulCase<typename N::In>> products = matmul_domain<typename N::In>(limits_of_product<N>());
  const auto near = [](Draw& draw, EpilogueCase<N>& c) { draw_epilogue(draw, c, EpilogueStart::near); };
  const auto cancelling = [](Draw& draw, EpilogueCase<N>& c) { draw_epilogue(draw, c, EpilogueStart::cancelling); };
  Domain<EpilogueCase<N>> domain;
  for (const auto& each : products.classes) {
    const bool is_on_grid = each.name.find("small integers") != std::string::npos;
    domain.classes.push_back(class_over<N>(each, each.name, each.weight, is_on_grid ? draw_on_grid<N> : +near));
  }
  const auto& random = products.classes.front();
  domain.classes.push_back(class_over<N>(random, "the start cancels the product", 8, cancelling));
  if (out<N> == N::accumulator) {
    domain.classes.push_back(class_over<N>(random, "scaling and addition round apart", 3, draw_two_roundings<N>));
  }
  const int highest = std::min(limits_of_product<N>().highest_sum, out<N>.emax + 1);
  domain.contains = [products, highest](const EpilogueCase<N>& c) {
    const auto is_scalar = [](double x) { return std::isfinite(x) && std::abs(x) < (1 << largest_scalar); };
    return products.contains(c) && c.c.size() == c.results() && is_scalar(c.alpha) && is_scalar(c.beta) &&
           std::ranges::all_of(c.c, [&](typename N::Out each) {
             return kind_of(each) != EntryKind::finite || in_box(each, {full_box<typename N::Out>().low, highest - 1});
           });
  };
  domain.axes = [products](const EpilogueCase<N>& c) {
    Axes axes = products.axes(c);
    axes.lists.push_back({"c", {{"column"}, {"row"}, {"product"}}});
    return axes;
  };
  domain.accepts = products.accepts + "; |alpha|, |beta| < 2^" + std::to_string(largest_scalar) + "; |c| < 2^" +
                   std::to_string(highest);
  return domain;
}

}  // namespace assay::contracts
