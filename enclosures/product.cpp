#include "enclosures/product.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "enclosures/device_sources.hpp"
#include "enclosures/entries.cuh"

namespace assay::enclosures {
namespace {

constexpr std::int64_t tile = 64;
constexpr unsigned threads = 256;
constexpr std::size_t most_nearest = 8;
constexpr std::int64_t chunk_of_lines = std::int64_t{1} << 16;
constexpr std::int64_t most_chunks = 512;  // of the terms of an entry
constexpr std::int64_t most_in_part = std::int64_t{1} << 27;
constexpr std::size_t bytes_of_entry = sizeof(double) + sizeof(unsigned);

/// As enclosures/product.cuh has them.
struct Matrix {
  std::uint64_t data;
  std::int64_t batch, row, column;
};
struct Part {
  std::int64_t m, n, k;
  std::int64_t first_p, products, first_i, rows;
};
struct Count {
  unsigned long long special = 0, open = 0;
  unsigned long long first_open = std::numeric_limits<unsigned long long>::max();
};
struct Nearest {
  double share;
  std::int64_t at;
};

Matrix matrix_of(const DeviceMatrix& matrix) {
  return {matrix.address, matrix.batch_step, matrix.row_step, matrix.column_step};
}

unsigned blocks(std::int64_t count, std::int64_t of_one) {
  return static_cast<unsigned>((count + of_one - 1) / of_one);
}

/// The pattern of 1.
std::uint64_t one_in(ElementType type) {
  constexpr std::uint64_t patterns[] = {0x3ff0000000000000, 0x3f800000, 0x3c00, 0x3f80, 0x38, 0x3c};
  return patterns[static_cast<std::size_t>(type)];
}

/// Few entries with so many terms that several blocks add the terms of one.
bool is_long(const DeviceProduct& product) {
  return product.k >= std::int64_t{1} << 14 && product.batch * product.m * product.n <= 1024;
}

/// The whole product as one part.
Part whole(const DeviceProduct& product) { return {product.m, product.n, product.k, 0, product.batch, 0, product.m}; }

/// Parts of at most that many entries, or of one tile's rows.
std::vector<Part> parts_of(const DeviceProduct& product, std::int64_t most) {
  std::vector<Part> parts;
  const std::int64_t of_one = product.m * product.n;
  const std::int64_t height = of_one <= most ? product.m : std::max(tile, most / product.n / tile * tile);
  constexpr std::int64_t most_products = 65535;  // the largest grid.z
  const std::int64_t products = of_one <= most ? std::min(most_products, most / of_one) : 1;
  for (std::int64_t p = 0; p < product.batch; p += products) {
    for (std::int64_t i = 0; i < product.m; i += height) {
      parts.push_back({product.m, product.n, product.k, p, std::min(products, product.batch - p), i,
                       std::min(height, product.m - i)});
    }
  }
  return parts;
}

Rule rule_of(EntryRule::Kind kind) {
  constexpr Rule rules[] = {rule_within, rule_rounded, rule_faithful, rule_on_grid, rule_finite, rule_not_zero};
  return rules[static_cast<std::size_t>(kind)];
}

/// The bounds of the keys that occur; 0 for the others.
std::vector<double> bounds_of(const DeviceMemory& used, const EntryRule& rule) {
  std::vector<unsigned char> occurs(keys);
  used.read(occurs.data(), occurs.size());
  std::vector<double> bounds(keys, 0);
  bounds[key_of_one] = 1;
  for (unsigned key = sums_of_a_magnitude; key < keys && rule.kind == EntryRule::Kind::within; ++key) {
    if (occurs[key] != 0) bounds[key] = rule.bound(magnitude_of_key(key), sum_of_key(key));
  }
  return bounds;
}

/// The first line that has an infinity or a NaN.
std::optional<std::int64_t> first_special(const DeviceMemory& memory) {
  std::vector<Line> lines(memory.bytes() / sizeof(Line));
  memory.read(lines.data(), memory.bytes());
  const auto found = std::ranges::find_if(lines, [](const Line& each) { return each.is_special != 0; });
  if (found == lines.end()) return std::nullopt;
  return found - lines.begin();
}

/// The open places that a kernel stored, of at most `most`, and the first of all.
std::vector<std::size_t> places_in(const DeviceMemory& memory, const Count& count, std::size_t most) {
  std::vector<unsigned long long> stored(std::min<std::size_t>(count.open, most));
  memory.read(stored.data(), stored.size() * sizeof stored[0]);
  if (!stored.empty() && std::ranges::find(stored, count.first_open) == stored.end()) stored.back() = count.first_open;
  std::ranges::sort(stored);
  return {stored.begin(), stored.end()};
}

}  // namespace

std::size_t bytes_of(ElementType type) {
  constexpr std::size_t bytes[] = {8, 4, 2, 2, 1, 1};
  return bytes[static_cast<std::size_t>(type)];
}

const char* name_of(ElementType type) {
  constexpr const char* names[] = {"binary64", "binary32", "binary16", "bfloat16", "e4m3", "e5m2"};
  return names[static_cast<std::size_t>(type)];
}

std::vector<std::string> definitions_of(ElementType factors, ElementType results) {
  return {std::string("ASSAY_FACTOR=") + name_of(factors), std::string("ASSAY_RESULT=") + name_of(results),
          std::string("ASSAY_EXACT=") + (factors == ElementType::binary64 ? "0" : "1")};
}
const char* product_source() { return product_cuh; }
std::vector<Kernels::Header> product_headers() {
  return {{"enclosures/entries.cuh", entries_cuh}, {"enclosures/elements.cuh", elements_cuh}};
}

ProductScreen::ProductScreen(const DeviceProduct& product)
    : product_(product),
      device_(product.a.address),
      kernels_(device_, product_source(), product_headers(), definitions_of(product.factors, product.results)),
      one_(sizeof(double)),
      rows_(static_cast<std::size_t>(product.batch * product.m) * sizeof(Line)),
      columns_(static_cast<std::size_t>(product.batch * product.n) * sizeof(Line)) {
  const std::uint64_t one = one_in(product.factors);
  one_.write(&one, sizeof one);
  if (product.b.address == 0) product_.b = {one_.address(), 0, 0, 0};
  find_lines(product_.a, product_.a.row_step, product_.a.column_step, product.m, rows_);
  find_lines(product_.b, product_.b.column_step, product_.b.row_step, product.n, columns_);
  if (product.batch * product.m * product.n == 1 && product.b.address != 0) find_line_of_terms();
}

void ProductScreen::find_line_of_terms() const {
  Line row{}, column{};
  rows_.read(&row, sizeof row);
  columns_.read(&column, sizeof column);
  if (row.low == no_numbers || column.low == no_numbers) return;
  row.low = no_numbers;
  column.low = 0;
  rows_.write(&row, sizeof row);
  columns_.write(&column, sizeof column);
  kernels_.launch("line_of_terms", {.x = blocks(product_.k, chunk_of_lines), .threads = threads}, matrix_of(product_.a),
                  matrix_of(product_.b), product_.k, chunk_of_lines, rows_.address());
}

void ProductScreen::find_lines(const DeviceMatrix& matrix, std::int64_t line_step, std::int64_t term_step,
                               std::int64_t lines_of_one, const DeviceMemory& out) const {
  const std::int64_t lines = product_.batch * lines_of_one;
  const std::int64_t terms = term_step == 0 ? std::min<std::int64_t>(1, product_.k) : product_.k;
  kernels_.launch("no_lines", {.x = blocks(lines, threads), .threads = threads}, out.address(), lines);
  kernels_.launch("lines", {.x = static_cast<unsigned>(lines), .y = blocks(terms, chunk_of_lines), .threads = threads},
                  matrix.address, matrix.batch_step, line_step, term_step, lines_of_one, terms, chunk_of_lines,
                  out.address());
}

ScreenedProduct ProductScreen::screen_specials(std::size_t most) const {
  const DeviceMemory counts(sizeof(Count));
  const DeviceMemory places(most * sizeof(unsigned long long));
  Count count;
  counts.write(&count, sizeof count);
  for (const std::int64_t across : {0, 1}) {
    const auto lines = static_cast<unsigned>(product_.batch * (across != 0 ? product_.n : product_.m));
    kernels_.launch("specials", {.x = lines, .threads = threads}, matrix_of(product_.a), matrix_of(product_.b),
                    matrix_of(product_.got), whole(product_), rows_.address(), columns_.address(), across,
                    counts.address(), places.address(), static_cast<unsigned long long>(most));
  }
  counts.read(&count, sizeof count);
  const auto entries = static_cast<std::size_t>(product_.batch * product_.m * product_.n);
  std::vector<std::size_t> nearest;  // one of the entries that the rule speaks of
  if (const std::optional<std::int64_t> row = first_special(rows_)) {
    nearest.push_back(static_cast<std::size_t>(*row * product_.n));
  } else if (const std::optional<std::int64_t> column = first_special(columns_)) {
    nearest.push_back(static_cast<std::size_t>(*column / product_.n * product_.m * product_.n + *column % product_.n));
  }
  return {.entries = entries,
          .special = entries - count.special,
          .open = count.open,
          .open_places = places_in(places, count, most),
          .nearest_places = nearest,
          .first = {}};
}

ScreenedProduct ProductScreen::screen(const EntryRule& rule, std::size_t most) const {
  if (rule.kind == EntryRule::Kind::exceptional) return screen_specials(most);
  ScreenedProduct all;
  std::vector<std::pair<double, std::size_t>> candidates;  // shares and places, the largest of each block
  const auto of_memory = static_cast<std::int64_t>(device_.free_memory() / 2 / bytes_of_entry);
  const std::vector<Part> parts = parts_of(product_, std::min(most_in_part, of_memory));
  const auto size_of = [](const Part& part) { return part.products * part.rows * part.n; };
  std::int64_t largest = 0;
  for (const Part& part : parts) largest = std::max(largest, size_of(part));
  const unsigned deciders = static_cast<unsigned>(device_.processors()) * 8;
  const DeviceMemory errors(static_cast<std::size_t>(largest) * sizeof(double));
  const DeviceMemory keys_of(static_cast<std::size_t>(largest) * sizeof(unsigned));
  const DeviceMemory used(keys);
  const DeviceMemory bounds(keys * sizeof(double));
  const DeviceMemory counts(sizeof(Count));
  const DeviceMemory places(most * sizeof(unsigned long long));
  const DeviceMemory nearest(deciders * sizeof(Nearest));
  for (const Part& part : parts) {
    const std::int64_t entries = size_of(part);
    const auto place_of = [&](std::int64_t at) {
      const std::int64_t of_one = part.rows * part.n;
      return static_cast<std::size_t>(((part.first_p + at / of_one) * part.m + part.first_i) * part.n + at % of_one);
    };
    used.clear();
    const Numbers numbers{rule.precision, rule.emin, rule.bits_of_sums, rule.is_stored ? 1 : 0};
    if (is_long(product_)) {
      const std::int64_t chunk = std::max(std::int64_t{1} << 12, (product_.k + most_chunks - 1) / most_chunks);
      const std::int64_t chunks = (product_.k + chunk - 1) / chunk;
      const DeviceMemory partial(static_cast<std::size_t>(entries * chunks) * sizeof(Sums));
      const DeviceMemory firsts(static_cast<std::size_t>(entries) * sizeof(ScreenedProduct::First));
      kernels_.launch("partial_sums",
                      {.x = static_cast<unsigned>(chunks), .y = static_cast<unsigned>(entries), .threads = threads},
                      matrix_of(product_.a), matrix_of(product_.b), part, chunk, partial.address());
      kernels_.launch("shares_of_sums", {.x = blocks(entries, threads), .threads = threads}, partial.address(), chunks,
                      matrix_of(product_.got), part, rows_.address(), columns_.address(), rule_of(rule.kind), numbers,
                      errors.address(), keys_of.address(), used.address(), firsts.address());
      firsts.read(&all.first.emplace(), sizeof(ScreenedProduct::First));
    } else {
      kernels_.launch("product",
                      {.x = blocks(part.n, tile),
                       .y = blocks(part.rows, tile),
                       .z = static_cast<unsigned>(part.products),
                       .threads = threads},
                      matrix_of(product_.a), matrix_of(product_.b), matrix_of(product_.got), part, rows_.address(),
                      columns_.address(), rule_of(rule.kind), numbers, errors.address(), keys_of.address(),
                      used.address());
    }
    bounds.write(bounds_of(used, rule).data(), keys * sizeof(double));
    Count count;
    counts.write(&count, sizeof count);
    kernels_.launch("decide", {.x = deciders, .threads = threads}, errors.address(), keys_of.address(), entries,
                    bounds.address(), counts.address(), places.address(), static_cast<unsigned long long>(most),
                    nearest.address());
    counts.read(&count, sizeof count);
    std::vector<Nearest> of_blocks(deciders);
    nearest.read(of_blocks.data(), of_blocks.size() * sizeof of_blocks[0]);
    for (const Nearest& each : of_blocks) {
      if (each.share >= 0) candidates.emplace_back(each.share, place_of(each.at));
    }
    all.entries += static_cast<std::size_t>(entries);
    all.special += count.special;
    all.open += count.open;
    for (const std::size_t at : places_in(places, count, most)) {
      if (all.open_places.size() < most) all.open_places.push_back(place_of(static_cast<std::int64_t>(at)));
    }
  }
  std::ranges::sort(candidates, std::greater<>());
  if (!candidates.empty()) all.nearest = candidates.front().first;
  for (const auto& [share, place] : candidates) {
    if (all.nearest_places.size() < most_nearest) all.nearest_places.push_back(place);
  }
  return all;
}

GatheredEntries ProductScreen::gather(const std::vector<std::size_t>& places) const {
  GatheredEntries all;
  const std::size_t of_one = 2 * static_cast<std::size_t>(product_.k) * bytes_of(product_.factors);
  all.factors.resize(places.size() * of_one);
  all.results.resize(places.size() * bytes_of(product_.results));
  if (places.empty()) return all;
  const std::vector<unsigned long long> wanted(places.begin(), places.end());
  const DeviceMemory list(wanted.size() * sizeof wanted[0]);
  const DeviceMemory factors(all.factors.size());
  const DeviceMemory results(all.results.size());
  list.write(wanted.data(), list.bytes());
  kernels_.launch("gather", {.x = static_cast<unsigned>(places.size()), .threads = threads}, matrix_of(product_.a),
                  matrix_of(product_.b), matrix_of(product_.got), whole(product_), list.address(),
                  static_cast<int>(bytes_of(product_.factors)), static_cast<int>(bytes_of(product_.results)),
                  factors.address(), results.address());
  factors.read(all.factors.data(), all.factors.size());
  results.read(all.results.data(), all.results.size());
  return all;
}

}  // namespace assay::enclosures
