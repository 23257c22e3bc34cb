#pragma once
// The promises of the sparse product in residues.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/sparse_theorems.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/sparse/arguments.hpp"
#include "properties/catalog/sparse/residue_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sparse {
namespace residues {

using gemv::MpCsrMatrix;
using gemv::MpEllpackMatrix;

/// The operands of a case, except for the matrix in ELLPACK.
struct Operands {
  mp::MpArray alpha, x, beta, y;
  MpCsrMatrix a;
};

inline Operands operands_of(const ResidueCase& c, const MpFormat& format) {
  const auto array = [&](const std::vector<double>& list, bool planes) {
    return gemv::mp_array_of(list, format, planes);
  };
  const bool planes = (c.planes & 1) != 0;
  Operands o{array(c.alpha, false), array(c.x, planes), array(c.beta, false), array(c.y, (c.planes & 2) != 0), {}};
  const CsrMatrix pattern = csr_of(pattern_of(c));
  o.a = {c.rows, c.columns, pattern.row_offsets, pattern.column_indices, array(c.values, planes)};
  return o;
}

/// The matrix with the entries of each row in reverse order.
inline ResidueCase with_reversed_rows(const ResidueCase& c, const MpFormat& format) {
  ResidueCase reversed = c;
  reversed.column_indices.clear();
  reversed.values.clear();
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    for (std::size_t at = c.row_offsets[r + 1]; at-- > c.row_offsets[r];) {
      reversed.column_indices.push_back(c.column_indices[at]);
      append(number(c.values, at, format), reversed.values);
    }
  }
  return reversed;
}

/// In ELLPACK, with poison in the places without an entry.
inline MpEllpackMatrix with_poisoned_gaps(const MpCsrMatrix& a, const MpFormat& format) {
  MpEllpackMatrix b = gemv::mp_ellpack_of(a);
  const mp::MpArray gap = gemv::mp_array_of(poison(format), format, false);
  const std::size_t size = static_cast<std::size_t>(b.values.n) + 1;
  for (std::size_t k = 0; k < b.values.length; ++k) {
    if (b.column_indices[k] != no_column) continue;
    for (std::size_t i = 0; i < size; ++i) {
      b.values.digits[b.values.planes ? i * b.values.length + k : k * size + i] = gap.digits[i];
    }
    b.values.sign[k] = gap.sign[0];
    b.values.exponent[k] = gap.exponent[0];
    b.values.lower[k] = gap.lower[0];
    b.values.upper[k] = gap.upper[0];
  }
  return b;
}

/// judge(row) for each row without a mark, or for each one with a mark.
template <class Judge>
Judgement of_rows(const ResidueCase& c, const MpFormat& format, bool marked, Judge&& judge) {
  Judgement worst;
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    if (is_marked(c, r, format) == marked) worst.worsen(judge(r));
  }
  worst.judged = static_cast<std::size_t>(c.rows);
  return worst;
}

/// judge(ŷ, y, row) for each row without a mark.
template <class Judge>
Judgement of_values(const ResidueCase& c, const MpFormat& format, const Truth& truth, const mp::MpNumbers& result,
                    Judge&& judge) {
  return of_rows(c, format, false, [&](std::size_t r) {
    Dyadic got;
    return component_value(result, r, got) ? judge(got, truth[r], r) : Judgement::fail(r);
  });
}

}  // namespace residues

using ResidueProperty = Property<ResidueCase, mp::MpNumbers, Truth>;

/// The product over n moduli: spmv(executor, α, matrix, x, β, y), of a matrix in CSR or in ELLPACK. The result has y by
/// the matrix in CSR, then y by the matrix with its rows in reverse order, then y by the matrix in ELLPACK.
inline ResidueProperty residue_property(const std::string& name, int n, auto spmv) {
  using namespace residues;
  const MpFormat format = gemv::mp_format(n);
  const auto of_moduli = [n](auto claim) { return of_instance(gemv::moduli_text(n), std::move(claim)); };
  return {
      .name = name + std::to_string(n),
      .domain = domain(format),
      .subject =
          [spmv, format](const Executor& on, const ResidueCase& c) {
            const Operands o = operands_of(c, format);
            const Operands reversed = operands_of(with_reversed_rows(c, format), format);
            mp::MpArray all = mp::with_layout(spmv(on, o.alpha, o.a, o.x, o.beta, o.y), false);
            mp::append(mp::with_layout(spmv(on, o.alpha, reversed.a, o.x, o.beta, o.y), false), all);
            mp::append(mp::with_layout(spmv(on, o.alpha, with_poisoned_gaps(o.a, format), o.x, o.beta, o.y), false),
                       all);
            return mp::MpNumbers{&mp::mp_system(format.moduli), std::move(all)};
          },
      .reference = [format](const ResidueCase& c) { return exact_rows(c, format); },
      .claims = {of_moduli(claim_spec("error", sparse_residues_1,
                                      [format](const ResidueCase& c, const Truth& truth, const mp::MpNumbers& result) {
                                        return of_values(
                                            c, format, truth, result, [&](const auto& got, const auto& exact, auto r) {
                                              return judge_within(got, exact, sparse_residues_1(format.bits, exact), r);
                                            });
                                      })),
                 of_moduli(claim_spec("rounded_once", sparse_residues_1,
                                      [format](const ResidueCase& c, const Truth& truth, const mp::MpNumbers& result) {
                                        return of_values(
                                            c, format, truth, result, [&](const auto& got, const auto& exact, auto r) {
                                              return judge_exact(got, rounded_to_bits(format.bits, exact), r);
                                            });
                                      })),
                 satisfies("rounded", sparse_residues_2,
                           [format](const ResidueCase& c, const mp::MpNumbers& result) {
                             return of_rows(c, format, false, [&](std::size_t r) {
                               return gemv::detail::judge_rounded_number(result, r);
                             });
                           }),
                 satisfies("order_and_format_free", sparse_residues_3,
                           [](const ResidueCase& c, const mp::MpNumbers& result) {
                             const auto rows = static_cast<std::size_t>(c.rows);
                             Judgement worst;
                             for (std::size_t r = 0; r < rows; ++r) {
                               worst.worsen(
                                   Judgement::of(gemv::detail::same_number(result, r, result, r + rows) &&
                                                     gemv::detail::same_number(result, r, result, r + 2 * rows),
                                                 r));
                             }
                             return worst;
                           }),
                 when(
                     "a number that is read is out of range",
                     [format](const ResidueCase& c) {
                       bool found = false;
                       for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
                         found = found || is_marked(c, r, format);
                       }
                       return found;
                     },
                     satisfies("out_of_range", sparse_residues_4,
                               [format](const ResidueCase& c, const mp::MpNumbers& result) {
                                 return of_rows(c, format, true, [&](std::size_t r) {
                                   return Judgement::of(mp::is_out_of_range(result, r), r);
                                 });
                               }))},
      .inexact =
          [format](const ResidueCase& c, const Truth& truth, const mp::MpNumbers& result) {
            return of_values(c, format, truth, result, [](const auto& got, const auto& exact, auto r) {
                     return Judgement::of(got == exact, r);
                   }).verdict != Verdict::holds;
          },
      .quick_cases = n <= 64 ? 500U : 250U};  // enough for numbers out of range, which only one class draws
}

/// The arguments of sparse.arguments.1 with numbers of 8 moduli, all of them 1, for both formats.
inline auto residue_arguments(auto spmv) {
  return [spmv](const Executor& on, const auto& a, std::span<const double> x, Rounding) {
    const auto ones = [&](const auto& list) {
      return mp::mp_from_double(on, 8, std::vector<double>(list.begin(), list.end()));
    };
    const mp::MpArray one = ones(std::vector<double>{1});
    const mp::MpArray y = mp::mp_zeros(8, static_cast<std::size_t>(std::max<std::int64_t>(0, a.rows)));
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a)>, CsrMatrix>) {
      spmv(on, one, gemv::MpCsrMatrix{a.rows, a.columns, a.row_offsets, a.column_indices, ones(a.values)}, ones(x), one,
           y);
    } else {
      spmv(on, one, gemv::MpEllpackMatrix{a.rows, a.columns, a.width, a.column_indices, ones(a.values)}, ones(x), one,
           y);
    }
  };
}

}  // namespace assay::sparse
