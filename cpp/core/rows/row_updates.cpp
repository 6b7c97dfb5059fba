#include "core/rows/row_updates.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/dispatch.hpp"
#include "core/rows/rounding.hpp"

namespace frugalboost {
namespace {

// Returns whether every number was small enough for it.
FRUGALBOOST_CLONES
bool round_small(const double* weights, std::size_t n, double scale, Sum* out) {
  Sum n_large = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double scaled = weights[i] * scale, nearest = rounded(scaled);
    out[i] = integer_of(nearest < 1.0 ? 1.0 : nearest);
    n_large += scaled < roundable ? 0 : 1;
  }
  return n_large == 0;
}

}  // namespace

void to_fixed(const double* weights, std::size_t n, int exponent, Sum* out) {
  const double scale = power_of_two(exponent);
  if (scale != 0.0 && round_small(weights, n, scale, out)) return;
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::max<Sum>(1, std::llrint(std::ldexp(weights[i], exponent)));
}

void add_by_leaf(double* state, std::size_t n, const double* table, std::size_t n_labels,
                 const std::int32_t* leaf, const std::int64_t* label) {
  for (std::size_t i = 0; i < n; ++i) state[i] += table[leaf[i] * n_labels + label[i]];
}

void add_rows_by_leaf(double* state, std::size_t n_rows, std::size_t n_outputs, const double* table,
                      const std::int32_t* leaf) {
  if (n_outputs == 1) {
    for (std::size_t i = 0; i < n_rows; ++i) state[i] += table[leaf[i]];
    return;
  }
  for (std::size_t i = 0; i < n_rows; ++i, state += n_outputs) {
    const double* said = table + leaf[i] * n_outputs;
    for (std::size_t k = 0; k < n_outputs; ++k) state[k] += said[k];
  }
}

}  // namespace frugalboost
