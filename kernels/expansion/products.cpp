#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion::detail {
namespace {

struct CertifiedMul {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a, const Expansion<T, K>& b) const {
    return expansion::certified_mul<K>(a, b);
  }
};

struct TruncatedMul {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a, const Expansion<T, K>& b) const {
    return expansion::truncated_mul<K>(a, b);
  }
};

struct QuickMul {
  template <class T, int K>
  ASSAY_HD Expansion<T, K> operator()(const Expansion<T, K>& a, const Expansion<T, K>& b) const {
    return expansion::quick_mul<K>(a, b);
  }
};

}  // namespace

template <class T>
std::vector<T> expansion_product(const Executor& on, ExpansionOp op, int k, std::span<const T> x,
                                 std::span<const T> y) {
  constexpr int most = longest_product<T>;
  return op == ExpansionOp::certified_mul   ? binary_op<CertifiedMul, most>(on, "certified_mul", k, x, y)
         : op == ExpansionOp::truncated_mul ? binary_op<TruncatedMul, most>(on, "truncated_mul", k, x, y)
                                            : binary_op<QuickMul, most>(on, "quick_mul", k, x, y);
}

template std::vector<double> expansion_product(const Executor&, ExpansionOp, int, std::span<const double>,
                                               std::span<const double>);
template std::vector<float> expansion_product(const Executor&, ExpansionOp, int, std::span<const float>,
                                              std::span<const float>);

}  // namespace assay::expansion::detail
