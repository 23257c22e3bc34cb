#include "assay/store/bench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "assay/store/bench_document.hpp"
#include "assay/store/read_document.hpp"

namespace assay::store {
namespace {

constexpr std::array<std::string_view, 3> role_words{"kernel", "peer", "limit"};

auto key_of(const BenchCurve& curve) {
  return std::tie(curve.kernel, curve.executor, curve.role, curve.name, curve.threads, curve.machine);
}

/// seconds / the time of another curve at the same size; empty if the other curve has no such point.
std::optional<double> quotient(const BenchPoint& point, const BenchCurve& other) {
  const auto found = std::ranges::lower_bound(other.points, point.size, {}, &BenchPoint::size);
  if (found == other.points.end() || found->size != point.size) return std::nullopt;
  return point.seconds / found->seconds;
}

}  // namespace

std::string_view word(BenchRole role) { return role_words.at(static_cast<std::size_t>(role)); }
std::span<const std::string_view> words_of(BenchRole) { return role_words; }

Json bench_to_json(const Bench& bench) { return to_json(bench); }
Bench bench_from_json(const Json& value) { return read_json<Bench>(value); }
std::string bench_bytes(const Bench& bench) { return sealed(pretty(bench_to_json(bench))); }

void append(Bench& bench, Bench other) {
  if (bench.curves.empty()) {
    bench = std::move(other);
    return;
  }
  if (bench.begun != other.begun) bench.begun.reset();
  if (bench.provenance != other.provenance) bench.provenance.clear();
  std::ranges::move(other.curves, std::back_inserter(bench.curves));
}

void relate(Bench& bench) {
  std::ranges::sort(bench.curves, [](const BenchCurve& a, const BenchCurve& b) { return key_of(a) < key_of(b); });
  const auto same = std::ranges::adjacent_find(
      bench.curves, [](const BenchCurve& a, const BenchCurve& b) { return key_of(a) == key_of(b); });
  if (same != bench.curves.end()) throw JsonError("the times of " + same->kernel + " are there twice");
  const auto is_before = [](const BenchCurve& a, const BenchCurve& b) {
    return std::tie(a.kernel, a.executor) < std::tie(b.kernel, b.executor);
  };
  for (BenchCurve& curve : bench.curves) {
    if (curve.role != BenchRole::kernel) continue;
    const auto [begin, end] = std::equal_range(bench.curves.begin(), bench.curves.end(), curve, is_before);
    for (BenchPoint& point : curve.points) {
      point.of_peer.reset();
      point.of_limit.reset();
      for (auto other = begin; other != end; ++other) {
        if (other->role == BenchRole::kernel || !other->is_beside(curve)) continue;
        const std::optional<double> ratio = quotient(point, *other);
        if (!ratio) continue;
        if (other->role == BenchRole::peer) {
          point.of_peer = std::max(point.of_peer.value_or(0), *ratio);
        } else {
          point.of_limit = std::min(point.of_limit.value_or(HUGE_VAL), *ratio);
        }
      }
    }
  }
}

Bench read_bench(const std::filesystem::path& path, std::vector<std::string>& left_out) {
  const std::string text = read_file(path, most_bytes_of_a_run());
  try {
    const std::optional<std::string> whole = unsealed(text);
    const Json document = parse_json(whole ? *whole : text);
    if (document.is_object() && document.contains("benchmarks")) {
      return {{}, {}, curves_of_google_benchmark(document, left_out)};
    }
    Bench bench = bench_from_json(document);
    if (!whole) throw JsonError("the checksum is missing or not that of the bytes");
    return bench;
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
}

std::optional<double> growth(const BenchCurve& curve) {
  const BenchPoint& last = curve.points.back();
  const auto first = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                  [&](const BenchPoint& point) { return point.size <= last.size / 8; });
  if (first == curve.points.rend()) return std::nullopt;
  return std::log(last.seconds / first->seconds) /
         std::log(static_cast<double>(last.size) / static_cast<double>(first->size));
}

}  // namespace assay::store
