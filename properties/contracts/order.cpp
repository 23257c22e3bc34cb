#include "properties/contracts/order.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "properties/framework/remark.hpp"

namespace assay::contracts {
namespace {

/// So many pairs of terms trade places in the data of a case.
constexpr std::size_t swaps_of_case = 4;

/// How many rows a batch has, of several sizes with at most `most` numbers, each row of `numbers`.
std::size_t size_of_batch(bits::SplitMix64& next, std::size_t numbers, std::size_t most) {
  static constexpr std::array<std::size_t, 16> sizes{2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257};
  const auto fits = [&](std::size_t size) { return size == 2 || size * numbers <= most; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(sizes, fits));
  return sizes[next() % count];
}

/// "of 5 terms ": of data, not of the case that is judged.
std::string of_terms(bool is_judged, std::size_t n) {
  return is_judged ? std::string() : "of " + std::to_string(n) + " terms ";
}

}  // namespace

AskedOrder::~AskedOrder() = default;

std::pair<std::size_t, std::size_t> pair_of_terms(bits::SplitMix64& next, std::size_t n) {
  const std::size_t i = next() % n;
  const std::size_t j = (i + 1 + next() % (n - 1)) % n;
  return {i, j};
}

SwappedData::SwappedData(AskedOrder& asked, std::size_t data) : first_(asked.cases()) {
  const std::size_t n = asked.terms(data);
  for (std::size_t k = 0; n > 1 && k < swaps_of_case; ++k) {
    const auto& [i, j] = pairs_.emplace_back(pair_of_terms(asked.next, n));
    asked.add_copy(data);
    asked.swap(asked.cases() - 1, i, j);
  }
}
Swaps SwappedData::seen(const AskedOrder& asked, std::size_t of_data, std::ptrdiff_t shift) const {
  const std::size_t first = first_ + static_cast<std::size_t>(shift);
  Swaps swaps{pairs_.size(), 0};
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto [i, j] = pairs_[k];
    swaps.seen += asked.is_same(of_data, first + k, i, j) ? 0 : 1;
  }
  return swaps;
}

Judgement judge_batches(AskedOrder& asked, std::size_t most) {
  constexpr std::size_t judged = AskedOrder::judged;
  if (asked.rows() == 0 || asked.numbers_of_result(judged) == 0) return Judgement::pass();
  const std::size_t r = asked.next() % asked.rows();
  const std::size_t n = asked.terms(judged);
  asked.add_row(r);
  asked.add_data(n);
  constexpr std::size_t rows = 2;  // these cases are called as copies, behind them
  std::array<std::size_t, rows> sizes{};
  for (std::size_t k = 0; k < rows; ++k) {
    sizes[k] = size_of_batch(asked.next, asked.numbers(k), most);
    asked.add_copy(k);
    for (const std::size_t first : {0U, 1U}) asked.add_batch(k, sizes[k], first);
  }
  const SwappedData swapped(asked, 1);
  asked.run(rows, asked.cases() - rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const auto differs = [&](std::size_t result, AskedOrder::Part part, const std::string& where) {
      const auto difference = asked.difference(3 * k, {}, "alone", result, part, where);
      if (!difference) return false;
      take_remark();
      remark((k == 0 ? "row " + std::to_string(r) : "a row of " + std::to_string(n) + " terms") + " has " +
             difference->told);
      return true;
    };
    if (k == 0) {
      const std::size_t width = asked.numbers_of_result(judged) / asked.rows();
      if (differs(judged, {r * width, width}, "in the case")) return Judgement::fail(r * width);
    }
    for (const std::size_t first : {0U, 1U}) {
      const std::size_t batch = 3 * k + 1 + first;
      const std::size_t width = asked.numbers_of_result(batch) / sizes[k];
      for (std::size_t p = first; p < sizes[k]; p += 2) {
        if (differs(batch, {p * width, width},
                    "in place " + std::to_string(p) + " of " + std::to_string(sizes[k]) + " rows")) {
          return Judgement::fail();
        }
      }
    }
  }
  Judgement judgement = Judgement::pass();
  const std::size_t of_data = 3;
  judgement.swaps = swapped.seen(asked, of_data, -static_cast<std::ptrdiff_t>(rows));
  return judgement;
}

Judgement judge_again(AskedOrder& asked, std::size_t /*most*/) {
  constexpr std::size_t judged = AskedOrder::judged;
  const std::size_t n = asked.terms(judged);
  asked.add_data(n);
  asked.add_data(n + 1 + asked.next() % (n + 1));
  asked.add_copy(judged);
  asked.add_copy(0);
  const SwappedData swapped(asked, 0);
  asked.run(0, asked.cases());
  for (const auto& [before, after] : {std::pair(judged, std::size_t{2}), std::pair(std::size_t{0}, std::size_t{3})}) {
    const auto difference = asked.difference(before, {}, "before", after, {}, "behind other calls");
    if (!difference) continue;
    take_remark();
    remark(of_terms(before == judged, n) + difference->told);
    return Judgement::fail(before == judged ? difference->at : 0);
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(asked, 0);
  return judgement;
}

Judgement judge_places(AskedOrder& asked, std::size_t /*most*/) {
  static constexpr std::array<std::size_t, 8> distances{1, 2, 3, 4, 7, 8, 16, 33};
  constexpr std::size_t places = 3;
  constexpr std::size_t judged = AskedOrder::judged;
  const std::size_t n = asked.terms(judged);
  asked.add_copy(judged);
  asked.add_data(n);
  const SwappedData swapped(asked, 1);
  asked.run(0, asked.cases());
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t distance = distances[k == 0 ? 0 : asked.next() % distances.size()];
    const Displaced displaced(distance);
    const OtherIncrements other(asked.next());
    const std::size_t there = asked.results();
    asked.run(0, 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto difference = asked.difference(i == 0 ? judged : i, {}, "at the end of a page", there + i, {},
                                               "from " + std::to_string(distance) + " elements in front of it");
      if (!difference) continue;
      take_remark();
      remark(of_terms(i == 0, n) + difference->told);
      return Judgement::fail(i == 0 ? difference->at : 0);
    }
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(asked, 1);
  return judgement;
}

Judgement judge_splits(AskedOrder& asked, std::size_t /*most*/) {
  constexpr std::size_t splits = 3;
  constexpr std::array<std::size_t, 2> whole{AskedOrder::judged, 0};
  const std::size_t n = asked.terms(AskedOrder::judged);
  if (n < 2) return Judgement::pass();
  asked.add_data(n);
  const SwappedData swapped(asked, 0);
  const std::size_t from = asked.cases();
  std::vector<std::size_t> at;
  for (std::size_t k = 0; k < splits * whole.size(); ++k) {
    at.push_back(1 + asked.next() % (n - 1));
    asked.add_chunk(whole[k % whole.size()], 0, at[k]);
  }
  asked.run(0, asked.cases());
  const std::size_t rests = asked.cases();  // one result for each case up to here, and for each behind it
  for (std::size_t k = 0; k < at.size(); ++k) asked.add_rest(from + k, whole[k % whole.size()], at[k]);
  asked.run(rests, at.size());
  for (std::size_t k = 0; k < at.size(); ++k) {
    const bool is_case = k % whole.size() == 0;
    asked.join_results(from + k, rests + k);
    const auto difference =
        asked.difference(whole[k % whole.size()], {}, "in one call", asked.results() - 1, {},
                         "in chunks of " + std::to_string(at[k]) + " and " + std::to_string(n - at[k]));
    if (!difference) continue;
    take_remark();
    remark(of_terms(is_case, n) + difference->told);
    return Judgement::fail(is_case ? difference->at : 0);
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(asked, 0);
  return judgement;
}

}  // namespace assay::contracts
