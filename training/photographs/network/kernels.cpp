// Depthwise convolution with ReLU6 for training on a CPU with AVX-512: bfloat16, channels last, channels a multiple of 16.
// PyTorch's own backward pass of these takes ten times as long.
#include <immintrin.h>
#include <cstdint>
#include <cstring>

typedef uint16_t bf16;

static inline __m512 load(const bf16* p) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)p)), 16));
}

static inline void store(bf16* p, __m512 v) {
  __m512i bits = _mm512_castps_si512(v);
  __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  bits = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));  // to nearest, ties to even
  _mm256_storeu_si256((__m256i*)p, _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
}

static inline __m512 masked(__m512 gradient, __m512 y) {
  __mmask16 open = _mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_GT_OQ) & _mm512_cmp_ps_mask(y, _mm512_set1_ps(6), _CMP_LT_OQ);
  return _mm512_maskz_mov_ps(open, gradient);
}

// Weights are [k * k][channels].
template <int K, int S>
static void forward(const bf16* x, const float* w, const float* bias, bf16* y, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  for (int i = 0; i < n; i++)
    for (int oy = 0; oy < oh; oy++)
      for (int b = 0; b < c; b += 16) {
        __m512 taps[K * K];
#pragma GCC unroll 25
        for (int t = 0; t < K * K; t++) taps[t] = _mm512_loadu_ps(w + t * c + b);
        const __m512 start = _mm512_loadu_ps(bias + b);
        for (int ox = 0; ox < ow; ox++) {
          __m512 sum = start;
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int iy = oy * S + ky - P;
            if (iy < 0 || iy >= h) continue;
            const bf16* line = x + ((size_t)(i * h + iy) * wd) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int ix = ox * S + kx - P;
              if (ix >= 0 && ix < wd) sum = _mm512_fmadd_ps(load(line + (size_t)ix * c), taps[ky * K + kx], sum);
            }
          }
          sum = _mm512_min_ps(_mm512_max_ps(sum, _mm512_setzero_ps()), _mm512_set1_ps(6));
          store(y + ((size_t)(i * oh + oy) * ow + ox) * c + b, sum);
        }
      }
}

// `g` is already masked. Gradient of the input.
template <int K, int S>
static void back_input(const bf16* g, const float* w, bf16* dx, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  for (int i = 0; i < n; i++)
    for (int iy = 0; iy < h; iy++)
      for (int b = 0; b < c; b += 16) {
        __m512 taps[K * K];
#pragma GCC unroll 25
        for (int t = 0; t < K * K; t++) taps[t] = _mm512_loadu_ps(w + t * c + b);
        for (int ix = 0; ix < wd; ix++) {
          __m512 sum = _mm512_setzero_ps();
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int y = iy + P - ky;
            if (y < 0 || (S == 2 && (y & 1)) || y / S >= oh) continue;
            const bf16* line = g + ((size_t)(i * oh + y / S) * ow) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int xx = ix + P - kx;
              if (xx < 0 || (S == 2 && (xx & 1)) || xx / S >= ow) continue;
              sum = _mm512_fmadd_ps(load(line + (size_t)(xx / S) * c), taps[ky * K + kx], sum);
            }
          }
          store(dx + ((size_t)(i * h + iy) * wd + ix) * c + b, sum);
        }
      }
}

template <int K, int S>
static void back_weights(const bf16* x, const bf16* g, float* dw, int n, int h, int wd, int c) {
  const int P = K / 2, oh = (h + S - 1) / S, ow = (wd + S - 1) / S;
  for (int b = 0; b < c; b += 16) {
    __m512 sums[K * K];
#pragma GCC unroll 25
    for (int t = 0; t < K * K; t++) sums[t] = _mm512_setzero_ps();
    for (int i = 0; i < n; i++)
      for (int oy = 0; oy < oh; oy++)
        for (int ox = 0; ox < ow; ox++) {
          const __m512 own = load(g + ((size_t)(i * oh + oy) * ow + ox) * c + b);
#pragma GCC unroll 5
          for (int ky = 0; ky < K; ky++) {
            const int iy = oy * S + ky - P;
            if (iy < 0 || iy >= h) continue;
            const bf16* line = x + ((size_t)(i * h + iy) * wd) * c + b;
#pragma GCC unroll 5
            for (int kx = 0; kx < K; kx++) {
              const int ix = ox * S + kx - P;
              if (ix >= 0 && ix < wd) sums[ky * K + kx] = _mm512_fmadd_ps(load(line + (size_t)ix * c), own, sums[ky * K + kx]);
            }
          }
        }
#pragma GCC unroll 25
    for (int t = 0; t < K * K; t++) _mm512_storeu_ps(dw + t * c + b, sums[t]);
  }
}

#define FOR_KIND(call) \
  if (k == 3 && s == 1) { call(3, 1) } \
  else if (k == 3) { call(3, 2) } \
  else if (s == 1) { call(5, 1) } \
  else { call(5, 2) }

extern "C" {

void depthwise_forward(const bf16* x, const float* w, const float* bias, bf16* y, int n, int h, int wd, int c, int k, int s) {
#define CALL(K, S) forward<K, S>(x, w, bias, y, n, h, wd, c);
  FOR_KIND(CALL)
#undef CALL
}

// `gradient` of `y` becomes masked in `own`; also sums it by channel. `count` pixels.
void mask_gradient(const bf16* gradient, const bf16* y, bf16* own, float* sums, size_t count, int c) {
  memset(sums, 0, sizeof(float) * c);
  for (size_t i = 0; i < count; i++)
    for (int b = 0; b < c; b += 16) {
      const __m512 v = masked(load(gradient + i * c + b), load(y + i * c + b));
      store(own + i * c + b, v);
      _mm512_storeu_ps(sums + b, _mm512_add_ps(_mm512_loadu_ps(sums + b), v));
    }
}

void depthwise_backward(const bf16* x, const bf16* g, const float* w, bf16* dx, float* dw, int n, int h, int wd, int c, int k, int s) {
#define CALL(K, S) back_input<K, S>(g, w, dx, n, h, wd, c); back_weights<K, S>(x, g, dw, n, h, wd, c);
  FOR_KIND(CALL)
#undef CALL
}

}
