// write_theorems <page.md> <header.hpp>: writes the header of the theorem objects of a page, if it differs. Instead
// prints the violations of the form of a page, one on each line, and exits with 1. write_theorems --published
// <header.hpp> <sources.bib> <page.md>…: the same with the header of the largest published errors of all pages.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <span>
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

std::string text_of(const std::string& path) {
  std::string text = contents_of(path);
  if (text.empty()) throw std::runtime_error(path + ": empty or not there");
  return text;
}

/// Returns whether there are none.
bool tell(const std::vector<std::string>& offences) {
  for (const std::string& each : offences) std::fprintf(stderr, "docs/bounds, page %s\n", each.c_str());
  return offences.empty();
}

void write_if_other(const std::string& header, const std::string& text) {
  if (contents_of(header) == text) return;
  std::ofstream out(header, std::ios::binary);
  out << text << std::flush;
  if (!out) throw std::runtime_error(header + ": not written");
}

int write(const std::string& page, const std::string& header) {
  const std::string text = text_of(page);
  if (!tell(assay::theorems::offences_of_page(name_of(page), text))) return 1;
  write_if_other(header, assay::theorems::header_of_page(name_of(page), text));
  return 0;
}

int write_published(const std::string& header, const std::string& bib, std::span<char*> pages) {
  std::vector<assay::theorems::Entry> theorems;
  for (const std::string page : pages) {
    const std::string text = text_of(page);
    if (!tell(assay::theorems::offences_of_page(name_of(page), text))) return 1;
    const std::vector<assay::theorems::Entry> some = assay::theorems::theorems_of(name_of(page), text);
    theorems.insert(theorems.end(), some.begin(), some.end());
  }
  if (!tell(assay::theorems::unknown_works(theorems, assay::theorems::keys_of_bibtex(text_of(bib))))) return 1;
  write_if_other(header, assay::theorems::header_of_published(theorems));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const bool published = argc >= 5 && std::string(arguments[1]) == "--published";
  if (argc != 3 && !published) {
    std::fputs(
        "write_theorems <page.md> <header.hpp>\nwrite_theorems --published <header.hpp> <sources.bib> <page.md>…\n",
        stderr);
    return 2;
  }
  try {
    return published ? write_published(arguments[2], arguments[3], arguments.subspan(4))
                     : write(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
