// Tiles of whole numbers, which index tables: most columns of counts, codes and dates are such,
// also where they are stored as floating-point numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/kernel_parts.hpp"
#include "core/binning/raw_table.hpp"

namespace frugalboost {

struct Integers {
  bool are_all = false;  // missing values apart, which stand as zero
  bool any_missing = false;
  std::int32_t low = 0, high = 0;
};

// Widest table that is indexed by such numbers: a few hundred kilobytes.
constexpr std::int64_t widest_integers = std::int64_t{1} << 16;

// Writes values as integers of at most 2^30 in size. No branches: the loop runs on vectors.
template <class T>
FRUGALBOOST_PART Integers to_integers_inline(const T* values, std::size_t n, std::int32_t* out) {
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  constexpr bool is_small = std::is_integral_v<T> && sizeof(T) < 4;
  // What bounds do to values of narrow types they do not need.
  constexpr T top = is_small ? std::numeric_limits<T>::max() : static_cast<T>(limit);
  constexpr T bottom = is_small              ? std::numeric_limits<T>::min()
                       : std::is_signed_v<T> ? static_cast<T>(-limit)
                                             : T{0};
  std::int32_t low = std::numeric_limits<std::int32_t>::max();
  std::int32_t high = std::numeric_limits<std::int32_t>::min();
  int n_odd = 0, n_missing = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const T value = values[i];
    T bounded = value < top ? value : top;  // NaN, too, becomes a number
    bounded = bounded > bottom ? bounded : bottom;
    const std::int32_t is_nan = is_missing(value);
    const std::int32_t whole = static_cast<std::int32_t>(bounded) & (is_nan - 1);
    n_odd += static_cast<T>(whole) != value;
    n_missing += is_nan;
    low = std::min(low, whole);
    high = std::max(high, whole);
    out[i] = whole;
  }
  return {n_odd == n_missing, n_missing > 0, low, high};
}

template <class T>
Integers to_integers(const T* values, std::size_t n, std::int32_t* out) {
  return to_integers_inline(values, n, out);
}

// For several instruction sets.
Integers to_integers(const float* values, std::size_t n, std::int32_t* out);
Integers to_integers(const double* values, std::size_t n, std::int32_t* out);

}  // namespace frugalboost
