#include "assay/cli/provenance.hpp"

#include <fmt/core.h>
#include <link.h>

#include <CLI/Version.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "exec/executor.hpp"
#include "oracle/versions.hpp"
#include "properties/framework/fnv.hpp"

namespace assay::cli {

std::map<std::string, std::string> provenance(bool with_device) {
  std::map<std::string, std::string> facts{
      {"version", ASSAY_VERSION},
      {"commit", ASSAY_COMMIT},
      {"compiler", ASSAY_COMPILER},
      {"flags", ASSAY_FLAGS},
      {"library CLI11", CLI11_VERSION},
      {"library fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"library nlohmann-json",
       fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"library CUDA", ASSAY_CUDA_VERSION},
  };
  for (const auto& [name, version] : oracle::library_versions()) {
    facts["library " + name] = version;
  }
  if (with_device) {
    facts["device"] = Executor::cuda().model();
  }
  return facts;
}

std::string build_id() {
  std::string id;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* into) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as integers.
          const auto* at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
          const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
          for (const char* const end = at + segment.p_memsz; at + sizeof(ElfW(Nhdr)) <= end;) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const char* const name = at + sizeof note;
            const char* const content = name + padded(note.n_namesz);
            if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") {
              for (std::size_t k = 0; k < note.n_descsz; ++k) {
                *static_cast<std::string*>(into) += fmt::format("{:02x}", static_cast<unsigned char>(content[k]));
              }
              return 1;
            }
            at = content + padded(note.n_descsz);
          }
        }
        return 1;  // the first object is the program
      },
      &id);
  constexpr auto no_limit = ~std::uint64_t{0};
  return id.empty() ? "fnv1a " + store::hex16(fnv1a(store::read_file("/proc/self/exe", no_limit))) : id;
}

std::string version_text() {
  std::string text = fmt::format("assay {} (commit {})", ASSAY_VERSION, ASSAY_COMMIT);
  for (const auto& [name, value] : provenance(false)) {
    if (name != "version" && name != "commit") {
      text += fmt::format("\n{}: {}", name, value);
    }
  }
  return text;
}

}  // namespace assay::cli
