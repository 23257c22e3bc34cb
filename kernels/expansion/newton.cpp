#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion::detail {
namespace {

struct Div {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& b, const Expansion<T, K>& a) const {
    return expansion::div<K>(b, a);
  }
};

struct Reciprocal {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a) const {
    return expansion::reciprocal<K>(a);
  }
};

struct Rsqrt {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a) const {
    return expansion::rsqrt<K>(a);
  }
};

struct Sqrt {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a) const {
    return expansion::sqrt<K>(a);
  }
};

}  // namespace

template <class T>
std::vector<T> expansion_newton(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y) {
  constexpr int most = longest_product<T>;
  switch (op) {
    case ExpansionOp::div:
      return binary_op<Div, most>(on, "div", k, x, y);
    case ExpansionOp::reciprocal:
      return unary_op<Reciprocal, most>(on, "reciprocal", k, x, y);
    case ExpansionOp::rsqrt:
      return unary_op<Rsqrt, most>(on, "rsqrt", k, x, y);
    default:
      return unary_op<Sqrt, most>(on, "sqrt", k, x, y);
  }
}

template std::vector<double> expansion_newton(const Executor&, ExpansionOp, int, std::span<const double>,
                                              std::span<const double>);
template std::vector<float> expansion_newton(const Executor&, ExpansionOp, int, std::span<const float>,
                                             std::span<const float>);

}  // namespace assay::expansion::detail
