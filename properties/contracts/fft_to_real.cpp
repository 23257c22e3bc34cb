// Discrete Fourier transforms with a real result, as a foreign function computes them.

#include "properties/contracts/fft_claims.hpp"

namespace assay::contracts::fft {
namespace {

/// Whether imaginary parts that are not used are different from 0.
template <FloatingPoint T>
bool has_complex_ends(const HalfCase<T>& c) {
  return all_finite(c.x) && !has_real_ends(c.x, ToReal::layout(c).lengths);
}

/// Whether the real part of the first number, which every number of the result adds, is not finite.
template <FloatingPoint T>
bool is_spoilt_at_first(const HalfCase<T>& c) {
  return !oracle::is_finite(format<T>, bits_of(c.x.front()));
}

template <FloatingPoint T>
Judgement is_spoilt_everywhere(const HalfCase<T>&, const std::vector<T>& result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
  }
  return Judgement::pass();
}

constexpr auto property_to_real = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = shared_claims<ToReal, T>();
  auto ignored = error_of<ToReal, T>("ends_ignored", fft_any_length_1, Relative::norm, any, has_complex_ends<T>);
  ignored.info.preconditions = "imaginary parts that are not used are not 0, and the numbers as any_length has them";
  claims.push_back(std::move(ignored));
  claims.push_back(when("the real part of the first number is a NaN or an infinity", is_spoilt_at_first<T>,
                        satisfies("exceptional", fft_exceptional_2, is_spoilt_everywhere<T>)));
  return transform_property<ToReal, T>(question, kernel, std::move(claims));
};

std::vector<Contract> contracts_to_real() {
  std::vector<Contract> contracts = shared_contracts<ToReal>();
  contracts.push_back({"ends_ignored", &words_of<ToReal>(fft_any_length_1.words, Relative::norm),
                       instance_of<ToReal>(fft_any_length_1.words, Relative::norm)});
  contracts.push_back({"exceptional", &fft_exceptional_2.words, {}, {}, false});
  return contracts;
}

const OperationRegistration irfft({ToReal::name,
                                   "the n real numbers yₖ = Σⱼ xⱼ·exp(2πijk/n)/n with xₙ₋ⱼ the conjugate of xⱼ, of "
                                   "x₀ … x_{⌊n/2⌋}; the imaginary parts of x₀ and, for even n, of x_{n/2} are not used",
                                   {"f64", "f32"},
                                   {{CallForm::plain, "void f(size_t n, const T _Complex x[n / 2 + 1], T y[n])"}},
                                   contracts_to_real(),
                                   property_in_format<property_to_real>});

}  // namespace
}  // namespace assay::contracts::fft
