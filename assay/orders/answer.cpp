#include "assay/orders/answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "assay/orders/finder.hpp"
#include "assay/orders/recognize.hpp"

namespace assay::orders {
namespace {

using Vertex = Tree::Vertex;

/// Beyond so many terms fewer questions are asked, to end within seconds.
constexpr std::size_t long_reduction = std::size_t{1} << 18;

std::vector<Pair> random_pairs(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const auto i = static_cast<Vertex>((random() >> 11) % n);
    const auto j = static_cast<Vertex>((random() >> 11) % n);
    if (i != j) pairs.emplace_back(i, j);
  }
  return pairs;
}

/// Pairs at every distance that is a power of two, in turn from the front, from a drawn place and from the end, and
/// drawn ones.
std::vector<Pair> telling_pairs(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Pair> pairs;
  for (std::size_t d = 1; d < n; d *= 2) {
    const std::size_t from = (random() >> 11) % (n - d);
    pairs.emplace_back(static_cast<Vertex>(from), static_cast<Vertex>(from + d));
    const std::size_t end = pairs.size() % 4 == 1 ? 0 : n - 1 - d;
    pairs.emplace_back(static_cast<Vertex>(end), static_cast<Vertex>(end + d));
  }
  const std::size_t left = count > pairs.size() ? count - pairs.size() : 0;
  for (const Pair& each : random_pairs(n, left, seed)) pairs.push_back(each);
  return pairs;
}

/// Whether the kernel answers masks in the same way twice: why not, otherwise.
std::optional<std::string> change_of(const Reduction& reduction, Masks& masks, std::uint64_t seed) {
  constexpr std::size_t asked = 24;
  const std::size_t count = std::min(asked, std::max<std::size_t>(2, batch_terms / reduction.terms));
  const std::vector<Pair> pairs = random_pairs(reduction.terms, count, seed);
  std::vector<std::uint64_t> first = masks.patterns(pairs);
  const std::vector<Pair> turned(pairs.rbegin(), pairs.rend());
  const int times = reduction.terms > long_reduction ? 1 : 3;
  for (int t = 0; t < times; ++t) {
    std::vector<std::uint64_t> again = masks.patterns(t % 2 == 0 ? turned : pairs);
    if (t % 2 == 0) std::ranges::reverse(again);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (again[p] == first[p]) continue;
      return fmt::format("with M at {} and −M at {} one call gives {:#x} and another {:#x}", pairs[p].first,
                         pairs[p].second, first[p], again[p]);
    }
  }
  return std::nullopt;
}

/// What the search finds for one size.
struct Search {
  Verdict verdict = Verdict::fixed;
  std::string why;
  std::optional<Tree> tree;
};

Search search(const Reduction& reduction, Masks& masks, std::uint64_t seed) {
  if (reduction.terms == 2) {
    Tree tree(2);
    tree.add(std::array<Vertex, 2>{0, 1});
    return {Verdict::fixed, {}, tree};
  }
  if (masks.ones() < 2) return {Verdict::no_tree, "it does not count two ones: 1 + 1 and zeros give no 2", {}};
  // A kernel that loses nothing beside M.
  const std::vector<Pair> few = random_pairs(reduction.terms, 16, seed);
  const std::vector<std::size_t> added = masks.added(few);
  if (reduction.terms > 3 && std::ranges::all_of(added, [](std::size_t size) { return size == 2; })) {
    return {Verdict::no_tree,
            fmt::format("beside M nothing is lost, {} binades below: the sum is exact, or in a wider accumulator",
                        masks.binades()),
            {}};
  }
  const auto changes = [&] { return change_of(reduction, masks, seed + 1); };
  if (const auto other = asymmetry(reduction, masks, seed)) {
    if (const auto change = changes()) return {Verdict::not_fixed, *change, {}};
    return {Verdict::depends_on_data, *other, {}};
  }
  Found found = find_tree(reduction, masks, seed);
  if (!found.tree) {
    if (const auto change = changes()) return {Verdict::not_fixed, *change, {}};
    return {Verdict::no_tree, found.why, {}};
  }
  constexpr std::size_t questions = 256;
  if (const auto other = contradiction(*found.tree, masks, questions, seed)) {
    if (const auto change = changes()) return {Verdict::not_fixed, *change, {}};
    return {Verdict::depends_on_data, *other, std::move(found.tree)};
  }
  return {Verdict::fixed, {}, std::move(found.tree)};
}

std::vector<Family> relatives_of_all(const std::vector<Family>& families, std::size_t terms) {
  std::vector<Family> all;
  std::set<std::string> names;
  for (const Family& each : families) {
    for (Family& other : relatives_of(each, terms)) {
      if (names.insert(name_of(other)).second) all.push_back(std::move(other));
    }
  }
  return all;
}

/// The families that fit the kernel at a power of two of terms and, unless it is 0, at some other size.
std::vector<Family> fitting(const ReductionOf& reduction_of, std::size_t power, std::size_t other, std::uint64_t seed,
                            std::size_t& questions) {
  const auto tree_at = [&](std::size_t n) {
    const Reduction reduction = reduction_of(n);
    Masks masks(reduction);
    std::optional<Tree> tree = search(reduction, masks, seed).tree;
    questions += masks.asked();
    return tree;
  };
  const std::optional<Tree> even = tree_at(power);
  if (!even) return {};
  std::vector<Family> families = relatives_of_all(families_of(*even), power);
  if (families.empty() || other == 0) return families;
  const std::optional<Tree> odd = tree_at(other);
  if (!odd) return {};
  std::erase_if(families, [&](const Family& each) { return !same(tree_of(each, other), *odd); });
  return families;
}

void tell(Answer& answer, std::size_t n) {
  if (answer.family) {
    answer.words = words_of(*answer.family, n);
  } else if (answer.tree) {
    constexpr std::size_t longest = 200;
    answer.words = fmt::format("a tree of no known family, {} additions high: {}", answer.tree->height(),
                               in_brackets(*answer.tree, longest));
  }
}

/// Up to most_terms: the whole tree, and a family that gives it.
void find_whole(Answer& answer, const ReductionOf& reduction_of, const Reduction& reduction, Masks& masks,
                std::uint64_t seed) {
  Search found = search(reduction, masks, seed);
  answer.verdict = found.verdict;
  answer.why = found.why;
  answer.tree = std::move(found.tree);
  if (answer.verdict != Verdict::fixed) return;
  std::vector<Family> families = families_of(*answer.tree);
  constexpr std::size_t least = 16;
  const std::size_t power = std::bit_floor(reduction.terms);
  if (families.empty() && reduction.terms > least && power != reduction.terms) {
    families = fitting(reduction_of, power, 0, seed, answer.questions);
    std::erase_if(families, [&](const Family& each) { return !same(tree_of(each, reduction.terms), *answer.tree); });
    std::ranges::stable_sort(families, {}, parts_of);
  }
  if (!families.empty()) answer.family = families.front();
}

/// The family, and blocks of it that are longer than the sizes that were asked as a whole: those whose blocks are
/// possible by the counts.
std::vector<Family> with_blocks(const Family& family, std::size_t n, std::span<const Pair> pairs,
                                std::span<const std::size_t> added) {
  std::vector<Family> all{family};
  for (std::size_t block = most_terms; block < n; block *= 2) {
    const bool is_possible = std::ranges::equal(pairs, added, [block](const Pair& pair, std::size_t size) {
      return (pair.first / block == pair.second / block) == (size <= block);
    });
    if (!is_possible) continue;
    for (const Family::Kind join : {Family::Kind::chain, Family::Kind::pairs, Family::Kind::folded}) {
      all.push_back({Family::Kind::blocks, block, 1, std::make_shared<const Family>(family),
                     std::make_shared<const Family>(Family{join})});
    }
  }
  return all;
}

/// Beyond: a family that fits smaller sizes, compared at some pairs.
void find_family(Answer& answer, const ReductionOf& reduction_of, const Reduction& reduction, Masks& masks,
                 std::uint64_t seed) {
  const std::size_t n = reduction.terms;
  const std::size_t asked = n > long_reduction ? 64 : 256;
  const std::vector<Pair> pairs = telling_pairs(n, asked, seed);
  // A narrow format cannot count all terms in an input: the ones are at some places alone.
  const bool counts_all = masks.ones() >= n;
  const std::vector<std::size_t> added = counts_all ? masks.added(pairs) : std::vector<std::size_t>();
  answer.why = fmt::format("more than {} terms, and of no known family where there are fewer", most_terms);
  for (std::size_t power = 256; power <= most_terms; power *= 4) {
    const std::size_t odd = power * 11 / 16 + 3;
    std::vector<Family> families;
    for (const Family& each : fitting(reduction_of, power, odd, seed, answer.questions)) {
      for (Family& other : with_blocks(each, n, pairs, added)) families.push_back(std::move(other));
    }
    for (const Family& each : families) {
      Tree tree = tree_of(each, n);
      const Meeting meets(tree);
      const bool fits = counts_all ? std::ranges::equal(pairs, added,
                                                        [&](const Pair& pair, std::size_t size) {
                                                          return meets(pair.first, pair.second) == size;
                                                        })
                                   : !contradiction(tree, masks, asked, seed);
      if (!fits) {
        answer.why =
            fmt::format("{} terms: {}; {} terms are added otherwise", power, words_of(families.front(), power), n);
        continue;
      }
      answer.verdict = Verdict::fixed;
      answer.why.clear();
      answer.family = each;
      answer.tree = std::move(tree);
      answer.is_sampled = true;
      answer.pairs = counts_all ? pairs.size() : asked;
      return;
    }
  }
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"fixed", "not fixed", "depends on the data", "no tree of additions",
                                                  "not decided"};
  return names[static_cast<std::size_t>(verdict)];
}

std::optional<Bound> bound_of(const Tree& tree, const Arithmetic& arithmetic, const Reduction& reduction) {
  const oracle::Format accumulator = prober::format_of(arithmetic.accumulator);
  const oracle::Format number = prober::format_of(reduction.number);
  if (tree.width() > 2 || accumulator.precision < number.precision) return std::nullopt;
  const bool rounds_products = reduction.has_products && accumulator.precision < 2 * number.precision;
  const std::size_t h = tree.height();
  Bound bound;
  bound.roundings = h + (rounds_products ? 1 : 0);
  const double u = std::ldexp(1, -accumulator.precision);
  const double hu = static_cast<double>(bound.roundings) * u;
  if (hu >= 1) return std::nullopt;
  constexpr double up = 1 + 0x1p-50;  // the quotient and the product are off by less
  bound.factor = hu / (1 - hu) * up;
  bound.any_order = static_cast<double>(tree.terms() - (rounds_products ? 0 : 1)) * u * up;
  bound.theorem = rounds_products ? "dot.tree.1" : "sum.tree.2";
  bound.statement =
      rounds_products ? fmt::format("|d̂ − d| ≤ γ_{}·Σ|xy| + (1 + γ_{})nη/2, u = 2^-{}", h + 1, h, accumulator.precision)
                      : fmt::format("|ŝ − s| ≤ γ_{}·S, u = 2^-{}", h, accumulator.precision);
  if (prober::format_of(reduction.result).precision < accumulator.precision) {
    bound.statement += fmt::format(", and the rounding of the result to {}", prober::name_of(reduction.result));
  }
  return bound;
}

Answer probe(const ReductionOf& reduction_of, std::size_t n, std::uint64_t seed) {
  const Reduction reduction = reduction_of(n);
  Masks masks(reduction);
  Answer answer;
  const auto change = change_of(reduction, masks, seed);
  if (change) {
    answer.verdict = Verdict::not_fixed;
    answer.why = *change;
  } else if (n <= most_terms) {
    find_whole(answer, reduction_of, reduction, masks, seed);
  } else {
    find_family(answer, reduction_of, reduction, masks, seed);
  }
  answer.questions += masks.asked();
  tell(answer, n);
  if (answer.verdict != Verdict::fixed || reduction.count_of) return answer;
  answer.prediction = predict(*answer.tree, reduction, seed);
  if (answer.prediction.not_repeated) {
    answer.verdict = Verdict::not_fixed;
    answer.why = fmt::format("one random input gives {:#x} in one call and {:#x} in another",
                             answer.prediction.not_repeated->got, answer.prediction.not_repeated->predicted);
    return answer;
  }
  const bool predicts = answer.prediction.predicted == answer.prediction.checked;
  if (predicts) {
    answer.bound = bound_of(*answer.tree, answer.prediction.arithmetic, reduction);
  } else if (answer.tree->width() == 2) {
    answer.verdict = Verdict::no_tree;
    answer.why = fmt::format(
        "masks show {}, but its additions predict {} of {} inputs: compensated, or in an order that depends on the "
        "data",
        answer.words, answer.prediction.predicted, answer.prediction.checked);
  } else {
    answer.verdict = Verdict::not_decided;
    answer.why = fmt::format(
        "masks show {}; what operations of several numbers compute is not among the known rules, which predict {} of "
        "{} "
        "inputs",
        answer.words, answer.prediction.predicted, answer.prediction.checked);
  }
  return answer;
}

}  // namespace assay::orders
