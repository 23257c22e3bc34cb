// Prefix sums of vectors of any length, judged in blocks: screened in double words, exactly where that does not decide.

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "oracle/prefix_screen.hpp"
#include "properties/contracts/claims.hpp"
#include "properties/contracts/prefix_bounds.hpp"
#include "properties/contracts/totalled.hpp"
#include "properties/framework/entry_rules.hpp"
#include "properties/framework/in_place.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::reductions {
namespace {

using oracle::Dyadic;
using oracle::PrefixRule;
using oracle::Strided;
using oracle::TermTotals;

constexpr std::size_t block_length = std::size_t{1} << 16;

/// What a contract says of single prefix sums.
template <FloatingPoint T>
struct Rule {
  PrefixRule::Kind kind = PrefixRule::Kind::rounded;
  std::optional<Accumulator> in{};                            ///< of a contract about the error
  std::function<std::optional<Bound>(const Terms&)> bound{};  ///< nothing where the theorem does not speak of so many
  std::function<Judgement(const Totalled<T>&, T got)> judge{};
};

template <FloatingPoint T>
std::optional<Rule<T>> rule_of(std::string_view contract) {
  Rule<T> rule;
  if (contract == "correctly_rounded" || contract == "faithful") {
    const bool is_rounded = contract == "correctly_rounded";
    rule.kind = is_rounded ? PrefixRule::Kind::rounded : PrefixRule::Kind::faithful;
    rule.judge = [is_rounded](const Totalled<T>& c, T got) {
      return is_rounded ? judge_rounded_to_any_zero(bits_of(got), c.terms.sum, format<T>, 0)
                        : judge_faithful(bits_of(got), c.terms.sum, format<T>, 0);
    };
    return rule;
  }
  for (const Accumulator& in : {wider_format<T>, own_format<T>}) {
    for_each_bound_of_prefixes<T>(in, [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of) {
      if (contract != std::string(in.prefix) + id) return;
      const auto bound = [&theorem, bound_of](const Terms& terms) -> Bound { return bound_of(theorem, terms); };
      rule.kind = in.rounds_once ? PrefixRule::Kind::stored : PrefixRule::Kind::within;
      rule.in = in;
      rule.bound = [bound](const Terms& terms) -> std::optional<Bound> {
        try {
          return bound(terms);
        } catch (const std::domain_error&) {
          return std::nullopt;
        }
      };
      rule.judge = [of = judge_adding<T>(in, terms_of<Totalled<T>>, bound)](const Totalled<T>& c, T got) {
        return of(c, c.terms.sum, got);
      };
    });
  }
  if (!rule.judge) return std::nullopt;
  return rule;
}

/// The judgments of the numbers of a vector of prefix sums.
template <FloatingPoint T>
class Prefixes {
 public:
  /// The first n of `whole` numbers.
  Prefixes(Rule<T> rule, const Strided& x, std::size_t n, std::size_t whole, const Strided& got)
      : rule_(std::move(rule)), x_(x), got_(got), n_(n), whole_(whole), starts_(n / block_length + 2) {
    for (Totalled<T>& each : starts_) each.terms.emin = FloatTraits<T>::emin;
    each_block([this](std::size_t block) { starts_[block + 1] = total_of(first_of(block), end_of(block)); });
    for (std::size_t block = 0; block + 1 < starts_.size(); ++block) join(starts_[block], starts_[block + 1]);
    const auto special = std::ranges::find_if(starts_, [](const auto& each) { return each.special != 0; });
    if (special == starts_.end()) return;
    numbers_ = first_of(static_cast<std::size_t>(special - starts_.begin()) - 1);
    while (oracle::is_finite(format<T>, bits_at(x_, numbers_))) ++numbers_;
  }

  /// The exact sum of the magnitudes of the finite terms.
  [[nodiscard]] const Dyadic& magnitudes() const { return starts_.back().terms.magnitudes; }
  [[nodiscard]] std::size_t numbers() const { return numbers_; }

  /// The first number that is not what infinities and NaNs make of it, where there are some; `due`: what it must be, 0
  /// for a number.
  [[nodiscard]] std::optional<std::size_t> wrong_special(std::uint64_t& due) const {
    due = 0;
    for (std::size_t i = 0; numbers_ != n_ && i < n_; ++i) {
      const std::uint64_t term = sum::special_term(format<T>, bits_at(x_, i));
      if (term != 0 && term != due) due = due == 0 && !oracle::is_nan(format<T>, term) ? term : format<T>.nan();
      const std::uint64_t got = bits_at(got_, i);
      const bool is_right = due == 0                         ? oracle::is_finite(format<T>, got)
                            : oracle::is_nan(format<T>, due) ? oracle::is_nan(format<T>, got)
                                                             : got == due;
      if (!is_right) return i;
    }
    return std::nullopt;
  }

  /// The judgment of the numbers before the first infinity or NaN. Says nothing where the contract leaves one out.
  [[nodiscard]] Judgement judge() {
    struct Block {
      Judgement judgement{};
      std::string why{};
      double share = -1;
      std::size_t nearest = 0;
    };
    std::vector<Block> blocks(starts_.size());
    each_block([&](std::size_t block) {
      const std::size_t first = first_of(block);
      const std::size_t end = std::min(end_of(block), numbers_);
      if (first >= end) return;
      const oracle::PrefixScreen found = screened(block, end - first);
      why_silent.clear();
      blocks[block] = {exactly(block, found.open), {}, found.share, first + found.nearest};
      blocks[block].why = why_silent;
    });
    Judgement worst;
    std::optional<std::string> silent;
    std::pair<double, std::size_t> nearest{-1, 0};
    for (const Block& each : blocks) {
      if (is_silent(each.judgement)) {
        silent = each.why;
      } else {
        worst.worsen(each.judgement);
        nearest = std::max(nearest, {each.share, each.nearest});
      }
    }
    why_silent = silent.value_or("");
    if (silent) return says_nothing();
    if (worst.violations() == 0 && nearest.first >= 0) {
      worst.worsen(exactly(nearest.second / block_length, {nearest.second % block_length}));
    }
    worst.judged = n_;
    return worst;
  }

  /// The terms of number i.
  [[nodiscard]] Totalled<T> terms_at(std::size_t i) const {
    Totalled<T> c = starts_[i / block_length];
    join(c, total_of(first_of(i / block_length), i + 1), c);
    return c;
  }

 private:
  static std::uint64_t bits_at(const Strided& numbers, std::size_t i) { return oracle::bits_at(numbers, i, format<T>); }
  static std::size_t first_of(std::size_t block) { return block * block_length; }
  [[nodiscard]] std::size_t end_of(std::size_t block) const { return std::min(n_, (block + 1) * block_length); }

  /// f(block) for every block, on all cores.
  void each_block(const std::function<void(std::size_t)>& f) const {
    const std::size_t blocks = starts_.size() - 1;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t block = next++; block < blocks; block = next++) f(block);
    };
    std::vector<std::jthread> others;
    const std::size_t cores = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), blocks);
    for (std::size_t i = 1; i < cores; ++i) others.emplace_back(work);
    work();
  }

  [[nodiscard]] Totalled<T> total_of(std::size_t first, std::size_t end) const {
    TermTotals totals(format<T>);
    totals.add(x_.from(first), nullptr, end - first);
    return totalled<T>(totals, false, false);
  }
  /// `later` becomes the totals of all terms up to its own.
  void join(const Totalled<T>& before, Totalled<T>& later) const { join(before, later, later); }
  void join(const Totalled<T>& before, const Totalled<T>& later, Totalled<T>& all) const {
    Totalled<T> sum = later;
    sum.terms.n += before.terms.n;
    sum.terms.sum += before.terms.sum;
    sum.terms.magnitudes += before.terms.magnitudes;
    sum.terms.lost += before.terms.lost;
    sum.terms.grid = std::min(sum.terms.grid, before.terms.grid);
    sum.terms.least = std::min(sum.terms.least, before.terms.least);
    sum.terms.whole = whole_;
    if (before.special != 0) sum.special = before.special;
    all = std::move(sum);
  }

  /// The screen of the first `count` numbers of a block. All are open where no bound holds for all of them.
  [[nodiscard]] oracle::PrefixScreen screened(std::size_t block, std::size_t count) const {
    const Terms& start = starts_[block].terms;
    const Terms& end = starts_[block + 1].terms;
    const Strided x = x_.from(first_of(block));
    const Strided got = got_.from(first_of(block));
    const double largest = end.magnitudes.to_double_nearest() * (1 + 0x1p-50);
    const auto screen = [&](bool is_exact, double bound) {
      return oracle::screen_prefixes(format<T>, x, got, count, start.sum, largest, is_exact, {rule_.kind, bound});
    };
    const bool has_range = largest < 0x1p1020;
    if (!rule_.in && has_range) return screen(false, 0);
    if (rule_.in && has_range) {
      if (end.is_exact_in(rule_.in->format)) return screen(true, 0);
      // No bound falls where terms are added and the sum stays. That may be 0, and at most the sum of the magnitudes.
      Terms lowest = start;
      Terms highest = end;
      lowest.sum = Dyadic();
      highest.sum = end.magnitudes;
      const std::optional<Bound> least = start.is_exact_in(rule_.in->format) ? std::nullopt : rule_.bound(lowest);
      const std::optional<Bound> most = rule_.bound(highest);
      if (least && most && !least->numerator.is_zero() && !(Bound{start.magnitudes} <= *most)) {
        return screen(false, at_most({least->numerator, least->denominator}));
      }
    }
    oracle::PrefixScreen all;
    for (std::size_t i = 0; i < count; ++i) all.open.push_back(i);
    return all;
  }

  /// The judgment of these numbers of a block, ascending. Says nothing where the contract leaves one out.
  [[nodiscard]] Judgement exactly(std::size_t block, const std::vector<std::size_t>& places) const {
    Judgement worst;
    Totalled<T> c = starts_[block];
    c.terms.whole = whole_;
    std::size_t added = 0;
    for (const std::size_t place : places) {
      for (; added <= place; ++added) c.terms.add(number_of<T>(bits_at(x_, first_of(block) + added)));
      Judgement judgement = rule_.judge(c, number_of<T>(bits_at(got_, first_of(block) + place)));
      if (is_silent(judgement)) return judgement;
      judgement.component = first_of(block) + place;
      worst.worsen(judgement);
    }
    return worst;
  }

  Rule<T> rule_;
  Strided x_, got_;
  std::size_t n_, whole_;
  std::size_t numbers_ = n_;         ///< so many come before the first infinity or NaN
  std::vector<Totalled<T>> starts_;  ///< by block, of all terms before it
};

template <FloatingPoint T>
std::optional<ToldInPlace> told_of(std::string_view contract, const Strided& x, std::size_t n, std::size_t whole,
                                   const Strided& got) {
  const std::optional<Rule<T>> rule = rule_of<T>(contract);
  if (!rule || n == 0) return std::nullopt;
  ToldInPlace answer{.claim = std::string(contract)};
  Prefixes<T> prefixes(*rule, x, n, whole, got);
  std::uint64_t due = 0;
  if (const auto wrong = prefixes.wrong_special(due)) {
    answer.claim = "exceptional";
    answer.judgement = Judgement::fail(*wrong);
    answer.exact = due == 0                              ? describe_at(prefixes.terms_at(*wrong).terms.sum, 0)
                   : oracle::is_nan(format<T>, due)      ? "NaN"
                   : oracle::is_negative(format<T>, due) ? "-inf"
                                                         : "inf";
    return answer;
  }
  const int most = FloatTraits<Wide<T>>::emax - 2;
  const bool is_own = rule->in && !rule->in->rounds_once && is_narrow<T>;
  answer.applies =
      prefixes.magnitudes() <= Dyadic::scaled(1, most) && (!is_own || stays_finite<T>(prefixes.magnitudes()));
  if (!answer.applies) {
    answer.preconditions = is_own ? staying_finite<T>() : "the magnitudes add up to at most 2^" + std::to_string(most);
    return answer;
  }
  why_silent.clear();
  answer.judgement = prefixes.judge();
  if (is_silent(answer.judgement)) {
    answer.applies = false;
    answer.preconditions = why_silent.empty() ? breakable : why_silent;
    return answer;
  }
  const std::size_t at = answer.judgement.component;
  if (at >= prefixes.numbers()) return answer;  // all are infinite or NaN
  const Totalled<T> c = prefixes.terms_at(at);
  NotedBounds noted(1);
  const T worst = number_of<T>(oracle::bits_at(got, at, format<T>));
  rule->judge(c, worst);
  answer.bound = noted.all()[0];
  answer.exact = describe_at(c.terms.sum, 0);
  answer.ulps = error_in_ulps_at(worst, c.terms.sum, 0);
  return answer;
}

std::optional<ToldInPlace> judged(std::string_view contract, const std::string& format,
                                  std::span<const Strided> vectors, std::size_t n, std::size_t whole,
                                  const Strided& got) {
  return in_type_of(format, [&]<class T>(T) { return told_of<T>(contract, vectors[0], n, whole, got); });
}

const InPlaceRegistration cumsum("cumsum", {1, true, judged});

// -------------------------------------------------------------------------------------------- judges on a device

/// What is known of the terms up to a place: S is from `magnitudes` of the one to that of the other.
struct TermsUpTo {
  Terms least, most;
  void add(const enclosures::PrefixTotals& stretch) {
    const oracle::Dyadic magnitude = oracle::exact(stretch.sums.magnitude);
    const bool is_zero = stretch.low == enclosures::no_numbers;
    for (Terms* const each : {&least, &most}) {
      each->n += static_cast<std::uint64_t>(stretch.numbers);
      if (is_zero) continue;
      each->grid = std::min<long>(each->grid, stretch.low);
      each->least = std::min<long>(each->least, each->emin - (stretch.has_subnormal != 0 ? 1 : 0));
    }
    const Dyadic slack = magnitude * Dyadic::scaled(1, -40);
    least.magnitudes += magnitude - slack;
    most.magnitudes += magnitude + slack;
    most.sum = most.magnitudes;
    // Nothing is known of the part that is subnormal.
    if (stretch.has_subnormal != 0) most.lost = most.magnitudes;
  }
};

/// The bound that no sum of a stretch falls below, or 0 where all are exact; nothing where that is not known, or the
/// bound says nothing.
template <FloatingPoint T>
std::optional<double> bound_of_stretch(const Rule<T>& rule, const TermsUpTo& start, const TermsUpTo& end) {
  if (!rule.in || end.most.is_exact_in(rule.in->format)) return 0;
  if (start.least.is_exact_in(rule.in->format)) return std::nullopt;
  const std::optional<Bound> least = rule.bound(start.least);
  const std::optional<Bound> most = rule.bound(end.most);
  if (!least || !most || least->numerator.is_zero() || Bound{start.least.magnitudes} <= *most) return std::nullopt;
  return at_most({least->numerator, least->denominator});
}

template <FloatingPoint T>
std::optional<enclosures::PrefixRule> device_rule_of(const std::string& contract,
                                                     std::span<const enclosures::PrefixTotals> stretches,
                                                     std::int64_t n) {
  const std::optional<Rule<T>> rule = rule_of<T>(contract);
  if (!rule) return std::nullopt;
  const bool is_bound = rule->in.has_value();
  enclosures::PrefixRule all{is_bound                                  ? enclosures::rule_within
                             : rule->kind == PrefixRule::Kind::rounded ? enclosures::rule_rounded
                                                                       : enclosures::rule_faithful,
                             format<T>.precision,
                             format<T>.emin,
                             is_bound && rule->in->rounds_once,
                             {}};
  TermsUpTo start;
  for (Terms* const each : {&start.least, &start.most}) {
    each->emin = FloatTraits<T>::emin;
    each->whole = static_cast<std::uint64_t>(n);
  }
  Dyadic sum;
  for (const enclosures::PrefixTotals& each : stretches) {
    if (each.is_special != 0) return std::nullopt;
    TermsUpTo end = start;
    end.add(each);
    const double largest = end.most.magnitudes.to_double_up();
    const std::optional<double> bound = bound_of_stretch(*rule, start, end);
    enclosures::PrefixStretch stretch;
    stretch.is_open = !bound || !(largest < 0x1p1020) ? 1 : 0;
    stretch.start.high = sum.to_double_nearest();
    stretch.start.low = (sum - oracle::exact(stretch.start.high)).to_double_nearest();
    const bool is_exact = is_bound && end.most.is_exact_in(rule->in->format);
    stretch.radius = is_exact ? 0 : 0x1p-90 * largest;  // theorem scan.enclosure.1
    stretch.bound = bound.value_or(0);
    all.stretches.push_back(stretch);
    sum += oracle::exact(each.sums.high) + oracle::exact(each.sums.low);
    start = std::move(end);
  }
  const bool is_own = is_bound && !rule->in->rounds_once && is_narrow<T>;
  const oracle::Dyadic most = Dyadic::scaled(1, (is_own ? FloatTraits<T>::emax : FloatTraits<Wide<T>>::emax) - 2);
  if (start.most.n != static_cast<std::uint64_t>(n) || start.most.magnitudes > most) return std::nullopt;
  return all;
}

std::optional<enclosures::PrefixRule> device_rule(const std::string& contract, const std::string& format,
                                                  std::span<const enclosures::PrefixTotals> stretches, std::int64_t n) {
  return in_type_of(format, [&]<class T>(T) { return device_rule_of<T>(contract, stretches, n); });
}

const EntryRuleRegistration on_device("cumsum", device_rule);

}  // namespace
}  // namespace assay::contracts::reductions
