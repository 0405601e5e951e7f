// Depthwise convolution with ReLU6 for training on a CPU, channels last. With AVX-512: bfloat16, channels a multiple of 16.
// Otherwise: float32, channels a multiple of 8. PyTorch's backward pass takes ten times and twice as long.
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
#include <immintrin.h>

constexpr int LANES = 16;
typedef uint16_t stored;
typedef float vec __attribute__((vector_size(64)));
typedef int32_t ivec __attribute__((vector_size(64)));

static inline vec load(const stored* p) {
  return (vec)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)p)), 16);
}

static inline void store(stored* p, vec v) {
  __m512i bits = (__m512i)v;
  __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  bits = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));  // to nearest, ties to even
  _mm256_storeu_si256((__m256i*)p, _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
}
#else
constexpr int LANES = 8;
typedef float stored;
typedef float vec __attribute__((vector_size(32)));
typedef int32_t ivec __attribute__((vector_size(32)));
#endif

static inline vec load(const float* p) {
  vec v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline void store(float* p, vec v) { memcpy(p, &v, sizeof v); }

// Clamps to 0 to 6 and rounds to 127 levels, as exported.
static inline vec rounded_relu6(vec v) {
  v = v > 0.0f ? v : vec{};
  v = v < 6.0f ? v : vec{} + 6.0f;
  return __builtin_convertvector(__builtin_convertvector(v * (127.0f / 6) + 0.5f, ivec), vec) * (6.0f / 127);
}

static inline vec masked(vec gradient, vec y) { return (vec)((ivec)gradient & (y > 0.0f) & (y < 6.0f)); }

// Forward pass. Weights are [K * K][channels].
template <int K, int S>
static void forward(const stored* x, const float* w, const float* bias, stored* y, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  for (int i = 0; i < n; i++)
    for (int oy = 0; oy < oh; oy++)
      for (int b = 0; b < c; b += LANES) {
        vec taps[K * K];
#pragma GCC unroll 25
        for (int t = 0; t < K * K; t++) taps[t] = load(w + t * c + b);
        const vec start = load(bias + b);
        for (int ox = 0; ox < ow; ox++) {
          vec sum = start;
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int iy = oy * S + ky - P;
            if (iy < 0 || iy >= h) continue;
            const stored* line = x + ((size_t)(i * h + iy) * wd) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int ix = ox * S + kx - P;
              if (ix >= 0 && ix < wd) sum = load(line + (size_t)ix * c) * taps[ky * K + kx] + sum;
            }
          }
          store(y + ((size_t)(i * oh + oy) * ow + ox) * c + b, rounded_relu6(sum));
        }
      }
}

// Gradient of the input. `g` is already masked by ReLU6.
template <int K, int S>
static void back_input(const stored* g, const float* w, stored* dx, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  for (int i = 0; i < n; i++)
    for (int iy = 0; iy < h; iy++)
      for (int b = 0; b < c; b += LANES) {
        vec taps[K * K];
#pragma GCC unroll 25
        for (int t = 0; t < K * K; t++) taps[t] = load(w + t * c + b);
        for (int ix = 0; ix < wd; ix++) {
          vec sum = vec{};
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int y = iy + P - ky;
            if (y < 0 || (S == 2 && (y & 1)) || y / S >= oh) continue;
            const stored* line = g + ((size_t)(i * oh + y / S) * ow) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int xx = ix + P - kx;
              if (xx < 0 || (S == 2 && (xx & 1)) || xx / S >= ow) continue;
              sum = load(line + (size_t)(xx / S) * c) * taps[ky * K + kx] + sum;
            }
          }
          store(dx + ((size_t)(i * h + iy) * wd + ix) * c + b, sum);
        }
      }
}

template <int K, int S>
static void back_weights(const stored* x, const stored* g, float* dw, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  memset(dw, 0, sizeof(float) * K * K * c);
  for (int i = 0; i < n; i++)  // one picture at a time, so that it stays in the cache
    for (int b = 0; b < c; b += LANES) {
      vec sums[K * K];
#pragma GCC unroll 25
      for (int t = 0; t < K * K; t++) sums[t] = load(dw + t * c + b);
      for (int oy = 0; oy < oh; oy++)
        for (int ox = 0; ox < ow; ox++) {
          const vec own = load(g + ((size_t)(i * oh + oy) * ow + ox) * c + b);
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int iy = oy * S + ky - P;
            if (iy < 0 || iy >= h) continue;
            const stored* line = x + ((size_t)(i * h + iy) * wd) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int ix = ox * S + kx - P;
              if (ix >= 0 && ix < wd) sums[ky * K + kx] = load(line + (size_t)ix * c) * own + sums[ky * K + kx];
            }
          }
        }
#pragma GCC unroll 25
      for (int t = 0; t < K * K; t++) store(dw + t * c + b, sums[t]);
    }
}

#define FOR_KIND(call) \
  if (k == 3 && s == 1) { call(3, 1) } \
  else if (k == 3) { call(3, 2) } \
  else if (s == 1) { call(5, 1) } \
  else { call(5, 2) }

extern "C" {

void depthwise_forward(const stored* x, const float* w, const float* bias, stored* y, int n, int h, int wd, int c, int k, int s) {
#define CALL(K, S) forward<K, S>(x, w, bias, y, n, h, wd, c);
  FOR_KIND(CALL)
#undef CALL
}

// Rounds to 63 levels on each side of zero, up to `most`.
void round_signed(stored* x, float most, size_t count) {
  for (size_t i = 0; i < count; i += LANES) {
    vec v = load(x + i);
    v = v > -most ? v : vec{} - most;
    v = v < most ? v : vec{} + most;
    v = v * (63 / most) + 64.5f;
    store(x + i, (__builtin_convertvector(__builtin_convertvector(v, ivec), vec) - 64.0f) * (most / 63));
  }
}

void round_relu6(stored* x, size_t count) {
  for (size_t i = 0; i < count; i += LANES) store(x + i, rounded_relu6(load(x + i)));
}

// Writes the gradient masked by ReLU6's output `y` to `own`, and its sum per channel to `sums`. `count` is in pixels.
void mask_gradient(const stored* gradient, const stored* y, stored* own, float* sums, size_t count, int c) {
  memset(sums, 0, sizeof(float) * c);
  for (size_t i = 0; i < count; i++)
    for (int b = 0; b < c; b += LANES) {
      const vec v = masked(load(gradient + i * c + b), load(y + i * c + b));
      store(own + i * c + b, v);
      store(sums + b, load(sums + b) + v);
    }
}

void depthwise_backward(const stored* x, const stored* g, const float* w, stored* dx, float* dw, int n, int h, int wd, int c, int k, int s) {
#define CALL(K, S) back_input<K, S>(g, w, dx, n, h, wd, c); back_weights<K, S>(x, g, dw, n, h, wd, c);
  FOR_KIND(CALL)
#undef CALL
}

}
