#include "properties/framework/in_place.hpp"

#include <map>

namespace assay {
namespace {

std::map<std::string, InPlace, std::less<>>& all() {
  static std::map<std::string, InPlace, std::less<>> operations;
  return operations;
}

}  // namespace

const InPlace* in_place(std::string_view operation) {
  const auto found = all().find(operation);
  return found == all().end() ? nullptr : &found->second;
}

InPlaceRegistration::InPlaceRegistration(const char* operation, InPlace judge) { all().emplace(operation, judge); }

}  // namespace assay
