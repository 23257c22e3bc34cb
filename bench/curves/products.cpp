// Products of matrices and vectors, n × n, column-major.
#include <memory>
#include <span>
#include <string>

#include "bench/common.hpp"
#include "bench/curves/blas.hpp"
#include "bench/curves/curve.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/gemv/mp_gemm.hpp"
#include "kernels/gemv/mp_gemv_decomposed.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/mp.hpp"
#include "kernels/pair/matrix_product.hpp"

namespace assay::bench {
namespace {

using blas::Transpose;
template <class T>
using Shared = std::shared_ptr<DeviceArray<T>>;

template <class T = double>
Shared<T> on_executor(const Executor& on, std::size_t count) {
  std::vector<T> x;
  Numbers number;
  for (std::size_t i = 0; i < count; ++i) x.push_back(static_cast<T>(number()));
  return std::make_shared<DeviceArray<T>>(on, std::span<const T>(x));
}

/// A kernel on matrices of n² and vectors of n entries of `width` bytes.
void add(std::vector<Curve>& curves, const std::string& name, int power, int matrices, double width,
         std::function<Call(const Executor&, std::size_t)> prepare, bool on_host = true, bool on_device = true) {
  const auto bytes = [=](double n) { return width * (matrices * n * n + 2 * n); };
  curves.push_back({name, power, bytes, std::move(prepare), on_host, on_device});
}

/// y ← Ax in binary64: call(on, n, a, x, y).
template <class Multiply>
auto gemv_by(const Multiply& multiply) {
  return [multiply](const Executor& on, std::size_t n) -> Call {
    return [=, a = on_executor(on, n * n), x = on_executor(on, n), y = on_executor(on, n)] {
      multiply(on, static_cast<std::int64_t>(n), a->data(), x->data(), y->data());
    };
  };
}

/// C ← AB in binary64 by an engine: call(on, arguments).
template <class Multiply>
auto gemm_by(const Multiply& multiply) {
  return [multiply](const Executor& on, std::size_t n) -> Call {
    return [=, a = on_executor(on, n * n), b = on_executor(on, n * n), c = on_executor(on, n * n)] {
      const auto size = static_cast<std::int64_t>(n);
      multiply(on, gemm::GemmArguments{.m = size,
                                       .n = size,
                                       .k = size,
                                       .a = a->data(),
                                       .lda = size,
                                       .b = b->data(),
                                       .ldb = size,
                                       .c = c->data(),
                                       .ldc = size});
    };
  };
}

void add_gemv(std::vector<Curve>& curves) {
  const std::string exact = "gemv.correctly_rounded";
  add(curves, exact, 2, 1, 8,
      gemv_by([](const Executor& on, std::int64_t n, const double* a, const double* x, double* y) {
        gemv::exact_gemv(on, Transpose::no, n, n, 1, a, n, x, 1, 0, y, 1);
      }));
  add(
      curves, exact + "/limit:copy", 2, 1, 8,
      [](const Executor&, std::size_t n) { return copy_of(8.0 * static_cast<double>(n) * static_cast<double>(n)); },
      true, false);
  if (const auto dgemv = open_blas().dgemv) {
    add(curves, exact + "/peer:OpenBLAS", 2, 1, 8,
        gemv_by([dgemv](const Executor&, std::int64_t n, const double* a, const double* x, double* y) {
          const int size = static_cast<int>(n);
          dgemv(102, 111, size, size, 1, a, size, x, 1, 0, y, 1);
        }),
        true, false);
  }
  for (const int k : {2, 4}) {
    add(curves, "expansion.gemv" + std::to_string(k), 2, 1, 8.0 * k, [k](const Executor& on, std::size_t n) -> Call {
      const auto words = static_cast<std::size_t>(k);
      std::vector<double> one(words), zero(words);
      one[0] = 1;
      return [=, a = on_executor(on, n * n * words), x = on_executor(on, n * words), y = on_executor(on, n * words)] {
        const auto size = static_cast<std::int64_t>(n);
        expansion::expansion_gemv<double>(on, k, Transpose::no, size, size, one, a->data(), size, x->data(), 1, zero,
                                          y->data(), 1);
      };
    });
  }
  for (const int moduli : {8, 32}) {
    const double width = 4.0 * moduli + 40;
    const auto by = [moduli](auto multiply) {
      return [=](const Executor& on, std::size_t n) -> Call {
        Numbers number;
        const auto array = [&](std::size_t count) { return mp::mp_from_double(on, moduli, number.many(count)); };
        return [=, one = mp::mp_from_double(on, moduli, std::vector<double>{1}), a = array(n * n), x = array(n),
                y = array(n)] { keep(multiply(on, static_cast<std::int64_t>(n), one, a, x, y)); };
      };
    };
    add(curves, "gemv.exact" + std::to_string(moduli), 2, 1, width,
        by([](const Executor& on, std::int64_t n, const mp::MpArray& one, const mp::MpArray& a, const mp::MpArray& x,
              const mp::MpArray& y) {
          return gemv::mp_gemv_exact(on, Transpose::no, n, n, one, a, n, x, 1, one, y, 1);
        }));
    add(curves, "gemv.decomposed" + std::to_string(moduli), 2, 1, width,
        by([](const Executor& on, std::int64_t n, const mp::MpArray& one, const mp::MpArray& a, const mp::MpArray& x,
              const mp::MpArray& y) {
          return gemv::mp_gemv_decomposed(on, Transpose::no, n, n, one, a, n, x, 1, one, y, 1);
        }));
    add(curves, "mp.gemm" + std::to_string(moduli), 3, 3, width, [moduli](const Executor& on, std::size_t n) -> Call {
      Numbers number;
      const auto matrix = [&] { return mp::mp_from_double(on, moduli, number.many(n * n)); };
      return
          [=, one = mp::mp_from_double(on, moduli, std::vector<double>{1}), a = matrix(), b = matrix(), c = matrix()] {
            const auto size = static_cast<std::int64_t>(n);
            keep(gemm::mp_gemm(on, {moduli, Transpose::no, Transpose::no, size, size, size}, one, a, size, b, size, one,
                               c, size));
          };
    });
  }
}

void add_gemm(std::vector<Curve>& curves) {
  const auto kernel = [&](const std::string& name, auto multiply) {
    add(curves, name, 3, 3, 8, gemm_by(multiply));
    if (const auto dgemm = open_blas().dgemm) {
      add(curves, name + "/peer:OpenBLAS", 3, 3, 8, gemm_by([dgemm](const Executor&, const gemm::GemmArguments& g) {
            const int n = static_cast<int>(g.n);
            dgemm(102, 111, 111, n, n, n, 1, g.a, n, g.b, n, 0, g.c, n);
          }),
          true, false);
    }
    add(curves, name + "/peer:cuBLAS", 3, 3, 8, gemm_by([](const Executor& on, const gemm::GemmArguments& g) {
          gemm::cublas::dgemm(on, false, false, g.m, g.n, g.k, 1, g.a, g.lda, 0, g.b, g.ldb, 0, 0, g.c, g.ldc, 0, 1);
        }),
        false, true);
  };
  kernel("gemm.gemm", [](const Executor& on, const gemm::GemmArguments& g) {
    gemm::gemm(on, g.trans_a, g.trans_b, g.m, g.n, g.k, 1, g.a, g.lda, g.b, g.ldb, 0, g.c, g.ldc);
  });
  kernel("gemm.crt", [](const Executor& on, const gemm::GemmArguments& g) { gemm::gemm_crt(on, g); });
  kernel("gemm.ozaki", [](const Executor& on, const gemm::GemmArguments& g) { gemm::gemm_ozaki(on, g); });
  kernel("gemm.superaccumulator",
         [](const Executor& on, const gemm::GemmArguments& g) { gemm::gemm_superaccumulator(on, g); });
  add(curves, "expansion.gemm2", 3, 3, 16, [](const Executor& on, std::size_t n) -> Call {
    return [=, one = std::vector<double>{1, 0}, zero = std::vector<double>{0, 0}, a = on_executor(on, 2 * n * n),
            b = on_executor(on, 2 * n * n), c = on_executor(on, 2 * n * n)] {
      const auto size = static_cast<std::int64_t>(n);
      expansion::expansion_gemm<double>(on, 2, Transpose::no, Transpose::no, size, size, size, one, a->data(), size,
                                        b->data(), size, zero, c->data(), size);
    };
  });
  add(curves, "pair.product_single", 3, 3, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, a = on_executor<float>(on, n * n), b = on_executor<float>(on, n * n), c = on_executor(on, n * n)] {
      pair::product_single(on, {n, n, n}, a->data(), b->data(), c->data());
    };
  });
  add(curves, "pair.product_pair", 3, 3, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, h = on_executor<float>(on, n * n),
            l = std::make_shared<DeviceArray<float>>(on, std::span<const float>(std::vector<float>(n * n))),
            c = on_executor(on, n * n)] {
      const pair::PairPlanes planes{h->data(), l->data()};
      pair::product_pair(on, {n, n, n}, planes, planes, c->data());
    };
  });
  add(curves, "pair.product_double", 3, 3, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, a = on_executor(on, n * n), b = on_executor(on, n * n), c = on_executor(on, n * n)] {
      pair::product_double(on, {n, n, n}, a->data(), b->data(), c->data());
    };
  });
}

}  // namespace

void add_products(std::vector<Curve>& curves) {
  add_gemv(curves);
  add_gemm(curves);
}

}  // namespace assay::bench
