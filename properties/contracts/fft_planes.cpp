// Discrete Fourier transforms of each row, and of a plane, of complex numbers, as a foreign function computes them.

#include "properties/contracts/fft_claims.hpp"

namespace assay::contracts::fft {
namespace {

constexpr const char* declaration =
    "void f(size_t rows, size_t columns, const T _Complex x[rows][columns], T _Complex y[rows][columns])";

template <class Of>
constexpr auto property_of_grid = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return transform_property<Of, T>(question, kernel, complex_claims<Of, T>());
};

const OperationRegistration fft_rows({OfRows::name,
                                      "yᵣₖ = Σⱼ xᵣⱼ·exp(−2πijk/n) of each row of n complex numbers",
                                      {"f64", "f32"},
                                      {{CallForm::plain, declaration}},
                                      complex_contracts<OfRows>(),
                                      property_in_format<property_of_grid<OfRows>>});

const OperationRegistration fft2(
    {OfPlane::name,
     "yₗₖ = Σᵢⱼ xᵢⱼ·exp(−2πi(il/rows + jk/columns)) of rows and columns of complex numbers",
     {"f64", "f32"},
     {{CallForm::plain, declaration}},
     complex_contracts<OfPlane>(),
     property_in_format<property_of_grid<OfPlane>>});

}  // namespace
}  // namespace assay::contracts::fft
