#pragma once
// Kernels of the shipped formulas: right ones in several orders, and wrong ones.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace assay::formulas::kernels {

using std::size_t;

/// Σ in three orders.
inline float forward_sum(const std::vector<float>& x) {
  float sum = 0;
  for (const float each : x) sum += each;
  return sum;
}
inline float backward_sum(const std::vector<float>& x) {
  float sum = 0;
  for (size_t i = x.size(); i-- > 0;) sum += x[i];
  return sum;
}
inline float pairwise_sum(const std::vector<float>& x) {
  std::vector<float> level = x;
  while (level.size() > 1) {
    std::vector<float> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(level[i] + level[i + 1]);
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level.empty() ? 0 : level[0];
}
using Sum = float (*)(const std::vector<float>&);

inline std::vector<float> row(const float* x, size_t n) { return {x, x + n}; }
inline float largest(const std::vector<float>& x) {
  float m = x[0];
  for (const float each : x)
    m = std::isnan(each) || std::isnan(m) ? std::numeric_limits<float>::quiet_NaN() : std::max(m, each);
  return m;
}

// ------------------------------------------------------------------------------------------------------- softmax

template <Sum sum>
void softmax(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    const float m = largest(row(x + r * n, n));
    std::vector<float> w;
    for (size_t i = 0; i < n; ++i) w.push_back(std::exp(x[r * n + i] - m));
    const float l = sum(w);
    for (size_t i = 0; i < n; ++i) y[r * n + i] = w[i] / l;
  }
}
/// By the reciprocal, and a maximum that grows from entry to entry.
inline void online_softmax(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    const float* const s = x + r * n;
    float m = s[0];
    float l = 1;
    for (size_t i = 1; i < n; ++i) {
      const float larger =
          std::isnan(s[i]) || std::isnan(m) ? std::numeric_limits<float>::quiet_NaN() : std::max(m, s[i]);
      if (std::isinf(larger) && larger < 0) continue;
      l = l * (m == larger ? 1 : std::exp(m - larger)) + std::exp(s[i] - larger);
      m = larger;
    }
    const float inverse = 1 / l;
    for (size_t i = 0; i < n; ++i) y[r * n + i] = std::exp(s[i] - m) * inverse;
  }
}
inline void softmax_without_shift(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    std::vector<float> w;
    for (size_t i = 0; i < n; ++i) w.push_back(std::exp(x[r * n + i]));
    const float l = forward_sum(w);
    for (size_t i = 0; i < n; ++i) y[r * n + i] = w[i] / l;
  }
}
inline void softmax_without_last(size_t rows, size_t n, const float* x, float* y) {
  softmax<forward_sum>(rows, n, x, y);
  for (size_t r = 0; r < rows && n > 1; ++r) {
    float l = 0;
    for (size_t i = 0; i + 1 < n; ++i) l += y[r * n + i];
    for (size_t i = 0; i < n; ++i) y[r * n + i] /= l;
  }
}
inline void softmax_without_nan(size_t rows, size_t n, const float* x, float* y) {
  std::vector<float> clean(x, x + rows * n);
  for (float& each : clean) each = std::isnan(each) ? 0 : each;
  softmax<forward_sum>(rows, n, clean.data(), y);
}
template <bool shifted>
void logsumexp(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    const float m = shifted ? largest(row(x + r * n, n)) : 0;
    std::vector<float> w;
    for (size_t i = 0; i < n; ++i) w.push_back(std::exp(x[r * n + i] - m));
    y[r] = m + std::log(backward_sum(w));
  }
}
template <bool late>
void log_softmax(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    const float m = largest(row(x + r * n, n));
    std::vector<float> w;
    for (size_t i = 0; i < n; ++i) w.push_back(std::exp(x[r * n + i] - m));
    const float l = std::log(forward_sum(w));
    for (size_t i = 0; i < n; ++i) y[r * n + i] = late ? x[r * n + i] - (m + l) : (x[r * n + i] - m) - l;
  }
}
inline void log_of_softmax(size_t rows, size_t n, const float* x, float* y) {
  softmax<forward_sum>(rows, n, x, y);
  for (size_t i = 0; i < rows * n; ++i) y[i] = std::log(y[i]);
}
template <int shift>
void cross_entropy(size_t rows, size_t n, const float* x, const std::int64_t* label, float* y) {
  logsumexp<true>(rows, n, x, y);
  for (size_t r = 0; r < rows; ++r) y[r] -= x[r * n + (static_cast<size_t>(label[r]) + shift) % n];
}

// ----------------------------------------------------------------------------------------------- normalizations

template <Sum sum>
void layer_norm(size_t rows, size_t n, const float* x, const float* gamma, const float* beta, const float* eps,
                float* y) {
  const auto count = static_cast<float>(n);
  for (size_t r = 0; r < rows; ++r) {
    const float mean = sum(row(x + r * n, n)) / count;
    std::vector<float> squares;
    for (size_t i = 0; i < n; ++i) squares.push_back((x[r * n + i] - mean) * (x[r * n + i] - mean));
    const float inverse = 1 / std::sqrt(sum(squares) / count + *eps);
    for (size_t i = 0; i < n; ++i) y[r * n + i] = (x[r * n + i] - mean) * inverse * gamma[i] + beta[i];
  }
}
enum class LayerNormMistake { one_pass, of_n_minus_1, eps_outside, no_beta };
template <LayerNormMistake mistake>
void other_layer_norm(size_t rows, size_t n, const float* x, const float* gamma, const float* beta, const float* eps,
                      float* y) {
  const auto count = static_cast<float>(n);
  for (size_t r = 0; r < rows; ++r) {
    const float* const s = x + r * n;
    const float mean = forward_sum(row(s, n)) / count;
    float squares = 0;
    for (size_t i = 0; i < n; ++i) {
      squares += mistake == LayerNormMistake::one_pass ? s[i] * s[i] : (s[i] - mean) * (s[i] - mean);
    }
    float variance = squares / (mistake == LayerNormMistake::of_n_minus_1 && n > 1 ? count - 1 : count);
    if (mistake == LayerNormMistake::one_pass) variance -= mean * mean;
    if (variance < 0) variance = 0;
    const float scale =
        mistake == LayerNormMistake::eps_outside ? 1 / (std::sqrt(variance) + *eps) : 1 / std::sqrt(variance + *eps);
    for (size_t i = 0; i < n; ++i) {
      y[r * n + i] = (s[i] - mean) * scale * gamma[i] + (mistake == LayerNormMistake::no_beta ? 0 : beta[i]);
    }
  }
}
template <bool inside>
void rms_norm(size_t rows, size_t n, const float* x, const float* gamma, const float* eps, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    float squares = 0;
    for (size_t i = 0; i < n; ++i) squares = std::fma(x[r * n + i], x[r * n + i], squares);
    const float mean = squares / static_cast<float>(n);
    const float inverse = inside ? 1 / std::sqrt(mean + *eps) : 1 / (std::sqrt(mean) + *eps);
    for (size_t i = 0; i < n; ++i) y[r * n + i] = x[r * n + i] * inverse * gamma[i];
  }
}
template <bool of_n>
void variance(size_t rows, size_t n, const float* x, float* y) {
  for (size_t r = 0; r < rows; ++r) {
    const float mean = pairwise_sum(row(x + r * n, n)) / static_cast<float>(n);
    std::vector<float> squares;
    for (size_t i = 0; i < n; ++i) squares.push_back((x[r * n + i] - mean) * (x[r * n + i] - mean));
    y[r] = pairwise_sum(squares) / static_cast<float>(of_n || n == 1 ? n : n - 1);
  }
}

// ------------------------------------------------------------------------------------------------------ products

template <bool fused>
void matmul(size_t m, size_t k, size_t n, const float* a, const float* b, float* c) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t l = k; l-- > 0;)
        sum = fused ? std::fma(a[i * k + l], b[l * n + j], sum) : sum + a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}
inline void matmul_without_last(size_t m, size_t k, size_t n, const float* a, const float* b, float* c) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t l = 0; l + (k > 1 ? 1 : 0) < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}
template <int stride>
void conv2d(size_t batch, size_t ci, size_t h, size_t w, size_t co, size_t r, size_t s, const float* x, const float* k,
            float* y) {
  const size_t rows = h - r + 1;
  const size_t columns = w - s + 1;
  for (size_t at = 0; at < batch * co * rows * columns; ++at) {
    const size_t j = at % columns;
    const size_t i = at / columns % rows;
    const size_t o = at / columns / rows % co;
    const size_t b = at / columns / rows / co;
    float sum = 0;
    for (size_t c = 0; c < ci; ++c) {
      for (size_t p = 0; p < r; ++p) {
        for (size_t q = 0; q < s; ++q) {
          const size_t flipped = stride == 1 ? p : r - 1 - p;
          sum += x[((b * ci + c) * h + i + p) * w + j + q] * k[((o * ci + c) * r + flipped) * s + q];
        }
      }
    }
    y[at] = sum;
  }
}

// ----------------------------------------------------------------------------------------------------- attention

enum class AttentionMistake { none, mask_off_by_one, scaled_twice, no_rescaling };
/// One pass over the keys in blocks of two, with a running maximum; the quotient comes last.
template <AttentionMistake mistake>
void flash(size_t n, size_t d, size_t m, size_t e, const float* q, const float* k, const float* v, const float* scale,
           float* o) {
  for (size_t i = 0; i < n; ++i) {
    const auto last = static_cast<std::ptrdiff_t>(i + m) - static_cast<std::ptrdiff_t>(n) +
                      (mistake == AttentionMistake::mask_off_by_one ? 1 : 0);
    float largest = -std::numeric_limits<float>::infinity();
    float sum = 0;
    std::vector<float> out(e);
    for (size_t begin = 0; begin < m; begin += 2) {
      std::vector<float> s;
      for (size_t j = begin; j < std::min(m, begin + 2) && static_cast<std::ptrdiff_t>(j) <= last; ++j) {
        float dot = 0;
        for (size_t l = 0; l < d; ++l) dot = std::fma(q[i * d + l] * *scale, k[j * d + l], dot);
        s.push_back(mistake == AttentionMistake::scaled_twice ? dot * *scale : dot);
      }
      if (s.empty()) continue;
      const float before = largest;
      for (const float each : s) largest = std::max(largest, each);
      const float factor = std::isinf(before) ? 0 : std::exp(before - largest);
      sum *= factor;
      for (float& each : out) each *= mistake == AttentionMistake::no_rescaling ? 1 : factor;
      for (size_t j = 0; j < s.size(); ++j) {
        const float w = std::exp(s[j] - largest);
        sum += w;
        for (size_t c = 0; c < e; ++c) out[c] += w * v[(begin + j) * e + c];
      }
    }
    for (size_t c = 0; c < e; ++c) o[i * e + c] = out[c] / sum;
  }
}
/// S, P and O one after the other.
inline void plain_attention(size_t n, size_t d, size_t m, size_t e, const float* q, const float* k, const float* v,
                            const float* scale, float* o) {
  for (size_t i = 0; i < n; ++i) {
    std::vector<float> s;
    for (size_t j = 0; j < m && j + n <= i + m; ++j) {
      float dot = 0;
      for (size_t l = 0; l < d; ++l) dot += q[i * d + l] * k[j * d + l];
      s.push_back(dot * *scale);
    }
    std::vector<float> p(s.size());
    if (!s.empty()) softmax<forward_sum>(1, s.size(), s.data(), p.data());
    for (size_t c = 0; c < e; ++c) {
      float sum = 0;
      for (size_t j = 0; j < s.size(); ++j) sum += p[j] * v[j * e + c];
      o[i * e + c] = sum;
    }
  }
}

// --------------------------------------------------------------------------------------------------- entry by entry

enum class Gelu { by_tanh, by_erf, coefficient };
template <Gelu form>
void gelu(size_t n, const float* x, float* y) {
  for (size_t i = 0; i < n; ++i) {
    const float cube = x[i] * x[i] * x[i];
    const float inner = 0.7978845608F * (x[i] + (form == Gelu::coefficient ? 0.0447F : 0.044715F) * cube);
    y[i] = 0.5F * x[i] * (1 + (form == Gelu::by_erf ? std::erf(x[i] * 0.70710678F) : std::tanh(inner)));
  }
}
inline void silu(size_t n, const float* x, float* y) {
  for (size_t i = 0; i < n; ++i) y[i] = x[i] / (1 + std::exp(-x[i]));
}
template <bool gated>
void swiglu(size_t n, const float* g, const float* x, float* y) {
  for (size_t i = 0; i < n; ++i)
    y[i] = (gated ? g[i] : x[i]) / (1 + std::exp(-(gated ? g[i] : x[i]))) * (gated ? x[i] : g[i]);
}
template <int sign>
void rope(size_t t, size_t h, const float* x, const float* cs, const float* sn, float* y) {
  for (size_t i = 0; i < t * h; ++i) {
    y[2 * i] = std::fma(x[2 * i], cs[i], -(sign * (x[2 * i + 1] * sn[i])));
    y[2 * i + 1] = x[2 * i] * sn[i] + x[2 * i + 1] * cs[i];
  }
}

}  // namespace assay::formulas::kernels
