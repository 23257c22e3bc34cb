// gemm_bulk: correct rounding of matrix products bit for bit, in bulk. Products of every class of properties/gemm_cases
// with sides from 1 to 512, and some with a long inner dimension, are computed by every engine and compared with the
// exact products of the oracle, which host threads compute and round; for larger square products, a sample of the
// entries is compared. The fast mode is compared with its bound. With --every-entry every entry of every product is
// also judged by an exact sum of all terms, on the executor that computed it; the oracle's entries are among them.
// NearSum refuses matrices of more slices than it supports. Prints a count for each class, and for a failing entry the
// options that reproduce it. The work is the same for the same options, whatever the number of threads.
//
// Exit codes: run_bulk().

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "exec/array.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "oracle/decimal.hpp"
#include "oracle/integer_product.hpp"
#include "probes/matrix/entries.hpp"
#include "properties/catalog/gemm/fast_mode.hpp"
#include "properties/catalog/gemm/run.hpp"
#include "properties/draws/gemm/cases.hpp"
#include "properties/draws/gemm/claims.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/bulk_options.hpp"

namespace assay::gemm {
namespace {

using oracle::MatrixView;

struct Options : BulkOptions {
  std::int64_t largest = 0;  ///< of the square products whose entries are sampled; 0: none
  std::string engine = "all";
  bool every_entry = false;
};

struct Engine {
  const char* name;
  void (*multiply)(const Executor&, const GemmArguments&);
  /// Whether the host can compute this product in reasonable time.
  bool (*host)(const GemmCase&);
  bool within_bound = false;  ///< the fast mode: not correctly rounded
  bool (*applies)(const GemmCase&) = [](const GemmCase&) { return true; };
};

bool always(const GemmCase&) { return true; }
bool has_product(const GemmCase& c) { return c.reads_ab(); }
bool in_range_of_fast_mode(const GemmCase& c) { return gemm_numbers_in(c, {-1074, 299}); }
bool small(const GemmCase& c) { return c.m * c.n * c.k <= 1 << 19; }
/// The products in int8 fill up to multiples of 16.
bool small_filled_up(const GemmCase& c) {
  return std::max<std::int64_t>(16, c.m) * std::max<std::int64_t>(16, c.n) * c.k <= 1 << 19;
}

void by_gemm(const Executor& on, const GemmArguments& g) {
  gemm(on, g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc);
}
void by_gemm_in_little_memory(const Executor& on, const GemmArguments& g) {
  gemm(on, g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc,
       {.workspace_bytes = std::size_t{24} << 20});
}

template <OzakiSum sum, int levels, bool every_product>
void by_ozaki(const Executor& on, const GemmArguments& g) {
  gemm_ozaki(on, g, {}, {.sum = sum, .levels = levels, .every_product = every_product});
}
template <int terms>
void by_superaccumulator(const Executor& on, const GemmArguments& g) {
  gemm_superaccumulator(on, g, terms);
}

/// A product with one vector for each column.
void by_gemv(const Executor& on, const GemmArguments& g) {
  const bool transposed = g.trans_a == blas::Transpose::yes;
  for (std::int64_t j = 0; j < g.n; ++j) {
    gemv::exact_gemv(on, g.trans_a, transposed ? g.k : g.m, transposed ? g.m : g.k, g.alpha, g.a, g.lda,
                     g.b + j * g.column_step_b(), g.row_step_b(), g.beta, g.c + j * g.ldc, 1);
  }
}

constexpr Engine engines[] = {
    {"gemm", by_gemm, always},
    {"gemm_in_24_MiB", by_gemm_in_little_memory, small},
    {"crt", [](const Executor& on, const GemmArguments& g) { gemm_crt(on, g); }, small_filled_up},
    {"ozaki_as_decided", by_ozaki<OzakiSum::integers, 0, false>, small},
    {"ozaki_all_products", by_ozaki<OzakiSum::integers, 0, true>, small},
    {"ozaki_near_sum", by_ozaki<OzakiSum::near_sum, 0, false>, small},
    {"ozaki_fast", by_ozaki<OzakiSum::integers, fast_levels, false>, small, true, in_range_of_fast_mode},
    {"superaccumulator3", by_superaccumulator<3>, small},
    {"superaccumulator8", by_superaccumulator<8>, small},
    {"gemv", by_gemv, small, false, has_product},
};
constexpr std::size_t engine_count = std::size(engines);

/// Whether the option names the engine.
bool is_asked(const Engine& engine, const Options& options) {
  return options.engine == "all" || options.engine == engine.name;
}

/// The classes from which large products are drawn.
bool is_drawn_large(const GemmClass& of) {
  static constexpr const char* names[] = {"(rand - 1/2)exp(phi randn), phi = 0",
                                          "(rand - 1/2)exp(phi randn), phi = 1",
                                          "(rand - 1/2)exp(phi randn), phi = 4",
                                          "(rand - 1/2)exp(phi randn), phi = 8",
                                          "one sign, [1/2, 1)",
                                          "ties ± tiny, hidden by cancellation"};
  return std::any_of(std::begin(names), std::end(names), [&](const char* name) { return of.name == name; });
}

/// Inner dimensions around the lengths of the blocks of products in int8 and in slices.
constexpr std::int64_t long_inner[] = {65535, 65536, 65537, 131071, 131072, 131073};

/// A product to compute: case `number` of a class.
struct Task {
  std::size_t of_class;
  std::uint64_t number;
  std::int64_t m, n, k;
  bool sampled;
};

/// The findings for a class.
struct Count {
  std::uint64_t products = 0, entries = 0, sampled = 0;
  std::uint64_t wrong[engine_count] = {};
  std::uint64_t judged[engine_count] = {};
  std::uint64_t every[engine_count] = {};    ///< entries judged by exact sums on the executor
  std::uint64_t refused[engine_count] = {};  ///< products of more slices than the engine supports
};

/// Changes the last bit of a number in the memory of an executor.
void change_last_bit(const Executor& on, double* at) {
  std::uint64_t bits = 0;
  copy_from(on, &bits, at, sizeof bits);
  bits ^= 1;
  copy_to(on, at, &bits, sizeof bits);
}

/// From 1 to 512, small ones as often as large ones, and the edges of tiles.
std::int64_t draw_side(Draw& draw) {
  const int bits = draw.between(0, 9);
  const std::int64_t power = std::int64_t{1} << bits;
  if (draw.one_in(4)) return std::clamp<std::int64_t>(power + draw.between(-1, 1), 1, 512);
  return std::min<std::int64_t>(512, power + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(power))));
}

std::vector<Task> all_tasks(const Options& options) {
  std::vector<Task> tasks;
  for (std::size_t c = 0; c < gemm_classes().size(); ++c) {
    Draw draw(random_for(options.seed, "gemm_bulk", c));
    std::uint64_t number = 0;
    std::uint64_t entries = 0;
    if (is_drawn_large(gemm_classes()[c])) {
      for (std::int64_t side = options.largest; side >= 1024; side /= 2) {
        tasks.push_back({c, number++, side, side, side, true});
      }
    }
    const bool has_long = is_drawn_large(gemm_classes()[c]) || gemm_classes()[c].name == "maximal significands";
    if (has_long && options.entries >= 1000) {
      for (const std::int64_t k : long_inner) tasks.push_back({c, number++, 1, 2, k, false});
    }
    if (options.entries > 512 * 512) {
      tasks.push_back({c, number++, 512, 512, 512, false});
      entries += 512 * 512;
    }
    while (entries < options.entries) {
      const Task& task =
          tasks.emplace_back(Task{c, number++, draw_side(draw), draw_side(draw), draw_side(draw), false});
      entries += static_cast<std::uint64_t>(task.m * task.n);
    }
  }
  // The longest first, so that threads finish at about the same time.
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const Task& a, const Task& b) { return a.m * a.n * a.k > b.m * b.n * b.k; });
  return tasks;
}

GemmCase made(const Task& task, const Options& options) {
  const GemmClass& of = gemm_classes()[task.of_class];
  Draw draw(random_for(options.seed, "gemm_bulk " + of.name, task.number));
  std::vector<GemmEntries> one;
  one.emplace_back(task.m, task.n, task.k);
  draw_gemm_entries(draw, of, one.front());
  if (one.front().alpha == 0 && task.sampled) one.front().alpha = 1;
  return laid_out(draw, one, {});
}

/// Rows and columns of C that are judged, and the exact values of their entries: column-major, rows × columns.
struct Truth {
  std::vector<std::int64_t> rows, columns;
  std::vector<std::uint64_t> patterns;
  GemmMatrix start;
  std::unique_ptr<oracle::IntegerProduct> product;

  /// The exact entry at place (i, j) among the rows and columns.
  [[nodiscard]] oracle::Dyadic value(const GemmCase& c, std::int64_t i, std::int64_t j) const {
    oracle::Dyadic sum;
    if (c.reads_ab()) sum = value_of(c.alpha) * product->value(i, j);
    if (c.reads_c()) sum.add_mul(value_of(c.beta), value_of(start.at(i, j)));
    return sum;
  }
};

/// `count` numbers below `size` in ascending order; all of them if `count` is `size`.
std::vector<std::int64_t> chosen(Draw& draw, std::int64_t size, std::int64_t count) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = i * size / count;
    const std::int64_t last = (i + 1) * size / count;
    all.push_back(first + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(last - first))));
  }
  return all;
}

GemmMatrix cut(const MatrixView& x, const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns) {
  GemmMatrix part(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size()));
  for (std::int64_t j = 0; j < part.columns; ++j) {
    for (std::int64_t i = 0; i < part.rows; ++i) {
      part.at(i, j) = x.at(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    }
  }
  return part;
}

Truth truth_of(const Task& task, const GemmCase& c, const Options& options) {
  Draw draw(random_for(options.seed, "gemm_bulk entries", task.number));
  const std::int64_t most = task.sampled ? 64 : 512;
  Truth truth{chosen(draw, c.m, std::min(c.m, most)), chosen(draw, c.n, std::min(c.n, most)), {}, {}, {}};
  const std::int64_t k = c.reads_ab() ? c.k : 0;
  const std::vector<std::int64_t> inner = chosen(draw, k, k);
  const GemmMatrix a = cut(op_a(c, 0), truth.rows, inner);
  const GemmMatrix b = cut(op_b(c, 0), inner, truth.columns);
  truth.start = cut(start_of(c, 0), truth.rows, truth.columns);
  truth.product = std::make_unique<oracle::IntegerProduct>(a.view(), b.view());
  truth.patterns = truth.product->rounded(c.reads_ab() ? c.alpha : 0, c.beta, truth.start.view());
  return truth;
}

class Bulk {
 public:
  explicit Bulk(const Options& options)
      : options_(options), on_(options.executor()), tasks_(all_tasks(options)), counts_(gemm_classes().size()) {}

  /// Whether every bit is right.
  bool run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options_.threads; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& each : threads) each.join();
    return print();
  }

 private:
  void work() {
    for (std::size_t at = next_++; at < tasks_.size(); at = next_++) {
      try {
        do_task(tasks_[at]);
      } catch (const std::exception& error) {
        const std::lock_guard lock(results_);
        ++failures_;
        std::printf("%s, product %llu: %s\n", gemm_classes()[tasks_[at].of_class].name.c_str(),
                    static_cast<unsigned long long>(tasks_[at].number), error.what());
      }
    }
  }

  void do_task(const Task& task) {
    const GemmCase c = made(task, options_);
    const Truth truth = truth_of(task, c, options_);
    Count found;
    found.products = 1;
    (task.sampled ? found.sampled : found.entries) = truth.patterns.size();
    for (std::size_t e = 0; e < engine_count; ++e) {
      if (!is_asked(engines[e], options_) || (options_.on == "host" && !engines[e].host(c))) continue;
      if (!engines[e].applies(c)) continue;
      std::vector<double> result;
      try {
        result = product(task, engines[e], c, truth, found.every[e], found.wrong[e]);
      } catch (const SliceCapError&) {
        ++found.refused[e];
        continue;
      }
      found.judged[e] = truth.patterns.size();
      found.wrong[e] += engines[e].within_bound ? compare_with_bound(task, engines[e], c, truth, result)
                                                : compare(task, engines[e], c, truth, result);
    }
    const std::lock_guard lock(results_);
    Count& total = counts_[task.of_class];
    total.products += found.products;
    total.entries += found.entries;
    total.sampled += found.sampled;
    for (std::size_t e = 0; e < engine_count; ++e) {
      total.judged[e] += found.judged[e];
      total.wrong[e] += found.wrong[e];
      total.every[e] += found.every[e];
      total.refused[e] += found.refused[e];
    }
  }

  /// One product at a time on a device.
  std::vector<double> product(const Task& task, const Engine& engine, const GemmCase& c, const Truth& truth,
                              std::uint64_t& judged, std::uint64_t& wrong) {
    std::unique_lock lock(device_, std::defer_lock);
    if (options_.on == "cuda") lock.lock();
    const bool judges = options_.every_entry && !engine.within_bound && c.m * c.n > 0;
    const Array<double> start(on_, judges ? std::span<const double>(c.c) : std::span<const double>());
    return run_gemm(on_, c, [&](const GemmArguments& g) {
      engine.multiply(on_, g);
      if (options_.wrong && !truth.patterns.empty()) {
        change_last_bit(on_, g.c + truth.rows.back() + truth.columns.back() * g.ldc);
      }
      if (judges) {
        judged += static_cast<std::uint64_t>(c.m * c.n);
        wrong += judge_every_entry(task, engine, c, g, start.data());
      }
    });
  }

  /// The entries that the exact sums of their terms find wrong; the first of them is printed.
  std::uint64_t judge_every_entry(const Task& task, const Engine& engine, const GemmCase& c, const GemmArguments& g,
                                  const double* start) {
    using probes::matrix::Rounded;
    const Rounded probe{{{g.m,
                          g.n,
                          g.k,
                          g.alpha,
                          {g.a, g.row_step_a(), g.column_step_a()},
                          {g.b, g.row_step_b(), g.column_step_b()},
                          g.beta,
                          {start, 1, g.ldc}},
                         {g.c, 1, g.ldc}}};
    std::uint64_t wrong = 0;
    const std::uint64_t cells = (probe.size(0) + Rounded::cell - 1) / Rounded::cell;
    for (const probes::CellResult& each : probes::judge_cells(on_, probe, 1, 0, 0, 0, cells)) {
      if (each.undecided != 0 && wrong == 0) {
        const probes::matrix::Place at = probe.at(0, each.number);
        double got = 0;
        copy_from(on_, &got, g.c + at.row + at.column * g.ldc, sizeof got);
        say_wrong(task, engine, c, at.row, at.column, std::bit_cast<std::uint64_t>(got), std::nullopt);
      }
      wrong += each.undecided;
    }
    return wrong;
  }

  /// The entries that are wrong; the first of them is printed.
  std::uint64_t compare(const Task& task, const Engine& engine, const GemmCase& c, const Truth& truth,
                        const std::vector<double>& result) {
    std::uint64_t wrong = 0;
    auto want = truth.patterns.begin();
    for (const std::int64_t j : truth.columns) {
      for (const std::int64_t i : truth.rows) {
        const auto got = std::bit_cast<std::uint64_t>(result[c.c_at(0, i, j)]);
        if (got != *want && wrong++ == 0) say_wrong(task, engine, c, i, j, got, *want);
        ++want;
      }
    }
    return wrong;
  }

  /// The entries beyond the bound of the fast mode; the first of them is printed.
  std::uint64_t compare_with_bound(const Task& task, const Engine& engine, const GemmCase& c, const Truth& truth,
                                   const std::vector<double>& result) {
    std::uint64_t wrong = 0;
    const FastBound bound(c);
    auto want = truth.patterns.begin();
    for (std::size_t j = 0; j < truth.columns.size(); ++j) {
      for (std::size_t i = 0; i < truth.rows.size(); ++i, ++want) {
        const double got = result[c.c_at(0, truth.rows[i], truth.columns[j])];
        const oracle::Dyadic exact = truth.value(c, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
        const bool holds =
            std::isfinite(got) &&
            judge_within(value_of(got), exact, bound.of(truth.rows[i], truth.columns[j], exact)).verdict ==
                Verdict::holds;
        if (!holds && wrong++ == 0) {
          say_wrong(task, engine, c, truth.rows[i], truth.columns[j], std::bit_cast<std::uint64_t>(got), *want);
        }
      }
    }
    return wrong;
  }

  void say_wrong(const Task& task, const Engine& engine, const GemmCase& c, std::int64_t i, std::int64_t j,
                 std::uint64_t got, std::optional<std::uint64_t> want) {
    const std::lock_guard lock(results_);
    std::printf("WRONG: %s, %s, seed %llu, product %llu: m %lld n %lld k %lld, entry (%lld, %lld): %s, not %s%s\n",
                engine.name, gemm_classes()[task.of_class].name.c_str(), static_cast<unsigned long long>(options_.seed),
                static_cast<unsigned long long>(task.number), static_cast<long long>(c.m), static_cast<long long>(c.n),
                static_cast<long long>(c.k), static_cast<long long>(i), static_cast<long long>(j),
                oracle::to_hex(oracle::binary64, got).c_str(),
                want ? oracle::to_hex(oracle::binary64, *want).c_str() : "its exact sum rounded",
                engine.within_bound ? " within the bound" : "");
  }

  bool print() const {
    std::uint64_t entries = 0;
    std::uint64_t sampled = 0;
    std::uint64_t wrong = failures_;
    std::printf("%10s%10s%9s  class, on %s\n", "products", "entries", "sampled", options_.on.c_str());
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const Count& each = counts_[c];
      std::printf("%10llu%10llu%9llu  %s\n", static_cast<unsigned long long>(each.products),
                  static_cast<unsigned long long>(each.entries), static_cast<unsigned long long>(each.sampled),
                  gemm_classes()[c].name.c_str());
      entries += each.entries;
      sampled += each.sampled;
    }
    for (std::size_t e = 0; e < engine_count; ++e) {
      if (!is_asked(engines[e], options_)) continue;
      std::uint64_t judged = 0;
      std::uint64_t bad = 0;
      std::uint64_t refused = 0;
      std::uint64_t every = 0;
      for (const Count& each : counts_) {
        judged += each.judged[e];
        bad += each.wrong[e];
        refused += each.refused[e];
        every += each.every[e];
      }
      wrong += bad;
      const std::string by_sums = ", " + std::to_string(every) + " by exact sums of all terms";
      std::printf("%s: %llu entries judged%s%s, %llu wrong, %llu products refused\n", engines[e].name,
                  static_cast<unsigned long long>(judged), engines[e].within_bound ? " against its bound" : "",
                  options_.every_entry ? by_sums.c_str() : "", static_cast<unsigned long long>(bad),
                  static_cast<unsigned long long>(refused));
    }
    std::printf("%llu entries of products up to 512, %llu sampled of larger ones: %s\n",
                static_cast<unsigned long long>(entries), static_cast<unsigned long long>(sampled),
                wrong == 0 ? "all rounded correctly, the fast mode within its bound" : "NOT all rounded correctly");
    return wrong == 0;
  }

  Options options_;
  Executor on_;
  std::vector<Task> tasks_;
  std::vector<Count> counts_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex results_, device_;
  std::uint64_t failures_ = 0;
};

int run(int argc, char** argv) {
  Options options;
  options.entries = 400000;
  CLI::App app("Compares matrix products of every engine, bit for bit, with the exact products.", "gemm_bulk");
  add_bulk_options(app, options);
  app.add_option("--largest", options.largest, "the largest square product of which entries are sampled; 0: none")
      ->check(CLI::Range(0, 8192));
  app.add_flag("--every-entry", options.every_entry, "exact sums of all terms judge every entry, where C was made");
  std::set<std::string> names{"all"};
  for (const Engine& each : engines) names.insert(each.name);
  app.add_option("--engine", options.engine, "one engine, or all")->check(CLI::IsMember(names));
  return run_bulk(app, argc, argv, options, [&] { return Bulk(options).run(); });
}

}  // namespace
}  // namespace assay::gemm

int main(int argc, char** argv) { return assay::gemm::run(argc, argv); }
