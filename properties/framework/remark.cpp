#include "properties/framework/remark.hpp"

#include <utility>

namespace assay {
namespace {

thread_local std::string kept;

}  // namespace

void remark(const std::string& text) {
  if (kept.empty()) kept = text;
}

std::string take_remark() { return std::exchange(kept, {}); }

}  // namespace assay
