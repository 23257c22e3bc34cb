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
  [[nodiscard]] const float* from(std::size_t first) const { return x.data() + first; }
};
struct InterleavedMatrices {
  Array<DoubleWord<float>> x;
  InterleavedMatrices(const Executor& on, const Array<double>& data) : x(on, data.size()) {
    launch_indices(on, data.size(), ToInterleaved{data.data(), x.data()});
  }
  [[nodiscard]] const DoubleWord<float>* from(std::size_t first) const { return x.data() + first; }
};
struct PlanesMatrices {
  Array<float> h;
  Array<float> l;
  PlanesMatrices(const Executor& on, const Array<double>& data) : h(on, data.size()), l(on, data.size()) {
    launch_indices(on, data.size(), ToPlanes{data.data(), h.data(), l.data()});
  }
  [[nodiscard]] PairPlanes from(std::size_t first) const { return {h.data() + first, l.data() + first}; }
};
struct DoubleMatrices {
  const double* x;
  DoubleMatrices(const Executor&, const Array<double>& data) : x(data.data()) {}
  [[nodiscard]] const double* from(std::size_t first) const { return x + first; }
};

template <class Product>
void queue_product(const Executor& on, const Product& product) {
  queue_blocks(on, Product::blocks(product.shape), product);
}

/// The products of a batch; `multiply(shape, a, b, c)` queues one of them.
template <class Matrices, class Multiply>
std::vector<double> products(const Executor& on, ProductShapes shapes, std::span<const double> a,
                             std::span<const double> b, const Multiply& multiply) {
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
    multiply(each, left_numbers.from(size_a), right_numbers.from(size_b), results.data() + size_c);
    size_a += each.m * each.k;
    size_b += each.k * each.n;
    size_c += each.m * each.n;
  }
  wait(on);
  left.compare(a);
  right.compare(b);
  return results.take();
}

}  // namespace

void product_single(const Executor& on, const ProductShape& shape, const float* a, const float* b, double* c) {
  queue_product(on, detail::SingleProduct{shape, {a}, {b}, c});
}
void product_pair(const Executor& on, const ProductShape& shape, const DoubleWord<float>* a, const DoubleWord<float>* b,
                  double* c) {
  queue_product(on, detail::InterleavedProduct{shape, {a}, {b}, c});
}
void product_pair(const Executor& on, const ProductShape& shape, const PairPlanes& a, const PairPlanes& b, double* c) {
  queue_product(on, detail::PlanesProduct{shape, {a.h, a.l}, {b.h, b.l}, c});
}
void product_double(const Executor& on, const ProductShape& shape, const double* a, const double* b, double* c) {
  queue_product(on, detail::DoubleProduct{shape, {a}, {b}, c});
}

std::vector<double> product_single(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                   std::span<const double> b) {
  return products<SingleMatrices>(on, shapes, a, b, [&](const auto&... x) { product_single(on, x...); });
}

std::vector<double> product_pair_interleaved(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                             std::span<const double> b) {
  return products<InterleavedMatrices>(on, shapes, a, b, [&](const auto&... x) { product_pair(on, x...); });
}

std::vector<double> product_pair_planes(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                        std::span<const double> b) {
  return products<PlanesMatrices>(on, shapes, a, b, [&](const auto&... x) { product_pair(on, x...); });
}

std::vector<double> product_double(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                   std::span<const double> b) {
  return products<DoubleMatrices>(on, shapes, a, b, [&](const auto&... x) { product_double(on, x...); });
}

}  // namespace assay::pair
