#include "assay/report/entries.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>
#include <utility>

#include "assay/report/costs.hpp"
#include "assay/report/text.hpp"
#include "assay/store/json.hpp"

namespace assay::report {
namespace {

std::string date_of(const store::Entry& entry) {
  if (!entry.begun) return "no date";
  const auto seconds = static_cast<std::time_t>(*entry.begun);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

std::string terms_of(const std::map<std::string, double>& terms) {
  std::string text;
  for (const auto& [name, ratio] : terms) text += (text.empty() ? " (" : ", ") + name + " " + ratio_text(ratio);
  return text.empty() ? text : text + ")";
}

/// "dw.sqrt/error on host, term u|s|".
std::string place_of(const store::Change& change) {
  return change.property + (change.claim.empty() ? "" : "/" + change.claim) + " on " + change.executor +
         (change.term.empty() ? "" : ", term " + change.term);
}

constexpr std::pair<store::Change::Kind, std::string_view> sections[] = {
    {store::Change::Kind::verdict, "verdicts that changed"},
    {store::Change::Kind::tightness, "error/bound that moved by more than 1 %"},
    {store::Change::Kind::bits, "bits that changed on the same inputs"},
    {store::Change::Kind::time, "kernels that became slower or faster"},
    {store::Change::Kind::gone, "only in the first run"},
    {store::Change::Kind::added, "only in the second run"},
};

/// Calls `begin(title)` for each kind of change that occurs, and `line(change)` for each change of this kind.
template <class Begin, class Line>
void for_each(const store::Changes& changes, const Begin& begin, const Line& line) {
  for (const auto& [kind, title] : sections) {
    bool first = true;
    for (const store::Change& each : changes.changes) {
      if (each.kind != kind) continue;
      if (std::exchange(first, false)) begin(title);
      line(each);
    }
  }
}

/// A fact in which two runs differ.
struct Difference {
  std::string what, before, after;
};

std::vector<Difference> differences(const store::Changes& changes) {
  const auto facts_of = [](const store::Entry& entry) {
    std::map<std::string, std::string> facts = entry.knobs;
    for (const auto& [name, fact] :
         {std::pair("version", entry.version), std::pair("commit", entry.commit), std::pair("build", entry.build),
          std::pair("device", entry.device), std::pair("driver", entry.driver), std::pair("tier", entry.tier),
          std::pair("seed", std::to_string(entry.seed))}) {
      facts[name] = fact;
    }
    return facts;
  };
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [name, fact] : facts_of(changes.before)) both[name].first = fact;
  for (const auto& [name, fact] : facts_of(changes.after)) both[name].second = fact;
  std::vector<Difference> found;
  for (const auto& [name, facts] : both) {
    if (facts.first != facts.second) found.push_back({name, facts.first, facts.second});
  }
  return found;
}

constexpr std::string_view other_inputs = "different inputs, so tightness and bits are not compared";

std::string count_of(const store::Changes& changes) {
  return std::to_string(changes.changes.size()) + (changes.changes.size() == 1 ? " change, " : " changes, ") +
         std::to_string(changes.claims) + " claims of " + std::to_string(changes.properties) +
         " properties compared, including those that Assay adds" +
         (changes.times == 0 ? "" : ", and " + std::to_string(changes.times) + " times");
}

}  // namespace

std::string headline(const store::Entry& entry) {
  std::string line = entry.id == 0 ? "" : "entry " + std::to_string(entry.id) + ": ";
  line += date_of(entry) + ", " + entry.version + ", commit " + entry.commit;
  if (const auto label = entry.knobs.find("label"); label != entry.knobs.end()) line += ", label " + label->second;
  if (!entry.build.empty()) line += ", build " + entry.build;
  if (!entry.device.empty()) line += ", " + entry.device;
  if (!entry.driver.empty()) line += ", driver " + entry.driver;
  const std::size_t times = entry.times.size();
  if (entry.claims == 0 && times != 0) return line + ", " + std::to_string(times) + " times";
  line +=
      ", " + entry.tier + " tier, seed " + std::to_string(entry.seed) + ", " + std::to_string(entry.claims) + " claims";
  if (times != 0) line += ", " + std::to_string(times) + " times";
  if (entry.cases_per_second) line += ", " + ratio_text(*entry.cases_per_second) + " cases a second";
  return line;
}

std::string entry_text(const store::Entry& entry) {
  std::string text = headline(entry) + "\n";
  for (const auto& [key, value] : entry.knobs)
    text.append("  ").append(key).append(": ").append(value.substr(0, value.find('\n'))).append("\n");
  for (const store::EntryTime& time : entry.times) {
    text += time.kernel + "  " + time.executor +
            (time.threads == 1 ? "" : ", " + std::to_string(time.threads) + " threads") +
            "  n = " + std::to_string(time.size) + "  " + seconds_text(time.seconds) + "\n";
  }
  for (const store::EntryProperty& property : entry.properties) {
    text += property.name + "  " + property.executor + "  " + property.rigor + "  " +
            std::to_string(property.executed) + " cases  bits " + store::hex16(property.bits.outputs) + "\n";
    for (const store::EntryClaim& claim : property.claims) {
      text += "    " + claim.id + "  " + std::string(store::word(claim.verdict)) + "  " + ratio_text(claim.tightness) +
              terms_of(claim.terms) + "\n";
    }
  }
  return text;
}

std::string changes_text(const store::Changes& changes) {
  std::string text = "A  " + headline(changes.before) + "\nB  " + headline(changes.after) + "\n";
  for_each(
      changes, [&](std::string_view title) { (text += title) += ":\n"; },
      [&](const store::Change& each) {
        std::string direction(store::word(each.direction));
        direction.resize(9, ' ');
        const bool both = !each.before.empty() && !each.after.empty();
        text += "  " + direction + place_of(each) + (each.before.empty() && each.after.empty() ? "" : ": ") +
                each.before + (both ? " -> " : "") + each.after + "\n";
      });
  const std::vector<Difference> facts = differences(changes);
  if (!facts.empty()) text += "other facts of the runs:\n";
  for (const Difference& each : facts) text += "  " + each.what + ": " + each.before + " -> " + each.after + "\n";
  if (!changes.other_inputs.empty()) {
    text += other_inputs;
    text += ":\n";
    for (const std::string& each : changes.other_inputs) text += "  " + each + "\n";
  }
  return text + count_of(changes) + "\n";
}

std::string changes_brief(const store::Changes& changes, std::size_t most) {
  const store::Entry& before = changes.before;
  std::string html = "<p>Since " + (before.id == 0 ? "" : "entry " + std::to_string(before.id) + " of ") +
                     date_of(before) + ", commit " + escaped(before.commit) + ": ";
  if (changes.changes.empty()) return html + "nothing, " + escaped(count_of(changes)) + ".\n";
  for (const auto& [kind, title] : sections) {
    const auto count = std::count_if(changes.changes.begin(), changes.changes.end(),
                                     [kind = kind](const store::Change& each) { return each.kind == kind; });
    if (count > 0) html += std::to_string(count) + " " + std::string(title) + "; ";
  }
  html += changes.worse() ? "<b class=bad>some for the worse</b>.\n<ul>" : "none for the worse.\n<ul>";
  std::vector<store::Change> all = changes.changes;
  std::stable_partition(all.begin(), all.end(),
                        [](const store::Change& each) { return each.direction == store::Change::Direction::worse; });
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
    const bool both = !all[i].before.empty() && !all[i].after.empty();
    html += "<li>" + std::string(store::word(all[i].direction)) + ": " + escaped(place_of(all[i])) + " " +
            escaped(all[i].before) + (both ? " → " : "") + escaped(all[i].after) + "\n";
  }
  return html + "</ul>\n" +
         (all.size() > most
              ? "<p class=soft>" + std::to_string(all.size() - most) + " more, which `assay compare` lists.\n"
              : "");
}

std::string changes_html(const store::Changes& changes) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>Assay: "
      "what "
      "changed</title><style>body{font:15px/1.5 sans-serif;max-width:70rem;margin:auto;padding:1rem}"
      "div{overflow-x:auto}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;"
      "border-bottom:1px solid #8886}.worse{font-weight:bold}</style></head><body><h1>What changed</h1>\n<p>" +
      std::string(changes.worse() ? "There are changes for the worse. " : "No change is for the worse. ") +
      escaped(count_of(changes)) + ".</p>\n<p>A: " + escaped(headline(changes.before)) +
      "<br>B: " + escaped(headline(changes.after)) + "</p>\n";
  bool open = false;
  const auto close = [&] { html += std::exchange(open, false) ? "</table></div>\n" : ""; };
  for_each(
      changes,
      [&](std::string_view title) {
        close();
        html += "<h2>" + escaped(title) + "</h2>\n<div><table><tr><th></th><th>what</th><th>A</th><th>B</th></tr>\n";
        open = true;
      },
      [&](const store::Change& each) {
        const std::string direction(store::word(each.direction));
        html += "<tr class=" + direction + "><td>" + direction + "</td><td>" + escaped(place_of(each)) + "</td><td>" +
                escaped(each.before) + "</td><td>" + escaped(each.after) + "</td></tr>\n";
      });
  close();
  const std::vector<Difference> facts = differences(changes);
  if (!facts.empty()) {
    html += "<h2>other facts of the runs</h2>\n<div><table><tr><th>what</th><th>A</th><th>B</th></tr>\n";
    for (const Difference& each : facts) {
      html += "<tr><td>" + escaped(each.what) + "</td><td>" + escaped(each.before) + "</td><td>" + escaped(each.after) +
              "</td></tr>\n";
    }
    html += "</table></div>\n";
  }
  if (!changes.other_inputs.empty()) {
    html += "<h2>" + escaped(other_inputs) + "</h2>\n<ul>\n";
    for (const std::string& each : changes.other_inputs) html += "<li>" + escaped(each) + "</li>\n";
    html += "</ul>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace assay::report
