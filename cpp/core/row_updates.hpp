// What a round does to every row besides growing a tree, in one pass each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/types.hpp"

namespace frugalboost {

// out = max(1, rint(weight * 2^exponent)).
inline void to_fixed(const double* weights, std::size_t n, int exponent, Sum* out) {
  // A product with a power of two is exact and much faster than ldexp, where the power is a normal
  // number.
  if (std::abs(exponent) < 1000) {
    const double scale = std::ldexp(1.0, exponent);
    for (std::size_t i = 0; i < n; ++i) out[i] = std::max<Sum>(1, std::llrint(weights[i] * scale));
    return;
  }
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::max<Sum>(1, std::llrint(std::ldexp(weights[i], exponent)));
}

// state[i] += table[leaf[i]][label[i]], `table` having n_labels columns.
inline void add_by_leaf(double* state, std::size_t n, const double* table, std::size_t n_labels,
                        const std::int32_t* leaf, const std::int64_t* label) {
  for (std::size_t i = 0; i < n; ++i) state[i] += table[leaf[i] * n_labels + label[i]];
}

}  // namespace frugalboost
