#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <utility>

namespace assay::cli {

/// Writes to standard error. If standard error is closed or full, the text is lost, and the work continues.
template <class... T>
void to_stderr(fmt::format_string<T...> format, T&&... values) {
  const std::string text = fmt::format(format, std::forward<T>(values)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace assay::cli
