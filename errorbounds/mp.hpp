#pragma once

#include "errorbounds/bound.hpp"
#include "errorbounds/fraction.hpp"

/// Errors of multiple-precision arithmetic in residues, M the product of the base moduli, B its bits, h = ⌈B/2⌉. Every
/// function throws std::domain_error unless h ≥ 24. Derivations: docs/bounds/mp.md. IK: Isupov, Knyazkov,
/// Multiple-precision matrix-vector multiplication on graphics processing units, 2020.
namespace assay {

/// h: the bits of a rounded significand.
int mp_significand_bits(const oracle::Dyadic& M);

/// The unit of a set, max of truncation 2^(h+1)/(M(1 − 2⁻²⁰)) and of a dropped operand
/// 2^(1−h)/(1 − 2⁻¹⁹ − 2^(1−h)). One operation: |z − (x ∘ y)| < u|x ∘ y|, and z = 0 where x ∘ y = 0.
RelativeBound mp_unit(const oracle::Dyadic& M);

/// The published one, 4/√M, from below by less than 2⁻⁶⁰ of it. IK, (6); Isupov, Knyazkov, Kuvaev, 2020.
RelativeBound mp_published_unit(const oracle::Dyadic& M);

/// γ_k = ku/(1 − ku): k operations one after the other. Higham, Accuracy and stability of numerical algorithms, 2002,
/// Lemma 3.1. Throws std::domain_error unless ku < 1 and k ≥ 0.
RelativeBound mp_gamma(long k, const RelativeBound& u);

}  // namespace assay
