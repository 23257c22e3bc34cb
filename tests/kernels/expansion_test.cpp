#include "kernels/expansion/expansion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/expansion/expansion.hpp"
#include "arith/float/small_float.hpp"

namespace assay::expansion {
namespace {

/// Three expansions of k words: dense, short, and with a word equal to an ulp of the one before.
template <class T>
std::vector<T> operands(int k, int seed) {
  constexpr int p = FloatTraits<T>::precision;
  std::vector<T> x;
  for (int element = 0; element < 3; ++element) {
    for (int i = 0; i < k; ++i) {
      const double digits = 1 + std::fmod(0.37 * (seed + 1) + 0.61 * (element + 1) + 0.17 * i, 1.0);
      const bool end = element == 1 && i > 1;
      x.push_back(end ? T(0)
                      : T(std::ldexp(element == 2 && i > 0 ? 1.0 : digits, (1 - p) * i - (element == 0 ? i : 0))));
    }
  }
  return x;
}

template <class T, int K>
Expansion<T, K> element(const std::vector<T>& words, std::size_t i) {
  Expansion<T, K> x{};
  for (std::size_t j = 0; j < K; ++j) {
    x.x[j] = words[i * K + j];
  }
  return x;
}

template <class T, int K>
testing::AssertionResult same(const Expansion<T, K>& expected, const std::vector<T>& words, std::size_t i) {
  for (std::size_t j = 0; j < K; ++j) {
    if (to_bits(expected.x[j]) != to_bits(words[i * K + j])) {
      return testing::AssertionFailure() << "element " << i << ", word " << j;
    }
  }
  return testing::AssertionSuccess();
}

const Executor host = Executor::host();

TEST(ExpansionOp, IsTheOperationOfItsNameOnEveryElement) {
  const auto x = operands<double>(4, 1);
  const auto y = operands<double>(4, 2);
  const auto is = [&](ExpansionOp op, auto expected) {
    const auto z = expansion_op<double>(host, op, 4, x, y);
    ASSERT_EQ(z.size(), x.size());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(same(expected(element<double, 4>(x, i), element<double, 4>(y, i)), z, i));
    }
  };
  is(ExpansionOp::certified_add, [](auto a, auto b) { return expansion::certified_add<4>(a, b); });
  is(ExpansionOp::quick_add, [](auto a, auto b) { return expansion::quick_add<4>(a, b); });
  is(ExpansionOp::certified_mul, [](auto a, auto b) { return expansion::certified_mul<4>(a, b); });
  is(ExpansionOp::truncated_mul, [](auto a, auto b) { return expansion::truncated_mul<4>(a, b); });
  is(ExpansionOp::quick_mul, [](auto a, auto b) { return expansion::quick_mul<4>(a, b); });
  is(ExpansionOp::div, [](auto a, auto b) { return expansion::div<4>(a, b); });
}

TEST(ExpansionOp, TakesOneOperandForAFunction) {
  const auto x = operands<float>(3, 1);
  const auto is = [&](ExpansionOp op, auto expected) {
    const auto z = expansion_op<float>(host, op, 3, x);
    ASSERT_EQ(z.size(), x.size());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(same(expected(element<float, 3>(x, i)), z, i));
    }
  };
  is(ExpansionOp::reciprocal, [](auto a) { return expansion::reciprocal<3>(a); });
  is(ExpansionOp::rsqrt, [](auto a) { return expansion::rsqrt<3>(a); });
  is(ExpansionOp::sqrt, [](auto a) { return expansion::sqrt<3>(a); });
}

TEST(ExpansionOp, IsOfferedForOneToSixteenWordsOfBinary64) {
  for (int k = 1; k <= 16; ++k) {
    const auto x = operands<double>(k, 1);
    for (const ExpansionOp op : {ExpansionOp::certified_add, ExpansionOp::certified_mul, ExpansionOp::div}) {
      EXPECT_EQ(expansion_op<double>(host, op, k, x, x).size(), x.size());
    }
    EXPECT_EQ(expansion_op<double>(host, ExpansionOp::sqrt, k, x).size(), x.size());
  }
}

TEST(ExpansionOp, OfAToyFormatIsTheCertifiedSum) {
  const auto x = operands<Toy<5>>(3, 1);
  const auto y = operands<Toy<5>>(3, 2);
  const auto z = expansion_op<Toy<5>>(host, ExpansionOp::certified_add, 3, x, y);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(expansion::certified_add<3>(element<Toy<5>, 3>(x, i), element<Toy<5>, 3>(y, i)), z, i));
  }
  EXPECT_THROW(expansion_op<Toy<5>>(host, ExpansionOp::certified_mul, 3, x, y), std::invalid_argument);
}

TEST(ExpansionOp, RefusesWhatIsNotOfferedWithOneClearLine) {
  const std::vector<double> x(34);
  const auto message = [&](auto&& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { expansion_op<double>(host, ExpansionOp::certified_add, 17, x, x); }),
            "certified_add is not offered for 17 words");
  EXPECT_EQ(message([&] { expansion_op<double>(host, ExpansionOp::certified_add, 4, x, x); }),
            "34 numbers are not a whole number of expansions of 4 words");
  EXPECT_EQ(message([&] { expansion_op<double>(host, ExpansionOp::div, 2, x); }),
            "the operands have different sizes: 34 and 0 numbers");
  EXPECT_EQ(message([&] { expansion_op<double>(host, ExpansionOp::sqrt, 2, x, x); }),
            "the operands have different sizes: 0 and 34 numbers");
  EXPECT_NE(message([&] { expansion_op<double>(host, ExpansionOp::sqrt, 0, x); }), "");
  EXPECT_EQ(message([&] { distill<double>(host, Distillation::vec_sum, 2, 1, x); }),
            "vec_sum is not offered from 2 words to 1");
  EXPECT_EQ(message([&] { distill<double>(host, Distillation::renormalize, 17, 16, x); }),
            "renormalize is not offered for 17 words");
  EXPECT_EQ(message([&] { distill<double>(host, Distillation::renormalize, 6, 4, std::vector<double>(12)); }),
            "renormalize is not offered from 6 words to 4");
}

TEST(ExpansionCompare, GivesTheSignOfTheDifference) {
  const std::vector<double> x{1.0, 0x1p-60, 1.0, 0x1p-52, 1.0, -0x1p-60};
  const std::vector<double> y{1.0, 0.0, 1.0 + 0x1p-52, 0.0, 1.0, 0.0};
  EXPECT_EQ(expansion_compare<double>(host, 2, x, y), (std::vector<int>{1, 0, -1}));
}

TEST(ExpansionConversions, ComeBackToTheInteger) {
  const std::vector<std::int64_t> n{0, -1, INT64_MAX, INT64_MIN, (std::int64_t{1} << 53) + 1};
  EXPECT_EQ(expansion_to_int64<double>(host, 2, expansion_from_int64<double>(host, 2, n)), n);
  EXPECT_EQ(expansion_to_int64<float>(host, 3, expansion_from_int64<float>(host, 3, n)), n);
  EXPECT_EQ(expansion_nearest<double>(host, 2, expansion_from_int64<double>(host, 2, n)),
            (std::vector<double>{0, -1, 0x1p63, -0x1p63, 0x1p53}));
}

template <class T>
void distills(int n, int m) {
  const auto x = operands<T>(n, 3);
  const auto z = distill<T>(host, Distillation::renormalize, n, m, x);
  ASSERT_EQ(z.size(), 3 * static_cast<std::size_t>(m));
  const auto whole = distill<T>(host, Distillation::renormalize, n, n, x);
  EXPECT_EQ(to_bits(z[0]), to_bits(whole[0]));
}

TEST(Distill, IsOfferedWhereItsDescriptionSays) {
  for (int n = 1; n <= 16; ++n) {
    distills<double>(n, n);
    distills<float>(n, n);
    if (n % 2 == 0) {
      distills<double>(n, n / 2);
    }
    for (int m = 1; m <= n && n <= 5; ++m) {
      distills<double>(n, m);
      distills<Toy<3>>(n, m);
      distills<Toy<4>>(n, m);
      distills<Toy<5>>(n, m);
    }
  }
}

TEST(Distill, DoesWhatItsNameSays) {
  const std::vector<double> x{1.0, 0x1.8p-1, 0x1p-54, 0.0, 0x1.4p-107};
  const auto is = [&](Distillation what, auto apply) {
    Expansion<double, 5> e = element<double, 5>(x, 0);
    apply(e);
    EXPECT_TRUE(same(e, distill<double>(host, what, 5, 5, x), 0));
  };
  is(Distillation::vec_sum, [](auto& e) { expansion::vec_sum(e.x); });
  is(Distillation::vec_sum_err, [](auto& e) { expansion::vec_sum_err(e.x); });
  is(Distillation::vec_sum_err_branch, [](auto& e) {
    const auto x_before = e;
    expansion::vec_sum_err_branch(x_before.x, e.x);
  });
  is(Distillation::renormalize, [](auto& e) { e = expansion::renormalize<5>(e.x); });
  is(Distillation::priest_renormalize, [](auto& e) { e = expansion::priest_renormalize<5>(e.x); });
}

}  // namespace
}  // namespace assay::expansion
