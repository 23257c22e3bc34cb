#include "properties/catalog/eft/properties.hpp"

#include "arith/float/small_float.hpp"
#include "probes/eft/eft.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/hard_cases.hpp"

namespace assay::eft {

namespace {

template <class T>
constexpr int precision = FloatTraits<T>::precision;

/// |a| = Ω and b of the other sign an odd multiple of ulp(Ω)/2: a + b is a tie.
template <FloatingPoint T>
Pair<T> draw_tie_below_largest(Draw& draw) {
  using F = FloatTraits<T>;
  const T a = number_of<T>(format_of<T>().largest_finite());
  const T b = compose<T>(true, draw.below(std::uint64_t{1} << (F::precision - 1)) >> draw.below(F::precision) << 1 | 1,
                         F::emax - F::precision);
  return draw.coin() ? Pair<T>{a, b} : Pair<T>{negated(a), negated(b)};
}

/// |a| < |b| while a is still a multiple of ulp(b): FastTwoSum is exact although the operands are not ordered.
template <FloatingPoint T>
Pair<T> draw_on_grid(Draw& draw, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int exponent =
      draw_exponent<T>(draw, draw.coin() ? Exponents::centre : Exponents::full_range, {box.low + p - 1, box.high});
  const T b = draw_number<T>(draw, Significand::any, exponent);
  const int bits = draw.between(1, p - 1);
  const std::uint64_t m = detail::draw_significand<p>(draw, Significand::any) >> (p - bits);
  return {compose<T>(draw.coin(), m, exponent - p + 1), b};
}

template <class T>
Domain<Pair<T>> fast_two_sum_domain() {
  auto classes = sum_pair_classes<T>(sum_box<T>, OperandOrder::larger_first);
  classes.push_back({"|a| < |b|, a a multiple of ulp(b)", 2,
                     drawn<Pair<T>>([](Draw& draw) { return draw_on_grid<T>(draw, sum_box<T>); })});
  classes.push_back(zero_pairs_class<T>(sum_box<T>));
  return {.classes = std::move(classes),
          .contains = fast_two_sum_applies<T>,
          .accepts = "finite a, b with a = 0, b = 0 or a a multiple of ulp(b), and RN(a + b) finite"};
}

/// Numbers, and the zeros of both signs.
template <class T>
std::vector<InputClass<Single<T>>> with_zeros(std::vector<InputClass<Single<T>>> classes) {
  classes.push_back({"zeros of both signs", 1,
                     drawn<Single<T>>([](Draw& draw) { return Single<T>{compose<T>(draw.coin(), 0, 0)}; })});
  return classes;
}

/// Operands of ab + c of which one or more are zeros of either sign.
template <class T>
InputClass<Triple<T>> zero_triples_class(Box box) {
  return {"zeros of both signs", 1, drawn<Triple<T>>([box](Draw& draw) {
            T x[3];
            const std::uint64_t zeros = 1 + draw.below(7);  // the places of zeros
            for (std::size_t i = 0; i < 3; ++i) {
              x[i] = (zeros >> i & 1) != 0
                         ? compose<T>(draw.coin(), 0, 0)
                         : draw_number<T>(draw, Significand::any, draw_exponent<T>(draw, Exponents::centre, box));
            }
            return Triple<T>{x[0], x[1], x[2]};
          })};
}

/// The property with the probe of its claim `exact`.
template <class Probe, class P>
P judged_by(P property) {
  property.probe = probe_of_exactness<Probe>();
  return property;
}

/// FastTwoSum if |a| < |b|: no theorem, and not exact.
template <class T>
auto fast_two_sum_unordered() {
  return inexact_transform<FastTwoSum<T>>("eft.fast_two_sum_unordered",
                                          finite_sums<T>(sum_pair_classes<T>(sum_box<T>, OperandOrder::smaller_first)),
                                          eft_fast_two_sum_2);
}

/// TwoSum with |a| = Ω: an intermediate overflows for some b although s is finite.
template <class T>
auto two_sum_overflow_edge() {
  return inexact_transform<TwoSum<T>>(
      "eft.two_sum_overflow_edge",
      finite_sums<T>({{"|a| largest, b an odd multiple of half its last place", 1,
                       drawn<Pair<T>>([](Draw& draw) { return draw_tie_below_largest<T>(draw); })}}),
      eft_two_sum_2);
}

/// TwoProd below its range: the error term is not a number of the format.
template <class T>
auto two_prod_underflow() {
  using F = FloatTraits<T>;
  return inexact_transform<TwoProd<T>>(
      "eft.two_prod_underflow",
      {.classes = product_pair_classes<T>(full_box<T>(), Box{F::emin - F::precision, F::emin + F::precision - 2}),
       .contains =
           [](const Pair<T>& c) { return are_finite(c) && rounds_to_finite(exact_product_of(c), format_of<T>()); },
       .accepts = "finite a, b with RN(ab) finite"},
      eft_two_prod_3);
}

/// The product with masked halves: exact for even p; for odd p no mask is right.
template <class T>
auto masked_prod() {
  if constexpr (precision<T> % 2 == 0) {
    return judged_by<probes::eft::MaskedProd<T>>(
        exact_transform<MaskedProd<T>>("eft.masked_prod", dekker_domain<T>(), eft_masked_prod_1));
  } else {
    return inexact_transform<MaskedProd<T>>("eft.masked_prod", dekker_domain<T>(), eft_masked_prod_2);
  }
}

template <class T>
auto veltkamp_split() {
  constexpr int s = split_bits(format_of<T>());
  const Box box{full_box<T>().low, FloatTraits<T>::emax - s - 1};
  return split_transform<VeltkampSplit<T>>("eft.veltkamp_split",
                                           {.classes = with_zeros<T>(number_classes<T>(box)),
                                            .contains = veltkamp_split_applies<T>,
                                            .accepts = "finite a with (2^⌈p/2⌉ + 1)a rounded to a finite number"},
                                           precision<T> - s, s - 1, eft_veltkamp_split_1, eft_veltkamp_split_2);
}

template <class T>
auto mask_split() {
  constexpr int s = split_bits(format_of<T>());
  return split_transform<MaskSplit<T>>("eft.mask_split",
                                       {.classes = with_zeros<T>(number_classes<T>(full_box<T>())),
                                        .contains = [](const Single<T>& c) { return are_finite(c); },
                                        .accepts = "finite a"},
                                       precision<T> - s, s, eft_mask_split_1, eft_mask_split_2);
}

template <class T>
auto err_fma() {
  using F = FloatTraits<T>;
  auto classes = fused_classes<T>({F::emin + F::precision - 1, F::emax - 4}, {full_box<T>().low, F::emax - 3});
  classes.push_back(zero_triples_class<T>({-2, 2}));
  return fma_error_transform<ErrFma<T>>(
      "eft.err_fma", {.classes = std::move(classes),
                      .contains = err_fma_applies<T>,
                      .accepts = "finite a, b, c with ab = 0 or exponents of a and b whose sum is at least emin + p − "
                                 "1, and |ab| + |c| ≤ 2^(emax − 1)"});
}

template <class T>
struct Family {
  Registration all[11] = {
      Registration(judged_by<probes::eft::TwoSum<T>>(
          exact_transform<TwoSum<T>>("eft.two_sum", two_sum_domain<T>(), eft_two_sum_1))),
      Registration(judged_by<probes::eft::FastTwoSum<T>>(
          exact_transform<FastTwoSum<T>>("eft.fast_two_sum", fast_two_sum_domain<T>(), eft_fast_two_sum_1))),
      Registration(fast_two_sum_unordered<T>()),
      Registration(two_sum_overflow_edge<T>()),
      Registration(judged_by<probes::eft::TwoProd<T>>(
          exact_transform<TwoProd<T>>("eft.two_prod", two_prod_domain<T>(), eft_two_prod_1))),
      Registration(two_prod_underflow<T>()),
      Registration(judged_by<probes::eft::DekkerProd<T>>(
          exact_transform<DekkerProd<T>>("eft.dekker_prod", dekker_domain<T>(), eft_dekker_prod_1))),
      Registration(masked_prod<T>()),
      Registration(judged_by<probes::eft::VeltkampSplit<T>>(veltkamp_split<T>())),
      Registration(judged_by<probes::eft::MaskSplit<T>>(mask_split<T>())),
      Registration(judged_by<probes::eft::ErrFma<T>>(err_fma<T>())),
  };
};

const LateRegistration of_binary64{"eft", [] { Family<double>(); }};
const LateRegistration of_binary32{"eft", [] { Family<float>(); }};
const LateRegistration of_binary16{"eft", [] { Family<binary16>(); }};

}  // namespace

}  // namespace assay::eft
