#include "assay/cli/refusals.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "assay/campaign/match.hpp"
#include "assay/cli/options.hpp"

namespace assay::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

}  // namespace

void require_one(CLI::App& command) {
  command.callback([&command] {
    if (!command.get_subcommands().empty()) return;
    std::vector<std::string> names;
    for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
    throw UsageError(fmt::format("{} takes a command: {}", command.get_name(), joined(names)));
  });
}

void refuse_unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || *argv[1] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  const std::vector<std::string> near = campaign::nearest(argv[1], names);
  throw UsageError(fmt::format("no command {}; {}: {}", argv[1], near.empty() ? "there are" : "nearest",
                               joined(near.empty() ? names : near)));
}

void refuse_unknown_options(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* command = &app;
  int at = 1;
  for (bool found = true; found && at < argc; at += found ? 1 : 0) {
    const auto commands = command->get_subcommands([&](const CLI::App* each) { return each->get_name() == argv[at]; });
    found = !commands.empty();
    if (found) command = commands.front();
  }
  std::vector<std::string> names;
  for (const CLI::Option* each : command->get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  for (; at < argc && std::string_view(argv[at]) != "--"; ++at) {
    const std::string word = std::string(argv[at]).substr(0, std::string_view(argv[at]).find('='));
    if (!word.starts_with("--") || std::ranges::find(names, word) != names.end()) continue;
    throw UsageError(fmt::format("{} takes no {}, but {}", command->get_name(), word, joined(names)));
  }
}

}  // namespace assay::cli
