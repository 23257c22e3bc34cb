#include "assay/cli/progress.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "assay/cli/screen.hpp"
#include "assay/cli/to_stderr.hpp"

namespace assay::cli {

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

std::string progress_text(const std::string& name, std::uint64_t before, std::uint64_t done, std::uint64_t planned,
                          double seconds) {
  std::string text = fmt::format("{}: {} of {} cases", name, done, planned);
  if (done > before && seconds > 0) {
    const double rate = static_cast<double>(done - before) / seconds;
    text += fmt::format(", {:.3g}/s, {} left", rate, duration_text(static_cast<double>(planned - done) / rate));
  }
  return text;
}

Progress::Progress(const Options& options) {
  if (options.progress == "plain") {
    style_ = Style::plain;
  } else if (options.progress == "auto" && !options.quiet && !is_set("CI") && is_terminal(stderr)) {
    style_ = Style::line;
  }
}

void Progress::erase() {
  if (shown_ && style_ == Style::line) to_stderr("\r\x1b[K");
  shown_ = false;
}

void Progress::show(std::size_t item, std::uint64_t done, std::uint64_t planned) {
  const Clock::time_point now = Clock::now();
  Item& of = items_[item];
  of.part = planned == 0 ? 1 : static_cast<double>(done) / static_cast<double>(planned);
  if (!of.begun) {
    of.begun = now;
    of.before = done;
  }
  const std::chrono::milliseconds pause(style_ == Style::plain ? 1000 : 100);
  if (style_ == Style::none || (shown_ && now - last_ < pause)) return;
  const auto since = [now](Clock::time_point then) { return std::chrono::duration<double>(now - then).count(); };
  std::string text = progress_text(of.name, of.before, done, planned, since(*of.begun));
  if (items_.size() > 1) {
    double part = 0;
    for (const Item& each : items_) part += each.part / static_cast<double>(items_.size());
    text += fmt::format("; all: {:.0f} %", 100 * part);
    if (part > 0) text += fmt::format(", {} left", duration_text(since(begun_) * (1 - part) / part));
  }
  last_ = now;
  shown_ = true;
  const bool again = style_ == Style::line;
  to_stderr("{}{}{}", again ? "\r\x1b[K" : "", text, again ? "" : "\n");
}

}  // namespace assay::cli
