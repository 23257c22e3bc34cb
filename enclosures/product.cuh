#pragma once
// Kernels for NVRTC that enclose all entries of a product in global memory. ASSAY_FACTOR and ASSAY_RESULT name the
// element types, ASSAY_EXACT is 1 where products of two factors are exact in binary64.

#include "enclosures/elements.cuh"

namespace assay::enclosures {

/// Strides in elements.
struct Matrix {
  const void* data;
  Integer batch, row, column;
};

/// The entries (p, i, j) with first_p ≤ p < first_p + products and first_i ≤ i < first_i + rows.
struct Part {
  Integer m, n, k;
  Integer first_p, products, first_i, rows;
};

constexpr int tile = 64, depth = 16, threads = 256, side = 4;  // each thread has side × side entries of a tile

extern "C" __global__ void no_lines(Line* out, Integer count) {
  const Integer line = static_cast<Integer>(blockIdx.x) * threads + threadIdx.x;
  if (line < count) out[line] = {no_numbers, 0};
}

/// The lowest bits of the lines of a matrix: line_step and term_step are its strides. Each block takes `chunk` terms.
extern "C" __global__ void lines(const void* data, Integer batch_step, Integer line_step, Integer term_step,
                                 Integer lines_of_one, Integer k, Integer chunk, Line* out) {
  const Integer line = blockIdx.x;
  const Integer start = line / lines_of_one * batch_step + line % lines_of_one * line_step;
  const Integer first = blockIdx.y * chunk;
  const Integer end = min(first + chunk, k);
  __shared__ int low, special;
  if (threadIdx.x == 0) {
    low = no_numbers;
    special = 0;
  }
  __syncthreads();
  int mine = no_numbers, is_special = 0;
  for (Integer l = first + threadIdx.x; l < end; l += threads) {
    const double x = element_at<ASSAY_FACTOR>(data, start + l * term_step);
    if (!is_number(x)) {
      is_special = 1;
    } else {
      mine = min(mine, lowest_bit(x));
    }
  }
  atomicMin(&low, mine);
  if (is_special != 0) special = 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMin(&out[line].low, low);
  if (special != 0) out[line].is_special = 1;
}

/// The lowest bit of the terms of entry (0, 0, 0), of those other than 0. Each block takes `chunk` terms.
extern "C" __global__ void line_of_terms(Matrix a, Matrix b, Integer k, Integer chunk, Line* out) {
  const Integer first = blockIdx.x * chunk;
  const Integer end = min(first + chunk, k);
  __shared__ int low;
  if (threadIdx.x == 0) low = no_numbers;
  __syncthreads();
  int mine = no_numbers;
  for (Integer l = first + threadIdx.x; l < end; l += threads) {
    const double x = element_at<ASSAY_FACTOR>(a.data, l * a.column);
    const double y = element_at<ASSAY_FACTOR>(b.data, l * b.row);
    if (x != 0 && y != 0) mine = min(mine, lowest_bit(x) + lowest_bit(y));
  }
  atomicMin(&low, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMin(&out->low, low);
}

/// The shares of the entries of a part; marks the keys that occur.
extern "C" __global__ void __launch_bounds__(threads)
    product(Matrix a, Matrix b, Matrix got, Part part, const Line* rows, const Line* columns, Rule rule,
            Numbers numbers, double* errors, unsigned* keys_of, unsigned char* used) {
  __shared__ double left[depth][tile + 1], right[depth][tile + 1];
  const Integer p = part.first_p + blockIdx.z;
  const Integer top = part.first_i + static_cast<Integer>(blockIdx.y) * tile;
  const Integer first_column = static_cast<Integer>(blockIdx.x) * tile;
  const Integer end = part.first_i + part.rows;
  const int x = threadIdx.x % (tile / side), y = threadIdx.x / (tile / side);
  Sums sums[side][side];
  const bool a_is_by_terms = a.column == 1, b_is_by_terms = b.row == 1;
  double next_left[tile * depth / threads], next_right[tile * depth / threads];
  const auto load = [&](Integer first) {
#pragma unroll
    for (int each = 0; each < tile * depth / threads; ++each) {
      const int at = each * threads + threadIdx.x;
      const int l = a_is_by_terms ? at % depth : at / tile;
      const int i = a_is_by_terms ? at / depth : at % tile;
      next_left[each] = top + i < end && first + l < part.k
                            ? element_at<ASSAY_FACTOR>(a.data, p * a.batch + (top + i) * a.row + (first + l) * a.column)
                            : 0;
      const int of_term = b_is_by_terms ? at % depth : at / tile;
      const int j = b_is_by_terms ? at / depth : at % tile;
      next_right[each] = first_column + j < part.n && first + of_term < part.k
                             ? element_at<ASSAY_FACTOR>(
                                   b.data, p * b.batch + (first + of_term) * b.row + (first_column + j) * b.column)
                             : 0;
    }
  };
  load(0);
  for (Integer first = 0; first < part.k; first += depth) {
    __syncthreads();
#pragma unroll
    for (int each = 0; each < tile * depth / threads; ++each) {
      const int at = each * threads + threadIdx.x;
      left[a_is_by_terms ? at % depth : at / tile][a_is_by_terms ? at / depth : at % tile] = next_left[each];
      right[b_is_by_terms ? at % depth : at / tile][b_is_by_terms ? at / depth : at % tile] = next_right[each];
    }
    __syncthreads();
    if (first + depth < part.k) load(first + depth);
#pragma unroll 4
    for (int l = 0; l < depth; ++l) {
      double of_a[side], of_b[side];
#pragma unroll
      for (int i = 0; i < side; ++i) of_a[i] = left[l][y * side + i];
#pragma unroll
      for (int j = 0; j < side; ++j) of_b[j] = right[l][x + j * (tile / side)];
#pragma unroll
      for (int i = 0; i < side; ++i) {
#pragma unroll
        for (int j = 0; j < side; ++j) {
          if constexpr (ASSAY_EXACT) {
            add_exact(of_a[i], of_b[j], sums[i][j]);
          } else {
            add_rounded(of_a[i], of_b[j], sums[i][j]);
          }
        }
      }
    }
  }
  for (int i = 0; i < side; ++i) {
    const Integer row = top + y * side + i;
    for (int j = 0; j < side; ++j) {
      const Integer column = first_column + x + j * (tile / side);
      if (row >= end || column >= part.n) continue;
      const double result = element_at<ASSAY_RESULT>(got.data, p * got.batch + row * got.row + column * got.column);
      const Share share = share_of(enclosure_of(sums[i][j], part.k, ASSAY_EXACT), rows[p * part.m + row],
                                   columns[p * part.n + column], result, rule, numbers);
      const Integer at = ((p - part.first_p) * part.rows + (row - part.first_i)) * part.n + column;
      errors[at] = share.error;
      keys_of[at] = share.key;
      used[share.key] = 1;
    }
  }
}

/// The sums of `chunk` terms of each entry of a product of few: block (c, e) has those of chunk c of entry e.
extern "C" __global__ void __launch_bounds__(threads)
    partial_sums(Matrix a, Matrix b, Part part, Integer chunk, Sums* out) {
  const Integer entry = blockIdx.y;
  const Integer p = entry / (part.m * part.n), i = entry / part.n % part.m, j = entry % part.n;
  const Integer first = blockIdx.x * chunk;
  const Integer end = min(first + chunk, part.k);
  Sums sums;
  for (Integer l = first + threadIdx.x; l < end; l += threads) {
    const double x = element_at<ASSAY_FACTOR>(a.data, p * a.batch + i * a.row + l * a.column);
    const double y = element_at<ASSAY_FACTOR>(b.data, p * b.batch + l * b.row + j * b.column);
    add_rounded(x, y, sums);  // of exact products, too: so many terms need the sum of the errors
  }
  __shared__ Sums all[threads];
  all[threadIdx.x] = sums;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) add_sums(all[threadIdx.x + half], all[threadIdx.x]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[entry * gridDim.x + blockIdx.x] = all[0];
}

/// An entry and the kernel's number, as ScreenedProduct::First has them.
struct First {
  double value, low, radius, got;
};

/// The shares of such entries, one thread each, from `chunks` partial sums of each.
extern "C" __global__ void shares_of_sums(const Sums* partial, Integer chunks, Matrix got, Part part, const Line* rows,
                                          const Line* columns, Rule rule, Numbers numbers, double* errors,
                                          unsigned* keys_of, unsigned char* used, First* firsts) {
  const Integer entry = static_cast<Integer>(blockIdx.x) * threads + threadIdx.x;
  if (entry >= part.products * part.m * part.n) return;
  const Integer p = entry / (part.m * part.n), i = entry / part.n % part.m, j = entry % part.n;
  Sums sums;
  for (Integer chunk = 0; chunk < chunks; ++chunk) add_sums(partial[entry * chunks + chunk], sums);
  const Enclosure enclosure = enclosure_of(sums, part.k, false);
  const double result = element_at<ASSAY_RESULT>(got.data, p * got.batch + i * got.row + j * got.column);
  const Share share = share_of(enclosure, rows[p * part.m + i], columns[p * part.n + j], result, rule, numbers);
  firsts[entry] = {enclosure.value, enclosure.low, enclosure.radius, result};
  errors[entry] = share.error;
  keys_of[entry] = share.key;
  used[share.key] = 1;
}

/// What the entries of a part come to. `nearest`: the largest share of an entry that is shown to be kept.
struct Count {
  unsigned long long special;  ///< whose row or column has an infinity or a NaN
  unsigned long long open, first_open;
};
struct Nearest {
  double share;
  Integer at;
};

/// Divides the errors by the bounds of their keys. The places of the first `room` open entries that come are stored.
extern "C" __global__ void __launch_bounds__(threads)
    decide(const double* errors, const unsigned* keys_of, Integer entries, const double* bounds, Count* count,
           unsigned long long* open, unsigned long long room, Nearest* nearest) {
  Nearest mine = {-1, 0};
  unsigned long long special = 0;
  for (Integer at = static_cast<Integer>(blockIdx.x) * threads + threadIdx.x; at < entries;
       at += static_cast<Integer>(gridDim.x) * threads) {
    const unsigned key = keys_of[at];
    if (key == key_of_special) {
      ++special;
      continue;
    }
    const double error = errors[at], bound = bounds[key];
    if (error >= 0 && error <= bound && bound > 0) {
      const double share = error / bound;
      if (share > mine.share) mine = {share, at};
      continue;
    }
    const unsigned long long before = atomicAdd(&count->open, 1ULL);
    if (before < room) open[before] = static_cast<unsigned long long>(at);
    atomicMin(&count->first_open, static_cast<unsigned long long>(at));
  }
  __shared__ Nearest all[threads];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && all[threadIdx.x + half].share > all[threadIdx.x].share) {
      all[threadIdx.x] = all[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) nearest[blockIdx.x] = all[0];
  if (special != 0) atomicAdd(&count->special, special);
}

/// Whether entries whose row or column has an infinity or a NaN are what IEEE arithmetic makes of them: one block for a
/// line of A or of B that has one, one thread for an entry. An entry of two such lines is counted with its row.
extern "C" __global__ void specials(Matrix a, Matrix b, Matrix got, Part part, const Line* rows, const Line* columns,
                                    Integer across, Count* count, unsigned long long* open, unsigned long long room) {
  const Integer lines_of_one = across != 0 ? part.n : part.m;
  const Integer line = blockIdx.x, p = line / lines_of_one, here = line % lines_of_one;
  if ((across != 0 ? columns : rows)[line].is_special == 0) return;
  const Integer others = across != 0 ? part.m : part.n;
  unsigned long long asked = 0;
  for (Integer other = threadIdx.x; other < others; other += blockDim.x) {
    const Integer i = across != 0 ? other : here, j = across != 0 ? here : other;
    if (across != 0 && rows[p * part.m + i].is_special != 0) continue;
    ++asked;
    double made = 0;
    for (Integer l = 0; l < part.k; ++l) {
      const double x = element_at<ASSAY_FACTOR>(a.data, p * a.batch + i * a.row + l * a.column);
      const double y = element_at<ASSAY_FACTOR>(b.data, p * b.batch + l * b.row + j * b.column);
      if (!is_number(x) || !is_number(y)) made += x * y;
    }
    const double result = element_at<ASSAY_RESULT>(got.data, p * got.batch + i * got.row + j * got.column);
    const bool is_right = made != made ? result != result : result == made;
    if (is_right) continue;
    const unsigned long long at = static_cast<unsigned long long>((p * part.m + i) * part.n + j);
    const unsigned long long before = atomicAdd(&count->open, 1ULL);
    if (before < room) open[before] = at;
    atomicMin(&count->first_open, at);
  }
  atomicAdd(&count->special, asked);
}

/// Copies elements of `width` bytes: the row, the column and the result of each place, one behind the other.
extern "C" __global__ void gather(Matrix a, Matrix b, Matrix got, Part part, const unsigned long long* places,
                                  int factor_width, int result_width, unsigned char* factors, unsigned char* results) {
  const Integer at = static_cast<Integer>(places[blockIdx.x]);
  const Integer p = at / (part.m * part.n), i = at / part.n % part.m, j = at % part.n;
  const auto copy = [](const void* from, Integer index, unsigned char* to, int width) {
    for (int each = 0; each < width; ++each) to[each] = static_cast<const unsigned char*>(from)[index * width + each];
  };
  for (Integer l = threadIdx.x; l < part.k; l += blockDim.x) {
    unsigned char* const of_row = factors + (2 * blockIdx.x * part.k + l) * factor_width;
    copy(a.data, p * a.batch + i * a.row + l * a.column, of_row, factor_width);
    copy(b.data, p * b.batch + l * b.row + j * b.column, of_row + part.k * factor_width, factor_width);
  }
  if (threadIdx.x == 0) {
    copy(got.data, p * got.batch + i * got.row + j * got.column, results + blockIdx.x * result_width, result_width);
  }
}

}  // namespace assay::enclosures
