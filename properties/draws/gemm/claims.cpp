#include "properties/draws/gemm/claims.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "errorbounds/fraction.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/remark.hpp"

namespace assay::gemm {

namespace {

using oracle::binary64;
using oracle::Dyadic;
using oracle::MatrixView;

/// judge(got, place) for every entry whose terms are all finite.
template <class Judge>
Judgement by_finite_entry(const GemmCase& c, const GemmResult& result, Judge&& judge) {
  if (result.size() != c.c.size()) return Judgement::fail();
  const std::vector<GemmEntry> kinds = kinds_of_entries(c);
  Judgement worst;
  std::size_t judged = 0;
  for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
    if (kinds[place] != GemmEntry::finite) return;
    worst.worsen(judge(result[place], place));
    ++judged;
  });
  worst.judged = judged;
  return worst;
}

template <class Judge, class Applies = std::nullptr_t>
GemmClaim claim(std::string id, const TheoremWords& theorem, Judge judge, std::string preconditions = "",
                Applies applies = {}) {
  GemmClaim made{claim_info(std::move(id), theorem), std::move(judge), applies};
  made.info.preconditions = std::move(preconditions);
  return made;
}

/// The bits of x in the format, binary64 or binary32. Requires: x is representable in it, or is not finite (not
/// checked).
std::uint64_t bits_in(const oracle::Format& format, double x) {
  return format == binary64 ? bits_of(x) : bits_of(static_cast<float>(x));
}

/// The largest magnitude among some rows and columns; 0 if there are none.
Dyadic largest(const MatrixView& x, std::int64_t first_row, std::int64_t last_row, std::int64_t first_column,
               std::int64_t last_column) {
  Dyadic most;
  for (std::int64_t j = first_column; j < last_column; ++j) {
    for (std::int64_t i = first_row; i < last_row; ++i) {
      const Dyadic magnitude = abs(value_of(x.at(i, j)));
      if (magnitude > most) most = magnitude;
    }
  }
  return most;
}

/// The exponents of all numbers of binary64: none is infinite or NaN.
constexpr Box full_range{-1074, 1023};

/// Whether the numbers of a case that are read are moderate; of given inputs, whether their products and sums are.
auto has_moderate_numbers(const oracle::Format& format) {
  return [box = moderate_box(format), format](const GemmCase& c) {
    return gemm_numbers_in(c, box) ||
           (AnySize::is_asked() && gemm_numbers_in(c, full_range) && gemm_stays_normal(c, format));
  };
}

bool is_sum_alone(const GemmCase& c) { return std::abs(c.alpha) == 1 && !c.reads_c(); }

/// The magnitudes of the grades B and C, by place.
std::vector<Dyadic> norm_magnitudes(const GemmCase& c, GemmGrade grade) {
  std::vector<Dyadic> magnitudes(c.c.size());
  const Dyadic scale = c.reads_ab() ? abs(value_of(c.alpha)) * Dyadic(c.k) : Dyadic();
  const Dyadic beta = abs(value_of(c.beta));
  for (std::int64_t p = 0; p < c.batch; ++p) {
    const MatrixView a = op_a(c, p);
    const MatrixView b = op_b(c, p);
    const MatrixView start = start_of(c, p);
    const bool lines = grade == GemmGrade::rows_and_columns;
    std::vector<Dyadic> rows;
    std::vector<Dyadic> columns;
    for (std::int64_t i = 0; c.reads_ab() && i < c.m; ++i) rows.push_back(largest(a, i, i + 1, 0, c.k));
    for (std::int64_t j = 0; c.reads_ab() && j < c.n; ++j) columns.push_back(largest(b, 0, c.k, j, j + 1));
    for (std::vector<Dyadic>* each : {&rows, &columns}) {
      if (!lines && !each->empty())
        std::fill(each->begin(), each->end(), *std::max_element(each->begin(), each->end()));
    }
    const Dyadic most = !lines && c.reads_c() ? largest(start, 0, c.m, 0, c.n) : Dyadic();
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.m; ++i) {
        Dyadic& magnitude = magnitudes[c.c_at(p, i, j)];
        if (c.reads_ab()) {
          magnitude = scale * rows[static_cast<std::size_t>(i)] * columns[static_cast<std::size_t>(j)];
        }
        if (c.reads_c()) magnitude.add_mul(beta, lines ? abs(value_of(start.at(i, j))) : most);
      }
    }
  }
  return magnitudes;
}

/// |ĉ − c| ≤ bound(k, only the sum, magnitude) with the magnitudes of the grade.
template <class BoundOf>
GemmClaim graded(std::string id, GemmGrade grade, const TheoremWords& theorem, BoundOf bound,
                 const oracle::Format& format = binary64) {
  return claim(
      std::move(id), theorem,
      [grade, bound](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
        const std::vector<Dyadic> magnitudes =
            grade == GemmGrade::componentwise ? exact_gemm_magnitudes(c) : norm_magnitudes(c, grade);
        return judge_gemm_values(c, result, [&](const Dyadic& got, std::size_t place) {
          return judge_within(got, truth[place],
                              bound(static_cast<std::uint64_t>(c.k), is_sum_alone(c), magnitudes[place]), place);
        });
      },
      moderate_numbers(format), has_moderate_numbers(format));
}
GemmClaim graded(std::string id, GemmGrade grade, const BoundedTheorem auto& theorem,
                 const oracle::Format& format = binary64) {
  return graded(
      std::move(id), grade, theorem.words,
      [bound = theorem.bound, p = format.precision](std::uint64_t k, bool sum_alone, const Dyadic& T) {
        return bound(k, sum_alone, T, p);
      },
      format);
}

}  // namespace

Judgement judge_gemm_values(const GemmCase& c, const GemmResult& result, const GemmJudge& judge) {
  Dyadic value;
  return by_finite_entry(c, result, [&](double got, std::size_t place) {
    if (!oracle::is_finite(binary64, bits_of(got))) return Judgement::fail(place);
    oracle::decode_finite(binary64, bits_of(got), value);
    return judge(value, place);
  });
}

Box moderate_box(const oracle::Format& format) {
  const int e = format == binary64 ? 300 : 24;
  return {-e, e - 1};
}

std::string moderate_numbers(const oracle::Format& format) {
  const std::string e = std::to_string(-moderate_box(format).low);
  return "numbers that are read are 0 or in [2^-" + e + ", 2^" + e +
         "), or are given and make no subnormal or infinite product or sum";
}

namespace {

/// The exponents of the finite numbers that are not 0.
class Exponents {
 public:
  explicit Exponents(double x) { add(x); }
  explicit Exponents(const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) add(x.at(i, j));
    }
  }
  [[nodiscard]] bool are_none() const { return least > most; }

  std::int64_t least = none;
  std::int64_t most = -none;

 private:
  static constexpr std::int64_t none = 10000;

  void add(double x) {
    if (x == 0 || !std::isfinite(x)) return;
    least = std::min<std::int64_t>(least, std::ilogb(x));
    most = std::max<std::int64_t>(most, std::ilogb(x));
  }
};

}  // namespace

bool gemm_stays_normal(const GemmCase& c, const oracle::Format& format) {
  // A product of numbers with exponents e and f is in [2^(e + f), 2^(e + f + 2)), and sums of such products, exact or
  // rounded to p bits, are multiples of 2^(e + f − 2(p − 1)). α may be multiplied by a factor, a product or a sum.
  const std::int64_t below = 2 * std::int64_t{format.precision - 1};
  const std::int64_t above = std::bit_width(static_cast<std::uint64_t>(c.k)) + 4;
  const auto stays = [&](const Exponents& scale, std::int64_t least, std::int64_t most) {
    return std::min<std::int64_t>(scale.least, 0) + least - below >= format.emin &&
           std::max<std::int64_t>(scale.most + 1, 0) + most + above < format.emax;
  };
  const auto is_normal = [&](const Exponents& x) { return x.are_none() || x.least >= format.emin; };
  for (std::int64_t p = 0; p < c.batch; ++p) {
    const Exponents alpha(c.alpha);
    const Exponents beta(c.beta);
    if (c.reads_ab()) {
      const Exponents a(op_a(c, p));
      const Exponents b(op_b(c, p));
      if (!is_normal(alpha) || !is_normal(a) || !is_normal(b)) return false;
      if (!a.are_none() && !b.are_none() && !alpha.are_none()) {
        const std::int64_t least = std::min({a.least, b.least, a.least + b.least});
        const std::int64_t most = std::max({a.most, b.most, a.most + b.most + 1});
        if (!stays(alpha, least, most)) return false;
      }
    }
    if (c.reads_c()) {
      const Exponents start(start_of(c, p));
      if (!is_normal(beta) || !is_normal(start)) return false;
      if (!start.are_none() && !beta.are_none() && !stays(beta, start.least, start.most)) return false;
    }
  }
  return true;
}

bool gemm_numbers_in(const GemmCase& c, const Box& box) {
  const auto inside = [&](const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        if (!in_box(x.at(i, j), box)) return false;
      }
    }
    return true;
  };
  if (!in_box(c.alpha, box) || !in_box(c.beta, box)) return false;
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab() && (!inside(op_a(c, p)) || !inside(op_b(c, p)))) return false;
    if (c.reads_c() && !inside(start_of(c, p))) return false;
  }
  return true;
}

GemmClaim gemm_rounded(std::string id, GemmZero zero, const oracle::Format& format) {
  GemmClaim rounded = claim(std::move(id), gemm_rounded_1.words,
                            [zero, format](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
                              return by_finite_entry(c, result, [&](double got, std::size_t place) {
                                const bool negative = zero == GemmZero::any_sign && std::signbit(got);
                                return judge_rounded(bits_in(format, got), truth[place], format,
                                                     oracle::Rounding::nearest, {.negative_zero = negative}, place);
                              });
                            });
  if (zero == GemmZero::any_sign) rounded.info.statement += " (a zero of either sign)";
  return rounded;
}

GemmClaim gemm_faithful(std::string id) {
  return claim(std::move(id), gemm_faithful_1.words,
               [](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
                 return by_finite_entry(c, result, [&](double got, std::size_t place) {
                   return judge_faithful(bits_of(got), truth[place], binary64, place);
                 });
               });
}

GemmClaim gemm_within(std::string id, const std::string& instance, RelativeBound e, Dyadic floor) {
  GemmClaim bounded =
      claim(std::move(id), gemm_bounded_1.words,
            [e = std::move(e), floor = std::move(floor)](const GemmCase& c, const GemmTruth& truth,
                                                         const GemmResult& result) {
              const GemmTruth magnitudes = exact_gemm_magnitudes(c);
              return by_finite_entry(c, result, [&](double got, std::size_t place) {
                if (!truth[place].is_zero() && truth[place].exponent() >= 1023) return Judgement::pass();
                if (!oracle::is_finite(binary64, bits_of(got))) return Judgement::fail(place);
                return judge_within(value_of(got), truth[place], gemm_bounded_1(e, magnitudes[place], floor), place);
              });
            });
  bounded.info.statement += ": " + instance;
  return bounded;
}

GemmClaim gemm_exceptional(std::string id, bool others_are_finite) {
  return claim(
      std::move(id), gemm_exceptional_1.words,
      [others_are_finite](const GemmCase& c, const GemmTruth&, const GemmResult& result) {
        if (result.size() != c.c.size()) return Judgement::fail();
        const std::vector<GemmEntry> kinds = kinds_of_entries(c);
        Judgement worst;
        for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
          const double got = result[place];
          const GemmEntry kind = kinds[place];
          const bool is_number = kind == GemmEntry::finite;
          const bool holds = is_number ? !others_are_finite || std::isfinite(got)
                             : kind == GemmEntry::nan
                                 ? std::isnan(got)
                                 : std::isinf(got) && std::signbit(got) == (kind == GemmEntry::minus_infinity);
          if (holds) return;
          if (is_number) {
            remark(std::string("a number") + is_due);
          } else {
            remark_due(kind == GemmEntry::nan, kind == GemmEntry::minus_infinity);
          }
          worst.worsen(Judgement::fail(place));
        });
        return worst;
      },
      "a number that is read is infinite or NaN",
      [](const GemmCase& c) {
        const std::vector<GemmEntry> kinds = kinds_of_entries(c);
        return std::any_of(kinds.begin(), kinds.end(), [](GemmEntry each) { return each != GemmEntry::finite; });
      });
}

GemmClaim gemm_untouched(std::string id) {
  return claim(
      std::move(id), gemm_structure_1.words, [](const GemmCase& c, const GemmTruth&, const GemmResult& result) {
        if (result.size() != c.c.size()) return Judgement::fail();
        std::vector<bool> written(result.size());
        for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) { written[place] = true; });
        Judgement worst;
        for (std::size_t at = 0; at < result.size(); ++at) {
          if (!written[at] && bits_of(result[at]) != bits_of(c.c[at])) worst.worsen(Judgement::fail(at));
        }
        return worst;
      });
}

GemmClaim gemm_not_read(std::string id, const oracle::Format& format) {
  const auto has_special = [](const std::vector<double>& x) {
    return std::any_of(x.begin(), x.end(), [](double each) { return !oracle::is_finite(binary64, bits_of(each)); });
  };
  return claim(
      std::move(id), gemm_structure_2.words,
      [emax = format.emax](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
        return by_finite_entry(c, result, [&](double got, std::size_t place) {
          const bool overflows = !truth[place].is_zero() && truth[place].exponent() >= emax;
          return Judgement::of(!std::isnan(got) && (!std::isinf(got) || overflows), place);
        });
      },
      "α = 0 or β = 0, and what is not read holds an infinity or a NaN",
      [has_special](const GemmCase& c) {
        return (!c.reads_ab() && (has_special(c.a) || has_special(c.b))) || (!c.reads_c() && has_special(c.c));
      });
}

GemmClaim gemm_grade(std::string id, GemmGrade grade, const oracle::Format& format) {
  switch (grade) {
    case GemmGrade::componentwise:
      return graded(std::move(id), grade, gemm_grade_a_1, format);
    case GemmGrade::rows_and_columns:
      return graded(std::move(id), grade, gemm_grade_b_1, format);
    case GemmGrade::matrices:
      break;
  }
  return graded(std::move(id), grade, gemm_grade_c_1, format);
}

GemmClaim gemm_wide_grade(std::string id, const oracle::Format& format) {
  return graded(std::move(id), GemmGrade::componentwise, gemm_wide_1, format);
}

GemmClaim gemm_grade_times(std::string id, GemmGrade grade, int factor, const Theorem<NoBound>& statement) {
  return graded(std::move(id), grade, statement.words,
                [factor](std::uint64_t k, bool sum_alone, const Dyadic& magnitude) {
                  return gemm_growth_bound(k, sum_alone, Dyadic(factor) * magnitude, binary64.precision);
                });
}

GemmClaim gemm_not_grade_a(std::string id) {
  GemmClaim refuted = graded(std::move(id), GemmGrade::componentwise, gemm_grade_a_2);
  refuted.info.expected_refuted = true;
  refuted.info.ceiling = "error";
  return refuted;
}

GemmClaim gemm_zeros(std::string id) {
  return claim(std::move(id), gemm_zeros_1.words, [](const GemmCase& c, const GemmTruth&, const GemmResult& result) {
    const std::vector<Dyadic> magnitudes = exact_gemm_magnitudes(c);
    return by_finite_entry(c, result, [&](double got, std::size_t place) {
      return Judgement::of(!magnitudes[place].is_zero() || got == 0, place);
    });
  });
}

GemmClaim gemm_one_sign(std::string id, const oracle::Format& format) {
  return claim(
      std::move(id), gemm_one_sign_1.words,
      [p = format.precision](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
        const std::vector<Dyadic> magnitudes = exact_gemm_magnitudes(c);
        const RelativeBound bound = gemm_one_sign_1(c.k, p);
        return judge_gemm_values(c, result, [&](const Dyadic& got, std::size_t place) {
          if (abs(truth[place]) != magnitudes[place]) return Judgement::pass();
          return judge_within(got, truth[place], bound, place);
        });
      },
      moderate_numbers(format) + ", k > 0, α ≠ 0",
      [is_moderate = has_moderate_numbers(format)](const GemmCase& c) { return c.reads_ab() && is_moderate(c); });
}

GemmClaim gemm_scaling(std::string id, GemmRun run, const oracle::Format& format) {
  const Box box = scaling_box(format);
  const std::string e = std::to_string(-box.low);
  return claim(
      std::move(id), gemm_scaling_1.words,
      [run = std::move(run), box](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
        if (!scales_exactly(c, truth, box)) return Judgement::pass();
        const ScaledGemm scaled = with_scaled_lines(c);
        const GemmResult other = run(Executor::host(), scaled.scaled);
        return judge_gemm_values(c, result, [&](const Dyadic& got, std::size_t place) {
          if (!oracle::is_finite(binary64, bits_of(other[place]))) return Judgement::fail(place);
          Dyadic back = value_of(other[place]);
          back.mul_2exp(-scaled.exponents[place]);
          return Judgement::of(back == got, place);
        });
      },
      "numbers and entries 0 or in [2^-" + e + ", 2^" + e + ")",
      [box](const GemmCase& c) { return scales_exactly(c, {}, box); });
}

GemmClaim gemm_same_bits(std::string id, const Theorem<NoBound>& theorem, GemmRun run) {
  return claim(std::move(id), theorem.words,
               [run = std::move(run)](const GemmCase& c, const GemmTruth&, const GemmResult& result) {
                 const GemmResult other = run(Executor::host(), c);
                 if (other.size() != result.size()) return Judgement::fail();
                 Judgement worst;
                 for (std::size_t at = 0; at < result.size(); ++at) {
                   const bool same =
                       bits_of(result[at]) == bits_of(other[at]) || (std::isnan(result[at]) && std::isnan(other[at]));
                   if (!same) worst.worsen(Judgement::fail(at));
                 }
                 return worst;
               });
}

bool gemm_inexact(const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
  bool found = false;
  for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
    found = found || !oracle::is_finite(binary64, bits_of(result[place])) || value_of(result[place]) != truth[place];
  });
  return found;
}

}  // namespace assay::gemm
