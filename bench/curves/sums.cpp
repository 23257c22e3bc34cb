// Sums and dot products in binary64, of n terms.
#include <numeric>
#include <span>

#include "bench/common.hpp"
#include "bench/curves/blas.hpp"
#include "bench/curves/curve.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "kernels/sum/binned.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/sum/summation.hpp"
#include "kernels/tensor_core/model.hpp"

namespace assay::bench {
namespace {

using Terms = std::span<const double>;

/// Adds kernels of one operand (arrays = 1) or two, each with the host's peers and limits.
class Adder {
 public:
  Adder(std::vector<Curve>& curves, std::string family, int arrays)
      : curves_(curves), family_(std::move(family)), arrays_(arrays) {}

  /// A kernel on arrays that lie on the executor: queue(on, x, y, offsets, result) for a vector of n terms.
  template <class Queue>
  void queued(const std::string& name, const Queue& queue) {
    add(name, [queue, arrays = arrays_](const Executor& on, std::size_t n) -> Call {
      const auto x = std::make_shared<DeviceArray<double>>(on, Terms(Numbers().many(n)));
      const auto y = arrays == 1 ? x : std::make_shared<DeviceArray<double>>(on, Terms(Numbers().many(n)));
      const std::size_t ends[] = {0, n};
      const auto offsets = std::make_shared<DeviceArray<std::size_t>>(on, std::span<const std::size_t>(ends));
      const auto result = std::make_shared<DeviceArray<double>>(on, 1);
      return [=] { queue(on, x->data(), y->data(), *offsets, result->data()); };
    });
  }

  /// A kernel on arrays of the host.
  template <class Kernel>
  void of_arrays(const std::string& name, const Kernel& kernel) {
    add(name, [kernel](const Executor& on, std::size_t n) -> Call {
      return [=, x = Numbers().many(n)] { keep(kernel(on, Terms(x))); };
    });
  }

 private:
  void add(const std::string& name, std::function<Call(const Executor&, std::size_t)> prepare) {
    const int arrays = arrays_;
    const auto bytes = [arrays](double n) { return 8.0 * arrays * n; };
    const std::string full = family_ + "." + name;
    curves_.push_back({full, 1, bytes, std::move(prepare)});
    curves_.push_back({full + "/limit:copy", 1, bytes,
                       [bytes](const Executor&, std::size_t n) { return copy_of(bytes(static_cast<double>(n))); }, true,
                       false});
    const auto peer = [&](const std::string& who, auto call) {
      curves_.push_back({full + "/peer:" + who, 1, bytes,
                         [=](const Executor&, std::size_t n) -> Call {
                           return [=, x = Numbers().many(n), y = Numbers().many(arrays == 1 ? 0 : n)] {
                             keep(call(x, y));
                           };
                         },
                         true, false});
    };
    using Numbers = std::vector<double>;
    if (arrays == 1) {
      peer("std::accumulate",
           [](const Numbers& x, const Numbers&) { return std::accumulate(x.begin(), x.end(), 0.0); });
    } else {
      peer("std::inner_product",
           [](const Numbers& x, const Numbers& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); });
      if (const auto ddot = open_blas().ddot) {
        peer("OpenBLAS", [ddot](const Numbers& x, const Numbers& y) {
          return ddot(static_cast<int>(x.size()), x.data(), 1, y.data(), 1);
        });
      }
    }
  }

  std::vector<Curve>& curves_;
  std::string family_;
  int arrays_;
};

/// A kernel that takes (on, x, offsets, count, results).
template <class Kernel>
auto sum_by(const Kernel& kernel) {
  return [kernel](const Executor& on, const double* x, const double*, const DeviceArray<std::size_t>& offsets,
                  double* result) { kernel(on, x, offsets.data(), 1, result); };
}
template <class Kernel>
auto dot_by(const Kernel& kernel) {
  return [kernel](const Executor& on, const double* x, const double* y, const DeviceArray<std::size_t>& offsets,
                  double* result) { kernel(on, x, y, offsets.data(), 1, result); };
}

/// The exact kernels take a length and a workspace.
class Exact {
 public:
  explicit Exact(bool is_dot) : is_dot_(is_dot) {}
  void operator()(const Executor& on, const double* x, const double* y, const DeviceArray<std::size_t>& offsets,
                  double* result) const {
    if (!workspace_ || of_ != offsets.data()) {
      of_ = offsets.data();
      n_ = static_cast<std::int64_t>(offsets.all().back());
      workspace_ = std::make_shared<DeviceArray<std::int64_t>>(on, sum::exact_sum_workspace());
    }
    if (is_dot_) {
      sum::exact_dot(on, x, y, n_, Rounding::rn, result, workspace_->data());
    } else {
      sum::exact_sum(on, x, n_, Rounding::rn, result, workspace_->data());
    }
  }

 private:
  bool is_dot_;
  mutable const std::size_t* of_ = nullptr;
  mutable std::int64_t n_ = 0;
  mutable std::shared_ptr<DeviceArray<std::int64_t>> workspace_;
};

/// The binned kernels take a length and two places for accumulators.
class Binned {
 public:
  using Accumulator = BinnedSum<double, 3>;
  enum class Kind { sum, asum, dot };
  explicit Binned(Kind kind) : kind_(kind) {}
  void operator()(const Executor& on, const double* x, const double* y, const DeviceArray<std::size_t>& offsets,
                  double*) const {
    if (!partial_ || of_ != offsets.data()) {
      of_ = offsets.data();
      n_ = static_cast<std::int64_t>(offsets.all().back());
      partial_ = std::make_shared<DeviceArray<Accumulator>>(on, sum::binned_workspace(on, n_, 0));
      total_ = std::make_shared<DeviceArray<Accumulator>>(on, 1);
    }
    if (kind_ == Kind::dot) {
      sum::binned_dot<double, 3>(on, x, y, n_, 0, total_->data(), partial_->data());
    } else {
      const auto terms = kind_ == Kind::sum ? sum::BinnedTerms::numbers : sum::BinnedTerms::magnitudes;
      sum::binned_sum<double, 3>(on, terms, x, n_, 0, total_->data(), partial_->data());
    }
  }

 private:
  Kind kind_;
  mutable const std::size_t* of_ = nullptr;
  mutable std::int64_t n_ = 0;
  mutable std::shared_ptr<DeviceArray<Accumulator>> partial_, total_;
};

}  // namespace

void add_sums(std::vector<Curve>& curves) {
  Adder sums(curves, "sum", 1);
  sums.queued("recursive", sum_by(sum::recursive_sum<double>));
  sums.queued("pairwise", sum_by(sum::pairwise_sum<double>));
  sums.queued("kahan", sum_by(sum::kahan_sum<double>));
  sums.queued("neumaier", sum_by(sum::neumaier_sum<double>));
  sums.queued("sum2", sum_by(sum::sum2<double>));
  sums.queued("sum3", sum_by(sum::sum_k<3, double>));
  sums.queued("block", sum_by(sum::block_sum<double>));
  sums.queued("block_sum2", sum_by(sum::block_sum2<double>));
  sums.of_arrays("acc_sum", [](const Executor& on, Terms x) { return sum::acc_sum<double>(on, x); });
  sums.of_arrays("acc_sum_k", [](const Executor& on, Terms x) { return sum::acc_sum_k<double>(on, 3, x); });
  sums.of_arrays("acc_sign", [](const Executor& on, Terms x) { return sum::acc_sign<double>(on, x); });
  sums.of_arrays("near_sum", [](const Executor& on, Terms x) { return sum::near_sum<double>(on, x); });
  sums.of_arrays("prec_sum", [](const Executor& on, Terms x) { return sum::prec_sum<double>(on, 2, x); });
  sums.of_arrays("fast_acc_sum", [](const Executor& on, Terms x) { return sum::fast_acc_sum<double>(on, x); });
  sums.of_arrays("superaccumulator",
                 [](const Executor& on, Terms x) { return sum::accumulator_sum(on, 0, Rounding::rn, x); });
  sums.queued("exact", Exact(false));
  sums.queued("binned", Binned(Binned::Kind::sum));
  sums.queued("binned_asum", Binned(Binned::Kind::asum));
  Adder dots(curves, "dot", 2);
  dots.queued("recursive", dot_by(sum::recursive_dot<double>));
  dots.queued("dot2", dot_by(sum::dot2<double>));
  dots.queued("dot3", dot_by(sum::dot_k<3, double>));
  dots.queued("block", dot_by(sum::block_dot<double>));
  dots.queued("block_dot2", dot_by(sum::block_dot2<double>));
  dots.queued("exact", Exact(true));
  dots.queued("binned", Binned(Binned::Kind::dot));
  curves.push_back({"tensor_core.fma_chain", 1, [](double n) { return 16 * n; },
                    [](const Executor&, std::size_t n) -> Call {
                      return [x = Numbers().many(n), y = Numbers().many(n)] { keep(tensor_core::fma_chain(x, y, 0)); };
                    },
                    true, false});
}

}  // namespace assay::bench
