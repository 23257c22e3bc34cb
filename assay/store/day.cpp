#include "assay/store/day.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace assay::store {

std::string day_of(std::uint64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (::gmtime_r(&time, &parts) == nullptr) return "";
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

std::string today() { return day_of(static_cast<std::uint64_t>(std::time(nullptr))); }

bool is_day(std::string_view text) {
  constexpr std::string_view form = "0000-00-00";
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [](char c, char of_form) { return of_form == '0' ? c >= '0' && c <= '9' : c == of_form; });
}

}  // namespace assay::store
