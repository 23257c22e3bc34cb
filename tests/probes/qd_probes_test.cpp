#include "probes/qd/qd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "errorbounds/qd.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

/// For a probe that judges |z − (x + y)| relative to |x| + |y|.
template <class T>
struct OfQuadSum {
  static Box box(const oracle::Format& format) { return quad_add_box(format); }
  static Dyadic error(const QdQd<T>& c, const QuadDouble<T>& z) { return abs(value(z) - (value(c.x) + value(c.y))); }
  static Dyadic scale(const QdQd<T>& c) { return abs(value(c.x)) + abs(value(c.y)); }
};

template <class T>
struct Of<qd::SloppyAdd<T>> : OfQuadSum<T> {
  static constexpr double units = 10;
};
template <class T>
struct Of<qd::IeeeAdd<T>> : OfQuadSum<T> {
  static constexpr double units = 3.6;
  static constexpr int power = 1;
  static inline const double weight = 11.5 * power_of_u<T, 3>;
  static qd::IeeeAdd<T> probe(Range range) {
    qd::IeeeAdd<T> made{};
    made.range = range;
    made.weight = weight;
    return made;
  }
  static Dyadic scale(const QdQd<T>& c) {
    std::vector<Dyadic> words;
    for (int i = 0; i < 4; ++i) {
      words.push_back(abs(exact(words_of(c.x).at[i])));
      words.push_back(abs(exact(words_of(c.y).at[i])));
    }
    std::sort(words.begin(), words.end(), std::greater<>());
    return words[5] + exact(weight) * OfQuadSum<T>::scale(c);
  }
};
template <class Draws, class T, class Y, auto Op>
struct Of<Multiplication<Draws, OperandsOf<QuadDouble<T>, Y>, Op>>
    : OfTruth<Of<Multiplication<Draws, OperandsOf<QuadDouble<T>, Y>, Op>>> {
  static Box box(const oracle::Format& format) { return quad_product_box(format); }
  static constexpr int lowest = -400;
  static constexpr double units = 150;
  static Dyadic truth(const OperandsOf<QuadDouble<T>, Y>& c) { return value(c.x) * value(c.y); }
};

namespace {

template <class T>
using ProbesOf = testing::Types<qd::SloppyAdd<T>, qd::IeeeAdd<T>, qd::SloppyMul<T>, qd::Mul<T>, qd::MulFp<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Qd64, WordProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Qd32, WordProbe, ProbesOf<float>);

TEST(SixthWord, IsTheSixthLargestOfTheWords) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    Words<4> x{};
    Words<4> y{};
    std::vector<double> all;
    for (Words<4>* each : {&x, &y}) {
      for (double& word : each->at) word = static_cast<double>(random() % 12) - 4;
      std::sort(each->at, each->at + 4, [](double a, double b) { return absolute(a) > absolute(b); });
      for (const double word : each->at) all.push_back(absolute(word));
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    ASSERT_EQ(qd::sixth_word(x, y), all[5]);
  }
}

}  // namespace
}  // namespace assay::probes
