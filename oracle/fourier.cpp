#include "oracle/fourier.hpp"

#include <stdexcept>

#include "oracle/flint_functions.hpp"

namespace assay::oracle {
namespace {

/// n complex balls.
class ComplexBalls {
 public:
  explicit ComplexBalls(slong n) : n_(n), z_(_acb_vec_init(n)) {}
  ComplexBalls(const ComplexBalls&) = delete;
  ComplexBalls& operator=(const ComplexBalls&) = delete;
  ~ComplexBalls() { _acb_vec_clear(z_, n_); }
  acb_ptr get() { return z_; }

 private:
  slong n_;
  acb_ptr z_;
};

}  // namespace

std::vector<Ball> fourier(std::span<const Dyadic> x, long bits) {
  if (x.size() % 2 != 0) throw std::invalid_argument("a transform takes pairs of a real and an imaginary part");
  const auto n = static_cast<slong>(x.size() / 2);
  std::vector<Ball> result(x.size());
  if (n == 0) return result;
  ComplexBalls in(n);
  ComplexBalls out(n);
  for (slong j = 0; j < n; ++j) {
    const auto at = 2 * static_cast<std::size_t>(j);
    arb_set_arf(acb_realref(in.get() + j), x[at].arf());
    arb_set_arf(acb_imagref(in.get() + j), x[at + 1].arf());
  }
  acb_dft(out.get(), in.get(), n, bits);
  for (slong k = 0; k < n; ++k) {
    const auto at = 2 * static_cast<std::size_t>(k);
    arb_swap(result[at].get(), acb_realref(out.get() + k));
    arb_swap(result[at + 1].get(), acb_imagref(out.get() + k));
  }
  return result;
}

}  // namespace assay::oracle
