#pragma once
// Text from outside (messages of kernels, of their programs, of their libraries), made safe for a terminal and a
// document.

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::store {

/// A character of UTF-8 at the beginning of a text. Its length is 0 bytes if there is none. Requires: the text is not
/// empty.
struct Character {
  std::size_t size = 0;
  char32_t code = 0;
};
Character first_character(std::string_view text);

/// The text in one line: newlines and tabs become blanks. Invalid UTF-8 and characters that control a terminal or
/// change the direction of writing become U+FFFD.
std::string printable(std::string_view text);

}  // namespace assay::store
