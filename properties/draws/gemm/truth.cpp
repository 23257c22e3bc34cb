#include <cmath>

#include "properties/draws/gemm/cases.hpp"
#include "properties/draws/gemm/matrices.hpp"
#include "properties/framework/generators.hpp"

namespace assay::gemm {

using detail::finite;
using detail::infinity;
using detail::quiet_nan;
using oracle::Dyadic;
using oracle::MatrixView;

namespace {

MatrixView stored(const std::vector<double>& array, std::int64_t offset, std::int64_t rows, std::int64_t columns,
                  std::int64_t leading, bool transposed) {
  return {array.data() + offset, rows, columns, transposed ? leading : 1, transposed ? 1 : leading};
}

/// The entries of a matrix, with 0 for those that are not finite.
GemmMatrix finite_copy_of(const MatrixView& x) {
  GemmMatrix copy = detail::copy_of(x);
  for (double& each : copy.all) each = finite(each) ? each : 0;
  return copy;
}

}  // namespace

MatrixView op_a(const GemmCase& c, std::int64_t p) {
  return stored(c.a, p * c.stride_a, c.m, c.k, c.lda, c.trans_a != 0);
}
MatrixView op_b(const GemmCase& c, std::int64_t p) {
  return stored(c.b, p * c.stride_b, c.k, c.n, c.ldb, c.trans_b != 0);
}
MatrixView start_of(const GemmCase& c, std::int64_t p) { return stored(c.c, p * c.stride_c, c.m, c.n, c.ldc, false); }

namespace {

/// The kind of x·y in extended arithmetic: NaN, ±∞, 0 or, for any other finite number, ±1.
double extended_product(double x, double y) {
  if (std::isnan(x) || std::isnan(y) || (std::isinf(x) && y == 0) || (x == 0 && std::isinf(y))) return quiet_nan;
  if (x == 0 || y == 0) return 0;
  return std::copysign(std::isinf(x) || std::isinf(y) ? infinity : 1.0,
                       std::signbit(x) != std::signbit(y) ? -1.0 : 1.0);
}

/// The sum of the terms in extended arithmetic.
class ExtendedSum {
 public:
  void add(double term) {
    nan_ = nan_ || std::isnan(term);
    if (std::isinf(term)) (term < 0 ? minus_ : plus_) = true;
  }
  [[nodiscard]] GemmEntry kind() const {
    if (nan_ || (plus_ && minus_)) return GemmEntry::nan;
    return plus_ ? GemmEntry::plus_infinity : minus_ ? GemmEntry::minus_infinity : GemmEntry::finite;
  }

 private:
  bool nan_ = false, plus_ = false, minus_ = false;
};

/// By row, or by column, whether a number is not finite.
std::vector<bool> exceptional_lines(const MatrixView& x, bool rows) {
  std::vector<bool> found(static_cast<std::size_t>(rows ? x.rows : x.columns));
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      if (!finite(x.at(i, j))) found[static_cast<std::size_t>(rows ? i : j)] = true;
    }
  }
  return found;
}

}  // namespace

std::vector<GemmEntry> kinds_of_entries(const GemmCase& c) {
  std::vector<GemmEntry> kinds(c.c.size(), GemmEntry::finite);
  for (std::int64_t p = 0; p < c.batch; ++p) {
    const MatrixView a = op_a(c, p);
    const MatrixView b = op_b(c, p);
    const MatrixView start = start_of(c, p);
    std::vector<bool> rows(static_cast<std::size_t>(c.m), c.reads_ab() && !finite(c.alpha));
    std::vector<bool> columns(static_cast<std::size_t>(c.n));
    if (c.reads_ab() && finite(c.alpha)) {
      rows = exceptional_lines(a, true);
      columns = exceptional_lines(b, false);
    }
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.m; ++i) {
        ExtendedSum sum;
        if (rows[static_cast<std::size_t>(i)] || columns[static_cast<std::size_t>(j)]) {
          for (std::int64_t l = 0; l < c.k; ++l) {
            sum.add(extended_product(c.alpha, extended_product(a.at(i, l), b.at(l, j))));
          }
        }
        if (c.reads_c()) sum.add(extended_product(c.beta, start.at(i, j)));
        kinds[c.c_at(p, i, j)] = sum.kind();
      }
    }
  }
  return kinds;
}

namespace {

std::vector<Dyadic> exact_entries(const GemmCase& c, oracle::IntegerProduct::Of of) {
  std::vector<Dyadic> truth(c.c.size());
  const bool magnitudes = of == oracle::IntegerProduct::Of::magnitudes;
  const auto scalar = [&](double x) {
    const Dyadic value = finite(x) ? value_of(x) : Dyadic();
    return magnitudes ? abs(value) : value;
  };
  const Dyadic alpha = scalar(c.alpha);
  const Dyadic beta = scalar(c.beta);
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab()) {
      const GemmMatrix a = finite_copy_of(op_a(c, p));
      const GemmMatrix b = finite_copy_of(op_b(c, p));
      const oracle::IntegerProduct product(a.view(), b.view(), of);
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i) truth[c.c_at(p, i, j)].set_product(alpha, product.value(i, j));
      }
    }
    if (c.reads_c()) {
      const MatrixView start = start_of(c, p);
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i) truth[c.c_at(p, i, j)].add_mul(beta, scalar(start.at(i, j)));
      }
    }
  }
  const std::vector<GemmEntry> kinds = kinds_of_entries(c);
  for (std::size_t at = 0; at < truth.size(); ++at) {
    if (kinds[at] != GemmEntry::finite) truth[at] = Dyadic();
  }
  return truth;
}

}  // namespace

std::vector<Dyadic> exact_gemm(const GemmCase& c) { return exact_entries(c, oracle::IntegerProduct::Of::values); }
std::vector<Dyadic> exact_gemm_magnitudes(const GemmCase& c) {
  return exact_entries(c, oracle::IntegerProduct::Of::magnitudes);
}

namespace {

/// The exponent of D at an index.
int line_exponent(std::int64_t index) { return static_cast<int>(index * 7 % 9) - 4; }

/// x·2^e. Requires: x = 0, not finite, or both x and x·2^e normal (not checked).
double times_power(double x, int e) {
  return x == 0 || !finite(x) ? x : number_of<double>(bits_of(x) + (static_cast<std::uint64_t>(e) << 52));
}

/// f(value, i, j) for every entry of a stored matrix of op(X) = rows × columns, in place.
template <class F>
void for_each_stored(std::vector<double>& array, const MatrixView& op, const double* base, F&& f) {
  for (std::int64_t j = 0; j < op.columns; ++j) {
    for (std::int64_t i = 0; i < op.rows; ++i) {
      f(array[static_cast<std::size_t>(op.data - base + i * op.row_step + j * op.column_step)], i, j);
    }
  }
}

}  // namespace

ScaledGemm with_scaled_lines(const GemmCase& c) {
  ScaledGemm result{c, std::vector<int>(c.c.size())};
  // Products of a batch may share a factor: it is scaled once.
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab() && (p == 0 || c.stride_a != 0)) {
      for_each_stored(result.scaled.a, op_a(c, p), c.a.data(), [](double& x, std::int64_t i, std::int64_t l) {
        x = times_power(x, line_exponent(i) - line_exponent(l + 5));
      });
    }
    if (c.reads_ab() && (p == 0 || c.stride_b != 0)) {
      for_each_stored(result.scaled.b, op_b(c, p), c.b.data(), [](double& x, std::int64_t l, std::int64_t j) {
        x = times_power(x, line_exponent(l + 5) + line_exponent(j + 2));
      });
    }
    if (c.reads_c()) {
      for_each_stored(result.scaled.c, start_of(c, p), c.c.data(), [](double& x, std::int64_t i, std::int64_t j) {
        x = times_power(x, line_exponent(i) + line_exponent(j + 2));
      });
    }
  }
  for_each_entry(c, [&](std::int64_t, std::int64_t i, std::int64_t j, std::size_t place) {
    result.exponents[place] = line_exponent(i) + line_exponent(j + 2);
  });
  return result;
}

Box scaling_box(const oracle::Format& format) {
  const int e = format == oracle::binary64 ? 1000 : 100;
  return {-e, e - 1};
}

bool scales_exactly(const GemmCase& c, const std::vector<Dyadic>& truth, const Box& box) {
  const auto inside = [&](const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        if (!in_box(x.at(i, j), box)) return false;
      }
    }
    return true;
  };
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab() && (!inside(op_a(c, p)) || !inside(op_b(c, p)))) return false;
    if (c.reads_c() && !inside(start_of(c, p))) return false;
  }
  return std::all_of(truth.begin(), truth.end(), [&](const Dyadic& each) {
    return each.is_zero() || (each.exponent() >= box.low && each.exponent() <= box.high);
  });
}

}  // namespace assay::gemm
