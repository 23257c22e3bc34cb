#include "assay/cli/commands.hpp"

#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

std::map<std::string, Command*>& registered() {
  static auto& all = *new std::map<std::string, Command*>;
  return all;
}

}  // namespace

void register_commands(const std::map<std::string, Command*>& commands) {
  registered().insert(commands.begin(), commands.end());
}

Command* command_about_kernels_from_outside(const std::string& name) {
  load_operations();
  const auto found = registered().find(name);
  if (found == registered().end()) throw UsageError("this program judges no kernels from outside");
  return found->second;
}

}  // namespace assay::cli
