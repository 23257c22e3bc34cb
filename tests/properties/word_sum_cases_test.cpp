#include "properties/draws/dw/word_sum_cases.hpp"

#include <gtest/gtest.h>

#include "errorbounds/dw.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/property.hpp"

namespace assay::dw {
namespace {

constexpr std::uint64_t draws = 2000;

template <class Case>
Case case_of(const InputClass<Case>& input_class, std::uint64_t number) {
  return input_class.generator(random_for(13, input_class.name, number));
}

/// |next| < ulp(word) or |next| ≤ ulp(word)/2 by exact numbers; after 0 only 0.
template <class T>
bool follows(T word, T next, Separation separation) {
  const oracle::Dyadic a = value_of(word);
  const oracle::Dyadic b = abs(value_of(next));
  if (b.is_zero() || a.is_zero()) {
    return b.is_zero();
  }
  const oracle::Dyadic ulp = oracle::Dyadic::scaled(1, a.exponent() - FloatTraits<T>::precision + 1);
  return separation == Separation::below_ulp ? b < ulp : b + b <= ulp;
}

template <class T>
class WordSums : public testing::Test {};
using Formats = testing::Types<double, float>;
TYPED_TEST_SUITE(WordSums, Formats);

TYPED_TEST(WordSums, MayFollowAgreesWithTheDefinitionNearTheLimit) {
  using T = TypeParam;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw(random_for(17, "word_sums", i));
    const int exponent = draw_exponent<T>(draw, Exponents::full_range, full_box<T>());
    const T word = draw_number<T>(draw, Significand::any, exponent);
    const int low = std::max(exponent - FloatTraits<T>::precision + draw.between(-2, 1), full_box<T>().low);
    const T next = stepped(draw_number<T>(draw, Significand::power_of_two, low), draw.between(-1, 1));
    for (const Separation separation : {Separation::below_ulp, Separation::half_ulp}) {
      ASSERT_EQ(may_follow(word, next, separation), follows(word, next, separation)) << bits_of(word) << bits_of(next);
    }
  }
}

template <class X, class Case>
void expect_pairs_in(Box box) {
  for (const auto& each : word_sum_pair_classes<X, Case>(box)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Case c = case_of(each, i);
      ASSERT_TRUE(is_operand(c.x, box) && is_operand(c.y, box)) << each.name << ' ' << i;
    }
  }
}

TYPED_TEST(WordSums, PairsOfTripleWordsStayInTheirDomain) {
  using T = TypeParam;
  expect_pairs_in<TripleWord<T>, TwTw<T>>(product_box(format_of<T>()));
  expect_pairs_in<TripleWord<T>, TwTw<T>>({full_box<T>().low, full_box<T>().high - 2});
}

TYPED_TEST(WordSums, PairsOfQuadDoublesStayInTheirDomain) {
  using T = TypeParam;
  expect_pairs_in<QuadDouble<T>, QdQd<T>>(product_box(format_of<T>()));
  expect_pairs_in<QuadDouble<T>, QdQd<T>>({full_box<T>().low, full_box<T>().high - 2});
}

TYPED_TEST(WordSums, PositiveTripleWordsArePositive) {
  using T = TypeParam;
  const Box box = product_box(format_of<T>());
  for (const auto& each : word_sum_classes<TripleWord<T>, Tw<T>>(box, true)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Tw<T> c = case_of(each, i);
      ASSERT_TRUE(is_operand(c.x, box) && value_of(c.x).sign() > 0) << each.name << ' ' << i;
    }
  }
}

TYPED_TEST(WordSums, CancellationReachesEveryWord) {
  using T = TypeParam;
  const Box box = product_box(format_of<T>());
  std::size_t equal[5] = {};
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw(random_for(19, "cancellation", i));
    const auto x = draw_word_sum<QuadDouble<T>>(draw, Significand::dense, Tail::adjacent, 0, box);
    const WordsOf<T, 4> a = words_in(x);
    const WordsOf<T, 4> b = words_in(draw_near_negative_sum(draw, x, box));
    std::size_t same = 0;
    while (same < 4 && bits_of(a[same]) == bits_of(negated(b[same]))) {
      ++same;
    }
    ++equal[same];
  }
  for (const std::size_t count : equal) {
    EXPECT_GT(count, draws / 20);
  }
}

TEST(WordSumCodec, KeepsEveryWord) {
  const QdFp<float> c{{1, 0x1p-25f, -0x1p-52f, 0x1p-80f}, 3};
  const auto back = from_record<QdFp<float>>(record_of(c));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(same_bits(back->x, c.x) && same_bits(back->y, c.y));
  EXPECT_FALSE(from_record<QdFp<double>>(record_of(c)).has_value());
}

}  // namespace
}  // namespace assay::dw
