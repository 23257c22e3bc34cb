#include "kernels/pair/matrix_product.hpp"

#include <stdexcept>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/pair/detail/matrix_product_tile.hpp"

namespace assay::pair {
namespace {

/// y[i] = the number of the arithmetic next to x[i].
struct ToSingle {
  const double* x;
  float* y;
  ASSAY_HD void operator()(std::size_t i) const { y[i] = static_cast<float>(x[i]); }
};
struct ToInterleaved {
  const double* x;
  DoubleWord<float>* y;
  ASSAY_HD void operator()(std::size_t i) const { y[i] = pair::from_double(x[i]); }
};
struct ToPlanes {
  const double* x;
  float* h;
  float* l;
  ASSAY_HD void operator()(std::size_t i) const {
    const DoubleWord<float> y = pair::from_double(x[i]);
    h[i] = y.h;
    l[i] = y.l;
  }
};

/// The matrices of the interface and, for the length of one call, their numbers in the arithmetic: those from `first`
/// on.
struct SingleMatrices {
  Array<float> x;
  SingleMatrices(const Executor& on, const Array<double>& data) : x(on, data.size()) {
    launch_indices(on, data.size(), ToSingle{data.data(), x.data()});
  }
  [[nodiscard]] detail::PlainArray<float> from(std::size_t first) const { return {x.data() + first}; }
};
struct InterleavedMatrices {
  Array<DoubleWord<float>> x;
  InterleavedMatrices(const Executor& on, const Array<double>& data) : x(on, data.size()) {
    launch_indices(on, data.size(), ToInterleaved{data.data(), x.data()});
  }
  [[nodiscard]] detail::PlainArray<DoubleWord<float>> from(std::size_t first) const { return {x.data() + first}; }
};
struct PlanesMatrices {
  Array<float> h;
  Array<float> l;
  PlanesMatrices(const Executor& on, const Array<double>& data) : h(on, data.size()), l(on, data.size()) {
    launch_indices(on, data.size(), ToPlanes{data.data(), h.data(), l.data()});
  }
  [[nodiscard]] detail::PlanesArray from(std::size_t first) const { return {h.data() + first, l.data() + first}; }
};
struct DoubleMatrices {
  const double* x;
  DoubleMatrices(const Executor&, const Array<double>& data) : x(data.data()) {}
  [[nodiscard]] detail::PlainArray<double> from(std::size_t first) const { return {x + first}; }
};

template <class Product, class Matrices>
std::vector<double> products(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                             std::span<const double> b) {
  std::size_t size_a = 0;
  std::size_t size_b = 0;
  std::size_t size_c = 0;
  for (const ProductShape& each : shapes) {
    size_a += each.m * each.k;
    size_b += each.k * each.n;
    size_c += each.m * each.n;
  }
  if (a.size() != size_a || b.size() != size_b) {
    throw std::invalid_argument("the sizes of the factors are not those of the shapes of their products");
  }
  const Array<double> left(on, a);
  const Array<double> right(on, b);
  const Array<double> results(on, size_c);
  const Matrices left_numbers(on, left);
  const Matrices right_numbers(on, right);
  size_a = size_b = size_c = 0;
  for (const ProductShape& each : shapes) {
    launch_blocks(on, Product::blocks(each),
                  Product{each, left_numbers.from(size_a), right_numbers.from(size_b), results.data() + size_c});
    size_a += each.m * each.k;
    size_b += each.k * each.n;
    size_c += each.m * each.n;
  }
  left.compare(a);
  right.compare(b);
  return results.take();
}

}  // namespace

std::vector<double> product_single(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                                   std::span<const double> b) {
  return products<detail::SingleProduct, SingleMatrices>(on, shapes, a, b);
}
std::vector<double> product_single(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                   std::span<const double> b) {
  return product_single(on, std::span(&shape, 1), a, b);
}

std::vector<double> product_pair(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                                 std::span<const double> b, PairLayout layout) {
  return layout == PairLayout::interleaved ? products<detail::InterleavedProduct, InterleavedMatrices>(on, shapes, a, b)
                                           : products<detail::PlanesProduct, PlanesMatrices>(on, shapes, a, b);
}
std::vector<double> product_pair(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                 std::span<const double> b, PairLayout layout) {
  return product_pair(on, std::span(&shape, 1), a, b, layout);
}

std::vector<double> product_double(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                                   std::span<const double> b) {
  return products<detail::DoubleProduct, DoubleMatrices>(on, shapes, a, b);
}
std::vector<double> product_double(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                   std::span<const double> b) {
  return product_double(on, std::span(&shape, 1), a, b);
}

}  // namespace assay::pair
