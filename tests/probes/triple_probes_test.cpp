#include "probes/triple/triple.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "errorbounds/triple.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

template <class Draws, class T, auto Op>
struct Of<Addition<Draws, TwTw<T>, Op>> : OfTruth<Of<Addition<Draws, TwTw<T>, Op>>> {
  static Box box(const oracle::Format& format) { return triple_add_box(format); }
  static constexpr double units = 2;
  static Dyadic truth(const TwTw<T>& c) { return value(c.x) + value(c.y); }
};
template <class Draws, class X, class T, auto Op>
struct Of<Multiplication<Draws, OperandsOf<X, TripleWord<T>>, Op>>
    : OfTruth<Of<Multiplication<Draws, OperandsOf<X, TripleWord<T>>, Op>>> {
  static constexpr bool near_one = std::is_same_v<Draws, triple::NearOneDraws>;
  static Box box(const oracle::Format& format) {
    return near_one ? Box{-9 * format.precision, 8} : triple_product_box(format);
  }
  static constexpr int lowest = near_one ? -800 : -430;
  static constexpr double units = near_one ? 45 : 44;
  static Dyadic truth(const OperandsOf<X, TripleWord<T>>& c) { return value(c.x) * value(c.y); }
};
template <class Draws, class Case, auto Op>
struct Of<Reciprocal<Draws, Case, Op>> {
  static Box box(const oracle::Format& format) { return triple_reciprocal_box(format); }
  static constexpr double units = 19;
  template <class Z>
  static Dyadic error(const Case& c, const Z& z) {
    return abs(value(z) * value(c.x) - Dyadic(1));
  }
  static Dyadic scale(const Case&) { return Dyadic(1); }
};
template <class Draws, class Case, auto Op>
struct Of<Division<Draws, Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return triple_quotient_box(format); }
  static constexpr double units = 42;
};
template <class Draws, class Case, auto Op>
struct Of<SquareRoot<Draws, Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return triple_sqrt_box(format); }
  static constexpr double units = 2 * 39;
};

namespace {

template <class T>
using ProbesOf = testing::Types<triple::Add<T>, triple::MulAccurate<T>, triple::MulFast<T>, triple::MulDwAccurate<T>,
                                triple::MulDwFast<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Triple64, WordProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Triple32, WordProbe, ProbesOf<float>);

template <class T>
using QuotientsOf = testing::Types<triple::MulNearOne<T>, triple::MulNearOnePrinted<T>, triple::ReciprocalAccurate<T>,
                                   triple::ReciprocalFast<T>, triple::DivAccurate<T>, triple::DivFast<T>,
                                   triple::SqrtAccurate<T>, triple::SqrtFast<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(TripleQuotients64, WordProbe, QuotientsOf<double>);

}  // namespace
}  // namespace assay::probes
