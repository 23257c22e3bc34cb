#pragma once
// Enclosures in binary64 show most entries of a product to keep a claim, and the others are judged exactly: the entries
// of a large product that no exact truth was computed of, and, because it is faster, those that it was.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "errorbounds/screen.hpp"
#include "oracle/format.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_truth.hpp"
#include "properties/contracts/violations.hpp"

namespace assay::contracts {

/// Numbers of binary64 that no bound of a claim falls below, from numbers that Σ|aₗbₗ| and |Σaₗbₗ| do not fall below:
/// no bound falls where these rise (theorem matmul.enclosure.3).
class BoundFloor {
 public:
  /// The bound of sums of k terms; the other arguments live as long as the object.
  BoundFloor(const MatmulBound& bound, std::uint64_t k, const oracle::Format& accumulator,
             const oracle::Format& result);

  double operator()(double magnitude, double sum);

 private:
  const MatmulBound& bound_;
  std::uint64_t k_;
  const oracle::Format& accumulator_;
  const oracle::Format& result_;
  std::uint64_t kind_;  ///< the number of this bound, k and formats
};

/// Entries of one case that are judged by their exact terms.
template <FloatingPoint T>
class OpenEntries {
 public:
  /// judge(terms, place) tells whether more are to be judged.
  OpenEntries(const MatmulCase<T>& c, std::function<bool(const MatmulTerms&, std::size_t)> judge)
      : c_(c), judge_(std::move(judge)) {}

  /// Requires: ascending places (not checked).
  void add(std::size_t place) { places_.push_back(place); }

  /// Judges the entries that were added, all of these rows: where there are many, those of several rows together.
  void judge(const MatmulRows& rows) {
    const std::int64_t height =
        std::clamp(entries_of_block / std::max<std::int64_t>(c_.n, 1), std::int64_t{1}, rows.count);
    auto first = places_.begin();
    // A wrong result is known by the first few.
    const auto few = first + std::min<std::ptrdiff_t>(places_.end() - first, most_singly - judged_singly_);
    if (!judge_singly(first, few)) return places_.clear();
    first = few;
    for (std::int64_t row = rows.first; row < rows.first + rows.count && first != places_.end(); row += height) {
      const MatmulRows block{rows.p, row, std::min(height, rows.first + rows.count - row)};
      const auto start = static_cast<std::size_t>((block.p * c_.m + block.first) * c_.n);
      const auto size = static_cast<std::size_t>(block.count * c_.n);
      const auto end = std::lower_bound(first, places_.end(), start + size);
      const bool are_many = static_cast<std::size_t>(end - first) > size / 16;
      if (end != first && !(are_many ? judge_block(block, first, end, start) : judge_singly(first, end))) break;
      first = end;
    }
    places_.clear();
  }

 private:
  using Place = std::vector<std::size_t>::const_iterator;
  static constexpr std::int64_t entries_of_block = std::int64_t{1} << 16;
  static constexpr std::ptrdiff_t most_singly = 2 * most_violations;

  [[nodiscard]] bool may_spend(std::int64_t products) { return (left_ -= products) >= 0; }
  bool judge_block(const MatmulRows& block, Place first, Place end, std::size_t start) {
    if (!may_spend(block.count * c_.n * c_.k)) return false;
    const MatmulTruth& truth = matmul_truth_of(c_, block);
    return std::all_of(first, end, [&](std::size_t place) { return judge_(truth.terms[place - start], place); });
  }
  bool judge_singly(Place first, Place end) {
    return std::all_of(first, end,
                       [&](std::size_t place) { return may_spend(c_.k) && judge_(matmul_terms(c_, place), place); });
  }

  const MatmulCase<T>& c_;
  std::function<bool(const MatmulTerms&, std::size_t)> judge_;
  std::vector<std::size_t> places_;
  std::ptrdiff_t judged_singly_ = 0;
  std::int64_t left_ = most_exact_products;
};

/// Not below |got − s| for the exact entry s; a NaN for a NaN.
inline double error_of(double got, const EnclosedEntry& entry) {
  constexpr double up = 1 + 0x1p-50;  // above the rounding errors of the line that it stands in
  return (std::abs(got - entry.value) + entry.radius) * up;
}

/// 2^e; 0 or infinity beyond the range of binary64.
inline double power_of_two(long e) {
  if (e >= -1022 && e <= 1023) return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
  return std::ldexp(1.0, static_cast<int>(e));
}

/// Whether no partial sum of the entry is sure to be a number of that many bits.
inline bool is_off_grid(const EnclosedEntry& entry, int bits) {
  return entry.magnitude > power_of_two(entry.grid + bits);
}

/// Whether got, within that error of an exact entry, is the entry: both are multiples of 2^grid.
inline bool is_the_multiple(double got, double error, long grid) {
  if (!(error < power_of_two(grid))) return false;
  const double multiple = std::ldexp(got, -static_cast<int>(grid));
  return std::trunc(multiple) == multiple && (multiple != 0 || got == 0);  // the division may underflow
}

/// The distance between a number other than 0 and the nearer of its neighbors in the format; NaN for 0 and for no
/// number.
double gap_at(double got, const oracle::Format& format);

/// Whether got is another number than the entry, decided in binary64: the distance that is computed is the exact one
/// but for a rounding, and an entry within `radius` of `value` is farther from got than nothing. Nothing: that is not
/// known.
inline std::optional<bool> is_another_number(double got, const EnclosedEntry& entry) {
  constexpr double down = 1 - 0x1p-50;
  if (std::abs(got - entry.value) * down > entry.radius) return true;
  return is_the_multiple(got, error_of(got, entry), entry.grid) ? std::optional(false) : std::nullopt;
}

/// Whether a result is another number than a finite entry that matmul_truth has, where enclosures in binary64 show it:
/// differs(enclosed entry) as is_another_number() has it. Nothing where they do not, or no entry is enclosed.
template <FloatingPoint T, class Differs>
std::optional<bool> is_shown_inexact(const MatmulCase<T>& c, const Differs& differs) {
  const std::vector<MatmulRows> parts = matmul_parts(c);
  if (parts.empty()) return std::nullopt;
  bool are_known = true;
  auto rows = parts.begin();
  const MatmulPart* part = nullptr;
  for (const MatmulEntry& each : judged_entries(c.batch, c.m, c.n, c.k)) {  // by ascending places
    while (part == nullptr || each.place >= part->first_place + part->size()) part = &matmul_part(c, *rows++);
    const EnclosedEntry entry = part->entry(each.place - part->first_place);
    const std::optional<bool> differs_here = std::isnan(entry.radius) ? std::nullopt : differs(entry);
    if (differs_here.value_or(false)) return true;
    are_known = are_known && differs_here.has_value();
  }
  return are_known ? std::optional(false) : std::nullopt;
}

/// Whether the worst judgment of results stays the same with one more, as stays_worst_rounded() has it.
using Stays = bool (*)(const Judgement& worst, double got, const Near& truth, const oracle::Format& format,
                       std::size_t at);

/// Judges every finite entry of a case. `clear(entry)`: error/bound, or anything between 0 and 1, of an entry that is
/// sure to be kept, infinity for one of which the claim does not speak, else a negative number or a NaN. `judge(terms,
/// place)` judges exactly what is not clear, and the clear entry with the largest share. Where matmul_truth has all
/// entries, or more than 2³⁶ products leave no other way, the entries of matmul_truth are judged, exactly if not
/// `screens_known`. It stops after many violations, and judges no entry that is not clear any more after
/// most_exact_products; judged counts the others. `stays(worst, terms, sum rounded to binary64, place)`: of an entry
/// that matmul_truth has, whether judging it would not change the worst judgment.
template <class T, class Clear, class Judge, class StaysWorst>
Judgement judge_entries(const MatmulCase<T>& c, bool screens_known, const Clear& clear, const Judge& judge,
                        const StaysWorst& stays) {
  Judgement worst;
  std::size_t judged = 0;
  double nearest = 0;
  std::size_t place_of_nearest = 0;
  const MatmulTerms* nearest_terms = nullptr;
  const bool wants_all = NotedBounds::are_all_wanted();
  const auto is_clear = [&](double share, std::size_t place, const MatmulTerms* terms) {
    if (!(share >= 0)) return false;
    if (share > nearest) {
      nearest = share;
      place_of_nearest = place;
      nearest_terms = terms;
    }
    return true;
  };
  const std::vector<MatmulRows> parts = matmul_parts(c);
  if (parts.empty()) {
    const MatmulTruth& truth = matmul_truth(c);
    for (std::size_t i = 0; i < truth.entries.size() && !are_enough(worst.violations()); ++i) {
      const MatmulTerms& terms = truth.terms[i];
      if (terms.kind != EntryKind::finite) continue;
      ++judged;
      const double sum = truth.sums[i];
      if (stays(worst, terms, sum, truth.entries[i].place)) continue;
      const EnclosedEntry entry{truth.entries[i].place, sum, std::abs(sum) * 0x1p-52 + 0x1p-1000, truth.magnitudes[i],
                                terms.grid};
      const double share = screens_known && !wants_all ? clear(entry) : -1;
      if (!is_clear(share, entry.place, &terms)) worst.worsen(judge(terms, entry.place));
    }
  }
  OpenEntries<T> open(c, [&](const MatmulTerms& terms, std::size_t place) {
    ++judged;
    worst.worsen(judge(terms, place));
    return !are_enough(worst.violations());
  });
  for (const MatmulRows& rows : parts) {
    if (are_enough(worst.violations())) break;
    const MatmulPart& part = matmul_part(c, rows);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const EnclosedEntry entry = part.entry(i);
      if (std::isnan(entry.radius)) continue;
      const double share = wants_all ? -1 : clear(entry);
      if (std::isinf(share)) continue;
      if (is_clear(share, entry.place, nullptr)) {
        ++judged;
      } else {
        open.add(entry.place);
      }
    }
    open.judge(rows);
  }
  if (nearest > 0 && !VerdictsAlone::is_on()) {
    worst.worsen(
        judge(nearest_terms != nullptr ? *nearest_terms : matmul_terms(c, place_of_nearest), place_of_nearest));
  }
  worst.judged = judged;
  worst.sample_of = matmul_sample_of(c);
  return worst;
}

template <class T, class Clear, class Judge>
Judgement judge_entries(const MatmulCase<T>& c, bool screens_known, const Clear& clear, const Judge& judge) {
  return judge_entries(c, screens_known, clear, judge,
                       [](const Judgement&, const MatmulTerms&, double, std::size_t) { return false; });
}

/// judge(kind, place) for every entry, or of a sample as above, that an infinity or a NaN makes what it is.
template <class T, class Judge>
Judgement judge_special_entries(const MatmulCase<T>& c, const Judge& judge) {
  Judgement worst;
  std::size_t judged = 0;
  const auto judge_one = [&](EntryKind kind, std::size_t place) {
    if (kind == EntryKind::finite || are_enough(worst.violations())) return;
    worst.worsen(judge(kind, place));
    ++judged;
  };
  const std::vector<MatmulRows> parts = matmul_parts(c);
  if (parts.empty()) {
    const MatmulTruth& truth = matmul_truth(c);
    for (std::size_t i = 0; i < truth.entries.size(); ++i) judge_one(truth.terms[i].kind, truth.entries[i].place);
  }
  for (const MatmulRows& rows : parts) {
    const MatmulPart& part = matmul_part(c, rows);
    for (std::size_t i = 0; i < part.size() && !are_enough(worst.violations()); ++i) {
      if (std::isnan(part.all.radius[i])) judge_one(matmul_kind(c, part.first_place + i), part.first_place + i);
    }
  }
  worst.judged = judged;
  return worst;
}

}  // namespace assay::contracts
