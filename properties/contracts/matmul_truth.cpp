#include "properties/contracts/matmul_truth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <list>
#include <numeric>
#include <optional>
#include <utility>

#include "oracle/integer_product.hpp"
#include "oracle/round.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/number_kinds.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

constexpr std::int64_t all_are_judged = std::int64_t{1} << 17;
constexpr std::int64_t all_are_judged_where_given = std::int64_t{1} << 24;
constexpr std::int64_t most_with_terms = std::int64_t{1} << 20;
constexpr std::int64_t most_enclosed = std::int64_t{1} << 36;
constexpr std::int64_t entries_of_part = std::int64_t{1} << 24;
constexpr std::size_t most_exact_entries = std::size_t{1} << 18;

/// Up to `most` of 0 … count − 1, the first and the last among them.
std::vector<std::int64_t> some_of(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> some;
  const std::int64_t taken = std::min(count, most);
  for (std::int64_t i = 0; i < taken; ++i) some.push_back(taken == 1 ? 0 : i * (count - 1) / (taken - 1));
  return some;
}

struct Lines {
  std::vector<std::int64_t> products, rows, columns;
};

/// Entry (i, j) of product p stands at place (p·m + i)·n + j.
std::vector<MatmulEntry> entries_of(const Lines& lines, std::int64_t m, std::int64_t n) {
  std::vector<MatmulEntry> entries;
  entries.reserve(lines.products.size() * lines.rows.size() * lines.columns.size());
  for (const std::int64_t p : lines.products) {
    for (const std::int64_t i : lines.rows) {
      for (const std::int64_t j : lines.columns) {
        entries.push_back({p, i, j, static_cast<std::size_t>((p * m + i) * n + j)});
      }
    }
  }
  return entries;
}

bool is_small(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  return batch * m * n * k <= (AnySize::is_asked() ? all_are_judged_where_given : all_are_judged) &&
         batch * m * n <= most_with_terms;
}

constexpr std::int64_t most_judged_products = 3;
constexpr std::int64_t most_judged_lines = 24;

/// Whether all entries are judged lines.
bool has_all(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  return is_small(batch, m, n, k) || (batch <= most_judged_products && std::max(m, n) <= most_judged_lines);
}

Lines judged_lines(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  const bool all = is_small(batch, m, n, k);
  const std::int64_t most = all ? no_limit : most_judged_lines;
  return {some_of(batch, all ? no_limit : most_judged_products), some_of(m, most), some_of(n, most)};
}

/// The judged rows of A_p, or columns of B_p as rows, in binary64.
struct Panel {
  std::int64_t k;
  std::vector<double> all;
  bool is_finite = true;
  [[nodiscard]] const double* line(std::size_t i) const { return all.data() + static_cast<std::int64_t>(i) * k; }
};

template <FloatingPoint T>
Panel panel_of(const std::vector<T>& x, std::int64_t start, const std::vector<std::int64_t>& lines, std::int64_t k,
               std::int64_t line_step, std::int64_t term_step) {
  Panel panel{k, {}};
  panel.all.reserve(lines.size() * static_cast<std::size_t>(k));
  for (const std::int64_t line : lines) {
    for (std::int64_t l = 0; l < k; ++l) {
      const double value = in_binary64(x[static_cast<std::size_t>(start + line * line_step + l * term_step)]);
      panel.is_finite = panel.is_finite && std::isfinite(value);
      panel.all.push_back(value);
    }
  }
  return panel;
}

/// The kind of Σ aₗbₗ. Finite numbers of the domains have finite products.
EntryKind kind_of(const double* a, const double* b, std::int64_t k) {
  double special = 0;
  for (std::int64_t l = 0; l < k; ++l) {
    if (!std::isfinite(a[l]) || !std::isfinite(b[l])) special += a[l] * b[l];
  }
  return special == 0          ? EntryKind::finite
         : std::isnan(special) ? EntryKind::nan
         : special > 0         ? EntryKind::plus_infinity
                               : EntryKind::minus_infinity;
}

Panel with_zeros_for_specials(Panel panel) {
  for (double& each : panel.all) each = std::isfinite(each) ? each : 0;
  return panel;
}

/// MatmulTerms::lifted.
double lifted_product(const double* a, const double* b, std::int64_t k, double smallest_normal) {
  double largest = 0;
  for (std::int64_t l = 0; l < k; ++l) {
    const double x = std::abs(a[l]);
    const double y = std::abs(b[l]);
    if (x == 0 || y == 0 || std::min(x, y) >= smallest_normal) continue;
    largest = std::max(largest, std::max(x, smallest_normal) * std::max(y, smallest_normal));
  }
  return largest;
}

/// The numbers of a line: all are multiples of 2^low less than 2^high, and have at most `bits` significant bits.
struct Significands {
  long low = 0;
  long high = 0;
  int bits = 0;
  double smallest = std::numeric_limits<double>::infinity();  ///< magnitude of a number other than 0
};
/// Requires: finite numbers that are 0 or normal in binary64 (not checked; others make it coarser).
Significands significands_of(const double* x, std::int64_t k) {
  Significands of;
  bool is_first = true;
  for (std::int64_t l = 0; l < k; ++l) {
    if (x[l] == 0) continue;
    const std::uint64_t pattern = std::bit_cast<std::uint64_t>(x[l]);
    const auto exponent = static_cast<long>(pattern >> 52 & 0x7ff);
    const int bits = 53 - std::countr_zero(pattern | std::uint64_t{1} << 52);
    const long low = exponent - 1023 - (bits - 1);
    of.low = is_first ? low : std::min(of.low, low);
    of.high = is_first ? exponent - 1022 : std::max(of.high, exponent - 1022);
    of.bits = std::max(of.bits, bits);
    of.smallest = std::min(of.smallest, std::abs(x[l]));
    is_first = false;
  }
  return of;
}
std::vector<Significands> significands_of(const Panel& panel, std::int64_t lines) {
  std::vector<Significands> all;
  all.reserve(static_cast<std::size_t>(lines));
  for (std::int64_t i = 0; i < lines; ++i) {
    all.push_back(significands_of(panel.line(static_cast<std::size_t>(i)), panel.k));
  }
  return all;
}

__extension__ using Wide = __int128;

Dyadic dyadic_of(std::int64_t x, long grid) { return Dyadic::scaled(x, grid); }
Dyadic dyadic_of(Wide x, long grid) {
  if (x == static_cast<std::int64_t>(x)) return Dyadic::scaled(static_cast<std::int64_t>(x), grid);
  constexpr int half = 64;
  const Dyadic low = Dyadic(static_cast<std::uint64_t>(x));  // x = floor(x/2^64)·2^64 + low
  return Dyadic(Dyadic::scaled(static_cast<std::int64_t>(x >> half), half) + low).mul_2exp(grid);
}

/// The numbers of lines as integers: line i in units of 2^low.
std::vector<std::int64_t> integers_of(const Panel& panel, const std::vector<Significands>& of) {
  std::vector<std::int64_t> integers;
  integers.reserve(panel.all.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double* const line = panel.line(i);
    for (std::int64_t l = 0; l < panel.k; ++l) {
      const std::uint64_t pattern = std::bit_cast<std::uint64_t>(line[l]);
      const auto shift = static_cast<long>(pattern >> 52 & 0x7ff) - 1023 - 52 - of[i].low;
      auto significand = static_cast<std::int64_t>((pattern & 0xfffffffffffff) | std::uint64_t{1} << 52);
      significand = line[l] == 0 ? 0 : shift >= 0 ? significand << shift : significand >> -shift;
      integers.push_back(line[l] < 0 ? -significand : significand);
    }
  }
  return integers;
}

/// The exact sums and magnitudes of the entries of one product, row by row: in integers of 64 or 128 bits where the
/// sums of all entries fit, which is faster for the many small products.
class Sums {
 public:
  Sums(const Panel& a, const std::vector<Significands>& of_a, const Panel& b, const std::vector<Significands>& of_b) {
    constexpr long no_integers = 1000;  // significands_of() does not hold for subnormal numbers of binary64
    const auto widest = [](const std::vector<Significands>& of) {
      long bits = 0;
      for (const Significands& each : of) {
        const bool is_normal = each.smallest >= std::numeric_limits<double>::min();
        bits = std::max(bits, is_normal ? each.high - each.low : no_integers);
      }
      return bits;
    };
    const long bits_a = widest(of_a);
    const long bits_b = widest(of_b);
    const long bits = bits_a + bits_b + std::bit_width(static_cast<std::uint64_t>(a.k));
    const auto rows = static_cast<std::int64_t>(of_a.size());
    const auto columns = static_cast<std::int64_t>(of_b.size());
    all_.reserve(of_a.size() * of_b.size());
    const bool fit =
        std::max(bits_a, bits_b) <= 62 && bits <= 126 && rows * columns * a.k <= all_are_judged;  // else slower
    if (fit && bits <= 62) {
      add<std::int64_t>(a, of_a, b, of_b);
    } else if (fit) {
      add<Wide>(a, of_a, b, of_b);
    } else {
      const oracle::MatrixView left{a.all.data(), rows, a.k, a.k, 1};
      const oracle::MatrixView right{b.all.data(), a.k, columns, 1, a.k};
      const oracle::IntegerProduct sums(left, right);
      const oracle::IntegerProduct of_magnitudes(left, right, oracle::IntegerProduct::Of::magnitudes);
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) all_.emplace_back(sums.value(i, j), of_magnitudes.value(i, j));
      }
    }
  }
  /// The sum and the magnitudes of the entry with that number.
  std::pair<Dyadic, Dyadic>& operator[](std::size_t i) { return all_[i]; }

 private:
  /// Integer: no sum overflows.
  template <class Integer>
  void add(const Panel& a, const std::vector<Significands>& of_a, const Panel& b,
           const std::vector<Significands>& of_b) {
    const std::vector<std::int64_t> left = integers_of(a, of_a);
    const std::vector<std::int64_t> right = integers_of(b, of_b);
    const std::int64_t k = a.k;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const std::int64_t* const row = left.data() + static_cast<std::int64_t>(i) * k;
      for (std::size_t j = 0; j < of_b.size(); ++j) {
        const std::int64_t* const column = right.data() + static_cast<std::int64_t>(j) * k;
        Integer sum = 0;
        Integer magnitude = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          const Integer term = static_cast<Integer>(row[l]) * column[l];
          sum += term;
          magnitude += term < 0 ? -term : term;
        }
        const long grid = of_a[i].low + of_b[j].low;
        all_.emplace_back(dyadic_of(sum, grid), dyadic_of(magnitude, grid));
      }
    }
  }

  std::vector<std::pair<Dyadic, Dyadic>> all_;
};

template <FloatingPoint T>
MatmulTruth computed_truth(const MatmulCase<T>& c, const Lines& lines) {
  MatmulTruth truth;
  const auto rows = static_cast<std::int64_t>(lines.rows.size());
  const auto columns = static_cast<std::int64_t>(lines.columns.size());
  truth.entries = entries_of(lines, c.m, c.n);
  truth.terms.resize(truth.entries.size());
  truth.sums.resize(truth.entries.size());
  truth.magnitudes.resize(truth.entries.size());
  if (truth.entries.empty()) return truth;
  const double smallest_normal = std::ldexp(1.0, FloatTraits<T>::emin);
  std::size_t at = 0;
  for (const std::int64_t p : lines.products) {
    const Panel a = panel_of(c.a, p * c.m * c.k, lines.rows, c.k, c.k, 1);
    const Panel b = panel_of(c.b, p * c.k * c.n, lines.columns, c.k, 1, c.n);
    const Panel finite_a = with_zeros_for_specials(a);
    const Panel finite_b = with_zeros_for_specials(b);
    const std::vector<Significands> of_rows = significands_of(finite_a, rows);
    const std::vector<Significands> of_columns = significands_of(finite_b, columns);
    Sums sums(finite_a, of_rows, finite_b, of_columns);
    std::size_t number = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        MatmulTerms& terms = truth.terms[at];
        double& sum = truth.sums[at];
        double& magnitude = truth.magnitudes[at++];
        auto& [exact_sum, exact_magnitudes] = sums[number++];
        const Significands& of_row = of_rows[static_cast<std::size_t>(i)];
        const Significands& of_column = of_columns[static_cast<std::size_t>(j)];
        terms.grid = of_row.low + of_column.low;
        terms.factor_bits = std::max(of_row.bits, of_column.bits);
        const double* const row = a.line(static_cast<std::size_t>(i));
        const double* const column = b.line(static_cast<std::size_t>(j));
        if (!a.is_finite || !b.is_finite) terms.kind = kind_of(row, column, c.k);
        if (terms.kind != EntryKind::finite) continue;
        terms.sum = std::move(exact_sum);
        terms.magnitudes = std::move(exact_magnitudes);
        sum = terms.sum.to_double_nearest();
        magnitude = terms.magnitudes.to_double_nearest() * (1 - 0x1p-52);
        if (std::min(of_row.smallest, of_column.smallest) >= smallest_normal) continue;
        terms.lifted = value_of(lifted_product(row, column, c.k, smallest_normal));
      }
    }
  }
  return truth;
}

std::vector<std::int64_t> lines_from(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> lines(static_cast<std::size_t>(count));
  std::iota(lines.begin(), lines.end(), first);
  return lines;
}

/// The numbers of the lines that have an infinity or a NaN.
std::vector<std::int64_t> special_lines(const Panel& panel, std::int64_t lines) {
  std::vector<std::int64_t> special;
  for (std::int64_t i = 0; !panel.is_finite && i < lines; ++i) {
    const double* const numbers = panel.line(static_cast<std::size_t>(i));
    if (!std::all_of(numbers, numbers + panel.k, [](double x) { return std::isfinite(x); })) special.push_back(i);
  }
  return special;
}

std::vector<long> grids_of(const Panel& panel, std::int64_t lines) {
  std::vector<long> grids;
  for (const Significands& each : significands_of(panel, lines)) grids.push_back(each.low);
  return grids;
}

template <FloatingPoint T>
MatmulPart computed_part(const MatmulCase<T>& c, const MatmulRows& rows) {
  constexpr auto rounding =
      FloatTraits<T>::precision > 26 ? oracle::EntryProducts::rounded : oracle::EntryProducts::exact;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Panel a = panel_of(c.a, rows.p * c.m * c.k, lines_from(rows.first, rows.count), c.k, c.k, 1);
  Panel b = panel_of(c.b, rows.p * c.k * c.n, lines_from(0, c.n), c.k, 1, c.n);
  const std::vector<std::int64_t> special_rows = special_lines(a, rows.count);
  const std::vector<std::int64_t> special_columns = special_lines(b, c.n);
  a = with_zeros_for_specials(std::move(a));
  b = with_zeros_for_specials(std::move(b));
  MatmulPart part{
      rows,
      c.n,
      static_cast<std::size_t>((rows.p * c.m + rows.first) * c.n),
      oracle::enclose_product({a.all.data(), rows.count, c.k, c.k, 1}, {b.all.data(), c.k, c.n, 1, c.k}, rounding),
      grids_of(a, rows.count),
      grids_of(b, c.n)};
  for (const std::int64_t i : special_rows) std::fill_n(part.all.radius.begin() + i * c.n, c.n, unknown);
  for (const std::int64_t j : special_columns) {
    for (std::int64_t i = 0; i < rows.count; ++i) part.all.radius[static_cast<std::size_t>(i * c.n + j)] = unknown;
  }
  return part;
}

/// What is known of the case that a thread asked for last. Parts of together more entries than one may have, or than
/// most_exact_entries, are not kept.
template <FloatingPoint T>
struct Last {
  MatmulCase<T> of;
  std::optional<MatmulTruth> truth;
  std::list<MatmulPart> parts;
  std::list<std::pair<MatmulRows, MatmulTruth>> exact_parts;
};

template <FloatingPoint T>
Last<T>& last_of(const MatmulCase<T>& c) {
  thread_local Last<T> last;
  const auto same_numbers = [](const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
  };
  const bool is_same = last.of.batch == c.batch && last.of.m == c.m && last.of.n == c.n && last.of.k == c.k &&
                       same_numbers(last.of.a, c.a) && same_numbers(last.of.b, c.b);
  if (!is_same) last = {c, {}, {}, {}};
  return last;
}

}  // namespace

std::vector<MatmulEntry> judged_entries(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  return entries_of(judged_lines(batch, m, n, k), m, n);
}

template <FloatingPoint T>
const MatmulTruth& matmul_truth(const MatmulCase<T>& c) {
  Last<T>& last = last_of(c);
  if (!last.truth) last.truth = computed_truth(c, judged_lines(c.batch, c.m, c.n, c.k));
  return *last.truth;
}

template <FloatingPoint T>
MatmulTerms matmul_terms(const MatmulCase<T>& c, std::size_t place) {
  const auto at = static_cast<std::int64_t>(place);
  return computed_truth(c, {{at / (c.m * c.n)}, {at / c.n % c.m}, {at % c.n}}).terms.front();
}

template <FloatingPoint T>
std::size_t matmul_sample_of(const MatmulCase<T>& c) {
  const bool is_sampled = !has_all(c.batch, c.m, c.n, c.k) && c.m * c.n * c.k > most_enclosed / c.batch;
  return is_sampled ? static_cast<std::size_t>(c.batch * c.m * c.n) : 0;
}

template <FloatingPoint T>
std::vector<MatmulRows> matmul_parts(const MatmulCase<T>& c) {
  std::vector<MatmulRows> parts;
  if (has_all(c.batch, c.m, c.n, c.k) || matmul_sample_of(c) != 0) return parts;
  const std::int64_t count = std::clamp(entries_of_part / c.n, std::int64_t{1}, c.m);
  for (std::int64_t p = 0; p < c.batch; ++p) {
    for (std::int64_t i = 0; i < c.m; i += count) parts.push_back({p, i, std::min(count, c.m - i)});
  }
  return parts;
}

template <FloatingPoint T>
const MatmulPart& matmul_part(const MatmulCase<T>& c, const MatmulRows& rows) {
  std::list<MatmulPart>& parts = last_of(c).parts;
  const auto found = std::ranges::find_if(
      parts, [&](const MatmulPart& each) { return each.rows.p == rows.p && each.rows.first == rows.first; });
  if (found != parts.end()) return *found;
  auto entries = rows.count * c.n;
  for (const MatmulPart& each : parts) entries += static_cast<std::int64_t>(each.size());
  if (entries > entries_of_part) parts.clear();
  return parts.emplace_back(computed_part(c, rows));
}

template <FloatingPoint T>
const MatmulTruth& matmul_truth_of(const MatmulCase<T>& c, const MatmulRows& rows) {
  auto& parts = last_of(c).exact_parts;
  const auto found = std::ranges::find(parts, rows, [](const auto& each) { return each.first; });
  if (found != parts.end()) return found->second;
  auto entries = static_cast<std::size_t>(rows.count * c.n);
  for (const auto& [of, truth] : parts) entries += truth.entries.size();
  if (entries > most_exact_entries) parts.clear();
  return parts.emplace_back(rows, computed_truth(c, {{rows.p}, lines_from(rows.first, rows.count), lines_from(0, c.n)}))
      .second;
}

template <FloatingPoint T>
EntryKind matmul_kind(const MatmulCase<T>& c, std::size_t place) {
  const auto at = static_cast<std::int64_t>(place);
  const Panel row = panel_of(c.a, 0, {at / c.n}, c.k, c.k, 1);
  const Panel column = panel_of(c.b, at / (c.m * c.n) * c.k * c.n, {at % c.n}, c.k, 1, c.n);
  return kind_of(row.line(0), column.line(0), c.k);
}

#define ASSAY_MATMUL_TRUTH(T)                                                           \
  template const MatmulTruth& matmul_truth(const MatmulCase<T>&);                       \
  template MatmulTerms matmul_terms(const MatmulCase<T>&, std::size_t);                 \
  template std::size_t matmul_sample_of(const MatmulCase<T>&);                          \
  template std::vector<MatmulRows> matmul_parts(const MatmulCase<T>&);                  \
  template const MatmulPart& matmul_part(const MatmulCase<T>&, const MatmulRows&);      \
  template const MatmulTruth& matmul_truth_of(const MatmulCase<T>&, const MatmulRows&); \
  template EntryKind matmul_kind(const MatmulCase<T>&, std::size_t);
ASSAY_MATMUL_TRUTH(double)
ASSAY_MATMUL_TRUTH(float)
ASSAY_MATMUL_TRUTH(binary16)
ASSAY_MATMUL_TRUTH(bfloat16)
ASSAY_MATMUL_TRUTH(e4m3)
ASSAY_MATMUL_TRUTH(e5m2)
#undef ASSAY_MATMUL_TRUTH

}  // namespace assay::contracts
