// Copies folders of sources into another folder with mutants after a run-time switch, and writes their list beside
// them.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "tools/mutate/files.hpp"
#include "tools/mutate/mutants.hpp"
#include "tools/mutate/mutation.hpp"

namespace mutate {
namespace {

namespace fs = std::filesystem;

/// Writes a file unless it has this text already: unchanged files are not compiled again.
void write(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && read_file(file) == text) return;
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

/// A place where a source reads a table that the compiler computed, and the same with a table that a mutant can change.
struct TableUse {
  std::string file, was, becomes;
};

struct Settings {
  fs::path source;
  fs::path out;
  std::size_t most = 0;              ///< at most this many mutants; 0: all
  std::vector<std::string> folders;  ///< of the sources, whose files get mutants
  std::vector<TableUse> tables;
  std::set<std::string> files;        ///< the sources that are compiled: kernels/dw/double_word.cpp, or absolute
  std::vector<std::string> compiler;  ///< the words of a call of the compiler that only checks; a file follows
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

struct Source {
  std::string name;  ///< relative to the tree
  std::string text;
  std::vector<Token> tokens;
  std::vector<Numbered> mistakes;
  Mutated written;
};

/// A hash of the file, the texts, and how many equal texts come before: changes elsewhere do not affect it.
void hash_mistakes(Source& source) {
  std::map<std::string, int> before;
  for (Numbered& each : source.mistakes) {
    const std::string text =
        source.name + ":" + each.mistake.operation + ":" + each.mistake.was + ":" + each.mistake.becomes;
    each.hash = fnv1a(fmt::format("{}:{}", text, before[text]++));
  }
}

/// The files of the folders. Their tokens refer to their texts, so the vector must not grow any more.
std::vector<Source> sources_of(const fs::path& root, const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& each : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = each.path().extension().string();
      if (extension == ".hpp" || extension == ".cpp" || extension == ".h") {
        names.push_back(fs::relative(each.path(), root).string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<Source> sources(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    sources[i].name = names[i];
    sources[i].text = read_file(root / names[i]);
    try {
      sources[i].tokens = tokens_of(sources[i].text);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(names[i] + ": " + error.what());
    }
    for (Mistake& each : mistakes_of(sources[i].tokens)) sources[i].mistakes.push_back({0, std::move(each), 0});
    hash_mistakes(sources[i]);
  }
  return sources;
}

/// Keeps at most `most` mistakes: equally many from every family, if it has enough, chosen by hashes of their texts.
void thin(std::vector<Source>& sources, std::size_t most) {
  if (most == 0) return;
  std::map<std::string, std::vector<std::uint64_t>> families;
  for (const Source& source : sources) {
    for (const Numbered& each : source.mistakes) families[family_of(source.name)].push_back(each.hash);
  }
  std::vector<std::vector<std::uint64_t>*> by_size;
  for (auto& [name, hashes] : families) {
    std::sort(hashes.begin(), hashes.end());
    by_size.push_back(&hashes);
  }
  std::sort(by_size.begin(), by_size.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
  for (std::size_t i = 0; i < by_size.size(); ++i) {
    const std::size_t share = most / (by_size.size() - i);
    if (by_size[i]->size() > share) by_size[i]->resize(share);
    most -= by_size[i]->size();
  }
  for (Source& source : sources) {
    const std::vector<std::uint64_t>& left = families[family_of(source.name)];
    std::erase_if(source.mistakes,
                  [&](const Numbered& each) { return !std::binary_search(left.begin(), left.end(), each.hash); });
  }
}

/// Numbers the mistakes by hashes of their texts, so that a change of one file leaves the numbers in the others.
void number(std::vector<Source>& sources) {
  constexpr std::uint64_t numbers = mutation::most - 1;
  std::set<std::uint64_t> taken;
  for (Source& source : sources) {
    for (Numbered& each : source.mistakes) {
      if (taken.size() == numbers) throw std::runtime_error("there are more mutants than numbers");
      std::uint64_t at = each.hash % numbers;
      while (!taken.insert(at).second) at = (at + 1) % numbers;
      each.number = static_cast<int>(at) + 1;
    }
  }
}

/// After `#pragma once`, or before the first line, without a line of its own.
std::string with_switch(const std::string& header, std::string text) {
  const std::string include = "#include \"" + header + "\"\n#line ";
  const std::size_t pragma = text.find("#pragma once\n");
  const std::size_t at = pragma == text.npos ? 0 : pragma + std::string_view("#pragma once\n").size();
  return text.insert(at, include + std::to_string(place_of(text, at).line) + "\n");
}

/// The mutated text with the header of the switch. Tables are read where a mutant can change them. Errors:
/// std::runtime_error if a source has no such place.
std::string finished(const Settings& settings, const std::string& file, std::string text) {
  std::string header = "tools/mutate/mutation.hpp";
  for (const TableUse& each : settings.tables) {
    if (each.file != file) continue;
    const std::size_t at = text.find(each.was);
    if (at == text.npos) throw std::runtime_error(file + " has no " + each.was);
    text.replace(at, each.was.size(), each.becomes);
    header = "tools/mutate/mutation_table.hpp";
  }
  return with_switch(header, std::move(text));
}

void write_source(const Settings& settings, Source& source) {
  source.written = mutated(source.text, source.tokens, source.mistakes);
  write(settings.out / source.name, finished(settings, source.name, source.written.text));
}

/// The mutants that do not compile, according to the compiler's messages about the files of kernels/.
std::set<int> failing(const Settings& settings, const std::vector<Source>& sources, std::set<std::string>& files) {
  std::vector<std::string> todo(files.begin(), files.end());
  std::vector<std::string> messages(todo.size());
  std::vector<int> codes(todo.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < todo.size(); i = next++) {
      std::vector<std::string> words = settings.compiler;
      words.push_back((settings.out / todo[i]).string());
      const Finished finished = run_to_end(words);
      messages[i] = finished.out;
      codes[i] = finished.code;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < settings.jobs; ++i) threads.emplace_back(work);
  for (std::thread& each : threads) each.join();

  std::map<std::string, const Source*> by_name;
  for (const Source& each : sources) by_name[(settings.out / each.name).string()] = &each;
  std::set<int> wrong;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    if (codes[i] == 0) {
      files.erase(todo[i]);
      continue;
    }
    const std::size_t before = wrong.size();
    std::set<int> in_context;  // of messages about other files
    std::istringstream lines(messages[i]);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find(':');
      const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
      const std::size_t third = second == line.npos ? line.npos : line.find(':', second + 1);
      if (third == line.npos) continue;
      const auto source = by_name.find(line.substr(0, first));
      if (source == by_name.end()) continue;
      Place place;
      if (std::sscanf(line.c_str() + first + 1, "%zu:%zu", &place.line, &place.column) != 2) continue;
      const bool is_error =
          line.find(" error: ", third) == third + 1 || line.find(" fatal error: ", third) == third + 1;
      for (const int each : mutants_at(source->second->written, place)) (is_error ? wrong : in_context).insert(each);
    }
    if (wrong.size() == before) wrong.insert(in_context.begin(), in_context.end());
    if (wrong.empty()) throw std::runtime_error(todo[i] + " does not compile, for no mutant's reason:\n" + messages[i]);
  }
  return wrong;
}

int generate(const Settings& settings) {
  std::vector<Source> sources = sources_of(settings.source, settings.folders);
  thin(sources, settings.most);
  number(sources);
  for (Source& each : sources) write_source(settings, each);
  std::set<std::string> files = settings.files;
  std::size_t dropped = 0;
  while (!settings.compiler.empty() && !files.empty()) {
    const std::set<int> wrong = failing(settings, sources, files);
    dropped += wrong.size();
    fmt::print(stderr, "{} files do not compile, {} mutants dropped\n", files.size(), wrong.size());
    for (Source& source : sources) {
      const std::size_t before = source.mistakes.size();
      std::erase_if(source.mistakes, [&](const Numbered& each) { return wrong.contains(each.number); });
      if (source.mistakes.size() != before) write_source(settings, source);
    }
  }
  std::vector<Mutant> all;
  for (const Source& source : sources) {
    std::set<int> written;
    for (const Span& each : source.written.spans) written.insert(each.number);
    for (const Numbered& each : source.mistakes) {
      if (!written.contains(each.number)) continue;
      all.push_back({each.number, family_of(source.name), source.name,
                     place_of(source.text, source.tokens[each.mistake.first].at), each.mistake.operation,
                     each.mistake.was, each.mistake.becomes});
    }
  }
  write(settings.out / "mutants.json", mutants_document(all).dump(1) + "\n");
  fmt::print(stderr, "{} mutants in {} files; {} did not compile\n", all.size(), sources.size(), dropped);
  return 0;
}

}  // namespace
}  // namespace mutate

int main(int argc, char** argv) try {
  mutate::Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--source") {
      settings.source = argv[i + 1];
    } else if (name == "--out") {
      settings.out = argv[i + 1];
    } else if (name == "--most") {
      settings.most = std::stoul(argv[i + 1]);
    } else if (name == "--jobs") {
      settings.jobs = static_cast<unsigned>(std::stoul(argv[i + 1]));
    } else if (name == "--folder") {
      settings.folders.emplace_back(argv[i + 1]);
    } else if (name == "--table" && i + 3 < argc) {
      settings.tables.push_back({argv[i + 1], argv[i + 2], argv[i + 3]});
      i += 2;
    } else if (name == "--file") {
      settings.files.insert(argv[i + 1]);
    } else if (name == "--compiler") {
      settings.compiler.assign(argv + i + 1, argv + argc);
      break;
    }
  }
  if (settings.source.empty() || settings.out.empty()) {
    fmt::print(stderr,
               "usage: {} --source DIR --out DIR [--folder NAME]… [--table FILE WAS BECOMES]… [--most N] [--jobs N] "
               "[--file NAME]… [--compiler WORD…]\n",
               argv[0]);
    return 2;
  }
  return mutate::generate(settings);
} catch (const std::exception& error) {
  fmt::print(stderr, "assay-generate-mutants: {}\n", error.what());
  return 1;
}
