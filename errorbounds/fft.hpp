#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"

/// Errors of discrete Fourier transforms of n complex numbers with p bits, u = 2⁻ᵖ. ρ = 25u/8 bounds the relative
/// error of a product with a root of unity whose parts are rounded to nearest, and 41u/2 that of a product with one
/// that is off by at most 18u. Each bound is K/(1 − K), with 2⁻²⁰u in K for what underflow costs. Derived in
/// docs/bounds/fft.md. Requires: p ≥ 12, K < 1; throws std::domain_error that says so.
namespace assay {

/// Of ‖ŷ − y‖ relative to ‖y‖, and of |ŷₖ − yₖ| relative to Σ|xⱼ|: K = tu + max(t − 2, 0)ρ + 2⁻²⁰u. Requires: n = 2ᵗ;
/// throws std::domain_error that says so.
RelativeBound fft_power_of_two_bound(std::uint64_t n, int p);
/// The same with 41u/2 in place of ρ.
RelativeBound fft_computed_bound(std::uint64_t n, int p);

/// Of ‖ŷ − y‖ relative to ‖y‖: K = Σ aᵣ + m·41u/2 + 2⁻²⁰u over the prime factors r of n, each as often as it divides n.
/// a₂ = u, and aᵣ is at least √(2r)·g with g = (2r + 20)u(1 + 2(2r + 20)u) for odd r. m = max(t − 2, 0) for n = 2ᵗ,
/// else one less than there are factors. Requires: (2r + 20)u ≤ 1/4; throws std::domain_error that says so.
RelativeBound fft_mixed_radix_bound(std::uint64_t n, int p);
/// Of |ŷₖ − yₖ| relative to Σ|xⱼ|: the same with √2·g in place of √(2r)·g.
RelativeBound fft_each_mixed_radix_bound(std::uint64_t n, int p);

/// Of ‖ŷ − y‖ relative to ‖y‖, by Bluestein's algorithm: at least 6√n·K/(1 − K) with K = (64⌈log₂n⌉ + 152)u ≤ 1/50.
RelativeBound fft_any_length_bound(std::uint64_t n, int p);

/// Of both parts of ŷₖ − yₖ relative to Σ|xⱼ|, as a sum of n products in any order: g + 2⁻²⁰u with g = (2n + 20)u(1 +
/// 2(2n + 20)u). Requires: (2n + 20)u ≤ 1/4; throws std::domain_error that says so.
RelativeBound fft_direct_bound(std::uint64_t n, int p);

/// (1 + a)(1 + b) − 1: of two transforms, one after the other, with the bounds a and b.
RelativeBound fft_two_dimensions_bound(const RelativeBound& a, const RelativeBound& b);

/// Of an inverse transform of n numbers, where B bounds it without its factor 1/n: (1 + B)(1 + u)² − 1, and B for n =
/// 2ᵗ.
RelativeBound fft_inverse_bound(const RelativeBound& without_factor, std::uint64_t n, int p);

/// Of the transform of real numbers, where B bounds that of complex ones, relative to the norm of the whole transform
/// or to Σ|xⱼ|: at least (1 + √2·B)(1 + u) − 1.
RelativeBound fft_real_bound(const RelativeBound& of_complex, int p);
/// By a transform of half the length and one stage more: (1 + B)(1 + u) − 1. Also of a transform with a real result.
RelativeBound fft_packed_bound(const RelativeBound& of_complex, int p);
/// Of each number of a transform with a real result, without its factor 1/n: 2(1 + B)(1 + u) − 2.
RelativeBound fft_each_real_bound(const RelativeBound& of_complex, int p);

}  // namespace assay
