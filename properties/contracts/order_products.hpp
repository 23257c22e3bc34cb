#pragma once
// How products of matrices are asked about order: by rows of A, with all of the B that they meet.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/contracts/matmul_cases.hpp"
#include "properties/contracts/matmul_epilogue_cases.hpp"
#include "properties/contracts/matmul_numbers.hpp"
#include "properties/contracts/order_terms.hpp"

namespace assay::contracts {

/// Of D_p = A_p·B_p in the format N.
template <class N>
struct OrderOfProduct {
  using In = typename N::In;
  using Case = MatmulCase<In>;
  using Result = std::vector<typename N::Out>;
  static std::size_t rows(const MatmulCase<In>& c) { return static_cast<std::size_t>(c.batch * c.m); }
  static std::size_t terms(const MatmulCase<In>& c) { return static_cast<std::size_t>(c.k); }
  static std::size_t numbers(const MatmulCase<In>& row) { return static_cast<std::size_t>(row.k + row.n); }
  static Case row(const Case& c, std::size_t r) {
    const auto k = static_cast<std::ptrdiff_t>(c.k);
    const auto of_b = static_cast<std::ptrdiff_t>(c.k * c.n);
    const auto a = c.a.begin() + static_cast<std::ptrdiff_t>(r) * k;
    const auto b = c.b.begin() + static_cast<std::ptrdiff_t>(r) / static_cast<std::ptrdiff_t>(c.m) * of_b;
    return {1, 1, c.n, c.k, {a, a + k}, {b, b + of_b}};
  }
  static Case in_batch(const Case& row, std::size_t size, std::size_t first, bits::SplitMix64& next) {
    Case batch = row;
    batch.m = static_cast<std::int64_t>(size);
    batch.a.clear();
    for (std::size_t p = 0; p < size; ++p) {
      if (p % 2 == first) {
        batch.a.insert(batch.a.end(), row.a.begin(), row.a.end());
      } else {
        batch.a.insert(batch.a.end(), row.a.size(), beside(next()));
      }
    }
    return batch;
  }
  /// One row and up to two columns, whose products are terms of both signs; of integers any.
  static Case data(const Case& like, std::size_t n, bits::SplitMix64& next) {
    const std::int64_t columns = std::min<std::int64_t>(2, std::max<std::int64_t>(1, like.n));
    Case c{1, 1, columns, static_cast<std::int64_t>(n), {}, {}};
    std::vector<double> a;
    std::vector<double> b;
    for (const double each : terms_of_both_signs(next, n, N::integers ? 0 : bits_that_show<In>(next))) {
      const Factors factors = factors_of(each);
      a.push_back(factors.first);
      b.insert(b.end(), static_cast<std::size_t>(columns), factors.second);
    }
    c.a = nearest_of<In>(a);
    c.b = nearest_of<In>(b);
    return c;
  }
  static void swap(MatmulCase<In>& c, std::size_t i, std::size_t j) {
    const auto n = static_cast<std::size_t>(c.n);
    std::swap(c.a[i], c.a[j]);
    for (std::size_t column = 0; column < n; ++column) std::swap(c.b[i * n + column], c.b[j * n + column]);
  }
  static bool is_same(const Result& as_it_is, const Result& swapped, std::size_t, std::size_t) {
    return same_bits(as_it_is, swapped);
  }

 private:
  static In beside(std::uint64_t word) { return N::integers ? In(127) : number_beside<In>(word); }
};

/// Of αA_p·B_p + βC_p.
template <class N>
struct OrderOfEpilogue : OrderOfProduct<N> {
  using Product = OrderOfProduct<N>;
  using Case = EpilogueCase<N>;
  static Case row(const Case& c, std::size_t r) {
    const auto n = static_cast<std::ptrdiff_t>(c.n);
    const auto begin = c.c.begin() + static_cast<std::ptrdiff_t>(r) * n;
    return {Product::row(c, r), c.alpha, c.beta, {begin, begin + n}};
  }
  static Case in_batch(const Case& row, std::size_t size, std::size_t first, bits::SplitMix64& next) {
    Case batch{Product::in_batch(row, size, first, next), row.alpha, row.beta, {}};
    for (std::size_t p = 0; p < size; ++p) batch.c.insert(batch.c.end(), row.c.begin(), row.c.end());
    return batch;
  }
  static Case data(const Case& like, std::size_t n, bits::SplitMix64& next) {
    Case c{Product::data(like, n, next), 1, 0, {}};
    c.c.assign(c.results(), typename N::Out{});
    return c;
  }
};

}  // namespace assay::contracts
