#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>

#include "properties/framework/laid.hpp"
#include "properties/framework/shrink.hpp"

namespace assay {

namespace {

/// Up to this length of an axis, each place is tried alone, and together with the sum of the others.
constexpr std::size_t longest_alone = 64;
/// Up to this length of an axis any two terms are merged.
constexpr std::size_t longest_in_pairs = 12;

/// An axis longer than this is shortened too slowly by chunks of at most 2^(chunk_sizes − 1) places. Its terms are
/// neither paired nor merged.
constexpr std::size_t longest_in_chunks = std::size_t{1} << 16;

/// The passes of the structure: these three, then for every size of chunks, the largest first, one pass of each kind.
enum Single : std::size_t { integers, gaps, alone, singles };
enum Chunked : std::size_t { left_out, pairs, runs, chunked };
/// The last one.
constexpr std::size_t rests = singles + chunked * chunk_sizes;
static_assert(structure_passes == rests + 1);

std::vector<std::size_t> all_but(std::size_t length, std::size_t first, std::size_t end) {
  std::vector<std::size_t> rest(length);
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(first), rest.begin() + static_cast<std::ptrdiff_t>(end));
  return rest;
}

/// A record in every reading of its lists, and the steps collected for it.
struct Collected {
  std::vector<Laid> laid;
  std::vector<std::function<std::optional<Record>(const Collected&)>> steps;
};

/// Chunks of `chunk` places that cover 0 … length − 1: f(first, end). None if half a chunk covers them, too.
template <class F>
void for_each_chunk(std::size_t length, std::size_t chunk, F&& f) {
  if (length == 0 || (chunk > 1 && chunk / 2 >= length)) return;
  for (std::size_t first = 0; first < length; first += chunk) f(first, std::min(first + chunk, length));
}

template <class F>
void for_each_axis(const Collected& all, F&& f) {
  for (std::size_t l = 0; l < all.laid.size(); ++l) {
    for (std::size_t axis = 0; axis < all.laid[l].axes(); ++axis) f(l, axis, all.laid[l].length(axis));
  }
}

/// Integers that are neither lengths nor steps: set to 0, 1, half, and nearer to 0 by powers of two. The entries are
/// moved to the places that the new value requires.
void lower_integers(Collected& all, const Record& record, const AxesOf& axes) {
  for (std::size_t f = 0; f < record.fields.size(); ++f) {
    const auto* integer = std::get_if<std::int64_t>(&record.fields[f].value);
    if (integer == nullptr || *integer == 0 || (!all.laid.empty() && all.laid.front().is_bound(f))) continue;
    const std::int64_t sign = *integer < 0 ? -1 : 1;
    std::vector<std::int64_t> values{0, 1, *integer / 2};
    for (std::int64_t size = std::int64_t{1} << 40; size > 0; size /= 2) {
      if (size < *integer * sign) values.push_back(*integer - sign * size);
    }
    for (const std::int64_t value : values) {
      all.steps.emplace_back([&record, f, value, axes](const Collected& of) -> std::optional<Record> {
        Record changed = record;
        changed.fields[f].value = value;
        if (of.laid.size() == 1) {
          const std::vector<Axes> now = axes(changed);
          if (auto moved = now.size() == 1 ? of.laid[0].moved_to(changed, now[0]) : std::nullopt) return moved;
        }
        return changed;
      });
    }
  }
}

void close_gaps(Collected& all) {
  for (std::size_t l = 0; l < all.laid.size(); ++l) {
    const std::set<std::size_t> steps = all.laid[l].loose_steps();
    if (steps.size() > 1) all.steps.emplace_back([l, steps](const Collected& of) { return of.laid[l].packed(steps); });
    for (const std::size_t step : steps) {
      all.steps.emplace_back([l, step](const Collected& of) { return of.laid[l].packed({step}); });
    }
  }
}

void keep_one_place(Collected& all) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    for (std::size_t i = 0; length > 2 && length <= longest_alone && i < length; ++i) {
      all.steps.emplace_back([=](const Collected& of) { return of.laid[l].kept(axis, {i}); });
    }
  });
}

void leave_out_chunks(Collected& all, std::size_t chunk) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    for_each_chunk(length, chunk, [&](std::size_t first, std::size_t end) {
      all.steps.emplace_back([=](const Collected& of) { return of.laid[l].kept(axis, all_but(length, first, end)); });
    });
  });
}

/// Pairs of places whose terms have opposite signs and a sum of at most half the larger one: each place in at most one
/// pair, equal magnitudes together.
std::vector<std::pair<std::size_t, std::size_t>> cancelling_pairs(const std::vector<oracle::Dyadic>& terms) {
  std::vector<std::size_t> by_magnitude;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].is_zero()) by_magnitude.push_back(i);
  }
  std::stable_sort(by_magnitude.begin(), by_magnitude.end(),
                   [&](std::size_t i, std::size_t j) { return compare_abs(terms[i], terms[j]) < 0; });
  std::vector<std::size_t> single;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t i : by_magnitude) {
    if (!single.empty() && terms[single.back()].sign() != terms[i].sign() &&
        compare_abs((terms[single.back()] + terms[i]).mul_2exp(1), terms[i]) <= 0) {
      pairs.push_back(std::minmax(single.back(), i));
      single.pop_back();
    } else {
      single.push_back(i);
    }
  }
  return pairs;
}

/// Pairs of terms that cancel or nearly cancel: removed together, or each replaced by its sum.
void drop_pairs(Collected& all, std::size_t chunk) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    if (!all.laid[l].is_sum(axis) || length < 2 || length > longest_in_chunks) return;
    const auto found = cancelling_pairs(all.laid[l].terms(axis));
    for_each_chunk(found.size(), chunk, [&](std::size_t first, std::size_t end) {
      std::vector<std::size_t> rest = all_but(length, 0, 0);
      for (std::size_t k = first; k < end; ++k) {
        std::erase(rest, found[k].first);
        std::erase(rest, found[k].second);
      }
      all.steps.emplace_back([=](const Collected& of) { return of.laid[l].kept(axis, rest); });
      if (chunk == 1) {
        all.steps.emplace_back([=, pair = found[first]](const Collected& of) {
          return of.laid[l].merged(axis, {pair.first, pair.second}, false);
        });
      }
    });
  });
}

/// Replaces terms by their sum: rounded, or as the few numbers that add up to it exactly.
void merge(Collected& all, std::size_t l, std::size_t axis, const std::vector<std::size_t>& places) {
  if (places.size() < 2) return;
  for (const bool exactly : {false, true}) {
    all.steps.emplace_back([=](const Collected& of) { return of.laid[l].merged(axis, places, exactly); });
  }
}

/// Replaces by their sum: all terms but one, the terms before a term, the terms from it on, and in a short sum any two.
void merge_rests(Collected& all) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    if (!all.laid[l].is_sum(axis) || length > longest_alone) return;
    for (std::size_t i = 0; i < length; ++i) {
      merge(all, l, axis, all_but(length, i, i + 1));
      if (i > 0) merge(all, l, axis, all_but(length, i, length));
      if (i > 0) merge(all, l, axis, all_but(length, 0, i));
      for (std::size_t j = i + 1; length <= longest_in_pairs && j < length; ++j) merge(all, l, axis, {i, j});
    }
  });
}

/// Replaces runs of terms by their sums; each run overlaps the next one by a half.
void merge_runs(Collected& all, std::size_t chunk) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    if (!all.laid[l].is_sum(axis) || chunk < 2 || length < 2 || chunk / 2 >= length || length > longest_in_chunks)
      return;
    const std::size_t run = std::min(chunk, length);
    for (std::size_t first = 0; first + run <= length; first += run / 2) {
      std::vector<std::size_t> places(run);
      std::iota(places.begin(), places.end(), first);
      merge(all, l, axis, places);
    }
  });
}

/// Keeps parts of a long axis: few of the first places, the first half, the last half, the first three quarters, the
/// first seven eighths, …
void keep_parts(Collected& all) {
  for_each_axis(all, [&](std::size_t l, std::size_t axis, std::size_t length) {
    if (length <= longest_in_chunks) return;
    const auto keep = [&](std::size_t first, std::size_t end) {
      all.steps.emplace_back([=](const Collected& of) {
        std::vector<std::size_t> places(end - first);
        std::iota(places.begin(), places.end(), first);
        return of.laid[l].kept(axis, places);
      });
    };
    for (std::size_t few = 8; few < length / 2; few *= 8) keep(0, few);
    keep(0, length / 2);
    keep(length / 2, length);
    for (std::size_t part = 4; part <= 64; part *= 2) keep(0, length - length / part);
  });
}

/// The record of `laid`, its reading `l`, with `few` of the first places of every axis.
std::optional<Record> cut(Laid laid, const AxesOf& axes, std::size_t l, std::size_t few) {
  std::optional<Record> smaller;
  for (std::size_t axis = 0; axis < laid.axes(); ++axis) {
    if (laid.length(axis) <= few) continue;
    std::vector<std::size_t> places(few);
    std::iota(places.begin(), places.end(), std::size_t{0});
    smaller = laid.kept(axis, places);
    const std::vector<Axes> readings = axes(*smaller);
    std::optional<Laid> next = l < readings.size() ? Laid::of(*smaller, readings[l]) : std::nullopt;
    if (!next || next->axes() != laid.axes()) return std::nullopt;
    laid = *std::move(next);
  }
  return smaller;
}

/// Cuts all axes of a large record at once, to very few places first: these candidates cost little.
void cut_all_axes(Collected& all, const AxesOf& axes) {
  for (std::size_t l = 0; l < all.laid.size(); ++l) {
    std::size_t longest = 0;
    for (std::size_t axis = 0; axis < all.laid[l].axes(); ++axis) longest = std::max(longest, all.laid[l].length(axis));
    for (std::size_t few = 1; few < longest; few *= 2) {
      all.steps.emplace_back([=](const Collected& of) { return cut(of.laid[l], axes, l, few); });
    }
  }
}

ShrinkPass pass_of(const std::shared_ptr<Collected>& all) {
  return {all->steps.size(), [all](std::size_t i) { return all->steps[i](*all); }};
}

std::shared_ptr<Collected> laid_out(const Record& record, const AxesOf& axes) {
  const auto all = std::make_shared<Collected>();
  for (const Axes& each : axes(record)) {
    if (auto laid = Laid::of(record, each)) all->laid.push_back(std::move(*laid));
  }
  return all;
}

}  // namespace

ShrinkPass part_pass(const Record& record, const AxesOf& axes) {
  const std::shared_ptr<Collected> all = laid_out(record, axes);
  if (numbers_in(record) > longest_in_chunks) cut_all_axes(*all, axes);
  keep_parts(*all);
  ShrinkPass pass = pass_of(all);
  pass.restarts = true;
  return pass;
}

ShrinkPass structure_pass(const Record& record, const AxesOf& axes, std::size_t which) {
  const std::shared_ptr<Collected> all = laid_out(record, axes);
  const std::size_t chunk =
      which < singles || which == rests ? 0 : std::size_t{1} << (chunk_sizes - 1 - (which - singles) % chunk_sizes);
  if (which == integers) {
    lower_integers(*all, record, axes);
  } else if (which == gaps) {
    close_gaps(*all);
  } else if (which == alone) {
    keep_one_place(*all);
  } else if (which == rests) {
    merge_rests(*all);
  } else if ((which - singles) / chunk_sizes == left_out) {
    leave_out_chunks(*all, chunk);
  } else if ((which - singles) / chunk_sizes == pairs) {
    drop_pairs(*all, chunk);
  } else {
    merge_runs(*all, chunk);
  }
  return pass_of(all);
}

}  // namespace assay
