// BLAS with entries of one, two and four words, on arrays that lie on the executor. n is the length of a vector, or the
// rows and columns of a matrix.
#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "bench/common.hpp"
#include "bench/curves/curve.hpp"
#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"
#include "kernels/triangular/rounded_trsv.hpp"

namespace assay::bench {
namespace {

using blas::Diagonal;
using blas::Side;
using blas::Transpose;
using blas::Triangle;
using Shared = std::shared_ptr<DeviceArray<double>>;

/// Entries of W words, of which only the first one is not 0.
std::vector<double> entries(int words, std::size_t count) {
  Numbers number;
  std::vector<double> x(count * static_cast<std::size_t>(words));
  for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(words)) x[i] = number();
  return x;
}
Shared on_executor(const Executor& on, int words, std::size_t count) {
  return std::make_shared<DeviceArray<double>>(on, std::span<const double>(entries(words, count)));
}

/// 1 on the diagonal, and entries divided by n outside it.
std::vector<double> near_identity(int words, std::size_t n) {
  std::vector<double> a = entries(words, n * n);
  const auto size = static_cast<std::size_t>(words);
  for (std::size_t k = 0; k < n * n; ++k) a[k * size] = k % (n + 1) == 0 ? 1 : a[k * size] / static_cast<double>(n);
  return a;
}
Shared system(const Executor& on, int words, std::size_t n) {
  return std::make_shared<DeviceArray<double>>(on, std::span<const double>(near_identity(words, n)));
}

/// The words of a kernel that lie on the executor.
struct Operands {
  Shared a, b, x, y, workspace;
  std::vector<double> alpha, beta;
  std::int64_t n;
};

class Adder {
 public:
  Adder(std::vector<Curve>& curves, int words)
      : curves_(curves),
        words_(words),
        suffix_(words == 1   ? ""
                : words == 2 ? "_dd"
                             : "_qd") {}

  /// call(on, words, operands) on `vectors` vectors of n entries.
  template <class Kernel>
  void vectors(const std::string& name, int vectors, const Kernel& call) {
    add(
        name, 1, [width = 8.0 * words_ * vectors](double n) { return width * n; }, 0, call);
  }
  /// The same on that many matrices of n² entries.
  template <class Kernel>
  void matrices(const std::string& name, int power, int matrices, const Kernel& call) {
    add(
        name, power, [width = 8.0 * words_ * matrices](double n) { return width * n * n; }, matrices, call);
  }

 private:
  template <class Kernel>
  void add(const std::string& name, int power, std::function<double(double)> bytes, int matrices, const Kernel& call) {
    curves_.push_back({"xblas." + name + suffix_, power, std::move(bytes),
                       [call, matrices, words = words_](const Executor& on, std::size_t n) -> Call {
                         std::vector<double> alpha(static_cast<std::size_t>(words));
                         std::vector<double> beta = alpha;
                         alpha[0] = 0.5;
                         const Shared none;
                         const Operands o{matrices > 0 ? system(on, words, n) : none,
                                          matrices > 1 ? on_executor(on, words, n * n) : none,
                                          on_executor(on, words, n),
                                          on_executor(on, words, n),
                                          on_executor(on, std::max(words, 2), matrices > 1 ? n * n : n + 64 * 1024),
                                          alpha,
                                          beta,
                                          static_cast<std::int64_t>(n)};
                         return [=] { call(on, words, o); };
                       }});
  }

  std::vector<Curve>& curves_;
  int words_;
  std::string suffix_;
};

void add_of_words(std::vector<Curve>& curves, int words) {
  using namespace expansion;
  Adder add(curves, words);
  add.vectors("axpy", 2, [](const Executor& on, int w, const Operands& o) {
    expansion_axpy(on, w, o.n, o.alpha, o.x->data(), 1, o.y->data(), 1);
  });
  add.vectors("dot", 2, [](const Executor& on, int w, const Operands& o) {
    expansion_dot(on, w, o.n, o.x->data(), 1, o.y->data(), 1, o.workspace->data());
  });
  add.vectors("asum", 1, [](const Executor& on, int w, const Operands& o) {
    expansion_asum(on, w, o.n, o.x->data(), 1, o.workspace->data());
  });
  add.vectors("nrm2", 1, [](const Executor& on, int w, const Operands& o) {
    expansion_nrm2(on, w, o.n, o.x->data(), 1, o.workspace->data());
  });
  add.matrices("ger", 2, 1, [](const Executor& on, int w, const Operands& o) {
    expansion_ger(on, w, o.n, o.n, o.alpha, o.x->data(), 1, o.y->data(), 1, o.a->data(), o.n);
  });
  add.matrices("symv", 2, 1, [](const Executor& on, int w, const Operands& o) {
    expansion_symv(on, w, Triangle::lower, o.n, o.alpha, o.a->data(), o.n, o.x->data(), 1, o.beta, o.y->data(), 1);
  });
  add.matrices("trsv", 2, 1, [](const Executor& on, int w, const Operands& o) {
    expansion_trsv(on, w, Triangle::lower, Transpose::no, Diagonal::stored, o.n, o.a->data(), o.n, o.x->data(), 1,
                   o.workspace->data());
  });
  add.matrices("syrk", 3, 2, [](const Executor& on, int w, const Operands& o) {
    expansion_syrk(on, w, Triangle::lower, Transpose::no, o.n, o.n, o.alpha, o.a->data(), o.n, o.beta, o.b->data(),
                   o.n);
  });
  add.matrices("trsm", 3, 2, [](const Executor& on, int w, const Operands& o) {
    expansion_trsm(on, w, Side::left, Triangle::lower, Transpose::no, Diagonal::stored, o.n, o.n, o.alpha, o.a->data(),
                   o.n, o.b->data(), o.n, o.workspace->data());
  });
  if (words > 1) return;
  add.matrices("gemv", 2, 1, [](const Executor& on, int, const Operands& o) {
    dot2_gemv(on, Transpose::no, o.n, o.n, 1, o.a->data(), o.n, o.x->data(), 1, 0, o.y->data(), 1);
  });
  add.matrices("gemm", 3, 3, [](const Executor& on, int, const Operands& o) {
    dot2_gemm(on, Transpose::no, Transpose::no, o.n, o.n, o.n, 1, o.a->data(), o.n, o.b->data(), o.n, 0,
              o.workspace->data(), o.n);
  });
}

}  // namespace

void add_words(std::vector<Curve>& curves) {
  for (const int words : {1, 2, 4}) add_of_words(curves, words);
  const auto bytes = [](double n) { return 8 * n * (n + 2); };
  curves.push_back({"triangular.rounded_trsv", 2, bytes, [](const Executor& on, std::size_t n) -> Call {
                      return [=, a = system(on, 1, n), x = on_executor(on, 1, n)] {
                        const auto size = static_cast<std::int64_t>(n);
                        triangular::rounded_trsv(on, Triangle::lower, Transpose::no, Diagonal::stored, size, a->data(),
                                                 size, x->data(), 1);
                      };
                    }});
  // Arrays of the host: on a device the times include the copies to it and back.
  curves.push_back(
      {"triangular.certified_trsv", 2, bytes, [](const Executor& on, std::size_t n) -> Call {
         return [=, a = near_identity(1, n), x = entries(1, n)] {
           const auto size = static_cast<std::int64_t>(n);
           keep(triangular::certified_trsv(on, Triangle::lower, Transpose::no, Diagonal::stored, size, a, size, x, 1));
         };
       }});
}

}  // namespace assay::bench
