#pragma once
// Reading JSON values that must have exactly the fields that were written. For the sources of this folder.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "assay/store/json.hpp"

namespace assay::store {

/// Reads an object's members by name and refuses those that nobody asked for.
class Reader {
 public:
  Reader(const Json& object, std::string what) : object_(object), what_(std::move(what)) {
    if (!object.is_object()) throw JsonError(what_ + " is not an object");
  }

  const Json* find(const char* key) {
    asked_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& at(const char* key) {
    const Json* found = find(key);
    if (found == nullptr) throw JsonError(what_ + " lacks \"" + key + "\"");
    return *found;
  }
  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) wrong(key, "a string");
    return value.get<std::string>();
  }
  std::string text_or(const char* key, const char* otherwise) { return find(key) == nullptr ? otherwise : text(key); }
  bool truth(const char* key) {
    const Json& value = at(key);
    if (!value.is_boolean()) wrong(key, "true or false");
    return value.get<bool>();
  }
  std::uint64_t count(const char* key) {
    const Json& value = at(key);
    if (!value.is_number_unsigned()) wrong(key, "a whole number");
    return value.get<std::uint64_t>();
  }
  double number(const char* key) {
    const Json& value = at(key);
    if (!value.is_number()) wrong(key, "a number");
    return value.get<double>();
  }
  const Json& array(const char* key) {
    const Json& value = at(key);
    if (!value.is_array()) wrong(key, "an array");
    return value;
  }
  void finish() const {
    for (const auto& [key, member] : object_.items()) {
      if (!asked_.contains(key)) throw JsonError(what_ + " has the unknown field \"" + key + "\"");
    }
  }
  [[noreturn]] void wrong(const char* key, const char* wanted) const {
    throw JsonError("\"" + std::string(key) + "\" of " + what_ + " is not " + wanted);
  }

 private:
  const Json& object_;
  std::string what_;
  std::set<std::string> asked_;
};

/// Throws JsonError where the value is no whole number.
inline std::uint64_t unsigned_of(const Json& value) {
  if (!value.is_number_unsigned()) throw JsonError("a count is not a whole number");
  return value.get<std::uint64_t>();
}

/// Case numbers, null for no_case.
inline Json number_or_null(std::uint64_t number) { return number == no_case ? Json(nullptr) : Json(number); }
inline std::uint64_t number_of_null(const Json& value) { return value.is_null() ? no_case : unsigned_of(value); }

/// [ratio, number], null for none.
inline Json worst_to_json(const Worst& worst) {
  return worst == Worst{} ? Json(nullptr) : Json::array({ratio_to_json(worst.ratio), number_or_null(worst.number)});
}
inline Worst worst_from_json(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_array() || value.size() != 2) throw JsonError("a worst case is not [ratio, number]");
  return {ratio_from_json(value[0]), number_of_null(value[1])};
}

}  // namespace assay::store
