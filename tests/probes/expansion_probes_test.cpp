#include "probes/expansion/expansion.hpp"

#include <gtest/gtest.h>

#include "errorbounds/expansion.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

constexpr double factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

template <class T, int n>
using Expansions2 = OperandsOf<Expansion<T, n>, Expansion<T, n>>;

/// If errors are normal: the least sum of the exponents of two factors.
template <int n>
inline constexpr int lowest_product = -1000 + 53 * n;

template <class T, int n, auto Op>
struct Of<Addition<expansion::Summands, Expansions2<T, n>, Op>>
    : OfTruth<Of<Addition<expansion::Summands, Expansions2<T, n>, Op>>> {
  static Box box(const oracle::Format& format) { return expansion_sum_box(format); }
  static constexpr int lowest = lowest_product<n>;
  static constexpr double units = 1.1;
  static Dyadic truth(const Expansions2<T, n>& c) { return value(c.x) + value(c.y); }
};
template <class T, int n, auto Op>
struct Of<expansion::AdditionByFirstWords<expansion::Summands, Expansions2<T, n>, Op>>
    : OfTruth<Of<expansion::AdditionByFirstWords<expansion::Summands, Expansions2<T, n>, Op>>> {
  static Box box(const oracle::Format& format) { return expansion_sum_box(format); }
  static constexpr int lowest = lowest_product<n>;
  static constexpr double units = 8 * factorial(n);
  static Dyadic truth(const Expansions2<T, n>& c) { return value(c.x) + value(c.y); }
  static Dyadic scale(const Expansions2<T, n>& c) { return abs(exact(c.x.x[0])) + abs(exact(c.y.x[0])); }
};
template <class T, int n, auto Op>
struct Of<Multiplication<expansion::Factors, Expansions2<T, n>, Op>>
    : OfTruth<Of<Multiplication<expansion::Factors, Expansions2<T, n>, Op>>> {
  static Box box(const oracle::Format& format) { return expansion_product_box(format, n); }
  static constexpr int lowest = lowest_product<n> / 2;
  static constexpr double units = 18 * factorial(n) * factorial(n - 1);
  static Dyadic truth(const Expansions2<T, n>& c) { return value(c.x) * value(c.y); }
};
template <class T, int n, auto Op>
struct Of<Division<expansion::Factors, Expansions2<T, n>, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return expansion_quotient_box(format, n); }
  static constexpr int lowest = -200;
  static constexpr double units = n == 2 ? 19 : 3;
};
template <class T, int n, auto Op>
struct Of<Reciprocal<expansion::Factors, OperandOf<Expansion<T, n>>, Op>> {
  using Case = OperandOf<Expansion<T, n>>;
  static Box box(const oracle::Format& format) { return expansion_quotient_box(format, n); }
  static constexpr int lowest = -200;
  static constexpr double units = n == 2 ? 14 : 3;
  static Dyadic error(const Case& c, const Expansion<T, n>& z) { return abs(value(z) * value(c.x) - Dyadic(1)); }
  static Dyadic scale(const Case&) { return Dyadic(1); }
};
template <class T, int n, auto Op>
struct Of<SquareRoot<expansion::Radicands, OperandOf<Expansion<T, n>>, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return expansion_quotient_box(format, n); }
  static constexpr int lowest = -200;
  static constexpr double units = 2 * (n == 2 ? 28 : 3);
};

namespace {

/// The probes of T for each of the numbers of words n.
template <class T, int... n>
using SumsOf = testing::Types<typename expansion::OfWords<n>::template CertifiedAdd<T>...,
                              typename expansion::OfWords<n>::template QuickAdd<T>...>;
template <class T, int... n>
using ProductsOf = testing::Types<
    typename expansion::OfWords<n>::template CertifiedMul<T>...,
    typename expansion::OfWords<n>::template TruncatedMul<T>..., typename expansion::OfWords<n>::template Div<T>...,
    typename expansion::OfWords<n>::template Reciprocal<T>..., typename expansion::OfWords<n>::template Sqrt<T>...>;
using Sums64 = SumsOf<double, 2, 5, 8>;
using Sums32 = SumsOf<float, 4>;
using Products64 = ProductsOf<double, 2, 4>;
using Products32 = ProductsOf<float, 3>;
INSTANTIATE_TYPED_TEST_SUITE_P(ExpansionSums64, WordProbe, Sums64);
INSTANTIATE_TYPED_TEST_SUITE_P(ExpansionSums32, WordProbe, Sums32);
INSTANTIATE_TYPED_TEST_SUITE_P(ExpansionProducts64, WordProbe, Products64);
INSTANTIATE_TYPED_TEST_SUITE_P(ExpansionProducts32, WordProbe, Products32);

}  // namespace
}  // namespace assay::probes
