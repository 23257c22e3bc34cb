#include "errorbounds/triple_theorems.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "kernels/triple/triple_word.hpp"
#include "probes/triple/triple.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::triple {

namespace {

using oracle::Dyadic;
using oracle::Exact;

template <class T>
Domain<TwTw<T>> pairs(Box box) {
  return dw::word_sum_pairs<TwTw<T>>("triple words", box);
}

/// Pairs for a product. In the last class all rounding errors have one sign.
template <class T>
Domain<TwTw<T>> factors(Box box) {
  Domain<TwTw<T>> domain = pairs<T>(box);
  domain.classes.push_back({"roundings that all err one way", 3, drawn<TwTw<T>>([](Draw& draw) {
                              constexpr std::uint64_t least = probes::triple::least_start<T>;
                              const std::uint64_t start = least + draw.below(least / 3);
                              const T of_x = draw_number<T>(draw, Significand::power_of_two, draw.between(0, 8));
                              const T of_y = draw_number<T>(draw, Significand::power_of_two, draw.between(0, 8));
                              return probes::triple::one_way_operands<T>(start, of_x, of_y);
                            }),
                            true});
  return domain;
}

template <class T>
Domain<TwTw<T>> quotient_pairs() {
  const Box box = triple_quotient_box(format_of<T>());
  Domain<TwTw<T>> domain = pairs<T>(box);
  domain.contains = [box](const TwTw<T>& c) {
    return dw::is_operand(c.x, box) && dw::is_operand(c.y, box) && bits_of(abs(c.y.x0)) != 0;
  };
  domain.accepts += ", y ≠ 0";
  return domain;
}

/// Triple words with a leading word that is not zero; with `positive`, one above zero.
template <class T>
Domain<Tw<T>> singles(Box box, bool positive = false) {
  return {.classes = dw::word_sum_classes<TripleWord<T>, Tw<T>>(box, positive),
          .contains =
              [box, positive](const Tw<T>& c) {
                return dw::is_operand(c.x, box) && bits_of(abs(c.x.x0)) != 0 && !(positive && signbit(c.x.x0));
              },
          .accepts = dw::box_text("triple words", box) + (positive ? ", x > 0" : ", x ≠ 0")};
}

template <FloatingPoint T>
bool is_case(const DwTw<T>& c, Box box) {
  return dw::is_operand(c.x, box) && dw::is_operand(c.y, box);
}

/// Classes of a double word and a triple word, each non-zero word with its exponent in the box.
template <class T>
Domain<DwTw<T>> double_and_triple(Box box) {
  const auto both = [box](Significand kind, LowWord low, dw::Tail tail, Exponents exponents) {
    return drawn<DwTw<T>>([=](Draw& draw) {
      const auto x = draw_double_word<T>(draw, kind, low, draw_exponent<T>(draw, exponents, box), box);
      return DwTw<T>{x,
                     dw::draw_word_sum<TripleWord<T>>(draw, kind, tail, draw_exponent<T>(draw, exponents, box), box)};
    });
  };
  return {
      .classes =
          {
              {"dense, gaps between words", 3,
               both(Significand::dense, LowWord::gap, dw::Tail::gap, Exponents::centre)},
              {"dense, largest words", 3,
               both(Significand::dense, LowWord::near_half, dw::Tail::adjacent, Exponents::centre)},
              {"any significand and words", 3, both(Significand::any, LowWord::any, dw::Tail::any, Exponents::centre)},
              {"near powers of two, largest words", 3,
               both(Significand::low_bits, LowWord::near_half, dw::Tail::adjacent, Exponents::centre)},
              {"first words above powers of two, the others largest", 4, drawn<DwTw<T>>([=](Draw& draw) {
                 const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
                 const auto x = dw::draw_extremal_sum<QuadDouble<T>>(draw, exponent, box);
                 return DwTw<T>{
                     normalised_or_high(DoubleWord<T>{x.x0, x.x1}, box),
                     dw::draw_extremal_sum<TripleWord<T>>(draw, draw_exponent<T>(draw, Exponents::centre, box), box)};
               }),
               true},
              {"sparse, large words", 2,
               both(Significand::sparse, LowWord::near_half, dw::Tail::near, Exponents::centre)},
              {"all ones", 1, both(Significand::all_ones, LowWord::near_half, dw::Tail::adjacent, Exponents::centre)},
              {"low word half an ulp", 1, both(Significand::any, LowWord::half_ulp, dw::Tail::near, Exponents::centre)},
              {"last words zero", 1, both(Significand::any, LowWord::zero, dw::Tail::zeros, Exponents::centre)},
              {"full range", 2, both(Significand::any, LowWord::any, dw::Tail::any, Exponents::full_range)},
              {"lowest exponents", 1, both(Significand::any, LowWord::any, dw::Tail::any, Exponents::low_edge)},
              {"highest exponents", 1, both(Significand::any, LowWord::any, dw::Tail::any, Exponents::high_edge)},
          },
      .contains = [box](const DwTw<T>& c) { return is_case(c, box); },
      .accepts = dw::box_text("a double word and a triple word", box)};
}

/// |y1 + y2| ≤ 40u² for y = (1, y1, y2).
template <class T>
bool is_near_one(const TripleWord<T>& y) {
  return y.x0 == T(1) && abs(value_of(y.x1) + value_of(y.x2)) <= Dyadic::scaled(40, -2 * dw::precision<T>);
}

/// The box of the operands of a product with a number near 1.
template <class T>
constexpr Box near_one_box{-9 * dw::precision<T>, 8};

/// A double word, and a triple word (1, y1, y2) within 40u² of 1, as 2 − bx is in a reciprocal.
template <class T>
Domain<DwTw<T>> near_one() {
  constexpr int p = dw::precision<T>;
  const Box box = near_one_box<T>;
  const auto factor = [](Draw& draw, Significand kind, dw::Tail tail) {
    const int exponent = 4 - 2 * p - (draw.one_in(3) ? draw_gap<T>(draw) : draw.between(0, 4));
    dw::WordsOf<T, 3> w{T(1), draw_number<T>(draw, kind, exponent), T{}};
    dw::detail::draw_tail(draw, w, 2, kind, tail, dw::Signs::random, dw::Separation::below_ulp, full_box<T>());
    return dw::sum_of_words<T>(w);
  };
  const auto both = [=](Significand kind, LowWord low, dw::Tail tail) {
    return drawn<DwTw<T>>([=](Draw& draw) {
      const auto x = draw_double_word<T>(draw, kind, low, draw.between(-8, 8), box);
      return DwTw<T>{x, factor(draw, kind, tail)};
    });
  };
  return {
      .classes =
          {
              {"dense", 3, both(Significand::dense, LowWord::near_half, dw::Tail::adjacent)},
              {"any significand and words", 3, both(Significand::any, LowWord::any, dw::Tail::any)},
              {"near powers of two", 2, both(Significand::low_bits, LowWord::near_half, dw::Tail::adjacent)},
              {"low word zero", 1, both(Significand::any, LowWord::zero, dw::Tail::any)},
              {"low word near an ulp of the product's second word", 3, drawn<DwTw<T>>([=](Draw& draw) {
                 const TripleWord<T> y = factor(draw, Significand::any, dw::Tail::any);
                 const int exponent = draw.between(-8, 8);
                 const T h = draw_number<T>(draw, Significand::any, exponent);
                 const int low = exponent + parts_of(y.x1).leading() - p + draw.between(-2, 2);
                 return DwTw<T>{{h, draw_number<T>(draw, Significand::any, low)}, y};
               }),
               true},
              {"a low word lost by a bare FastTwoSum, or a last one in a tie", 2, drawn<DwTw<T>>([](Draw& draw) {
                 const T h = draw_number<T>(draw, Significand::power_of_two, draw.between(-8, 8));
                 const T u = bits::power_of_two<T>(-p);
                 const T y1 = static_cast<T>(4 * draw.below(10) + 1) * u * u;
                 if (draw.coin()) return DwTw<T>{{h, h * u}, {T(1), y1, T(0)}};
                 return DwTw<T>{{stepped(T(1.6), 4) * h, stepped(64 * u * u * u, -1) * h}, {T(1), 40 * u * u, T(0)}};
               }),
               true},
          },
      .contains =
          [box](const DwTw<T>& c) {
            return dw::is_operand(c.x, box) && dw::is_operand(c.y, box) && is_near_one(c.y) && bits_of(abs(c.x.h)) != 0;
          },
      .accepts = "a double word x ≠ 0 and a triple word y = (1, y1, y2) with |y − 1| ≤ 40u², every non-zero word in " +
                 dw::interval_text(box)};
}

template <class Op, class Truth, class T = typename ResultTraits<typename Op::Output>::Number>
Registration operation(const std::string& name, Domain<typename Op::Input> domain,
                       Truth (*reference)(const typename Op::Input&),
                       std::vector<Claim<typename Op::Input, TripleWord<T>, Truth>> claims,
                       std::optional<Probed> probe = std::nullopt) {
  claims.push_back(satisfies("p_nonoverlapping", triple_structure_1,
                             [](const auto&, const TripleWord<T>& r) { return dw::is_triple_word(r); }));
  auto property = dw::word_operation<Op, Truth>(name, std::move(domain), reference, std::move(claims));
  property.probe = std::move(probe);
  return Registration(std::move(property));
}

/// The probe of a claim. It draws words of the box from 2^lowest on.
template <class Probe>
Probed judged_by(const RelativeBound& bound, Box box, int lowest, const char* claim = "error") {
  return probe_of_words(claim, Probe{}, bound, box, lowest, {3, 3, 2, 3, 3, 3, 2});
}

/// The published bound of an operation and the smaller bound of our pages.
template <class Case, class T, class Truth>
std::vector<Claim<Case, TripleWord<T>, Truth>> both_errors(const BoundedTheorem auto& theorem,
                                                           const BoundedTheorem auto& sharp) {
  return {within("error", theorem, dw::precision<T>), within("error_sharp", sharp, dw::precision<T>)};
}

/// Two exponents of the words of products sum to at least −860: an error of u³ is normal.
constexpr int lowest_factor = -430;

/// The probe of a claim of a product with a number near 1.
template <class Probe>
Probed near_one_judged_by(const char* claim, const RelativeBound& bound) {
  return probe_of_words(claim, Probe{}, bound, near_one_box<typename Probe::Number>, -800, {3, 3, 2, 3});
}

template <class T>
Exact reciprocal_of(const Tw<T>& c) {
  return oracle::quotient(Dyadic(1), value_of(c.x));
}

template <class T>
Registration to_triple() {
  const Box box = triple_add_box(format_of<T>());
  const auto three = [box](Significand kind, int longest) {
    return drawn<Triple<T>>([=](Draw& draw) {
      const int exponent = draw_exponent<T>(draw, draw.coin() ? Exponents::centre : Exponents::full_range, box);
      T w[3] = {draw_number<T>(draw, kind, exponent), T{}, T{}};
      w[1] = draw_number<T>(draw, kind, assay::detail::lower(exponent, draw.between(0, longest), box));
      w[2] = draw_number<T>(draw, kind, assay::detail::lower(exponent, draw.between(0, 2 * longest), box));
      std::swap(w[0], w[draw.below(3)]);
      std::swap(w[1], w[1 + draw.below(2)]);
      return Triple<T>{w[0], w[1], w[2]};
    });
  };
  constexpr int p = dw::precision<T>;
  return operation<TwFromThree<T>, Dyadic>(
      "triple.from_three",
      {.classes =
           {
               {"dense, gaps 0…p+3 and 0…2p+6, any order", 3, three(Significand::dense, p + 3)},
               {"any significand, the same gaps", 3, three(Significand::any, p + 3)},
               {"near powers of two, gaps 0…3", 2, three(Significand::low_bits, 3)},
               {"cancellation of two", 3, drawn<Triple<T>>([box](Draw& draw) {
                  const Pair<T> pair = draw_cancelling_pair<T>(draw, box);
                  const int below = draw.between(0, 2 * dw::precision<T> + 3);
                  const T c = draw_number<T>(
                      draw, Significand::any,
                      assay::detail::lower(parts_of(pair.a).significand == 0 ? 0 : parts_of(pair.a).leading(), below,
                                           box));
                  return draw.coin() ? Triple<T>{pair.a, pair.b, c} : Triple<T>{pair.a, c, pair.b};
                })},
               {"ties of two, and a third below", 2, drawn<Triple<T>>([box](Draw& draw) {
                  const Pair<T> pair = draw_tie<T>(draw, draw.coin(), box);
                  const int exponent = draw_exponent<T>(draw, Exponents::low_edge, box);
                  return Triple<T>{pair.a, pair.b, draw_number<T>(draw, Significand::any, exponent)};
                })},
           },
       .contains = [box](const Triple<T>& c) { return in_box(c.a, box) && in_box(c.b, box) && in_box(c.c, box); },
       .accepts = "numbers below 2^" + std::to_string(box.high + 1) + ", subnormal ones included"},
      +[](const Triple<T>& c) {
        Dyadic sum = value_of(c.a);
        sum += value_of(c.b);
        sum += value_of(c.c);
        return sum;
      },
      {exact("exact", triple_from_three_1)});
}

/// The operands of triple.add.1 with the largest error, times `unit`, a power of two. Every operation here is exact.
template <class T>
TwTw<T> hardest_terms(T unit) {
  const T u = bits::power_of_two<T>(-dw::precision<T>);
  const T quarter = unit / 4;
  const T second = quarter * u * u;
  const T third = 2 * second * u;
  return {{quarter - 14 * u * quarter, -(second + third), -(third - third * u)},
          {-(3 * quarter - 12 * u * quarter), -(second - third / 2), -(2 * third * u)}};
}

/// Pairs for a sum.
template <class T>
Domain<TwTw<T>> terms(Box box) {
  Domain<TwTw<T>> domain = pairs<T>(box);
  domain.classes.push_back({"a sum that errs by (3/2)u³", 1, drawn<TwTw<T>>([](Draw& draw) {
                              return hardest_terms(
                                  draw_number<T>(draw, Significand::power_of_two, draw.between(-8, 8)));
                            }),
                            true});
  return domain;
}

template <class T>
Registration add() {
  constexpr int p = dw::precision<T>;
  const Box box = triple_add_box(format_of<T>());
  auto claims = both_errors<TwTw<T>, T, Dyadic>(triple_add_1, triple_add_2);
  claims.push_back(expected_refuted(within("error_below_sharp", triple_add_3, p), "error_sharp"));
  return operation<TwAdd<T>, Dyadic>("triple.add", terms<T>(box), dw::sum_of<TwTw<T>>, std::move(claims),
                                     judged_by<probes::triple::Add<T>>(triple_add_2(p), box, -800, "error_sharp"));
}

template <class T>
Registration compare() {
  return Registration(Property<TwTw<T>, T, Dyadic>{
      .name = "triple.compare" + format_suffix<T>(),
      .domain = pairs<T>(triple_add_box(format_of<T>())),
      .subject = [](const Executor& on,
                    std::span<const TwTw<T>> cases) { return elementwise<TwCompare<T>>(on, cases); },
      .reference = [](const TwTw<T>& c) -> Dyadic { return (value_of(c.x) - value_of(c.y)).sign(); },
      .claims = {exact("exact", triple_compare_1)},
      .inexact = [](const TwTw<T>& c, const auto&, const T&) { return bits_of(c.x.x0) == bits_of(c.y.x0); }});
}

/// A product of a double word and a triple word.
template <class Op, class Probe, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul_dw(const std::string& name, const BoundedTheorem auto& theorem) {
  const Box box = triple_product_box(format_of<T>());
  return operation<Op, Dyadic>(name, double_and_triple<T>(box), dw::product_of<DwTw<T>>,
                               {within("error", theorem, dw::precision<T>)},
                               judged_by<Probe>(theorem(dw::precision<T>), box, lowest_factor));
}

/// A product of triple words, and a bound that is too small for it.
template <class Op, class Probe, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul(const std::string& name, const BoundedTheorem auto& theorem, const BoundedTheorem auto& too_small) {
  constexpr int p = dw::precision<T>;
  const Box box = triple_product_box(format_of<T>());
  return operation<Op, Dyadic>(
      name, factors<T>(box), dw::product_of<TwTw<T>>,
      {within("error", theorem, p), expected_refuted(within("error_below", too_small, p), "error")},
      probe_of_error<Probe>(theorem(p), box, lowest_factor, {3, 3, 2, 3, 3, 3, 2, 3}));
}

template <class T>
Domain<Tw<T>> to_round() {
  const Box box = triple_round_box(format_of<T>());
  auto classes = dw::word_sum_classes<TripleWord<T>, Tw<T>>(box);
  constexpr int p = dw::precision<T>;
  classes.push_back({"halfway, and a third word", 4, drawn<Tw<T>>([box](Draw& draw) {
                       const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
                       const T x0 = draw_number<T>(draw, Significand::any, exponent);
                       const T x1 = draw_number<T>(draw, Significand::power_of_two, exponent - p);
                       const T x2 = draw_number<T>(draw, Significand::any, exponent - 2 * p - draw_gap<T>(draw));
                       return Tw<T>{{x0, x1, draw.one_in(8) ? T{} : x2}};
                     })});
  classes.push_back(
      {"powers of two and their neighbours, low words of few bits", 4, drawn<Tw<T>>([box](Draw& draw) {
         const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
         const int of_x0 = draw.between(-1, 2);
         const T x0 = stepped(draw_number<T>(draw, Significand::power_of_two, exponent), of_x0);
         const int of_x1 = draw.one_in(3) ? draw.between(-1, 1) : 0;
         const T x1 = stepped(
             compose<T>({.exponent = exponent - p - 2, .significand = 1 + draw.below(7), .negative = draw.coin()}),
             of_x1);
         dw::WordsOf<T, 3> w{x0, dw::may_follow(x0, x1, dw::Separation::below_ulp) ? x1 : T{}, T{}};
         dw::detail::draw_tail(draw, w, 2, Significand::any, dw::Tail::any, dw::Signs::random,
                               dw::Separation::below_ulp, full_box<T>());
         return Tw<T>{dw::sum_of_words<T>(w)};
       })});
  return {.classes = std::move(classes),
          .contains = [box](const Tw<T>& c) { return dw::is_triple_word(c.x) && in_box(c.x.x0, box); },
          .accepts = "triple words with 0 or a leading word in " + dw::interval_text(box)};
}

/// The sum of zeros has the sign of the leading zero if the next one has it, too.
template <class T>
oracle::RoundingPolicy zero_sign(const Tw<T>& c) {
  return {.negative_zero = signbit(c.x.x0) && signbit(c.x.x1)};
}

template <class Op, class T>
Registration rounding(const std::string& name, std::vector<Claim<Tw<T>, T, Dyadic>> claims) {
  return Registration(Property<Tw<T>, T, Dyadic>{
      .name = name + format_suffix<T>(),
      .domain = to_round<T>(),
      .subject = [](const Executor& on, std::span<const Tw<T>> cases) { return elementwise<Op>(on, cases); },
      .reference = [](const Tw<T>& c) { return value_of(c.x); },
      .claims = std::move(claims)});
}

template <class T>
Registration round() {
  return rounding<TwRound<T>, T>("triple.round",
                                 {rounded("nearest", triple_round_1, oracle::Rounding::nearest, zero_sign<T>)});
}

template <class T>
Registration round_printed() {
  return rounding<TwRoundPrinted<T>, T>(
      "triple.round_printed",
      {expected_refuted(rounded("nearest", triple_round_2, oracle::Rounding::nearest, zero_sign<T>), "faithful"),
       faithful("faithful", triple_round_3)});
}

template <class T>
Registration mul_near_one() {
  return operation<TwMulNearOne<T>, Dyadic>(
      "triple.mul_near_one", near_one<T>(), dw::product_of<DwTw<T>>,
      {within("error", triple_mul_near_one_1, dw::precision<T>)},
      near_one_judged_by<probes::triple::MulNearOne<T>>("error", triple_mul_near_one_1(dw::precision<T>)));
}

template <class T>
Registration mul_near_one_printed() {
  return operation<TwMulNearOnePrinted<T>, Dyadic>(
      "triple.mul_near_one_printed", near_one<T>(), dw::product_of<DwTw<T>>,
      {expected_refuted(within("error", triple_mul_near_one_2, dw::precision<T>), "ceiling"),
       within("ceiling", triple_mul_near_one_3, dw::precision<T>)},
      near_one_judged_by<probes::triple::MulNearOnePrinted<T>>("ceiling", triple_mul_near_one_3(dw::precision<T>)));
}

/// A triple word times a power of two.
Tw<double> scaled(const TripleWord<double>& x, int scale) {
  return {{std::ldexp(x.x0, scale), std::ldexp(x.x1, scale), std::ldexp(x.x2, scale)}};
}

/// `hardest`: operands that a search found, drawn times powers of two. `too_small`: a bound that they break.
template <class Op, class Probe>
Registration reciprocal(const std::string& name, const BoundedTheorem auto& theorem, const BoundedTheorem auto& sharp,
                        const BoundedTheorem auto& too_small, TripleWord<double> hardest) {
  constexpr int p = dw::precision<double>;
  const Box box = triple_reciprocal_box(oracle::binary64);
  Domain<Tw<double>> domain = singles<double>(box);
  domain.classes.push_back({"the hardest divisor of a search", 1, drawn<Tw<double>>([hardest](Draw& draw) {
                              const TripleWord<double> x = draw.coin() ? negated(hardest) : hardest;
                              return scaled(x, draw.between(-16, 16));
                            }),
                            true});
  auto claims = both_errors<Tw<double>, double, Exact>(theorem, sharp);
  claims.push_back(expected_refuted(within("error_below_sharp", too_small, p), "error_sharp"));
  return operation<Op, Exact>(name, std::move(domain), reciprocal_of<double>, std::move(claims),
                              judged_by<Probe>(sharp(p), box, -800, "error_sharp"));
}

/// `hardest`: operands that a search found, drawn times powers of two.
template <class Op, class Probe>
Registration div(const std::string& name, const BoundedTheorem auto& theorem, const BoundedTheorem auto& sharp,
                 const TwTw<double>& hardest) {
  Domain<TwTw<double>> domain = quotient_pairs<double>();
  domain.classes.push_back({"the hardest operands of a search", 1, drawn<TwTw<double>>([hardest](Draw& draw) {
                              const int of_x = draw.between(-16, 8);
                              return TwTw<double>{scaled(hardest.x, of_x).x, scaled(hardest.y, draw.between(-16, 8)).x};
                            }),
                            true});
  return operation<Op, Exact>(
      name, std::move(domain), dw::quotient_of<TwTw<double>>, both_errors<TwTw<double>, double, Exact>(theorem, sharp),
      judged_by<Probe>(sharp(dw::precision<double>), triple_quotient_box(oracle::binary64), -800, "error_sharp"));
}

/// `hardest`: operands that a search found, drawn times powers of four.
template <class Op, class Probe>
Registration sqrt(const std::string& name, const BoundedTheorem auto& theorem, const BoundedTheorem auto& sharp,
                  TripleWord<double> hardest) {
  const Box box = triple_sqrt_box(oracle::binary64);
  Domain<Tw<double>> domain = singles<double>(box, true);
  domain.classes.push_back(
      {"the hardest radicand of a search", 1,
       drawn<Tw<double>>([hardest](Draw& draw) { return scaled(hardest, 2 * draw.between(-16, 16)); }), true});
  return operation<Op, Exact>(name, std::move(domain), dw::root_of<Tw<double>>,
                              both_errors<Tw<double>, double, Exact>(theorem, sharp),
                              judged_by<Probe>(of_square(sharp(dw::precision<double>)), box, -800, "error_sharp"));
}

template <class T>
struct Family {
  Registration all[9] = {
      to_triple<T>(),
      add<T>(),
      compare<T>(),
      mul<TwMulAccurate<T>, probes::triple::MulAccurate<T>>("triple.mul_accurate", triple_mul_accurate_1,
                                                            triple_mul_accurate_2),
      mul<TwMulFast<T>, probes::triple::MulFast<T>>("triple.mul_fast", triple_mul_fast_1, triple_mul_fast_2),
      mul_dw<TwMulDwAccurate<T>, probes::triple::MulDwAccurate<T>>("triple.mul_dw_accurate", triple_mul_dw_accurate_1),
      mul_dw<TwMulDwFast<T>, probes::triple::MulDwFast<T>>("triple.mul_dw_fast", triple_mul_dw_fast_1),
      round<T>(),
      round_printed<T>(),
  };
};

/// Operations for which the range of binary32 is too small.
struct Quotients {
  using T = double;
  Registration all[8] = {
      mul_near_one<T>(),
      mul_near_one_printed<T>(),
      reciprocal<TwReciprocalAccurate<T>, probes::triple::ReciprocalAccurate<T>>(
          "triple.reciprocal_accurate", triple_reciprocal_accurate_1, triple_reciprocal_accurate_2,
          triple_reciprocal_accurate_3, {0x1.1976be786c32dp+0, 0x1.d5c28139daa35p-53, 0x1.df85c5d54c824p-106}),
      reciprocal<TwReciprocalFast<T>, probes::triple::ReciprocalFast<T>>(
          "triple.reciprocal_fast", triple_reciprocal_fast_1, triple_reciprocal_fast_2, triple_reciprocal_fast_3,
          {0x1.1a38c3dc3270dp+0, 0x1.d5f46deb471b1p-53, 0x1.f72639f7655fp-106}),
      div<TwDivAccurate<T>, probes::triple::DivAccurate<T>>(
          "triple.div_accurate", triple_div_accurate_1, triple_div_accurate_2,
          {{0x1.07db96b212bd7p+0, -0x1.ffffe78831ad9p-53, -0x1.fffffffffffdbp-106},
           {0x1.071b03d71324p+0, 0x1.ffc097ccca109p-53, 0x1.fffffffffffdbp-106}}),
      div<TwDivFast<T>, probes::triple::DivFast<T>>(
          "triple.div_fast", triple_div_fast_1, triple_div_fast_2,
          {{0x1.0723f622478b8p+0, -0x1.ffff96e1bc6fdp-53, -0x1.fffffffffffdbp-106},
           {0x1.071b03d71324p+0, 0x1.ffc097ccca109p-53, 0x1.fffffffffffdbp-106}}),
      sqrt<TwSqrtAccurate<T>, probes::triple::SqrtAccurate<T>>(
          "triple.sqrt_accurate", triple_sqrt_accurate_1, triple_sqrt_accurate_2,
          {0x1.000127c8fb622p+1, -0x1.ffffffffff61dp-52, -0x1.ffffffffffffbp-105}),
      sqrt<TwSqrtFast<T>, probes::triple::SqrtFast<T>>(
          "triple.sqrt_fast", triple_sqrt_fast_1, triple_sqrt_fast_2,
          {0x1.0177a8b5845b6p+1, 0x1.ffffe9465bae6p-52, 0x1.fffffffffffc5p-105}),
  };
};

const LateRegistration binary64_family{"triple", [] { Family<double>(); }};
const LateRegistration binary32_family{"triple", [] { Family<float>(); }};
const Quotients quotients;

}  // namespace

}  // namespace assay::triple
