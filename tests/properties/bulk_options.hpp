#pragma once
// The common parts of the programs that test many products: the options of all of them, and how such a program starts.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <thread>

#include "exec/executor.hpp"

namespace assay {

struct BulkOptions {
  std::string on = "host";
  std::uint64_t entries = 0;  ///< judged for each class or product
  std::uint64_t seed = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool wrong = false;  ///< each result is changed before it is judged

  Executor executor() const { return on == "cuda" ? Executor::cuda() : Executor::host(); }
};

inline void add_bulk_options(CLI::App& app, BulkOptions& options) {
  app.add_option("--on", options.on, "where the products are made")->check(CLI::IsMember({"host", "cuda"}));
  app.add_option("--entries", options.entries, "entries that are judged, of each class or product")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "what all inputs depend on");
  app.add_option("--threads", options.threads, "threads that judge")->check(CLI::PositiveNumber);
  app.add_flag("--wrong", options.wrong, "each result is changed before it is judged, which has to be noticed");
}

/// Reads the options and runs `all_right`, which returns whether every entry is correct. Returns 0 if it is, 1 if it is
/// not, 2 for options that cannot be read, 3 if memory is short or the run fails, and 77 if a device is requested and
/// there is none.
inline int run_bulk(CLI::App& app, int argc, char** argv, const BulkOptions& options,
                    const std::function<bool()>& all_right) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const std::string name = app.get_name();
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a run that is stopped has printed its findings so far
  if (options.on == "cuda" && Executor::cuda_device_count() == 0) {
    std::printf("%s: no CUDA device\n", name.c_str());
    return 77;
  }
  try {
    return all_right() ? 0 : 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: memory is short\n", name.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
  }
  return 3;
}

}  // namespace assay
