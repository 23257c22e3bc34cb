#include "tests/fuzz/readers.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/doors/answers.hpp"
#include "assay/store/bench.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/hunt.hpp"
#include "assay/store/journal.hpp"
#include "assay/store/json.hpp"
#include "assay/store/outside_score.hpp"
#include "assay/store/probe_rows.hpp"
#include "assay/store/summary_io.hpp"
#include "assay/store/systematic.hpp"
#include "exec/executor.hpp"
#include "oracle/format.hpp"
#include "tests/assay/folder.hpp"

namespace assay::fuzz {
namespace {

/// A folder that the process keeps.
const std::filesystem::path& folder() {
  static const test::Folder kept;
  return kept.path();
}

void put(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A document, by each of its readers.
template <class... Reader>
void each_reads(std::string_view bytes, const Reader&... reader) {
  try {
    const store::Json document = store::parse_json(bytes);
    const auto read = [&](const auto& from_json) {
      try {
        (void)from_json(document);
      } catch (const store::JsonError&) {
        return;
      }
    };
    (read(reader), ...);
  } catch (const store::JsonError&) {
    return;
  }
}

}  // namespace

void read_case(std::string_view bytes) {
  for (const store::Strictness strictness : {store::Strictness::by_hand, store::Strictness::stored}) {
    try {
      const store::CaseFile read = store::parse_case("case.json", bytes, strictness);
      const std::string written = store::case_bytes(read);
      if (store::case_bytes(store::parse_case("case.json", written, store::Strictness::stored)) != written) {
        throw std::logic_error("a case that was read and written has other bytes");
      }
    } catch (const store::DamagedFile&) {
      continue;
    }
  }
}

void read_journal(std::string_view bytes) {
  std::string sealed;
  for (std::string_view left = bytes; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    if (line.ends_with('}')) sealed += store::sealed(std::string(line)) + "\n";
  }
  for (const std::string_view each : {bytes, std::string_view(sealed)}) {
    const std::filesystem::path run = folder() / "journal";
    put(run / "journal.jsonl", each);
    try {
      const store::Journal journal(run, {{"seed", 1}}, true,
                                   [](const store::Json& line) { (void)store::tally_from_json(line); });
    } catch (const store::DamagedFile&) {
      continue;
    } catch (const store::JsonError&) {
      continue;
    } catch (const store::OtherSettings&) {
      continue;
    }
  }
}

void read_summary(std::string_view bytes) {
  std::string sealed(bytes);
  if (bytes.ends_with("\n}\n")) sealed = store::sealed(sealed);
  for (const std::string_view each : {bytes, std::string_view(sealed)}) {
    put(folder() / "summary/summary.json", each);
    try {
      (void)store::summary_bytes(store::read_summary(folder() / "summary"));
    } catch (const store::DamagedFile&) {
      continue;
    }
  }
}

void read_lists(std::string_view bytes) {
  const auto google = [](const store::Json& document) {
    store::Bench bench;
    std::vector<std::string> left_out;
    bench.curves = store::curves_of_google_benchmark(document, left_out);
    store::relate(bench);
    (void)store::bench_from_json(store::bench_to_json(bench));
  };
  each_reads(bytes, store::bench_from_json, google, store::hunt_from_json, store::probes_from_json,
             store::systematic_from_json, store::outside_score_from_json);
}

void read_corpus(std::string_view bytes) {
  const std::filesystem::path corpus = folder() / "corpus";
  put(corpus / "some.kernel/0123456789abcdef.json", bytes);
  (void)store::Corpus(corpus).read();
  (void)store::Corpus(corpus).verify();
}

void read_frames(std::string_view bytes) {
  const oracle::Format format = bytes.size() % 2 == 0 ? oracle::binary64 : oracle::binary16;
  const std::size_t numbers = bytes.size() % 7;
  std::string_view left = bytes;
  const auto read = [&](void* into, std::size_t size) {
    if (size > left.size()) throw ExecutorError("the output ended");
    std::memcpy(into, left.data(), size);
    left.remove_prefix(size);
  };
  try {
    (void)doors::numbers_of_frame(read, numbers, format);
  } catch (const ExecutorError&) {
  }
  try {
    (void)doors::numbers_of_line(bytes, numbers, format);
  } catch (const ExecutorError&) {
  } catch (const doors::NoAnswer&) {
  }
}

}  // namespace assay::fuzz
