#pragma once
// Enclosures of the entries αs + βc of large products, as matmul_screen.hpp has them of s.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "properties/contracts/matmul_epilogue_cases.hpp"
#include "properties/contracts/matmul_screen.hpp"

namespace assay::contracts {

/// The exponent of the last significand bit of a finite number other than 0.
inline long lowest_exponent(double x) {
  const std::uint64_t pattern = std::bit_cast<std::uint64_t>(std::abs(x));
  const auto field = static_cast<long>(pattern >> 52);
  const std::uint64_t fraction = pattern & 0xfffffffffffff;
  if (field == 0) return std::countr_zero(fraction) - 1074;
  return std::countr_zero(fraction | std::uint64_t{1} << 52) + field - 1075;
}

/// What arithmetic in binary64 knows of an entry: of s; and of αs + βc, where `magnitude` is at most Σ|aₗbₗ| + |βc|.
struct EnclosedEpilogue {
  EnclosedEntry product;
  EnclosedEntry whole;
  double start;  ///< |βc|, rounded
};

/// The product that the entries have: of no terms where none is read. Valid until the next call in this thread.
template <class N>
const MatmulCase<typename N::In>& product_of(const EpilogueCase<N>& c) {
  if (c.reads_ab()) return c;
  thread_local MatmulCase<typename N::In> of_no_terms;
  of_no_terms = {c.batch, c.m, c.n, 0, {}, {}};
  return of_no_terms;
}

/// Requires: a finite radius, and a finite c where it is read (not checked).
template <class N>
EnclosedEpilogue enclosed_epilogue(const EpilogueCase<N>& c, const EnclosedEntry& product) {
  constexpr long none = std::numeric_limits<long>::max();
  const double alpha = c.reads_ab() ? static_cast<double>(c.alpha) : 0;
  const double start = c.reads_c() ? in_binary64(c.c[product.place]) : 0;
  const double scaled = alpha * product.value;
  const double addend = c.reads_c() ? static_cast<double>(c.beta) * start : 0;
  const double value = scaled + addend;
  // Three roundings, each of at most u of a number or 2^−1075, and those of this line.
  const double rounded = (std::abs(scaled) + std::abs(addend) + std::abs(value)) * 0x1p-52 + 0x1p-1070;
  const double radius = (std::abs(alpha) * product.radius + rounded) * (1 + 0x1p-50);
  const long of_product = alpha == 0 ? none : lowest_exponent(alpha) + product.grid;
  const long of_start = addend == 0 ? none : lowest_exponent(static_cast<double>(c.beta)) + lowest_exponent(start);
  const long grid = std::min(of_product, of_start);
  return {product,
          {product.place, value, radius, product.magnitude + std::abs(addend), grid == none ? 0 : grid},
          std::abs(addend)};
}

/// The judgement of the finite entries of a case whose product matmul_truth has in part. `clear(entry)`: as
/// judge_entries has it; `judge(entry)` judges exactly.
template <class N, class Clear, class Judge>
Judgement judge_large_epilogue(const EpilogueCase<N>& c, const Clear& clear, const Judge& judge) {
  constexpr double not_judged = std::numeric_limits<double>::infinity();
  const auto is_special = [&](std::size_t place) { return c.reads_c() && kind_of(c.c[place]) != EntryKind::finite; };
  return judge_entries(
      product_of(c), false,
      [&](const EnclosedEntry& product) {
        return is_special(product.place) ? not_judged : clear(enclosed_epilogue(c, product));
      },
      [&](const MatmulTerms& terms, std::size_t place) {
        if (is_special(place)) return Judgement::pass();
        return judge(epilogue_entry(c, place, terms, terms.sum.to_double_nearest(),
                                    terms.magnitudes.to_double_nearest() * (1 - 0x1p-52)));
      });
}

/// judge(kind, place) for every entry of such a case that an infinity or a NaN makes what it is.
template <class N, class Judge>
Judgement judge_large_special(const EpilogueCase<N>& c, const Judge& judge) {
  const MatmulCase<typename N::In>& product = product_of(c);
  Judgement worst;
  std::size_t judged = 0;
  for (const MatmulRows& rows : matmul_parts(product)) {
    const MatmulPart& part = matmul_part(product, rows);
    for (std::size_t i = 0; i < part.size() && !are_enough(worst.violations()); ++i) {
      const std::size_t place = part.first_place + i;
      const EntryKind of_product =
          std::isnan(part.all.radius[i]) ? with_sign_of(c.alpha, matmul_kind(product, place)) : EntryKind::finite;
      const EntryKind of_start = c.reads_c() ? with_sign_of(c.beta, kind_of(c.c[place])) : EntryKind::finite;
      const EntryKind kind = sum_of(of_product, of_start);
      if (kind == EntryKind::finite) continue;
      worst.worsen(judge(kind, place));
      ++judged;
    }
  }
  worst.judged = judged;
  return worst;
}

/// The exact entries of a case, each computed when it is asked for: 0 where an infinity or a NaN is among the terms.
template <class N>
class EpilogueExact {
 public:
  EpilogueExact() = default;
  explicit EpilogueExact(const EpilogueCase<N>& c) : of_(std::make_shared<const EpilogueCase<N>>(c)) {}
  [[nodiscard]] std::size_t size() const { return of_ == nullptr ? 0 : of_->results(); }
  [[nodiscard]] oracle::Dyadic computed(std::size_t place) const {
    return epilogue_entry(*of_, place, matmul_terms(product_of(*of_), place), 0, 0).exact;
  }

 private:
  std::shared_ptr<const EpilogueCase<N>> of_;
};

}  // namespace assay::contracts
