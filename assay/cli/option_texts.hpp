#pragma once

#include <string>

#include "assay/cli/options.hpp"

namespace assay::cli {

/// Values of options as texts. They are parsed when all of them are known.
struct OptionTexts {
  std::string rows, products, terms, most, bench_memory, slower, cases, numbers, time, evaluations, words, draws,
      seed = "1", jobs, shard, timeout_case, memory, steps, corpus, isolate = "property";
  bool no_shrink = false;
};

/// Reads numbers, durations and sizes. UsageError names the option, the text, and what is accepted.
void interpret(const OptionTexts& raw, Options& options);

/// --shard, or the two variables of GoogleTest's shards. UsageError if only one of the two is set.
void read_shard(const OptionTexts& raw, Options& options);

}  // namespace assay::cli
