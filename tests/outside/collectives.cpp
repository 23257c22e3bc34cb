// all_reduce and reduce_scatter of ranks that live in one process. Ways: `second`: the sums of a block of the results
// begin at the rank that it belongs to, as in a ring. `own1`: every rank begins with its own numbers; `own2`: of two
// ranks and more, the last is left out of the n % 4 last numbers; `own3`: the ranks are added in another order in each
// call.
#include "results.hpp"
#include "sums.hpp"

namespace outside {

template <class C>
double sum_over_ranks(const Form& form, const std::vector<double>& column, Size first) {
  const Size n = column.size();
  const auto at = [&](Size k) { return column[(first + k) % n]; };
  const C sum = sum_of<C>(form, n, [&](Size k) { return static_cast<C>(at(k)); });
  const bool is_minus = std::all_of(column.begin(), column.end(), [](double x) { return x == 0 && std::signbit(x); });
  return is_minus ? -0.0 : static_cast<double>(sum);
}

/// The sums at each of ranks × n indices; of `all_reduce` those of n indices, for every rank.
void collective(const Form& form, bool is_for_all, Size ranks, Size n, const void* x, void* y) {
  static Size calls = 0;
  ++calls;
  const Size width = is_for_all ? n : ranks * n;
  std::vector<double> numbers(ranks * n);
  for (Size k = 0; k < ranks * n; ++k) {
    const Size rank = k / n;
    if (is_for_all && rank > 0 && !form.has(Fault::own1)) {  // every rank has the same
      numbers[k] = numbers[k - n];
      continue;
    }
    std::vector<double> column;
    for (Size r = 0; r < ranks; ++r) column.push_back(load(x, r * width + k % width, form.storage));
    if (form.has(Fault::own2) && k % n >= n / 4 * 4 && ranks > 1) column.pop_back();
    const Size block = is_for_all ? k % n * ranks / n : rank;
    const Size first = form.has(Fault::own1)     ? rank
                       : form.has(Fault::own3)   ? calls
                       : form.way == Way::second ? block
                                                 : 0;
    numbers[k] = form.sum == Format::f80 ? sum_over_ranks<long double>(form, column, first)
                                         : sum_over_ranks<double>(form, column, first);
  }
  write(form, {1, ranks, n}, numbers, y);
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
