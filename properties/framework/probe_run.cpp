#include "properties/framework/probe_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/libraries.hpp"

namespace assay {

namespace {

/// How many cases go to the oracle at a time, and of how many cells the unproved cases are listed at a time.
constexpr std::size_t most_at_once = 4096;
constexpr std::uint64_t most_listed = std::uint64_t{1} << 22;

std::size_t index_of(const PropertyInfo& info, const std::string& claim) {
  const auto at =
      std::find_if(info.claims.begin(), info.claims.end(), [&](const ClaimInfo& each) { return each.id == claim; });
  return static_cast<std::size_t>(at - info.claims.begin());
}

/// Whether a bound of error/bound is valid, and narrow. The bounds of a probe are good to 2⁻⁴⁰; ratios are rounded, and
/// may underflow. NaN means no information: a product of the probe may have lost its error.
bool agrees(double bound, double exact) {
  if (std::isnan(bound)) return true;
  constexpr double slack = 0x1p-30;
  constexpr double tiny = 0x1p-1000;
  return exact <= bound * (1 + slack) + tiny && (bound <= exact * (1 + slack) + slack || bound > 1);
}

void take_first(ProbeCase& into, const ProbeCase& other) {
  if (other.is_there() && (!into.is_there() || other < into)) into = other;
}

/// Judges cases of a class.
class Oracle {
 public:
  Oracle(const PropertyModel& property, const Executor& on, std::uint64_t seed, std::size_t input_class)
      : property_(property), on_(on), seed_(seed), input_class_(input_class) {
    claim_ = index_of(property.info(), property.probe()->claim);
    for (const std::string& each : property.probe()->implied) implied_.push_back(index_of(property.info(), each));
  }

  void judge(const std::vector<std::uint64_t>& numbers, ProbeTally& tally) const {
    const Probed& probe = *property_.probe();
    std::vector<Record> cases;
    for (const std::uint64_t number : numbers) cases.push_back(probe.make(seed_, input_class_, number));
    const std::vector<std::optional<Judgement>> judgements = property_.judge_claim(on_, cases, claim_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ProbeTally one;
      const ProbeCase here{input_class_, numbers[i]};
      one.oracle_judged = 1;
      const bool is_judged = judgements[i] && judgements[i]->verdict != Verdict::undecided;
      one.undecided = is_judged ? 0 : 1;
      if (is_judged) {
        one.largest = judgements[i]->tightness;
        one.worst = here;
        if (judgements[i]->verdict == Verdict::violated) {
          one.violated = 1;
          one.first_violated = here;
        }
        if (!agrees(probe.ratio(seed_, input_class_, numbers[i]), one.largest)) {
          one.disagreeing = 1;
          one.first_disagreeing = here;
        }
      }
      tally.merge(one);
    }
    for (const std::size_t claim : implied_) judge_implied(claim, numbers, cases, tally);
  }

 private:
  /// Adds one more claim: its cases are counted already.
  void judge_implied(std::size_t claim, const std::vector<std::uint64_t>& numbers, const std::vector<Record>& cases,
                     ProbeTally& tally) const {
    const std::vector<std::optional<Judgement>> judgements = property_.judge_claim(on_, cases, claim);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ProbeTally one;
      if (!judgements[i] || judgements[i]->verdict == Verdict::undecided) {
        one.undecided = 1;
      } else if (judgements[i]->verdict == Verdict::violated) {
        one.violated = 1;
        one.first_violated = {input_class_, numbers[i]};
      }
      tally.merge(one);
    }
  }

  const PropertyModel& property_;
  const Executor& on_;
  std::uint64_t seed_;
  std::size_t input_class_;
  std::size_t claim_ = 0;
  std::vector<std::size_t> implied_{};
};

}  // namespace

std::vector<std::size_t> highest_of(std::span<const double> ratios, std::size_t most) {
  std::vector<std::size_t> order(ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ratios[a] > ratios[b]; });
  if (order.size() > most) order.resize(most);
  return order;
}

void ProbeTally::merge(const ProbeTally& other) {
  judged += other.judged;
  oracle_judged += other.oracle_judged;
  violated += other.violated;
  undecided += other.undecided;
  disagreeing += other.disagreeing;
  if (other.largest > largest || (other.largest == largest && other.worst < worst)) {
    largest = other.largest;
    worst = other.worst;
  }
  take_first(first_violated, other.first_violated);
  take_first(first_disagreeing, other.first_disagreeing);
}

ProbeTally run_probe(const PropertyModel& property, const Executor& on, std::uint64_t seed, std::size_t input_class,
                     std::uint64_t first, std::size_t count, const PropertyModel::BatchObserver& before_batch) {
  const Probed& probe = *property.probe();
  load_probes();
  const Oracle oracle(property, on, seed, input_class);
  ProbeTally tally;
  std::vector<std::uint64_t> numbers;
  const auto send = [&] {
    if (before_batch) before_batch({first, 1, numbers.size()});
    oracle.judge(numbers, tally);
    numbers.clear();
  };
  const auto ask = [&](std::uint64_t number) {
    numbers.push_back(number);
    if (numbers.size() >= most_at_once) send();
  };
  std::vector<CellFinding> open;
  std::uint64_t open_cases = 0;
  const auto list = [&] {
    if (open.empty()) return;
    for (const std::uint64_t number : probe.unproved(on, seed, input_class, open)) ask(number);
    open.clear();
    open_cases = 0;
  };
  const std::uint64_t size = probe.classes[input_class].size;
  const std::vector<CellFinding> cells = probe.judge(on, seed, input_class, first, count);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t begin = (first + i) * probe.cell;
    const std::uint64_t cases = size == 0 ? probe.cell : std::min(probe.cell, size - begin);
    tally.judged += cases - cells[i].unproved;
    ask(cells[i].number);
    ask(begin + bits::SplitMix64::mixed(seed ^ bits::SplitMix64::mixed(begin + input_class)) % cases);
    if (cells[i].unproved == 0) continue;
    open.push_back(cells[i]);
    open_cases += cells[i].unproved;
    if (open_cases >= most_listed) list();
  }
  list();
  if (!numbers.empty()) send();
  return tally;
}

}  // namespace assay
