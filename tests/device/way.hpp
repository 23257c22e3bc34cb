#pragma once
// How a library of the tests fails on a device: TABLE in the environment selects it.

#include <cstdlib>
#include <cstring>

enum Way { good, writes_behind, writes_in_front, changes_input, faults };

inline bool way_is(const char* way) {
  const char* const set = std::getenv("TABLE");
  return set != nullptr && std::strcmp(set, way) == 0;
}

inline Way way() {
  if (way_is("writes_behind")) return writes_behind;
  if (way_is("writes_in_front")) return writes_in_front;
  if (way_is("changes_input")) return changes_input;
  return way_is("faults") ? faults : good;
}
