#include "kernels/matrix_product.hpp"

#include <stdexcept>

#include "kernels/array.hpp"
#include "kernels/launch.hpp"
#include "kernels/matrix_product_tile.hpp"

namespace assay {
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
  ASSAY_HD void operator()(std::size_t i) const { y[i] = native_pair::from_double(x[i]); }
};
struct ToPlanes {
  const double* x;
  float* h;
  float* l;
  ASSAY_HD void operator()(std::size_t i) const {
    const DoubleWord<float> y = native_pair::from_double(x[i]);
    h[i] = y.h;
    l[i] = y.l;
  }
};

/// A matrix of the interface and, for the length of one call, its numbers in the arithmetic.
struct SingleMatrix {
  Array<float> x;
  SingleMatrix(const Executor& on, const Array<double>& data) : x(on, data.size()) {
    launch_indices(on, data.size(), ToSingle{data.data(), x.data()});
  }
  [[nodiscard]] detail::PlainArray<float> view() const { return {x.data()}; }
};
struct InterleavedMatrix {
  Array<DoubleWord<float>> x;
  InterleavedMatrix(const Executor& on, const Array<double>& data) : x(on, data.size()) {
    launch_indices(on, data.size(), ToInterleaved{data.data(), x.data()});
  }
  [[nodiscard]] detail::PlainArray<DoubleWord<float>> view() const { return {x.data()}; }
};
struct PlanesMatrix {
  Array<float> h;
  Array<float> l;
  PlanesMatrix(const Executor& on, const Array<double>& data) : h(on, data.size()), l(on, data.size()) {
    launch_indices(on, data.size(), ToPlanes{data.data(), h.data(), l.data()});
  }
  [[nodiscard]] detail::PlanesArray view() const { return {h.data(), l.data()}; }
};
struct DoubleMatrix {
  const double* x;
  DoubleMatrix(const Executor&, const Array<double>& data) : x(data.data()) {}
  [[nodiscard]] detail::PlainArray<double> view() const { return {x}; }
};

template <class Product, class Matrix>
std::vector<double> product(const Executor& on, const ProductShape& shape, std::span<const double> a,
                            std::span<const double> b) {
  if (a.size() != shape.m * shape.k || b.size() != shape.k * shape.n) {
    throw std::invalid_argument("the sizes of the factors are not those of the shape of their product");
  }
  const Array<double> left(on, a);
  const Array<double> right(on, b);
  const Array<double> result(on, shape.m * shape.n);
  const Matrix left_numbers(on, left);
  const Matrix right_numbers(on, right);
  launch_blocks(on, Product::blocks(shape), Product{shape, left_numbers.view(), right_numbers.view(), result.data()});
  left.compare(a);
  right.compare(b);
  return result.take();
}

}  // namespace

std::vector<double> product_single(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                   std::span<const double> b) {
  return product<detail::SingleProduct, SingleMatrix>(on, shape, a, b);
}

std::vector<double> product_pair(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                 std::span<const double> b, PairLayout layout) {
  return layout == PairLayout::interleaved ? product<detail::InterleavedProduct, InterleavedMatrix>(on, shape, a, b)
                                           : product<detail::PlanesProduct, PlanesMatrix>(on, shape, a, b);
}

std::vector<double> product_double(const Executor& on, const ProductShape& shape, std::span<const double> a,
                                   std::span<const double> b) {
  return product<detail::DoubleProduct, DoubleMatrix>(on, shape, a, b);
}

}  // namespace assay
