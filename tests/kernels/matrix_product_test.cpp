#include "kernels/pair/matrix_product.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "arith/words/native_pair.hpp"

namespace assay::pair {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// The four products of the header after one signature.
enum class Kind { single, interleaved, planes, in_double };

template <class Shape>
std::vector<double> product(Kind kind, const Executor& on, const Shape& shape, const std::vector<double>& a,
                            const std::vector<double>& b) {
  switch (kind) {
    case Kind::single:
      return product_single(on, shape, a, b);
    case Kind::interleaved:
      return product_pair_interleaved(on, shape, a, b);
    case Kind::planes:
      return product_pair_planes(on, shape, a, b);
    case Kind::in_double:
      break;
  }
  return product_double(on, shape, a, b);
}

/// Numbers in (−1, 1) from a linear congruential generator.
std::vector<double> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<double> x(count);
  for (double& each : x) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    each = static_cast<double>(static_cast<std::int64_t>(seed >> 10)) * 0x1p-53 - 1;
  }
  return x;
}

/// The entries by plain loops in the documented order.
template <class Number, class Step, class Result>
std::vector<double> by_loops(const ProductShape& s, const std::vector<Number>& a, const std::vector<Number>& b,
                             Step step, Result result) {
  std::vector<double> c(s.m * s.n);
  for (std::size_t j = 0; j < s.n; ++j) {
    for (std::size_t i = 0; i < s.m; ++i) {
      Number sum{};
      for (std::size_t l = 0; l < s.k; ++l) sum = step(a[i + l * s.m], b[l + j * s.k], sum);
      c[i + j * s.m] = result(sum);
    }
  }
  return c;
}

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
}

class MatrixProduct : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, MatrixProduct,
                         testing::Values(Kind::single, Kind::interleaved, Kind::planes, Kind::in_double));

TEST_P(MatrixProduct, IsColumnMajor) {
  // [1 3; 2 4]·[5 7; 6 8]
  EXPECT_THAT(product(GetParam(), Executor::host(), ProductShape{2, 2, 2}, {1, 2, 3, 4}, {5, 6, 7, 8}),
              ElementsAre(23, 34, 31, 46));
}

TEST_P(MatrixProduct, TakesABatchOfShapes) {
  const std::vector<ProductShape> shapes{{2, 3, 4}, {0, 2, 1}, {65, 1, 17}, {1, 1, 0}, {3, 3, 3}};
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> want;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::vector<double> left = numbers(shapes[i].m * shapes[i].k, 10 + i);
    const std::vector<double> right = numbers(shapes[i].k * shapes[i].n, 20 + i);
    const std::vector<double> alone = product(GetParam(), Executor::host(), shapes[i], left, right);
    a.insert(a.end(), left.begin(), left.end());
    b.insert(b.end(), right.begin(), right.end());
    want.insert(want.end(), alone.begin(), alone.end());
  }
  EXPECT_TRUE(same_bits(product(GetParam(), Executor::host(), shapes, a, b), want));
}

TEST_P(MatrixProduct, OfEmptyInnerDimensionIsPositiveZero) {
  const auto c = product(GetParam(), Executor::host(), ProductShape{3, 2, 0}, {}, {});
  ASSERT_EQ(c.size(), 6u);
  EXPECT_TRUE(same_bits(c, std::vector<double>(6, 0.0)));
}

TEST_P(MatrixProduct, OfNoRowsOrColumnsIsEmpty) {
  EXPECT_THAT(product(GetParam(), Executor::host(), ProductShape{0, 2, 3}, {}, numbers(6, 1)), IsEmpty());
  EXPECT_THAT(product(GetParam(), Executor::host(), ProductShape{2, 0, 3}, numbers(6, 1), {}), IsEmpty());
}

TEST_P(MatrixProduct, RefusesSizesThatDoNotFitTheShape) {
  EXPECT_THROW(product(GetParam(), Executor::host(), ProductShape{2, 2, 2}, numbers(5, 1), numbers(4, 1)),
               std::invalid_argument);
  EXPECT_THROW(product(GetParam(), Executor::host(), ProductShape{2, 2, 2}, numbers(4, 1), numbers(3, 1)),
               std::invalid_argument);
}

TEST_P(MatrixProduct, HasTheSameBitsInEveryOrderOfThreads) {
  const ProductShape shape{65, 33, 17};
  const auto a = numbers(shape.m * shape.k, 1);
  const auto b = numbers(shape.k * shape.n, 2);
  const auto c = product(GetParam(), Executor::host(), shape, a, b);
  EXPECT_TRUE(same_bits(c, product(GetParam(), Executor::host(Order::descending), shape, a, b)));
  EXPECT_TRUE(same_bits(c, product(GetParam(), Executor::host(Order::shuffled, 7), shape, a, b)));
}

TEST_P(MatrixProduct, IgnoresWhatLiesBeyondTheEdges) {
  // The identity of every size around a tile's side reproduces numbers of 24 bits.
  for (const std::size_t n : {1u, 15u, 16u, 17u, 63u, 64u, 65u}) {
    std::vector<double> identity(n * n);
    for (std::size_t i = 0; i < n; ++i) identity[i * (n + 1)] = 1;
    std::vector<double> a = numbers(n * n, n);
    for (double& each : a) each = static_cast<float>(each);
    EXPECT_EQ(product(GetParam(), Executor::host(), ProductShape{n, n, n}, a, identity), a) << n;
  }
}

TEST_P(MatrixProduct, SumsFromTheFirstInnerIndexToTheLast) {
  const ProductShape shape{5, 4, 37};
  const auto a = numbers(shape.m * shape.k, 3);
  const auto b = numbers(shape.k * shape.n, 4);
  const auto got = product(GetParam(), Executor::host(), shape, a, b);
  if (GetParam() == Kind::in_double) {
    const auto step = [](double x, double y, double c) { return fma(x, y, c); };
    EXPECT_TRUE(same_bits(got, by_loops(shape, a, b, step, [](double c) { return c; })));
  } else if (GetParam() == Kind::single) {
    const auto step = [](float x, float y, float c) { return fma(x, y, c); };
    EXPECT_TRUE(
        same_bits(got, by_loops(shape, std::vector<float>(a.begin(), a.end()), std::vector<float>(b.begin(), b.end()),
                                step, [](float c) { return static_cast<double>(c); })));
  } else {
    using Number = DoubleWord<float>;
    const auto pairs = [](const std::vector<double>& x) {
      std::vector<Number> all;
      for (const double each : x) all.push_back(pair::from_double(each));
      return all;
    };
    const auto step = [](Number x, Number y, Number c) { return pair::add(c, pair::mul<pair::NativeMul::fma>(x, y)); };
    EXPECT_TRUE(same_bits(got, by_loops(shape, pairs(a), pairs(b), step, pair::to_double)));
  }
}

TEST_P(MatrixProduct, LeavesGuardZonesAndInputsAlone) {
  const Executor on = Executor::host();
  const auto a = numbers(70 * 3, 5);
  const auto b = numbers(3 * 66, 6);
  EXPECT_THAT(product(GetParam(), on, ProductShape{70, 66, 3}, a, b), Each(testing::Lt(4.0)));
  EXPECT_EQ(on.audit().guard_zone_violations, 0u);
  EXPECT_EQ(on.audit().input_changes, 0u);
}

}  // namespace
}  // namespace assay::pair
