#include "properties/framework/structure.hpp"

#include "errorbounds/judge.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// |x| ≤ limit, or < if `strict`; two zeros satisfy both.
Judgement judge_size(const Dyadic& x, const Dyadic& limit, bool strict) {
  Judgement judgement = judge_within(x, Dyadic(), Bound{limit, 1});
  if (strict && !limit.is_zero() && abs(x) == limit) {
    judgement.verdict = Verdict::violated;
  }
  return judgement;
}

/// |xᵢ₊₁| against factor·ulp(xᵢ).
Judgement judge_neighbours(std::span<const Dyadic> x, int p, const Dyadic& factor, bool strict) {
  Judgement worst;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    Dyadic limit;
    if (!x[i].is_zero()) {
      limit = factor;
      limit.mul_2exp(x[i].exponent() - p + 1);
    }
    worst.worsen(judge_size(x[i + 1], limit, strict));
  }
  return worst;
}

/// judge(uls(xᵢ), xᵢ, xⱼ, how many terms lie between) for each two terms that are not zero, i < j.
template <class Judge>
Judgement judge_terms(std::span<const Dyadic> x, const Judge& judge) {
  Judgement worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].is_zero()) continue;
    const Dyadic uls = Dyadic::scaled(1, x[i].lowest_exponent());
    std::size_t between = 0;
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[j].is_zero()) continue;
      worst.worsen(judge(uls, x[i], x[j], between));
      ++between;
    }
  }
  return worst;
}

}  // namespace

bool zeros_last(std::span<const Dyadic> x) {
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if (x[i].is_zero() && !x[i + 1].is_zero()) return false;
  }
  return true;
}

Judgement judge_ulp_nonoverlapping(std::span<const Dyadic> x, int p) { return judge_neighbours(x, p, 1, false); }

Judgement judge_priest_nonoverlapping(std::span<const Dyadic> x, int p) { return judge_neighbours(x, p, 1, true); }

Judgement judge_bailey_nonoverlapping(std::span<const Dyadic> x, int p) {
  return judge_neighbours(x, p, Dyadic::scaled(1, -1), false);
}

Judgement judge_renormalized(std::span<const Dyadic> x, int p) {
  return judge_neighbours(x, p, Dyadic::scaled(1, -1) + Dyadic::scaled(5, -p), false);
}

Judgement judge_first_pair(const Dyadic& first, const Dyadic& second, int p) {
  const Dyadic pair[] = {first, second};
  return judge_neighbours(pair, p, Dyadic::scaled(1, -1) + Dyadic::scaled(4, -p), false);
}

Judgement judge_shewchuk_nonoverlapping(std::span<const Dyadic> x) {
  return judge_terms(x, [](const Dyadic& uls, const Dyadic&, const Dyadic& later, std::size_t) {
    return judge_size(later, uls, true);
  });
}

Judgement judge_half_uls_nonoverlapping(std::span<const Dyadic> x) {
  return judge_terms(x, [](Dyadic uls, const Dyadic&, const Dyadic& later, std::size_t) {
    return judge_size(later, uls.mul_2exp(-1), false);
  });
}

Judgement judge_shewchuk_or_equal_powers(std::span<const Dyadic> x) {
  return judge_terms(x, [](const Dyadic& uls, const Dyadic& earlier, const Dyadic& later, std::size_t between) {
    const bool may_be_equal = between == 0 && abs(earlier) == uls;
    return judge_size(later, uls, !may_be_equal);
  });
}

Judgement judge_uls_nonoverlapping(std::span<const Dyadic> x) {
  return judge_terms(x, [](Dyadic uls, const Dyadic&, const Dyadic& later, std::size_t between) {
    return judge_size(later, between == 0 ? uls : uls.mul_2exp(-1), false);
  });
}

bool overlaps(std::span<const Dyadic> x, Overlap condition) {
  const Dyadic* last = nullptr;
  long before = 2;  // the difference before
  for (const Dyadic& each : x) {
    if (each.is_zero()) continue;
    if (last != nullptr) {
      const long gap = last->exponent() - each.exponent();
      const long least = condition == Overlap::p_minus_1   ? 1
                         : condition == Overlap::p_minus_2 ? 2
                         : condition == Overlap::in_pairs  ? (before < 2 ? 2 : 0)
                                                           : (before < 2 ? 1 : 0);
      if (gap < least) return false;
      before = gap;
    }
    last = &each;
  }
  return true;
}

}  // namespace assay
