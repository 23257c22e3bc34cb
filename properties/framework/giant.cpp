#include "properties/framework/giant.hpp"

#include <map>
#include <utility>

namespace assay {
namespace {

std::map<std::string, GiantNeed>& needs() {
  static std::map<std::string, GiantNeed> all;
  return all;
}

}  // namespace

Giant::Giant(std::string property, const GiantNeed& need) { needs().emplace(std::move(property), need); }

const GiantNeed* giant_need(const std::string& property) {
  const auto found = needs().find(property);
  return found == needs().end() ? nullptr : &found->second;
}

}  // namespace assay
