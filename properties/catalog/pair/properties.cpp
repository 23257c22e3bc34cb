#include "errorbounds/pair_theorems.hpp"

#include "errorbounds/eft.hpp"
#include "errorbounds/fraction.hpp"
#include "kernels/pair/native_pair.hpp"
#include "probes/pair/pair.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/catalog/eft/properties.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::pair {

namespace {

using oracle::Dyadic;

std::string named(const char* operation, NativeMul how) {
  const char* form[] = {"fma", "split", "mask", "wide_mask"};
  return std::string("pair.") + operation + "_" + form[static_cast<int>(how)];
}

constexpr MaskWidth width_of(NativeMul how) { return how == NativeMul::mask ? MaskWidth::narrow : MaskWidth::wide; }

// ------------------------------------------------------------------------------------------------------- probes

namespace probe = assay::probes::pair;

/// The property with the probe of its claim `exact`.
template <class Probe, class P>
P judged_by(P property) {
  property.probe = probe_of_exactness<Probe>();
  return property;
}

/// The property with the probe of its claim `error`, relative to the product of two numbers.
template <class Probe, class P>
P judged_by(P property, const RelativeBound& bound) {
  std::vector<Probed::InputClass> classes;
  for (const char* const name : Probe::Classes::names) classes.push_back({name, 1});
  property.probe = probed("error", Probe{}, bound, std::move(classes));
  return property;
}

/// The same for pairs.
template <class Probe, class P>
P factors_judged_by(P property, const RelativeBound& bound) {
  const Box box = product_box(format_of<typename Probe::Number>());
  if constexpr (Probe::classes == probes::dw::Draws::classes) {
    property.probe = probe_of_error<Probe>(bound, box, -800, {3, 3, 2, 3, 1, 3, 2});
  } else {
    property.probe = probe_of_error<Probe>(bound, box, -800, {3, 3, 2, 3, 1, 3, 2, 2});
  }
  return property;
}

// -------------------------------------------------------------------------------------------- normalize and add

template <class T>
auto normalised(const AnyTheorem auto& theorem) {
  return satisfies("normalised", theorem, [](const auto&, const DoubleWord<T>& z) { return is_normalised(z); });
}

template <class T>
auto normalize() {
  return dw::word_operation<PairNormalize<T>>(
      "pair.normalize",
      {.classes = sum_pair_classes<T>(eft::sum_box<T>, OperandOrder::larger_first),
       .contains = eft::fast_two_sum_applies<T>,
       .accepts = "finite a, b with a = 0, b = 0 or a a multiple of ulp(b), and RN(a + b) finite"},
      eft::exact_sum_of<T>,
      {exact("exact", pair_normalize_1), of_instance("h = RN(h + l)", normalised<T>(eft_normalized_1))});
}

/// normalize(hi, lo) with |hi| < |lo|.
template <class T>
auto normalize_unordered() {
  return dw::word_operation<PairNormalize<T>>(
      "pair.normalize_unordered",
      eft::finite_sums<T>(sum_pair_classes<T>(eft::sum_box<T>, OperandOrder::smaller_first)), eft::exact_sum_of<T>,
      {expected_refuted(exact("exact", eft_fast_two_sum_2))});
}

template <class T>
auto add() {
  const Box box = add_box(format_of<T>());
  auto property = dw::double_word_operation<PairAdd<T>, Dyadic>(
      "pair.add", dw::double_word_pairs<T>(box), dw::sum_of<DwDw<T>>,
      {expected_refuted(within("error", pair_add_3, dw::precision<T>), "error_absolute"),
       when(
           "xh and yh have the same sign", [](const DwDw<T>& c) { return signbit(c.x.h) == signbit(c.y.h); },
           within("error_same_sign", pair_add_2, dw::precision<T>)),
       within("error_absolute", pair_add_1,
              [](const auto& bound, const DwDw<T>& c) { return bound(dw::precision<T>, dw::magnitudes_of(c)); })},
      pair_normalized_1);
  property.probe = probe_of_words("error_absolute", probe::Add<T>{}, factor_of(pair_add_1(dw::precision<T>, Dyadic(1))),
                                  box, -800, {3, 3, 2, 3, 1, 3, 2});
  return property;
}

// ------------------------------------------------------------------------------------------- products of words

template <class T>
auto native_mul_fma() {
  return dw::word_operation<PairNativeMul<NativeMul::fma, T>>(
      named("native_mul", NativeMul::fma), eft::two_prod_domain<T>(), eft::exact_product_of<T>,
      {exact("exact", pair_native_mul_fma_1), of_instance("h = RN(ab)", normalised<T>(eft_normalized_1))});
}

template <class T>
auto native_mul_split() {
  constexpr bool even = dw::precision<T> % 2 == 0;
  return dw::word_operation<PairNativeMul<NativeMul::split, T>>(
      named("native_mul", NativeMul::split), eft::dekker_domain<T>(), eft::exact_product_of<T>,
      {exact("exact", pair_native_mul_split_1), expected_refuted(normalised<T>(pair_native_mul_split_3)),
       satisfies("overlap", pair_native_mul_split_2, [](const Pair<T>&, const DoubleWord<T>& z) {
         const Dyadic ulp = oracle::ulp(value_of(z.h), format_of<T>());
         return Dyadic(2) * abs(value_of(z.l)) <= Dyadic(even ? 2 : 3) * ulp;
       })});
}

/// Operands so large that the product with 2^⌈p/2⌉ + 1 overflows, although ab does not.
template <class T>
auto native_mul_split_overflow() {
  using F = FloatTraits<T>;
  return dw::word_operation<PairNativeMul<NativeMul::split, T>>(
      "pair.native_mul_split_overflow",
      {.classes = {{"|a| at least 2^(emax − ⌈p/2⌉ + 1)", 1, drawn<Pair<T>>([](Draw& draw) {
                      const int large = draw.between(F::emax - split_bits(format_of<T>()) + 1, F::emax);
                      return Pair<T>{draw_number<T>(draw, Significand::any, large),
                                     draw_number<T>(draw, Significand::any, draw.between(-40, -1))};
                    })}},
       .contains = eft::two_prod_applies<T>,
       .accepts = "finite a, b with ab = 0, or exponents whose sum is at least emin + p − 1, and RN(ab) finite"},
      eft::exact_product_of<T>, {expected_refuted(exact("exact", pair_native_mul_split_4))});
}

/// Halves whose cross products have p + 1 bits in total: both high halves just above the least, both low halves near
/// all ones.
template <FloatingPoint T>
Pair<T> draw_wide_cross_products(Draw& draw, int cleared) {
  constexpr int p = dw::precision<T>;
  const auto one = [&] {
    const std::uint64_t high = (std::uint64_t{1} << (p - 1 - cleared)) + draw.below(4);
    const std::uint64_t low = (std::uint64_t{1} << cleared) - 1 - draw.below(4);
    return compose<T>(
        {.exponent = draw.between(-8, 8) - p + 1, .significand = high << cleared | low, .negative = draw.coin()});
  };
  const T a = one();
  return {a, one()};
}

/// Normal numbers with a product in the range of the transforms.
template <class T>
Domain<Pair<T>> mask_domain(int cleared) {
  using F = FloatTraits<T>;
  const Box box{F::emin, F::emax};
  auto classes = product_pair_classes<T>(box, Box{F::emin + F::precision, F::emax - 3});
  classes.push_back({"cross products of p + 1 bits", 2,
                     drawn<Pair<T>>([cleared](Draw& draw) { return draw_wide_cross_products<T>(draw, cleared); })});
  return {.classes = std::move(classes),
          .contains =
              [box](const Pair<T>& c) {
                if (!in_box(c.a, box) || !in_box(c.b, box)) return false;
                const Dyadic product = eft::exact_product_of(c);
                return product.is_zero() ||
                       (product.exponent() >= F::emin + F::precision && product.exponent() <= F::emax - 2);
              },
          .accepts = "0 and normal numbers a, b with ab = 0 or 2^(emin + p) ≤ |ab| < 2^(emax − 1)"};
}

template <class T, NativeMul how>
auto native_mul_mask(const BoundedTheorem auto& theorem) {
  const int cleared = how == NativeMul::mask ? dw::precision<T> / 2 : (dw::precision<T> + 1) / 2;
  return dw::word_operation<PairNativeMul<how, T>>(named("native_mul", how), mask_domain<T>(cleared),
                                                   eft::exact_product_of<T>,
                                                   {within("error", theorem, dw::precision<T>, width_of(how)),
                                                    expected_refuted(exact("exact", pair_native_mul_mask_4))});
}

// ------------------------------------------------------------------------------------------- products of pairs

/// Pairs for which the product by split is near its bound: high words just above a power of two with low halves near
/// the largest, whose product leaves a low word of nearly 2u; low words of nearly half an ulp with the same sign.
template <FloatingPoint T>
DwDw<T> draw_large_halves(Draw& draw) {
  constexpr int p = dw::precision<T>;
  constexpr int s = (p + 1) / 2;
  __extension__ using Wide = unsigned __int128;
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  bool negative = false;
  for (int attempt = 0; attempt < 64; ++attempt) {
    const std::uint64_t room = std::uint64_t{1} << draw.below(static_cast<std::uint64_t>(s) / 2);
    std::int64_t low[2];
    std::uint64_t word[2];
    for (int i = 0; i < 2; ++i) {
      const std::int64_t half = (std::int64_t{1} << (s - 1)) - static_cast<std::int64_t>(draw.below(room));
      low[i] = draw.coin() ? half : -half;
      word[i] = (std::uint64_t{1} << (p - 1)) + ((1 + draw.below(64)) << s) + static_cast<std::uint64_t>(low[i]);
    }
    x = word[0];
    y = word[1];
    negative = (low[0] < 0) != (low[1] < 0);
    // The sum of the other partial products, and its position between two neighbors.
    const Wide rest = static_cast<Wide>(x) * y - static_cast<Wide>(static_cast<std::int64_t>(low[0]) * low[1]);
    const auto within_ulp = static_cast<std::uint64_t>(rest) & ((std::uint64_t{1} << (p - 1)) - 1);
    const bool rounds_up = within_ulp > std::uint64_t{1} << (p - 2);
    const std::uint64_t error = rounds_up ? (std::uint64_t{1} << (p - 1)) - within_ulp : within_ulp;
    if (rounds_up == negative && 16 * (error >> 4) >= 14 * (std::uint64_t{1} << (p - 6))) break;
  }
  const auto low_word = [&] {
    const std::uint64_t below = draw.word() >> (64 - 1 - draw.below(p / 2));
    return compose<T>(negative, (std::uint64_t{1} << p) - 1 - below, -2 * p);
  };
  const T l = low_word();
  return {{compose<T>(false, x, 1 - p), l}, {compose<T>(false, y, 1 - p), low_word()}};
}

template <class T>
Domain<DwDw<T>> factors() {
  const Box box = product_box(format_of<T>());
  Domain<DwDw<T>> domain = dw::double_word_pairs<T>(box);
  domain.classes.push_back({"low halves near their largest, low words near half an ulp", 3,
                            drawn<DwDw<T>>([](Draw& draw) { return draw_large_halves<T>(draw); })});
  return domain;
}

template <class Op>
auto product(const std::string& name, Domain<typename Op::Input> domain,
             std::vector<Claim<typename Op::Input, typename Op::Output, Dyadic>> claims) {
  return dw::double_word_operation<Op, Dyadic>(name, std::move(domain), dw::product_of<typename Op::Input>,
                                               std::move(claims), pair_normalized_1);
}

template <class T>
auto mul_fma() {
  return product<PairMul<NativeMul::fma, T>>(named("mul", NativeMul::fma), factors<T>(),
                                             {within("error", pair_mul_fma_1, dw::precision<T>)});
}

/// The product by FMA if its error terms underflow, as below |xy| = 2⁻¹⁰² in binary32.
template <class T>
auto mul_fma_underflow() {
  using F = FloatTraits<T>;
  const Box box{full_box<T>().low, (F::emin + F::precision) / 2 + 4};
  return product<PairMul<NativeMul::fma, T>>(
      "pair.mul_fma_underflow", dw::double_word_pairs<T>(box),
      {within("error_with_underflow", pair_mul_underflow_1,
              [](const auto& bound, const DwDw<T>& c) { return bound(abs(dw::product_of(c)), format_of<T>()); }),
       expected_refuted(when(
                            "|xy| ≥ 2^emin",
                            [](const DwDw<T>& c) {
                              const Dyadic product = dw::product_of(c);
                              return !product.is_zero() && product.exponent() >= F::emin;
                            },
                            within("error", pair_mul_underflow_2, dw::precision<T>)),
                        "error_with_underflow")});
}

template <class T>
auto mul_split() {
  return product<PairMul<NativeMul::split, T>>(
      named("mul", NativeMul::split), factors<T>(),
      {within("error", pair_mul_split_1, dw::precision<T>),
       expected_refuted(within("error_by_fma", pair_mul_split_2, dw::precision<T>), "error")});
}

template <class T, NativeMul how>
Domain<DwDw<T>> masked_factors() {
  Domain<DwDw<T>> domain = factors<T>();
  constexpr int cleared = how == NativeMul::mask ? dw::precision<T> / 2 : (dw::precision<T> + 1) / 2;
  domain.classes.push_back({"cross products of p + 1 bits", 2, drawn<DwDw<T>>([](Draw& draw) {
                              const Pair<T> high = draw_wide_cross_products<T>(draw, cleared);
                              return DwDw<T>{{high.a, T{}}, {high.b, T{}}};
                            })});
  return domain;
}

/// A product with masked halves. `worse_than`: the theorem of a better product, whose bound this product does not keep.
template <class Op, NativeMul how, class T = typename ResultTraits<typename Op::Output>::Number>
auto masked_product(const char* operation, const BoundedTheorem auto& theorem, const char* refuted,
                    const BoundedTheorem auto& worse_than) {
  return product<Op>(named(operation, how), masked_factors<T, how>(),
                     {within("error", theorem, dw::precision<T>, width_of(how)),
                      expected_refuted(within(refuted, worse_than, dw::precision<T>), "error")});
}

template <class T, NativeMul how>
auto mul_mask() {
  return masked_product<PairMul<how, T>, how>("mul", pair_mul_mask_1, "error_by_split", pair_mul_mask_2);
}

template <class T>
auto good_mul_error() {
  return within("error", pair_good_mul_1, dw::precision<T>);
}

template <class T>
auto good_mul_fma() {
  return product<PairGoodMul<NativeMul::fma, T>>(named("good_mul", NativeMul::fma), factors<T>(),
                                                 {good_mul_error<T>()});
}

template <class T>
auto good_mul_split() {
  return product<PairGoodMul<NativeMul::split, T>>(
      named("good_mul", NativeMul::split), factors<T>(),
      {good_mul_error<T>(), satisfies("value_by_fma", pair_good_mul_2, [](const DwDw<T>& c, const DoubleWord<T>& z) {
         return value_of(z) == value_of(PairGoodMul<NativeMul::fma, T>{}(c));
       })});
}

template <class T, NativeMul how>
auto good_mul_mask() {
  return masked_product<PairGoodMul<how, T>, how>("good_mul", pair_good_mul_mask_1, "error_by_fma",
                                                  pair_good_mul_mask_2);
}

template <class T>
struct Family {
  static constexpr int p = dw::precision<T>;
  static constexpr auto mask_theorem = p % 2 == 0 ? pair_native_mul_mask_1 : pair_native_mul_mask_3;
  Registration all[13] = {
      Registration(judged_by<probe::Normalize<T>>(normalize<T>())),
      Registration(normalize_unordered<T>()),
      Registration(add<T>()),
      Registration(judged_by<probe::ExactMul<NativeMul::fma, T>>(native_mul_fma<T>())),
      Registration(judged_by<probe::ExactMul<NativeMul::split, T>>(native_mul_split<T>())),
      Registration(native_mul_split_overflow<T>()),
      Registration(judged_by<probe::MaskedMul<NativeMul::mask, T>>(native_mul_mask<T, NativeMul::mask>(mask_theorem),
                                                                   mask_theorem(p, width_of(NativeMul::mask)))),
      Registration(factors_judged_by<probe::Mul<NativeMul::fma, T>>(mul_fma<T>(), pair_mul_fma_1(p))),
      Registration(mul_fma_underflow<T>()),
      Registration(factors_judged_by<probe::Mul<NativeMul::split, T>>(mul_split<T>(), pair_mul_split_1(p))),
      Registration(factors_judged_by<probe::Mul<NativeMul::mask, T>>(mul_mask<T, NativeMul::mask>(),
                                                                     pair_mul_mask_1(p, width_of(NativeMul::mask)))),
      Registration(factors_judged_by<probe::GoodMul<NativeMul::fma, T>>(good_mul_fma<T>(), pair_good_mul_1(p))),
      Registration(factors_judged_by<probe::GoodMul<NativeMul::split, T>>(good_mul_split<T>(), pair_good_mul_1(p))),
  };
  Registration masked = Registration(factors_judged_by<probe::GoodMul<NativeMul::mask, T>>(
      good_mul_mask<T, NativeMul::mask>(), pair_good_mul_mask_1(p, width_of(NativeMul::mask))));
};

const LateRegistration binary64_family{"pair", [] { Family<double>(); }};
const LateRegistration binary32_family{"pair", [] { Family<float>(); }};

/// Only for odd precision: 27 of 53 bits cleared. In binary32 this is `mask`.
const LateRegistration wide_mask{
    "pair", [] {
      constexpr int p = dw::precision<double>;
      constexpr NativeMul how = NativeMul::wide_mask;
      Registration(judged_by<probe::MaskedMul<NativeMul::wide_mask, double>>(
          native_mul_mask<double, how>(pair_native_mul_mask_2), pair_native_mul_mask_2(p, width_of(how))));
      Registration(factors_judged_by<probe::Mul<NativeMul::wide_mask, double>>(mul_mask<double, how>(),
                                                                               pair_mul_mask_1(p, width_of(how))));
      Registration(factors_judged_by<probe::GoodMul<NativeMul::wide_mask, double>>(
          good_mul_mask<double, how>(), pair_good_mul_mask_1(p, width_of(how))));
    }};

// -------------------------------------------------------------------------------------------------- conversions

constexpr int p32 = dw::precision<float>;

/// Numbers of binary64 whose nearest number of binary32 is finite; with significands that need a third word.
Domain<Single<double>> convertible() {
  using F = FloatTraits<float>;
  const Box box{F::emin - 2 * F::precision, F::emax - 1};
  auto classes = number_classes<double>(box);
  classes.push_back({"halfway between two pairs", 2, drawn<Single<double>>([](Draw& draw) {
                       const int bits = draw.between(48, 50);
                       const std::uint64_t m = assay::detail::draw_significand<53>(draw, Significand::any);
                       return Single<double>{
                           compose<double>({.exponent = draw.between(-40, 40) - 52,
                                            .significand = m >> (53 - bits) << (53 - bits) | 1ULL << (52 - bits),
                                            .negative = draw.coin()})};
                     })});
  classes.push_back({"lowest pairs", 2, drawn<Single<double>>([](Draw& draw) {
                       const int exponent = F::emin + draw.between(-F::precision - 2, F::precision + 2);
                       return Single<double>{draw_number<double>(draw, Significand::any, exponent)};
                     })});
  return {.classes = std::move(classes),
          .contains =
              [](const Single<double>& c) {
                return eft::are_finite(c) && rounds_to_finite(value_of(c.a), format_of<float>());
              },
          .accepts = "numbers of binary64 whose nearest number of binary32 is finite"};
}

const Registration from_double{Property<Single<double>, DoubleWord<float>, Dyadic>{
    .name = "pair.from_double.f32",
    .domain = convertible(),
    .subject = [](const Executor& on,
                  std::span<const Single<double>> cases) { return elementwise<PairFromDouble>(on, cases); },
    .reference = [](const Single<double>& c) { return value_of(c.a); },
    .claims = {within(
                   "error", pair_from_double_1,
                   [](const auto& bound, const Single<double>& c) { return bound(value_of(c.a), format_of<float>()); }),
               when(
                   "d has at most 2p + 1 bits and is a multiple of η",
                   [](const Single<double>& c) {
                     const Dyadic d = value_of(c.a);
                     return d.is_zero() || (d.bit_length() <= 2 * p32 + 1 &&
                                            d.lowest_exponent() >= FloatTraits<float>::emin - p32 + 1);
                   },
                   exact("exact_in_range", pair_from_double_2)),
               expected_refuted(exact("exact", pair_from_double_3), "error"),
               expected_refuted(within("error_relative", pair_from_double_4, p32), "error"),
               satisfies("half_ulp", pair_from_double_5,
                         [](const Single<double>&, const DoubleWord<float>& z) {
                           return Dyadic(2) * abs(value_of(z.l)) <= oracle::ulp(value_of(z.h), format_of<float>());
                         }),
               expected_refuted(normalised<float>(pair_from_double_6))}}};

const Registration to_double{Property<Dw<float>, double, Dyadic>{
    .name = "pair.to_double.f32",
    .domain = {.classes = double_word_classes<float>(full_box<float>()),
               .contains = [](const Dw<float>& c) { return is_double_word(c.x); },
               .accepts = "pairs of finite numbers with h = RN(h + l)"},
    .subject = [](const Executor& on,
                  std::span<const Dw<float>> cases) { return elementwise<PairToDouble>(on, cases); },
    .reference = [](const Dw<float>& c) { return value_of(c.x); },
    .claims = {rounded("rounded", pair_to_double_1, oracle::Rounding::nearest,
                       [](const Dw<float>& c) {
                         return oracle::RoundingPolicy{.negative_zero = signbit(c.x.h) && signbit(c.x.l)};
                       }),
               expected_refuted(exact("exact", pair_to_double_2), "rounded")}}};

}  // namespace

}  // namespace assay::pair
