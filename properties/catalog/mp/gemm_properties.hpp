#pragma once
// The promises of a multiple-precision matrix product.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "kernels/gemv/mp_gemm.hpp"
#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/mp/claims.hpp"
#include "properties/catalog/mp/gemm_cases.hpp"

namespace assay::mp {

namespace detail {

inline MpArray array_of(const std::vector<double>& numbers, const gemv::MpFormat& format, bool planes) {
  return gemv::mp_array_of(numbers, format, planes);
}

/// Layouts depend on leading dimensions, so all layouts occur. A small workspace cuts a product into panels: cases with
/// an odd sum of dimensions use one.
template <class Multiply>
MpArray gemm_result(const Executor& on, const MpGemmCase& c, const gemv::MpFormat& format, const Multiply& multiply) {
  const auto transpose = [](int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; };
  gemm::GemmOptions options;
  if ((c.m + c.n + c.k) % 2 != 0) {
    options.workspace_bytes = static_cast<std::size_t>(4096 + 4096 * c.k + 24 * c.k * (c.m + c.n));
  }
  return with_layout(
      multiply(on, gemm::MpGemmShape{format.moduli, transpose(c.transa), transpose(c.transb), c.m, c.n, c.k},
               array_of(c.alpha, format, false), array_of(c.a, format, c.lda % 2 == 0), c.lda,
               array_of(c.b, format, c.ldb % 2 == 0), c.ldb, array_of(c.beta, format, false),
               array_of(c.c, format, c.ldc % 2 == 0), c.ldc, options),
      false);
}

using MpGemmTruth = std::vector<oracle::Dyadic>;

/// judge(place) in every written entry.
template <class F>
Judgement judge_written(const MpGemmCase& c, const gemv::MpFormat& format, F&& judge) {
  Judgement worst;
  expansion::for_each_written(MpGemmProblem(c, format).blas,
                              [&](std::int64_t, std::int64_t, std::size_t place) { worst.worsen(judge(place)); });
  return worst;
}

/// judge(P, ĉ, c, place) in every written entry.
template <class Judge>
auto entry_claim(const char* id, const gemv::MpFormat& format, Judge judge) {
  return of_instance(
      gemv::moduli_text(format.moduli),
      claim_spec(id, gemv_gemm_1, [format, judge](const MpGemmCase& c, const MpGemmTruth& truth, const MpNumbers& z) {
        return judge_written(c, format, [&](std::size_t place) {
          oracle::Dyadic got;
          return component_value(z, place, got) ? judge(format.bits, got, truth[place], place) : Judgement::fail(place);
        });
      }));
}

inline Judgement judge_untouched(const MpGemmCase& c, const gemv::MpFormat& format, const MpNumbers& z) {
  const MpGemmProblem p(c, format);
  const MpNumbers before{&mp_system(format.moduli), array_of(c.c, format, false)};
  std::vector<bool> written(p.blas.c.size() / p.blas.words);
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) { written[place] = true; });
  Judgement worst;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i] && !gemv::detail::same_number(before, i, z, i)) worst.worsen(Judgement::fail(i));
  }
  return worst;
}

}  // namespace detail

/// The property of a product over n moduli: multiply(executor, shape, α, A, lda, B, ldb, β, C, ldc, options) gives the
/// array of C afterwards.
template <class Multiply>
Property<MpGemmCase, MpNumbers> mp_gemm_property(std::string name, int n, Multiply multiply) {
  const gemv::MpFormat format = gemv::mp_format(n);
  const auto rounded_numbers = [format](const MpGemmCase& c, const MpNumbers& z) {
    return detail::judge_written(c, format,
                                 [&](std::size_t place) { return gemv::detail::judge_rounded_number(z, place); });
  };
  return {
      .name = std::move(name),
      .domain = mp_gemm_domain(format),
      .subject =
          [format, multiply](const Executor& on, const MpGemmCase& c) {
            return MpNumbers{&mp_system(format.moduli), detail::gemm_result(on, c, format, multiply)};
          },
      .reference = [format](const MpGemmCase& c) { return exact_result(MpGemmProblem(c, format)); },
      .claims = {detail::entry_claim("error", format,
                                     [](int bits, const auto& got, const auto& exact, std::size_t place) {
                                       return judge_within(got, exact, gemv_gemm_1(bits, exact), place);
                                     }),
                 detail::entry_claim("rounded_once", format,
                                     [](int bits, const auto& got, const auto& exact, std::size_t place) {
                                       return judge_exact(got, rounded_to_bits(bits, exact), place);
                                     }),
                 satisfies("rounded", gemv_gemm_2, rounded_numbers),
                 satisfies("untouched", gemv_gemm_3,
                           [format](const MpGemmCase& c, const MpNumbers& z) {
                             return detail::judge_untouched(c, format, z);
                           }),
                 when(
                     "what a scalar 0 leaves out is poison, and entries are written",
                     [format](const MpGemmCase& c) {
                       const MpGemmProblem p(c, format);
                       return !p.blas.returns_at_once &&
                              ((!p.adds_start && gemv::detail::has_poison(c.c)) ||
                               (!p.adds_product && (gemv::detail::has_poison(c.a) || gemv::detail::has_poison(c.b))));
                     },
                     satisfies("not_read", gemv_gemm_3, rounded_numbers))},
      .inexact =
          [format](const MpGemmCase& c, const detail::MpGemmTruth& truth, const MpNumbers& z) {
            bool found = false;
            oracle::Dyadic got;
            expansion::for_each_written(MpGemmProblem(c, format).blas,
                                        [&](std::int64_t, std::int64_t, std::size_t place) {
                                          found = found || !component_value(z, place, got) || got != truth[place];
                                        });
            return found;
          },
      .quick_cases = quick_cases(n, 300)};
}

}  // namespace assay::mp
