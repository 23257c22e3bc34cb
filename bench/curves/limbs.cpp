// Numbers of 2, 8 and 32 limbs. n is the number of elements, or the rows and columns of a matrix. The calls take arrays
// of the host: on a device their times include the copies to it and back.
#include <string>

#include "bench/curves/curve.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/limb/cholesky.hpp"
#include "kernels/limb/lu.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::bench {
namespace {

using limb::FloatArray;
using limb::LimbOp;

/// Numbers all of whose limbs are in use: the first two from the number, the others random.
FloatArray numbers(int limbs, std::vector<double> x) {
  FloatArray array = limb::floats_of(limbs, x);
  Numbers number;
  const std::size_t low = (static_cast<std::size_t>(limbs) - 2) * x.size();
  for (std::size_t i = 0; i < low; ++i) array.word[i] = static_cast<std::uint32_t>(number.word());
  return array;
}

std::vector<double> positive(std::size_t n) {
  std::vector<double> x = Numbers().many(n);
  for (double& each : x) each = each < 0 ? -each : each;
  return x;
}

/// Entries below 1, and a diagonal of 2n.
std::vector<double> dominant(std::size_t n) {
  std::vector<double> a = Numbers().many(n * n);
  for (std::size_t k = 0; k < n * n; k += n + 1) a[k] = 2 * static_cast<double>(n);
  return a;
}

void add_vectors(std::vector<Curve>& curves, int limbs) {
  const auto add = [&](const std::string& name, auto kernel) {
    const double width = 3 * (4.0 * limbs + 8);
    curves.push_back({"limb." + name + std::to_string(limbs), 1, [width](double n) { return width * n; },
                      [=](const Executor& on, std::size_t n) -> Call {
                        return [=, one = numbers(limbs, {1.5}), x = numbers(limbs, positive(n)),
                                y = numbers(limbs, positive(n))] { keep(kernel(on, one, x, y)); };
                      }});
  };
  const auto op = [](LimbOp which) {
    return [which](const Executor& on, const FloatArray&, const FloatArray& x, const FloatArray& y) {
      return limb::limb_op(on, which, Rounding::rn, x, y);
    };
  };
  add("add", op(LimbOp::add));
  add("mul", op(LimbOp::mul));
  add("div", op(LimbOp::div));
  add("sqrt", [](const Executor& on, const FloatArray&, const FloatArray& x, const FloatArray&) {
    return limb::limb_op(on, LimbOp::sqrt, Rounding::rn, x);
  });
  add("fma", [](const Executor& on, const FloatArray&, const FloatArray& x, const FloatArray& y) {
    return limb::limb_op(on, LimbOp::fma, Rounding::rn, x, y, y);
  });
  add("axpy", [](const Executor& on, const FloatArray& one, const FloatArray& x, const FloatArray& y) {
    return limb::limb_axpy(on, one, x, y);
  });
  add("dot", [](const Executor& on, const FloatArray&, const FloatArray& x, const FloatArray& y) {
    return limb::limb_dot(on, x, y);
  });
}

void add_matrices(std::vector<Curve>& curves, int limbs) {
  const auto add = [&](const std::string& name, int power, auto kernel) {
    const double width = 4.0 * limbs + 8;
    curves.push_back({"limb." + name + std::to_string(limbs), power, [width](double n) { return width * n * (n + 2); },
                      [=](const Executor& on, std::size_t n) -> Call {
                        return [=, one = numbers(limbs, {1}), a = numbers(limbs, dominant(n)),
                                x = numbers(limbs, positive(n))] {
                          keep(kernel(on, static_cast<std::int64_t>(n), one, a, x));
                        };
                      }});
  };
  add("gemv", 2,
      [](const Executor& on, std::int64_t n, const FloatArray& one, const FloatArray& a, const FloatArray& x) {
        return limb::limb_gemv(on, blas::Transpose::no, n, n, one, a, n, x, one, x);
      });
  add("cholesky", 3, [](const Executor& on, std::int64_t n, const FloatArray&, const FloatArray& a, const FloatArray&) {
    return limb::limb_cholesky(on, n, a, n);
  });
  add("lu", 3, [](const Executor& on, std::int64_t n, const FloatArray&, const FloatArray& a, const FloatArray&) {
    return limb::limb_lu(on, n, a, n);
  });
}

}  // namespace

void add_limbs(std::vector<Curve>& curves) {
  for (const int limbs : {2, 8, 32}) {
    add_vectors(curves, limbs);
    add_matrices(curves, limbs);
  }
}

}  // namespace assay::bench
