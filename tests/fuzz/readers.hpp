#pragma once
// The readers of documents that come from outside, each as a function of bytes. It returns if they are accepted or
// refused with the reader's own error; any other exception leaves it.

#include <array>
#include <string_view>

namespace assay::fuzz {

void read_case(std::string_view bytes);
/// These two also with the correct checksums for the bytes, because hardly any changed document has them.
void read_journal(std::string_view bytes);
void read_summary(std::string_view bytes);
/// The lists of rows that hunts, device judges, benchmarks, the systematic mutants and the outside score write.
void read_lists(std::string_view bytes);
void read_corpus(std::string_view bytes);
/// An answer of a program, in a frame and in a line.
void read_frames(std::string_view bytes);

struct Reader {
  const char* name;
  void (*read)(std::string_view bytes);
};
inline constexpr std::array<Reader, 6> readers{{{"case", read_case},
                                                {"journal", read_journal},
                                                {"summary", read_summary},
                                                {"lists", read_lists},
                                                {"corpus", read_corpus},
                                                {"frames", read_frames}}};

}  // namespace assay::fuzz
