#include "tools/mutate/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tools/mutate/children.hpp"
#include "tools/mutate/files.hpp"
#include "tools/mutate/mutation.hpp"

namespace mutate {
namespace {

namespace fs = std::filesystem;

/// The checks that reach the mutant; first those that reach it in the fewest cases.
std::vector<std::size_t> reaching_in_any_stage(int mutant, std::span<const Asked> checks) {
  std::vector<std::size_t> found;
  for (int stage = 0; stage < stages; ++stage) {
    for (const std::size_t i : reaching(mutant, stage, checks)) {
      if (std::find(found.begin(), found.end(), i) == found.end()) found.push_back(i);
    }
  }
  return found;
}

struct Hash {
  std::uint64_t value;
  bool is_known;
};

/// hash(i) for each i, with the original; without checks whose process ends early.
template <class F>
std::map<std::size_t, std::uint64_t> hashes_of_original(const std::vector<std::size_t>& of, unsigned jobs,
                                                        const F& hash) {
  std::map<std::size_t, std::uint64_t> hashes;
  in_children<Hash>(
      of.size(), jobs,
      [&](std::size_t k, Hash& made) {
        made = {hash(of[k]), true};
      },
      [&](std::size_t k, const Hash& made, int) {
        if (made.is_known) hashes[of[k]] = made.value;
      });
  return hashes;
}

/// The compiler's result for a source with a mutant.
struct Compiled {
  enum class End { done, refused, failed };
  End end = End::failed;
  std::uint64_t hash = 0;  ///< of the object code
  std::string refused_at;  ///< file:line of the assertion, or of the expression that is not constant
};

/// The place of the first error, if it is an assertion that fails or a constant expression without a value (an access
/// outside an array, an overflow); empty if the first error is another one, which may cause such errors.
std::string refused_at(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t error = line.find(": error: ");
    if (error == line.npos) continue;
    for (const char* const each : {"static assertion", "static_assert failed", "non-constant", "constant expression",
                                   "constexpr", "array subscript", "outside the bounds"}) {
      if (line.find(each, error) == line.npos) continue;
      const std::string place = line.substr(0, error);
      return place.substr(0, place.rfind(':'));  // without the column
    }
    break;
  }
  return "";
}

/// The words of a call of the compiler, whose messages come with its output.
Compiled run_compiler(const std::vector<std::string>& options, const std::vector<std::string>& more) {
  std::vector<std::string> words = options;
  words.insert(words.end(), more.begin(), more.end());
  const Finished finished = run_to_end(words);
  Compiled compiled;
  if (finished.code == 0) compiled.end = Compiled::End::done;
  compiled.refused_at = finished.code == 0 ? "" : refused_at(finished.out);
  if (!compiled.refused_at.empty()) compiled.end = Compiled::End::refused;
  return compiled;
}

/// Compiles object code, and keeps that of the original.
class Compiler {
 public:
  explicit Compiler(const Compilation& compilation) : compilation_(compilation) {
    fs::create_directories(compilation.objects);
  }

  const std::string& name() const { return compilation_.words.front(); }

  Compiled compile(const std::string& source, int mutant) {
    const fs::path object =
        compilation_.objects / fmt::format("{}.o", ++compiled_);  // two threads may compile one source
    Compiled compiled =
        run_compiler(compilation_.words, {"-O2", fmt::format("-DMUTATION_NUMBER={}", mutant), "-frandom-seed=assay",
                                          "-c", (compilation_.tree / source).string(), "-o", object.string()});
    if (compiled.end == Compiled::End::done) compiled.hash = fnv1a(read_file(object));
    fs::remove(object);
    return compiled;
  }

  std::uint64_t original(const std::string& source) {
    {
      const std::lock_guard lock(mutex_);
      const auto known = originals_.find(source);
      if (known != originals_.end()) return known->second;
    }
    const Compiled compiled = compile(source, 0);
    if (compiled.end != Compiled::End::done) throw std::runtime_error(source + " does not compile without a mutant");
    const std::lock_guard lock(mutex_);
    return originals_.emplace(source, compiled.hash).first->second;
  }

 private:
  const Compilation& compilation_;
  std::atomic<unsigned> compiled_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> originals_;
};

Result killed_by_assertion(int mutant, const Compiled& compiled, const fs::path& tree) {
  const std::string& at = compiled.refused_at;
  const std::string prefix = tree.string() + "/";
  Result result;
  result.number = mutant;
  result.outcome = Result::Outcome::killed;
  result.by = std::string(by_compiler) + (at.starts_with(prefix) ? at.substr(prefix.size()) : at);
  return result;
}

/// The conclusion from object code about a mutant; empty if it differs.
std::optional<Result> judged_by_object_code(const Mutant& mutant, const std::vector<std::string>& sources,
                                            bool is_reached, const fs::path& tree, Compiler& compiler) {
  for (const std::string& source : sources) {
    const Compiled compiled = compiler.compile(source, mutant.number);
    if (compiled.end == Compiled::End::refused) return killed_by_assertion(mutant.number, compiled, tree);
    if (compiled.end == Compiled::End::failed || compiled.hash != compiler.original(source)) return std::nullopt;
  }
  Result result;
  result.number = mutant.number;
  const bool is_header_of_kernels = mutant.file.starts_with("kernels/") && !mutant.file.ends_with(".cpp");
  if (is_header_of_kernels && !is_reached) {  // a function for callers
    result.outcome = Result::Outcome::not_reached;
    result.by = fmt::format("not reached; no other object code in {} sources", sources.size());
    return result;
  }
  result.outcome = Result::Outcome::equivalent;
  result.by =
      fmt::format("the object code of {} sources by {}", sources.size(), fs::path(compiler.name()).filename().string());
  return result;
}

/// Calls work(i) for i = 0 … count − 1 in threads. Errors: the exceptions of work.
template <class Work>
void in_threads(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  std::exception_ptr failed;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(telling);
      failed = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(run);
  for (std::thread& each : threads) each.join();
  if (failed) std::rethrow_exception(failed);
}

/// The files of a folder, by their names relative to `root`, and the files that they include.
void add_includes(const fs::path& folder, const fs::path& root,
                  std::map<std::string, std::vector<std::string>>& includes) {
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (!each.is_regular_file()) continue;
    std::vector<std::string>& included = includes[fs::relative(each.path(), root).string()];
    std::ifstream in(each.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include \"")) continue;
      const std::size_t end = line.find('"', 10);
      included.push_back(line.substr(10, end - 10));
    }
  }
}

/// Whether a file includes another one, directly or not, or is it.
bool has_file(const std::map<std::string, std::vector<std::string>>& includes, const std::string& source,
              const std::string& file) {
  std::set<std::string> seen;
  std::vector<std::string> todo{source};
  while (!todo.empty()) {
    const std::string next = todo.back();
    todo.pop_back();
    const auto found = includes.find(next);
    if (found == includes.end() || !seen.insert(next).second) continue;
    todo.insert(todo.end(), found->second.begin(), found->second.end());
  }
  return seen.contains(file);
}

}  // namespace

void prove_by_enumeration(std::span<const Mutant> mutants, std::span<const Asked> checks, unsigned jobs,
                          const std::function<void(const Result&)>& done) {
  std::vector<std::size_t> exhaustive;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].check->is_exhaustive()) exhaustive.push_back(i);
  }
  const std::map<std::size_t, std::uint64_t> originals = hashes_of_original(
      exhaustive, jobs, [&](std::size_t i) { return checks[i].check->hash_of_results(checks[i].check->cases()); });
  const auto reaching_exhaustive = [&](const Mutant& mutant) {
    std::vector<std::size_t> found;
    for (const auto& [i, hash] : originals) {
      if (checks[i].reaches(mutant.number, stages - 1)) found.push_back(i);
    }
    return found;
  };
  std::vector<Mutant> candidates;
  for (const Mutant& each : mutants) {
    if (each.file.starts_with("arith/") && !reaching_exhaustive(each).empty()) candidates.push_back(each);
  }
  struct Same {
    bool all;
  };
  in_children<Same>(
      candidates.size(), jobs,
      [&](std::size_t k, Same& same) {
        mutation::activate(candidates[k].number);
        for (const std::size_t i : reaching_exhaustive(candidates[k])) {
          limit_step(10 * checks[i].of[stages - 1].seconds + 10);
          const Check& check = *checks[i].check;
          if (check.hash_of_results(check.cases()) != originals.at(i)) return;
        }
        same.all = true;
      },
      [&](std::size_t k, const Same& same, int status) {
        if (!same.all || !WIFEXITED(status)) return;
        Result result;
        result.number = candidates[k].number;
        result.outcome = Result::Outcome::equivalent;
        result.by = fmt::format("all inputs of {} exhaustive properties", reaching_exhaustive(candidates[k]).size());
        done(result);
      });
}

void compare_bits(std::span<const Result> results, std::span<const Asked> checks, const TrialSettings& settings,
                  const std::function<void(const Result&)>& done) {
  constexpr std::uint64_t most_cases = 500;
  constexpr std::size_t most_checks = 8;
  struct Comparison {
    std::size_t other;  ///< 1 + the property with other bits; 0: none
    std::size_t compared;
    bool is_done;
  };
  std::vector<Result> reached;
  std::vector<std::vector<std::size_t>> asked;
  std::set<std::size_t> needed;
  for (const Result& each : results) {
    if (each.outcome != Result::Outcome::survived) continue;
    std::vector<std::size_t> found = reaching_in_any_stage(each.number, checks);
    if (found.size() > most_checks) found.resize(most_checks);
    needed.insert(found.begin(), found.end());
    reached.push_back(each);
    asked.push_back(std::move(found));
  }
  const auto hash_of_first = [&](std::size_t i) {
    return checks[i].check->hash_of_results(std::min(checks[i].check->cases(), most_cases));
  };
  const std::map<std::size_t, std::uint64_t> originals =
      hashes_of_original(std::vector<std::size_t>(needed.begin(), needed.end()), settings.jobs, hash_of_first);
  in_children<Comparison>(
      reached.size(), settings.jobs,
      [&](std::size_t k, Comparison& comparison) {
        mutation::activate(reached[k].number);
        for (const std::size_t i : asked[k]) {
          if (!originals.contains(i) || processor_seconds() > settings.budget) continue;
          limit_step(settings.budget);
          if (hash_of_first(i) != originals.at(i)) {
            comparison.other = i + 1;
            break;
          }
          ++comparison.compared;
        }
        comparison.is_done = true;
      },
      [&](std::size_t k, const Comparison& comparison, int) {
        if (!comparison.is_done) return;
        Result result = reached[k];
        result.by = result.by.substr(0, result.by.find("; ")) +
                    (comparison.other != 0 ? std::string(other_bits) + checks[comparison.other - 1].check->name()
                                           : fmt::format("; the same bits in {} properties", comparison.compared));
        done(result);
      });
}

std::vector<std::string> sources_with(const fs::path& tree, const std::string& file) {
  std::map<std::string, std::vector<std::string>> includes;
  add_includes(tree, tree, includes);
  std::vector<std::string> found;
  for (const auto& [source, unused] : includes) {
    if (!source.ends_with(".cpp") || !source.starts_with("kernels/")) continue;
    if (has_file(includes, source, file)) found.push_back(source);
  }
  std::sort(found.begin(), found.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(fs::file_size(tree / a), a) < std::pair(fs::file_size(tree / b), b);
  });
  return found;
}

void kill_by_assertions(std::span<const Mutant> mutants, const Compilation& compilation, const fs::path& source,
                        const std::string& folder, unsigned jobs, const std::function<void(const Result&)>& done) {
  std::map<std::string, std::vector<std::string>> includes;
  add_includes(compilation.tree, compilation.tree, includes);
  add_includes(source / folder, source, includes);
  const auto compiled_with = [&](int mutant, const std::string& assertions) {
    return run_compiler(compilation.words,
                        {"-fsyntax-only", fmt::format("-DMUTATION_NUMBER={}", mutant), (source / assertions).string()});
  };
  std::mutex telling;
  std::set<std::string> right;  // whether the assertions hold without a mutant
  in_threads(mutants.size(), jobs, [&](std::size_t i) {
    const int number = mutants[i].number;
    for (const auto& [assertions, unused] : includes) {
      if (!assertions.starts_with(folder) || !assertions.ends_with(".cpp")) continue;
      if (!has_file(includes, assertions, mutants[i].file)) continue;
      const Compiled compiled = compiled_with(number, assertions);
      if (compiled.end != Compiled::End::refused) continue;
      const std::lock_guard lock(telling);
      if (!right.contains(assertions)) {
        if (compiled_with(0, assertions).end != Compiled::End::done) {
          throw std::runtime_error(assertions + " does not hold without a mutant");
        }
        right.insert(assertions);
      }
      done(killed_by_assertion(number, compiled, source));
      return;
    }
  });
}

void prove_by_object_code(std::span<const Mutant> mutants, std::span<const Asked> checks,
                          const Compilation& compilation, unsigned jobs,
                          const std::function<void(const Result&)>& done) {
  Compiler compiler(compilation);
  std::map<std::string, std::vector<std::string>> sources;
  for (const Mutant& each : mutants) {
    if (!sources.contains(each.file)) sources[each.file] = sources_with(compilation.tree, each.file);
  }
  std::mutex telling;
  in_threads(mutants.size(), jobs, [&](std::size_t i) {
    const bool is_reached = !reaching_in_any_stage(mutants[i].number, checks).empty();
    const auto result =
        judged_by_object_code(mutants[i], sources.at(mutants[i].file), is_reached, compilation.tree, compiler);
    const std::lock_guard lock(telling);
    if (result) done(*result);
  });
}

}  // namespace mutate
