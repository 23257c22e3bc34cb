#pragma once
// The ladder of a function of a library, for the tests of kernels from outside.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/doors/subject.hpp"
#include "exec/executor.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/operation.hpp"

namespace assay {

inline Tally judged(const PropertyModel& property, std::uint64_t cases) {
  constexpr std::uint64_t seed = 1;
  return property.run(Executor::host(), seed, {0, 1, cases}, [](const CaseRange&) {});
}

inline std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& each : ids) text += (text.empty() ? "" : ", ") + each;
  return text.empty() ? "none" : text;
}

/// "keeps any_order; breaks faithful": the contracts that a kernel keeps and breaks.
inline std::string ladder_of_kernel(const Operation& operation, const Question& question, const ForeignKernel& kernel,
                                    std::uint64_t cases) {
  const auto property = operation.property(question, kernel);
  const Tally tally = judged(*property, cases);
  std::vector<std::optional<bool>> kept(operation.contracts.size());
  std::size_t claim = 0;
  for (std::size_t i = 0; i < operation.contracts.size(); ++i) {
    if (!operation.contracts[i].is_of(question.format)) continue;
    EXPECT_EQ(property->info().claims[claim].id, operation.contracts[i].id);
    const ClaimTally& found = tally.claims[claim++];
    EXPECT_EQ(found.undecided, 0U) << operation.name << " " << operation.contracts[i].id;
    if (found.executed != 0) kept[i] = found.violated == 0;
  }
  const Ladder found = ladder_of(operation, kept);
  return "keeps " + listed(found.kept) + (found.broken.empty() ? "" : "; breaks " + listed(found.broken));
}

/// The settings for a function of a library in the folder of this program, and its kernel.
inline std::pair<Question, ForeignKernel> asked_of_symbol(const std::string& library, const std::string& name,
                                                          const std::string& symbol, const std::string& format) {
  const auto path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / library;
  doors::Subject subject{path, symbol, name, {}};
  subject.question.format = format.empty() ? doors::format_of_symbol(symbol, *find_operation(name)) : format;
  return {subject.question, doors::load(subject).front().kernel};
}

/// Its ladder.
inline std::string ladder_of_symbol(const std::string& library, const std::string& name, const std::string& symbol,
                                    const std::string& format, std::uint64_t cases) {
  const auto [question, kernel] = asked_of_symbol(library, name, symbol, format);
  return ladder_of_kernel(*find_operation(name), question, kernel, cases);
}
/// Its property.
inline std::unique_ptr<PropertyModel> property_of_symbol(const std::string& library, const std::string& name,
                                                         const std::string& symbol, const std::string& format) {
  const auto [question, kernel] = asked_of_symbol(library, name, symbol, format);
  return find_operation(name)->property(question, kernel);
}

/// Expects that every contract about an error refuses every control, in the formats in which it is promised.
inline void expect_controls_refused(const std::string& name, const std::vector<std::string>& formats,
                                    std::uint64_t cases) {
  const Operation& operation = *find_operation(name);
  for (const std::string& format : formats) {
    for (const Control control : operation.controls()) {
      const auto property = operation.property({.format = format}, {.control = control});
      const Tally tally = judged(*property, cases);
      for (std::size_t i = 0; i < tally.claims.size(); ++i) {
        const Contract* const contract = operation.find(property->info().claims[i].id);
        if (contract == nullptr || !contract->is_about_error) continue;
        EXPECT_NE(tally.claims[i].violated, 0U)
            << name << " " << format << " " << name_of(control) << " " << contract->id;
      }
    }
  }
}

}  // namespace assay
