#pragma once
// The promises of the sum of quad doubles by merged words, `qd::ieee_add`: cases, and claims that its mutants break.

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "errorbounds/qd_theorems.hpp"
#include "properties/draws/dw/word_operations.hpp"
#include "properties/framework/exact_steps.hpp"

namespace assay::qd {

/// The words of both operands by decreasing magnitude; of equal words, those of y first.
template <FloatingPoint T>
std::vector<oracle::Dyadic> merged_words(const QdQd<T>& c) {
  std::vector<oracle::Dyadic> x;
  std::vector<oracle::Dyadic> y;
  for (const T& each : dw::words_in(c.x)) x.push_back(value_of(each));
  for (const T& each : dw::words_in(c.y)) y.push_back(value_of(each));
  std::vector<oracle::Dyadic> merged;
  std::merge(y.begin(), y.end(), x.begin(), x.end(), std::back_inserter(merged),
             [](const oracle::Dyadic& a, const oracle::Dyadic& b) { return compare_abs(a, b) > 0; });
  return merged;
}

/// Whether the word loop outputs at most two words before the last word has come, or three with a low word 0 at the
/// end: the hypothesis of qd.ieee_add.4. The loop runs on exact numbers, rounded by the oracle.
template <FloatingPoint T>
bool words_suffice(const QdQd<T>& c) {
  const std::vector<oracle::Dyadic> words = merged_words(c);
  ExactSum sum = rounded_with_error<T>(words[0] + words[1]);
  int outputs = 0;
  for (std::size_t n = 2; n < words.size(); ++n) {
    ExactSum inner = rounded_with_error<T>(sum.e + words[n]);
    ExactSum outer = rounded_with_error<T>(sum.s + inner.s);
    if (!inner.e.is_zero() && !outer.e.is_zero()) {
      if (++outputs == 4) return false;
      sum = {std::move(outer.e), std::move(inner.e)};
    } else {
      sum = {std::move(outer.s), inner.e.is_zero() ? std::move(outer.e) : std::move(inner.e)};
    }
  }
  return outputs < 3 || sum.e.is_zero();
}

/// Two quad doubles, and words just below powers of two, placed such that the sum of the first n merged words is
/// inexact for n = 3, 4 and 5: the four words of the result are filled early.
template <class T>
Domain<QdQd<T>> merged_sum_pairs(Box box) {
  Domain<QdQd<T>> domain = dw::word_sum_pairs<QdQd<T>>("quad doubles", box);
  domain.classes.push_back({"words below powers of two, every partial sum inexact", 4, drawn<QdQd<T>>([=](Draw& draw) {
                              constexpr int p = FloatTraits<T>::precision;
                              const bool negative = draw.coin();
                              // Each word lies `below` places under its largest possible exponent, and up to 2^bits − 1
                              // steps under a power of two.
                              const auto words = [&](int exponent, int least, int most, int bits) {
                                dw::WordsOf<T, 4> w{};
                                int top = exponent;
                                for (std::size_t i = 0; i < w.size() && top >= box.low; ++i) {
                                  const int steps = static_cast<int>(draw.word() >> (64 - draw.between(1, bits)));
                                  w[i] = stepped(draw_number<T>(draw, Significand::all_ones, top, negative), -steps);
                                  top += -p - 1 - draw.between(least, most);
                                }
                                return dw::sum_of_words<T>(w);
                              };
                              const int exponent = draw_exponent<T>(draw, Exponents::centre, {box.low + 4, box.high});
                              const QuadDouble<T> x = words(exponent, 2, 2, std::min(p - 1, 24));
                              const QuadDouble<T> y = words(exponent - draw.between(2, 4), 0, 1, 8);
                              return draw.coin() ? QdQd<T>{x, y} : QdQd<T>{y, x};
                            })});
  return domain;
}

/// The error compared with the sixth word, and exactness if four words suffice.
template <class T>
std::vector<Claim<QdQd<T>, QuadDouble<T>, oracle::Dyadic>> merged_sum_claims() {
  return {within("error_absolute", qd_ieee_add_1,
                 [](const auto& bound, const QdQd<T>& c) {
                   return bound(dw::precision<T>, abs(merged_words(c)[5]), dw::magnitudes_of(c));
                 }),
          when("the word loop puts out at most two words, or three and a low word 0", words_suffice<T>,
               exact("exact_where_words_suffice", qd_ieee_add_4))};
}

}  // namespace assay::qd
