#pragma once
// The networks of quad doubles step by step, on exact numbers: computes the magnitudes of the steps that round. The
// functions of arith/words/quad_double.hpp have the same steps.

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "errorbounds/qd_theorems.hpp"
#include "properties/draws/dw/word_operations.hpp"
#include "properties/framework/exact_steps.hpp"

namespace assay::qd {

/// The parts of a network's error.
struct StepSums {
  oracle::Dyadic rounded;       ///< Σ 2^⌊log₂|s|⌋ over the results s of rounded operations
  oracle::Dyadic out_of_order;  ///< Σ |b| over the FastTwoSums (a, b) with 0 < |a| < |b|
  oracle::Dyadic dropped;       ///< Σ |xᵢyⱼ| over the omitted products
};

namespace detail {

using oracle::Dyadic;
using Terms = std::array<Dyadic, 4>;

template <FloatingPoint T>
Terms terms_of(const QuadDouble<T>& x) {
  return {value_of(x.x0), value_of(x.x1), value_of(x.x2), value_of(x.x3)};
}

/// The steps of networks on numbers of the format of T.
template <FloatingPoint T>
class Network {
 public:
  struct ThreeSum {
    Dyadic first, second, third;
  };

  ExactSum two_sum(const Dyadic& a, const Dyadic& b) const { return rounded_with_error<T>(a + b); }
  ExactSum two_prod(const Dyadic& a, const Dyadic& b) const { return rounded_with_error<T>(a * b); }

  /// RN(a), a rounded operation.
  Dyadic rounded(const Dyadic& a) {
    Dyadic s = nearest_number<T>(a);
    sums_.rounded += leading_power(s);
    return s;
  }

  ExactSum fast_two_sum(const Dyadic& a, const Dyadic& b) {
    if (!a.is_zero() && compare_abs(a, b) < 0) sums_.out_of_order += abs(b);
    Dyadic s = nearest_number<T>(a + b);
    const Dyadic z = nearest_number<T>(s - a);
    return {std::move(s), nearest_number<T>(b - z)};
  }

  ThreeSum three_sum(const Dyadic& a, const Dyadic& b, const Dyadic& c) const {
    const ExactSum t = two_sum(a, b);
    const ExactSum first = two_sum(c, t.s);
    const ExactSum second = two_sum(t.e, first.e);
    return {first.s, second.s, second.e};
  }

  ExactSum three_sum2(const Dyadic& a, const Dyadic& b, const Dyadic& c) {
    const ExactSum t = two_sum(a, b);
    const ExactSum first = two_sum(c, t.s);
    return {first.s, rounded(t.e + first.e)};
  }

  ExactSum two_word_sum(const ExactSum& a, const ExactSum& b) {
    const ExactSum z = two_sum(a.s, b.s);
    return {z.s, rounded(z.e + rounded(a.e + b.e))};
  }

  /// The renormalization of five words: the part that it loses.
  void renormalize(const Dyadic& c0, const Dyadic& c1, const Dyadic& c2, const Dyadic& c3, const Dyadic& c4) {
    const ExactSum w3 = fast_two_sum(c3, c4);
    const ExactSum w2 = fast_two_sum(c2, w3.s);
    const ExactSum w1 = fast_two_sum(c1, w2.s);
    const ExactSum w0 = fast_two_sum(c0, w1.s);
    Dyadic word = w0.s;
    int outputs = 0;
    for (const Dyadic* each : {&w0.e, &w1.e, &w2.e, &w3.e}) {
      if (outputs == 3) {
        word = rounded(word + *each);
        continue;
      }
      const ExactSum z = fast_two_sum(word, *each);
      if (!z.e.is_zero()) ++outputs;
      word = z.e.is_zero() ? z.s : z.e;
    }
  }

  /// The products xᵢyⱼ with i + j ≥ order are omitted.
  void drop(const Terms& x, const Terms& y, std::size_t order) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (i + j >= order) sums_.dropped += abs(x[i] * y[j]);
      }
    }
  }

  /// The products up to the second order, and the words of their sum.
  struct SecondOrder {
    Dyadic p0, p1, q0, s0, s1, s2, q3, q4, q5;
  };
  SecondOrder second_order(const Terms& x, const Terms& y) {
    const ExactSum p0 = two_prod(x[0], y[0]);
    const ExactSum p1 = two_prod(x[0], y[1]);
    const ExactSum p2 = two_prod(x[1], y[0]);
    const ExactSum p3 = two_prod(x[0], y[2]);
    const ExactSum p4 = two_prod(x[1], y[1]);
    const ExactSum p5 = two_prod(x[2], y[0]);
    const ThreeSum a = three_sum(p1.s, p2.s, p0.e);
    const ThreeSum b = three_sum(a.second, p1.e, p2.e);
    const ThreeSum c = three_sum(p3.s, p4.s, p5.s);
    const ExactSum s0 = two_sum(b.first, c.first);
    const ExactSum t1 = two_sum(b.second, c.second);
    const Dyadic s2 = rounded(b.third + c.third);
    const ExactSum s1 = two_sum(t1.s, s0.e);
    return {p0.s, a.first, a.third, s0.s, s1.s, rounded(s2 + rounded(s1.e + t1.e)), p3.e, p4.e, p5.e};
  }

  StepSums& sums() { return sums_; }

 private:
  StepSums sums_;
};

}  // namespace detail

/// The steps of `qd::sloppy_add`.
template <FloatingPoint T>
StepSums steps_of_sloppy_add(const QdQd<T>& c) {
  const detail::Terms x = detail::terms_of(c.x);
  const detail::Terms y = detail::terms_of(c.y);
  detail::Network<T> net;
  const ExactSum z0 = net.two_sum(x[0], y[0]);
  const ExactSum z1 = net.two_sum(x[1], y[1]);
  const ExactSum z2 = net.two_sum(x[2], y[2]);
  const ExactSum z3 = net.two_sum(x[3], y[3]);
  const ExactSum s1 = net.two_sum(z1.s, z0.e);
  const auto s2 = net.three_sum(z2.s, s1.e, z1.e);
  const ExactSum s3 = net.three_sum2(z3.s, s2.second, z2.e);
  net.renormalize(z0.s, s1.s, s2.first, s3.s, net.rounded(net.rounded(s3.e + s2.third) + z3.e));
  return std::move(net.sums());
}

/// The steps of `qd::mul_fp`.
template <FloatingPoint T>
StepSums steps_of_mul_fp(const QdFp<T>& c) {
  const detail::Terms x = detail::terms_of(c.x);
  const oracle::Dyadic y = value_of(c.y);
  detail::Network<T> net;
  const ExactSum p0 = net.two_prod(x[0], y);
  const ExactSum p1 = net.two_prod(x[1], y);
  const ExactSum p2 = net.two_prod(x[2], y);
  const ExactSum s1 = net.two_sum(p0.e, p1.s);
  const auto s2 = net.three_sum(s1.e, p1.e, p2.s);
  const ExactSum s3 = net.three_sum2(s2.second, p2.e, net.rounded(x[3] * y));
  net.renormalize(p0.s, s1.s, s2.first, s3.s, net.rounded(s3.e + s2.third));
  return std::move(net.sums());
}

/// The steps of `qd::sloppy_mul`.
template <FloatingPoint T>
StepSums steps_of_sloppy_mul(const QdQd<T>& c) {
  const detail::Terms x = detail::terms_of(c.x);
  const detail::Terms y = detail::terms_of(c.y);
  detail::Network<T> net;
  const auto s = net.second_order(x, y);
  oracle::Dyadic third = net.rounded(x[0] * y[3]);
  for (std::size_t i = 1; i < x.size(); ++i) third = net.rounded(third + net.rounded(x[i] * y[3 - i]));
  for (const oracle::Dyadic* each : {&s.q0, &s.q3, &s.q4, &s.q5}) third = net.rounded(third + *each);
  net.renormalize(s.p0, s.p1, s.s0, net.rounded(s.s1 + third), s.s2);
  net.drop(x, y, 4);
  return std::move(net.sums());
}

/// The steps of `qd::mul`.
template <FloatingPoint T>
StepSums steps_of_mul(const QdQd<T>& c) {
  const detail::Terms x = detail::terms_of(c.x);
  const detail::Terms y = detail::terms_of(c.y);
  detail::Network<T> net;
  const auto s = net.second_order(x, y);
  const ExactSum p6 = net.two_prod(x[0], y[3]);
  const ExactSum p7 = net.two_prod(x[1], y[2]);
  const ExactSum p8 = net.two_prod(x[2], y[1]);
  const ExactSum p9 = net.two_prod(x[3], y[0]);
  const ExactSum ab = net.two_word_sum(net.two_sum(s.q0, s.q3), net.two_sum(s.q4, s.q5));
  const ExactSum cd = net.two_word_sum(net.two_sum(p6.s, p7.s), net.two_sum(p8.s, p9.s));
  const ExactSum abcd = net.two_word_sum(ab, cd);
  const ExactSum t = net.two_sum(abcd.s, s.s1);
  const oracle::Dyadic t_low = net.rounded(t.e + abcd.e);
  oracle::Dyadic fourth = net.rounded(x[1] * y[3]);
  for (std::size_t i = 2; i < x.size(); ++i) fourth = net.rounded(fourth + net.rounded(x[i] * y[4 - i]));
  for (const oracle::Dyadic* each : {&p6.e, &p7.e, &p8.e, &p9.e, &s.s2}) fourth = net.rounded(fourth + *each);
  net.renormalize(s.p0, s.p1, s.s0, t.s, net.rounded(t_low + fourth));
  net.drop(x, y, 5);
  return std::move(net.sums());
}

/// The error compared with the magnitudes of the steps: steps_of(case).
template <class T, class StepsOf>
auto within_steps(StepsOf steps_of) {
  return within("error_by_steps", qd_steps_1, [steps_of](const auto& bound, const auto& c) {
    const StepSums sums = steps_of(c);
    return bound(dw::precision<T>, sums.rounded, sums.out_of_order, sums.dropped);
  });
}

}  // namespace assay::qd
