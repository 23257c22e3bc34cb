// Discrete Fourier transforms of complex and of real numbers, as a foreign function computes them.

#include "properties/contracts/fft_claims.hpp"

namespace assay::contracts::fft {
namespace {

template <class Of>
constexpr auto property_of_complex = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return transform_property<Of, T>(question, kernel, complex_claims<Of, T>());
};

constexpr auto property_of_real = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = shared_claims<OfReal, T>();
  claims.push_back(when(
      "the numbers are finite", [](const FftCase<T>& c) { return all_finite(c.x); },
      satisfies("real_ends", fft_symmetric_2, has_real_ends_of<T>)));
  claims.push_back(when(
      "a NaN or an infinity is among the numbers", [](const FftCase<T>& c) { return !all_finite(c.x); },
      satisfies("exceptional", fft_exceptional_1, is_spoilt<OfReal, T>)));
  return transform_property<OfReal, T>(question, kernel, std::move(claims));
};

std::vector<Contract> contracts_of_real() {
  std::vector<Contract> contracts = shared_contracts<OfReal>();
  contracts.push_back({"real_ends", &fft_symmetric_2.words, {}, {}, false});
  contracts.push_back({"exceptional", &fft_exceptional_1.words, {}, {}, false});
  return contracts;
}

const OperationRegistration fft({Forward::name,
                                 "yₖ = Σⱼ xⱼ·exp(−2πijk/n) of n complex numbers, each a real and an imaginary part",
                                 {"f64", "f32"},
                                 {{CallForm::plain, "void f(size_t n, const T _Complex x[n], T _Complex y[n])"}},
                                 complex_contracts<Forward>(),
                                 property_in_format<property_of_complex<Forward>>});

const OperationRegistration ifft({Inverse::name,
                                  "yₖ = Σⱼ xⱼ·exp(2πijk/n)/n of n complex numbers",
                                  {"f64", "f32"},
                                  {{CallForm::plain, "void f(size_t n, const T _Complex x[n], T _Complex y[n])"}},
                                  complex_contracts<Inverse>(),
                                  property_in_format<property_of_complex<Inverse>>});

const OperationRegistration rfft({OfReal::name,
                                  "yₖ = Σⱼ xⱼ·exp(−2πijk/n) for k = 0 … ⌊n/2⌋ of n real numbers",
                                  {"f64", "f32"},
                                  {{CallForm::plain, "void f(size_t n, const T x[n], T _Complex y[n / 2 + 1])"}},
                                  contracts_of_real(),
                                  property_in_format<property_of_real>});

}  // namespace
}  // namespace assay::contracts::fft
