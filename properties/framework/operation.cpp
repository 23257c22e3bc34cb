#include "properties/framework/operation.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "properties/framework/libraries.hpp"

namespace assay {
namespace {

/// Never destroyed: a process ends without running destructors of its start.
std::map<std::string, Operation, std::less<>>& registered() {
  static auto& all = *new std::map<std::string, Operation, std::less<>>;
  return all;
}

/// Of the library of operations; nullptr if there is none, or after it was loaded.
LoadLibrary load_library = nullptr;

/// Of the library of operations; nullptr if there is none.
std::string (*read_formula)(const std::string& path, const std::string& shape) = nullptr;

/// The contracts that follow from one contract, without that contract.
std::set<std::string> implied(const Operation& operation, const Contract& contract) {
  std::set<std::string> found;
  std::vector<std::string> open = contract.implies;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!found.insert(id).second) continue;
    const Contract* const next = operation.find(id);
    if (next != nullptr) open.insert(open.end(), next->implies.begin(), next->implies.end());
  }
  return found;
}

}  // namespace

std::string_view name_of(Control control) {
  constexpr std::array<std::string_view, all_controls.size()> names{
      "zeros",
      "ones",
      "a NaN",
      "the first term alone",
      "a copy of an input",
      "the result of the case before",
      "an output that was not written",
      "the first product of a batch in place of the last"};
  return names.at(static_cast<std::size_t>(control));
}

std::string_view name_of(CallForm form) {
  constexpr std::array<std::string_view, 7> names{"plain",  "cblas",  "fortran",       "libm",
                                                  "device", "cublas", "cublas_batched"};
  return names.at(static_cast<std::size_t>(form));
}

bool Contract::is_of(std::string_view format) const {
  return formats.empty() || std::ranges::find(formats, format) != formats.end();
}

std::vector<Control> Operation::controls() const {
  std::vector<Control> asked(all_controls.begin(), all_controls.end());
  if (returns_number) std::erase(asked, Control::unwritten);
  if (!has_batches) std::erase(asked, Control::last_product);
  if (is_one_number) std::erase(asked, Control::first_term);
  return asked;
}

const Contract* Operation::find(std::string_view id) const {
  const auto at = std::ranges::find(contracts, contract_today(id), &Contract::id);
  return at == contracts.end() ? nullptr : &*at;
}

void load_operations() {
  static std::recursive_mutex mutex;  // what is loaded may ask for operations itself
  const std::lock_guard<std::recursive_mutex> lock(mutex);
  const LoadLibrary load = std::exchange(load_library, nullptr);
  if (load == nullptr) return;
  if (const std::string why = load(); !why.empty()) {
    load_library = load;
    throw MissingLibrary(why);
  }
}

void register_operations(LoadLibrary load) { load_library = load; }

std::string add_formula(const std::string& path, const std::string& shape) {
  load_operations();
  if (read_formula == nullptr) throw MissingLibrary("this program judges no kernels from outside");
  return read_formula(path, shape);
}

void register_formulas(std::string (*add)(const std::string& path, const std::string& shape)) { read_formula = add; }

std::vector<const Operation*> operations() {
  load_operations();
  std::vector<const Operation*> all;
  for (const auto& [name, operation] : registered()) all.push_back(&operation);
  return all;
}

const Operation* find_operation(std::string_view name) {
  if (const Operation* const found = find_registered_operation(name)) return found;
  load_operations();
  return find_registered_operation(name);
}

const Operation* find_registered_operation(std::string_view name) {
  const auto at = registered().find(name);
  return at == registered().end() ? nullptr : &at->second;
}

OperationRegistration::OperationRegistration(Operation operation) {
  for (const Contract& contract : operation.contracts) {
    for (const std::string& id : contract.implies) {
      if (operation.find(id) == nullptr) {
        throw std::logic_error(operation.name + ": " + contract.id + " implies " + id + ", which is no contract of it");
      }
    }
  }
  const std::string name = operation.name;
  if (!registered().emplace(name, std::move(operation)).second) throw std::logic_error("two operations named " + name);
}

Ladder ladder_of(const Operation& operation, std::span<const std::optional<bool>> kept) {
  std::vector<std::set<std::string>> follows;
  for (const Contract& each : operation.contracts) follows.push_back(implied(operation, each));
  std::vector<std::string> choices;  // a group of conventions, at least one of which is kept
  for (std::size_t i = 0; i < operation.contracts.size(); ++i) {
    if (kept[i] && *kept[i]) choices.push_back(operation.contracts[i].choice);
  }
  Ladder ladder;
  for (std::size_t i = 0; i < operation.contracts.size(); ++i) {
    if (!kept[i]) continue;
    const std::string& id = operation.contracts[i].id;
    const bool is_other_choice = !*kept[i] && !operation.contracts[i].choice.empty() &&
                                 std::ranges::find(choices, operation.contracts[i].choice) != choices.end();
    if (is_other_choice) continue;
    // A kept contract adds nothing if a stronger one is kept; a broken one adds nothing if a weaker one is broken.
    bool says_more = true;
    for (std::size_t j = 0; j < operation.contracts.size(); ++j) {
      if (j == i || !kept[j] || *kept[j] != *kept[i]) continue;
      says_more = says_more && !(*kept[i] ? follows[j].contains(id) : follows[i].contains(operation.contracts[j].id));
    }
    if (says_more) (*kept[i] ? ladder.kept : ladder.broken).push_back(id);
  }
  return ladder;
}

std::vector<const Contract*> left_to_ask(const Operation& operation, std::span<const std::optional<bool>> kept) {
  std::vector<const Contract*> left;
  bool is_broken = false;
  for (std::size_t i = 0; i < operation.contracts.size(); ++i) {
    const Contract& each = operation.contracts[i];
    if (kept[i].value_or(false) && each.is_about_error) return {};
    is_broken = is_broken || (kept[i] && !*kept[i]);
    if (!kept[i] && !each.kept_by.empty()) left.push_back(&each);
  }
  return is_broken ? left : std::vector<const Contract*>{};
}

}  // namespace assay
