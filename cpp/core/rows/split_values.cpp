#include "core/rows/split_values.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FRUGALBOOST_COMPRESS __attribute__((target("avx512f,avx512bw,avx512vl,popcnt")))
#endif

namespace frugalboost {
namespace {

// Every value is written to both sides and counted on one: no branch to predict. What is written in
// vain on the left lands on a value that was read before, or on itself.
template <class Read, class Value>
void split_plainly(std::size_t begin, std::size_t n, const std::uint8_t* sides, Read&& read,
                   Value* left, Value* right) {
  for (std::size_t i = begin; i < n; ++i) {
    const Value value = read(i);
    *left = *right = value;
    left += sides[i];
    right += 1 - sides[i];
  }
}

#ifdef FRUGALBOOST_COMPRESS

bool has_compress() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl");
  return has;
}

// Sixteen values at a time, those of a side pressed together in a register. Each call returns how
// many were done and moves both pointers on.
FRUGALBOOST_COMPRESS
inline unsigned sides_of_sixteen(const std::uint8_t* sides) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sides));
  return _mm_test_epi8_mask(bytes, bytes);
}

FRUGALBOOST_COMPRESS
inline void store_sixteen(__m512i values, unsigned goes_left, Row*& left, Row*& right) {
  const auto mask = static_cast<__mmask16>(goes_left);
  const auto others = static_cast<__mmask16>(~goes_left);
  _mm512_storeu_si512(left, _mm512_maskz_compress_epi32(mask, values));
  _mm512_storeu_si512(right, _mm512_maskz_compress_epi32(others, values));
  const int n_left = __builtin_popcount(mask);
  left += n_left;
  right += 16 - n_left;
}

FRUGALBOOST_COMPRESS
inline void store_eight(__m512i values, unsigned goes_left, Sum*& left, Sum*& right) {
  const auto mask = static_cast<__mmask8>(goes_left);
  const auto others = static_cast<__mmask8>(~goes_left);
  _mm512_storeu_si512(left, _mm512_maskz_compress_epi64(mask, values));
  _mm512_storeu_si512(right, _mm512_maskz_compress_epi64(others, values));
  const int n_left = __builtin_popcount(mask);
  left += n_left;
  right += 8 - n_left;
}

FRUGALBOOST_COMPRESS
std::size_t split_sixteens(const Sum* from, const std::uint8_t* sides, std::size_t n, Sum*& left,
                           Sum*& right) {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const unsigned goes_left = sides_of_sixteen(sides + i);
    const __m512i first = _mm512_loadu_si512(from + i), second = _mm512_loadu_si512(from + i + 8);
    store_eight(first, goes_left, left, right);
    store_eight(second, goes_left >> 8, left, right);
  }
  return i;
}

FRUGALBOOST_COMPRESS
std::size_t split_sixteens(const Row* from, const std::uint8_t* sides, std::size_t n, Row*& left,
                           Row*& right) {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16)
    store_sixteen(_mm512_loadu_si512(from + i), sides_of_sixteen(sides + i), left, right);
  return i;
}

FRUGALBOOST_COMPRESS
std::size_t split_sixteens(Row first, const std::uint8_t* sides, std::size_t n, Row*& left,
                           Row*& right) {
  const __m512i steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m512i start = _mm512_set1_epi32(static_cast<int>(first + static_cast<Row>(i)));
    store_sixteen(_mm512_add_epi32(start, steps), sides_of_sixteen(sides + i), left, right);
  }
  return i;
}

#endif

template <class From, class Read, class Value>
void split([[maybe_unused]] From from, const std::uint8_t* sides, std::size_t n, Read&& read,
           Value* left, Value* right) {
  std::size_t done = 0;
#ifdef FRUGALBOOST_COMPRESS
  if (has_compress()) done = split_sixteens(from, sides, n, left, right);
#endif
  split_plainly(done, n, sides, read, left, right);
}

}  // namespace

void split_values(const Sum* from, const std::uint8_t* sides, std::size_t n, Sum* left,
                  Sum* right) {
  split(from, sides, n, [from](std::size_t i) { return from[i]; }, left, right);
}

void split_values(const Row* from, const std::uint8_t* sides, std::size_t n, Row* left,
                  Row* right) {
  split(from, sides, n, [from](std::size_t i) { return from[i]; }, left, right);
}

void split_numbers(Row first, const std::uint8_t* sides, std::size_t n, Row* left, Row* right) {
  split(
      first, sides, n, [first](std::size_t i) { return first + static_cast<Row>(i); }, left, right);
}

#ifdef FRUGALBOOST_COMPRESS

template <class Value>
void copy_past_caches(const Value* from, std::size_t n, Value* to) {
  constexpr std::size_t at_once = sizeof(__m128i) / sizeof(Value);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128i) / sizeof(Value);
  const std::size_t first = std::min(n, (at_once - past) % at_once);
  std::copy_n(from, first, to);
  std::size_t i = first;
  for (; i + at_once <= n; i += at_once)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  std::copy_n(from + i, n - i, to + i);
}

void finish_copies() { _mm_sfence(); }

#else

template <class Value>
void copy_past_caches(const Value* from, std::size_t n, Value* to) {
  std::copy_n(from, n, to);
}

void finish_copies() {}

#endif

template void copy_past_caches(const Sum*, std::size_t, Sum*);
template void copy_past_caches(const Row*, std::size_t, Row*);

}  // namespace frugalboost
