#include "properties/framework/shaped_call.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

namespace assay {
namespace {

/// Never destroyed: a process ends without running destructors of its start.
std::map<std::string, ShapedCall, std::less<>>& registered() {
  static auto& all = *new std::map<std::string, ShapedCall, std::less<>>;
  return all;
}

}  // namespace

const ShapedCall* find_shaped_call(std::string_view operation) {
  const auto found = registered().find(operation);
  return found == registered().end() ? nullptr : &found->second;
}

ShapedCallRegistration::ShapedCallRegistration(ShapedCall call) {
  const std::string name = call.operation;
  if (!registered().try_emplace(name, std::move(call)).second) {
    throw std::logic_error("the call of " + name + " is described twice");
  }
}

}  // namespace assay
