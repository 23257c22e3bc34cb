#pragma once
// Text from outside (messages of kernels, of their programs, of their libraries) as a terminal and a document may show
// it.

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::store {

/// A character of UTF-8 at the beginning of a text. Of 0 bytes: there is none. Requires: the text is not empty.
struct Character {
  std::size_t size = 0;
  char32_t code = 0;
};
Character first_character(std::string_view text);

/// The text in one line: a line's end and a tab are a blank. What is no UTF-8, steers a terminal, or changes the
/// direction of writing is U+FFFD.
std::string printable(std::string_view text);

}  // namespace assay::store
