// write_theorems <page.md> <header.hpp>: writes the header of the theorem objects of a page, if it differs. Prints the
// offences against the form of a page instead, one a line, and exits with 1.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "errorbounds/pages/page.hpp"

namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "dw" of "docs/bounds/dw.md".
std::string name_of(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.rfind('.'));
}

int write(const std::string& page, const std::string& header) {
  const std::string text = contents_of(page);
  if (text.empty()) throw std::runtime_error("empty or not there");
  const std::vector<std::string> offences = assay::theorems::offences_of_page(name_of(page), text);
  for (const std::string& each : offences) std::fprintf(stderr, "docs/bounds, page %s\n", each.c_str());
  if (!offences.empty()) return 1;
  const std::string objects = assay::theorems::header_of_page(name_of(page), text);
  if (contents_of(header) == objects) return 0;
  std::ofstream out(header, std::ios::binary);
  out << objects << std::flush;
  if (!out) throw std::runtime_error("not written: " + header);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("write_theorems <page.md> <header.hpp>\n", stderr);
    return 2;
  }
  try {
    return write(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
}
