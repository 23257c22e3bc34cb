#include "assay/report/replay.hpp"

#include "assay/store/case_file.hpp"

namespace assay::report {

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char each : text) quoted += each == '\'' ? "'\\''" : std::string(1, each);
  return quoted + "'";
}

std::string replay_line(const std::string& program, const std::string& id, const std::string& options) {
  return shell_word(program) + " replay " + id + options;
}

std::string replay_line(const store::Summary& summary, const std::string& property, const std::string& id) {
  const auto recorded = [&](const std::string& key, const std::string& otherwise) {
    const auto found = summary.provenance.find(key);
    return found == summary.provenance.end() ? otherwise : found->second;
  };
  const std::string options = recorded(store::options_key(property), "");
  return replay_line(recorded(store::program_key, "assay"), id, options.empty() ? "" : " " + options);
}

std::string replay_line(const store::Summary& summary, const store::CaseFile& file) {
  return replay_line(summary, file.property, store::case_id(file));
}

}  // namespace assay::report
