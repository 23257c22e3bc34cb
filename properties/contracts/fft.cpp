// Discrete Fourier transforms of one signal of complex numbers, and their inverse, as a foreign function computes them.

#include "properties/contracts/fft_claims.hpp"

namespace assay::contracts::fft {
namespace {

template <class Of>
constexpr auto property_of_complex = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return transform_property<Of, T>(question, kernel, complex_claims<Of, T>());
};

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

}  // namespace
}  // namespace assay::contracts::fft
