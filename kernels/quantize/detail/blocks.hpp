#pragma once
// The kernels of quantize().

#include <cstddef>
#include <cstdint>

#include "exec/groups.hpp"
#include "exec/launch.hpp"
#include "kernels/quantize/detail/chunks.hpp"
#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {

namespace detail {

/// Blocks that share a row, of at most 128 numbers. A group of lanes holds a block, each lane a chunk of it.
template <class T, class E, Scaling scaling, bool is_half>
struct SmallBlocks {
  static constexpr int threads = 128;
  using Shared = Tables<E>;
  static constexpr bool has_partners = is_half && E::bits == 4;
  static constexpr bool has_first = scaling == Scaling::offset_code || scaling == Scaling::minimum;
  static constexpr int count = block_chunk<T, E, scaling>;
  static constexpr int half = count / 2;

  using Range = RangeOf<scaling>;
  struct First {
    std::uint32_t place;
    float x;
  };

  Rule rule;
  std::size_t chunks;
  int log2_lanes;
  const T* x;
  std::uint8_t* codes;
  void* scales;
  void* seconds;
  const TensorScale* tensor;

  /// The first number of a chunk: with partners its second half is 16 numbers later.
  [[nodiscard]] ASSAY_HD std::size_t place_of(std::size_t c) const {
    const std::size_t lane = c & ((std::size_t{1} << log2_lanes) - 1);
    return has_partners ? (c - lane) * count + lane * half : c * count;
  }

  ASSAY_HD void pack_codes(const BlockPlan& plan, const TensorScale& of_tensor, const Tables<E>& tables,
                           const Chunk<T, count>& numbers, std::uint32_t* packed) const {
    if constexpr (scaling == Scaling::two_level || is_book<E>) {
      if (has_eight_codes<E, scaling>(rule, plan)) {
        ASSAY_UNROLL(4)
        for (int i = 0; i < count; i += 8) packed[i / 8] = eight_codes<E>(rule, plan.multiplier, tables, numbers, i);
        return;
      }
    }
    std::uint32_t words[count / 4];
    code_chunk<E, scaling>(rule, plan, of_tensor, tables, numbers, words);
    pack<count, has_partners>(words, rule.is_high_half_first, packed);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int lanes = 1 << log2_lanes;
    auto held = block.per_thread(Chunk<T, count>{});
    auto range = block.per_thread(Range::none());
    auto first = block.per_thread(First{~std::uint32_t{0}, 0});
    const std::size_t start = block.index() * threads;
    block.for_each_thread([&](int t, Shared& tables) {
      if constexpr (is_book<E>) {
        const auto c = static_cast<std::uint32_t>(t);
        if (c < Nf4::Cells::count) tables.cells.fill(c);
      }
      const std::size_t c = start + static_cast<std::size_t>(t);
      if (c >= chunks) return;
      const T* const from = x + place_of(c);
      if constexpr (has_partners) {
        constexpr int words = Chunk<T, half>::words;
        load_words<words>(from, held[t].word);
        load_words<words>(from + 16, held[t].word + words);
      } else {
        load(from, held[t]);
      }
      range[t] = range_of<Range>(held[t]);
    });
    join_groups(range, lanes, [](Range& a, const Range& b) { a.join(b); });
    if constexpr (has_first) {
      block.for_each_thread([&](int t, Shared&) {
        const int lane = t & (lanes - 1);
        const Chunk<T, count>& mine = held[t];
        ASSAY_UNROLL(32)
        for (int i = count - 1; i >= 0; --i) {
          bool found;
          if constexpr (scaling == Scaling::minimum) {
            found = mine[i] == range[t].least;
          } else {
            found = magnitude(mine[i]) == from_bits<float>(range[t].amax) && range[t].amax != 0;
          }
          const int inner = has_partners ? lane * half + i + (i >= half ? 16 - half : 0) : lane * count + i;
          if (found) first[t] = {static_cast<std::uint32_t>(inner), mine[i]};
        }
      });
      join_groups(first, lanes, [](First& a, const First& b) { a = b.place < a.place ? b : a; });
    }
    block.for_each_thread([&](int t, Shared& tables) {
      const std::size_t c = start + static_cast<std::size_t>(t);
      if (c >= chunks) return;
      const TensorScale of_tensor = scaling == Scaling::two_level ? *tensor : TensorScale{};
      const BlockPlan plan = plan_of<E, scaling, is_half>(rule, range[t], of_tensor, first[t].x);
      if ((t & (lanes - 1)) == 0) store_plan<scaling, is_half>(plan, c >> log2_lanes, scales, seconds);
      if constexpr (E::bits == 4) {
        std::uint32_t packed[count / 8];
        pack_codes(plan, of_tensor, tables, held[t], packed);
        store<count / 8>(packed, codes + c * (count / 2));
      } else {
        std::uint32_t words[count / 4];
        code_chunk<E, scaling>(rule, plan, of_tensor, tables, held[t], words);
        store<count / 4>(words, codes + place_of(c));
      }
    });
  }
};

/// The chunks of one part of a block that is a whole row, over the threads of a block.
struct Part {
  std::size_t columns;
  std::uint32_t parts;
  std::size_t chunks, chunks_of_part;
  bool is_aligned;

  static Part of(const Shape& shape, std::size_t parts, int size) {
    const std::size_t chunks = bits::ceil_div(shape.columns, static_cast<std::size_t>(size));
    return {shape.columns, static_cast<std::uint32_t>(parts), chunks, bits::ceil_div(chunks, parts),
            shape.rows == 1 || shape.columns % static_cast<std::size_t>(size) == 0};
  }

  /// The row, of fewer than 2³¹, to which block `index` of the threads belongs.
  [[nodiscard]] ASSAY_HD std::uint32_t block_of(std::size_t index) const {
    const auto i = static_cast<std::uint32_t>(index);
    return parts == 1 ? i : i / parts;
  }

  /// `count` numbers, 0 after them.
  template <class T, int size>
  ASSAY_HD void load_chunk(const T* x, std::size_t count, Chunk<T, size>& to) const {
    if (is_aligned && count == std::size_t{size}) {
      load(x, to);
    } else {
      ASSAY_UNROLL(32)
      for (std::size_t i = 0; i < std::size_t{size}; ++i) to.set(static_cast<int>(i), i < count ? x[i] : T{});
    }
  }

  /// f(number of the first entry, entries) for the chunks of `size` entries of thread t.
  template <int size, class F>
  ASSAY_HD void for_each_chunk(std::size_t index, int t, int threads, F&& f) const {
    const std::size_t row = block_of(index);
    const std::size_t first = (index - row * parts) * chunks_of_part;
    const std::size_t end = first + chunks_of_part;
    const std::size_t last = end < chunks ? end : chunks;
    for (std::size_t c = first + static_cast<std::size_t>(t); c < last; c += static_cast<std::size_t>(threads)) {
      const std::size_t column = c * std::size_t{size};
      const std::size_t left = columns - column;
      f(row * columns + column, left < std::size_t{size} ? left : std::size_t{size});
    }
  }
};

/// The range of the numbers of thread t.
template <int size, class T, class Range>
ASSAY_HD void add_part(const Part& part, const T* x, std::size_t index, int t, int threads, Range& range) {
  part.for_each_chunk<size>(index, t, threads, [&](std::size_t place, std::size_t count) {
    Chunk<T, size> numbers;
    part.load_chunk(x + place, count, numbers);
    if (count == std::size_t{size}) {
      range.join(range_of<Range>(numbers));
      return;
    }
    ASSAY_UNROLL(32)
    for (int i = 0; i < size; ++i) {
      if (static_cast<std::size_t>(i) < count) range.add(numbers[i]);
    }
  });
}

template <class Range>
struct SharedRanges {
  Range of_warp[8];
};

/// The join of the threads' ranges, for all of them.
template <class Range, int threads>
ASSAY_HD void join_block(Block<SharedRanges<Range>, threads>& block, PerThread<Range, threads>& range) {
  constexpr int warp = 32;
  static_assert(threads <= 8 * warp);
  fold_groups(range, warp, [](Range& a, const Range& b) { a.join(b); });
  block.for_each_thread([&](int t, SharedRanges<Range>& shared) {
    if (t % warp == 0) shared.of_warp[t / warp] = range[t];
  });
  block.for_each_thread([&](int t, SharedRanges<Range>& shared) {
    range[t] = shared.of_warp[0];
    ASSAY_UNROLL(8)
    for (int w = 1; w < threads / warp; ++w) range[t].join(shared.of_warp[w]);
  });
}

/// The range of each part.
template <class T, class Range>
struct PartRanges {
  static constexpr int threads = static_cast<int>(64 * sizeof(T));
  using Shared = SharedRanges<Range>;
  Part part;
  const T* x;
  Range* partial;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto range = block.per_thread(Range::none());
    block.for_each_thread([&](int t, Shared&) { add_part<chunk<T>>(part, x, block.index(), t, threads, range[t]); });
    join_block(block, range);
    block.for_each_thread([&](int t, Shared&) {
      if (t == 0) partial[block.index()] = range[t];
    });
  }
};

/// The scale of the tensor for two levels, from the ranges of all parts.
struct TensorRange {
  static constexpr int threads = 256;
  using Range = Amax;
  using Shared = SharedRanges<Range>;
  std::size_t parts;
  const Amax* partial;
  TensorScale* tensor;
  std::uint32_t* second;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto range = block.per_thread(Range::none());
    block.for_each_thread([&](int t, Shared&) {
      for (auto i = static_cast<std::size_t>(t); i < parts; i += threads) range[t].join(partial[i]);
    });
    join_block(block, range);
    block.for_each_thread([&](int t, Shared&) {
      if (t != 0) return;
      *tensor = TensorScale::of(range[t]);
      *second = to_bits(from_bits<float>(range[t].amax) / 2688);
    });
  }
};

/// Scale and codes of each part. Without partial ranges a block has one part, a row, which is read twice if it does not
/// fit into the threads' registers.
template <class T, class E, Scaling scaling>
struct PartCodes {
  static constexpr int threads = 256;
  static constexpr int size = chunk<T>;
  static constexpr int held_chunks = 2;
  using Range = RangeOf<scaling>;
  using Shared = SharedRanges<Range>;
  struct Held {
    Chunk<T, size> chunk[held_chunks];
  };

  Rule rule;
  Part part;
  const T* x;
  const Range* partial;
  std::uint8_t* codes;
  void* scales;
  void* seconds;

  /// For each of the chunks that thread t holds of a row of whole chunks: f(first entry, k).
  template <class F>
  ASSAY_HD void for_each_held(std::size_t row, int t, F&& f) const {
    ASSAY_UNROLL(2)
    for (int k = 0; k < held_chunks; ++k) {
      const auto c = static_cast<std::size_t>(t + k * threads);
      if (c < part.chunks) f(row * part.columns + c * std::size_t{size}, k);
    }
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto range = block.per_thread(Range::none());
    auto held = block.per_thread(Held{});
    const std::size_t of_block = part.block_of(block.index());
    const bool is_held = sizeof(T) == 2 && part.parts == 1 && part.columns % std::size_t{size} == 0 &&
                         part.chunks <= std::size_t{held_chunks * threads};
    block.for_each_thread([&](int t, Shared&) {
      if (part.parts > 1) {
        for (auto i = static_cast<std::size_t>(t); i < part.parts; i += threads) {
          range[t].join(partial[of_block * part.parts + i]);
        }
      } else if (is_held) {
        for_each_held(of_block, t, [&](std::size_t place, int k) { load(x + place, held[t].chunk[k]); });
        for_each_held(of_block, t, [&](std::size_t, int k) { range[t].join(range_of<Range>(held[t].chunk[k])); });
      } else {
        add_part<size>(part, x, block.index(), t, threads, range[t]);
      }
    });
    join_block(block, range);
    block.for_each_thread([&](int t, Shared&) {
      const BlockPlan plan = plan_of<E, scaling, false>(rule, range[t], {}, 0);
      if (t == 0 && block.index() == of_block * part.parts) {
        store_plan<scaling, false>(plan, of_block, scales, seconds);
      }
      std::uint32_t words[size / 4];
      if (is_held) {
        for_each_held(of_block, t, [&](std::size_t place, int k) {
          code_chunk<E, scaling>(rule, plan, {}, {}, held[t].chunk[k], words);
          store<size / 4>(words, codes + place);
        });
        return;
      }
      part.for_each_chunk<size>(block.index(), t, threads, [&](std::size_t place, std::size_t count) {
        Chunk<T, size> numbers;
        part.load_chunk(x + place, count, numbers);
        code_chunk<E, scaling>(rule, plan, {}, {}, numbers, words);
        if (part.is_aligned && count == std::size_t{size}) {
          store<size / 4>(words, codes + place);
        } else {
          ASSAY_UNROLL(32)
          for (int i = 0; i < size; ++i) {
            if (static_cast<std::size_t>(i) >= count) continue;
            codes[place + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
          }
        }
      });
    });
  }
};

/// Tiles of 128 × 128 numbers, of which a thread holds 64, in chunks of `size`.
template <int size>
struct Tile {
  static constexpr int threads = 256;
  static constexpr int chunks = 64 / size;
  static constexpr std::size_t side = 128;
  std::size_t columns;

  /// The first number of a chunk.
  [[nodiscard]] ASSAY_HD std::size_t place_of(std::size_t tile, int t, int k) const {
    const auto of_row = static_cast<std::uint32_t>(columns / side);
    const auto row = static_cast<std::uint32_t>(tile) / of_row;
    const auto c = static_cast<std::size_t>(k * threads + t);
    constexpr std::size_t chunks_of_row = side / size;
    return (row * side + c / chunks_of_row) * columns + (static_cast<std::uint32_t>(tile) - row * of_row) * side +
           c % chunks_of_row * size;
  }
};

/// Scale and codes of a tile.
template <class T, class E, Scaling scaling>
struct TileCodes {
  static constexpr int size = chunk<T>;
  static constexpr int threads = Tile<size>::threads;
  static constexpr int chunks = Tile<size>::chunks;
  using Range = RangeOf<scaling>;
  using Shared = SharedRanges<Range>;
  struct Held {
    Chunk<T, size> chunk[chunks];
  };

  Rule rule;
  Tile<size> tile;
  const T* x;
  std::uint8_t* codes;
  void* scales;
  void* seconds;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto held = block.per_thread(Held{});
    auto range = block.per_thread(Range::none());
    block.for_each_thread([&](int t, Shared&) {
      ASSAY_UNROLL(8)
      for (int k = 0; k < chunks; ++k) load(x + tile.place_of(block.index(), t, k), held[t].chunk[k]);
      ASSAY_UNROLL(8)
      for (int k = 0; k < chunks; ++k) range[t].join(range_of<Range>(held[t].chunk[k]));
    });
    join_block(block, range);
    block.for_each_thread([&](int t, Shared&) {
      const BlockPlan plan = plan_of<E, scaling, false>(rule, range[t], {}, 0);
      if (t == 0) store_plan<scaling, false>(plan, block.index(), scales, seconds);
      ASSAY_UNROLL(8)
      for (int k = 0; k < chunks; ++k) {
        std::uint32_t words[size / 4];
        code_chunk<E, scaling>(rule, plan, {}, {}, held[t].chunk[k], words);
        store<size / 4>(words, codes + tile.place_of(block.index(), t, k));
      }
    });
  }
};

}  // namespace detail

}  // namespace assay::quantize
