#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/cli/options.hpp"

namespace assay::cli {

/// Progress of a campaign on standard error: the cases of one property, how many a second, when it is done, and when
/// all are. On a terminal it is one line that is overwritten; otherwise, with --progress plain, one line a second.
class Progress {
 public:
  explicit Progress(const Options& options);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A property on an executor that is to run; shown by its position.
  void add(std::string name) { items_.push_back({std::move(name), 0, std::nullopt, 0}); }
  void show(std::size_t item, std::uint64_t done, std::uint64_t planned);
  /// Erases the line before other output is written.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  struct Item {
    std::string name;
    std::uint64_t before = 0;  ///< cases that an earlier run had done
    std::optional<Clock::time_point> begun;
    double part = 0;  ///< number of its cases that are done
  };
  enum class Style { none, plain, line };
  Style style_ = Style::none;
  bool shown_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point last_;
  std::vector<Item> items_;
};

/// "dw.add on host: 500 of 2000 cases, 1000/s, 2 s left": in `seconds` seconds, `done` − `before` cases were run.
std::string progress_text(const std::string& name, std::uint64_t before, std::uint64_t done, std::uint64_t planned,
                          double seconds);
/// "40 s", "12 min", "3.5 h"
std::string duration_text(double seconds);

}  // namespace assay::cli
