#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/cli/options.hpp"

namespace assay::cli {

/// Progress of a campaign on standard error: the cases of one property, how many a second, when it is done, and when
/// all are. On a terminal it is one line that is written again and again; otherwise, where it is asked for, one a
/// second.
class Progress {
 public:
  explicit Progress(const Options& options);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A property on an executor that is to run; shown by its position.
  void add(std::string name) { items_.push_back({std::move(name), 0, std::nullopt, 0}); }
  void show(std::size_t item, std::uint64_t done, std::uint64_t planned);
  /// Takes the line away, before anything else is written.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  struct Item {
    std::string name;
    std::uint64_t before = 0;  ///< cases that an earlier run had done
    std::optional<Clock::time_point> begun;
    double part = 0;  ///< of its cases, those that are done
  };
  enum class Style { none, plain, line };
  Style style_ = Style::none;
  bool shown_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point last_;
  std::vector<Item> items_;
};

/// "dw.add on host: 500 of 2000 cases, 1000/s, 2 s left": after `seconds` in which `done` − `before` cases were asked.
std::string progress_text(const std::string& name, std::uint64_t before, std::uint64_t done, std::uint64_t planned,
                          double seconds);
/// "40 s", "12 min", "3.5 h"
std::string duration_text(double seconds);

}  // namespace assay::cli
