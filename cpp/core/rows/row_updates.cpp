#include "core/rows/row_updates.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/dispatch.hpp"
#include "core/rows/rounding.hpp"
#include "core/rows/row_passes.hpp"

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

void round_slice(const double* weights, std::size_t n, int exponent, Sum* out) {
  const double scale = power_of_two(exponent);
  if (scale != 0.0 && round_small(weights, n, scale, out)) return;
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::max<Sum>(1, std::llrint(std::ldexp(weights[i], exponent)));
}

// state[i] += table[place_of(i)], both being vectors.
template <class PlaceOf>
void add_vectors(double* state, std::size_t n_rows, std::size_t n_outputs, const double* table,
                 int n_threads, PlaceOf&& place_of) {
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t begin, std::size_t end) {
    double* to = state + begin * n_outputs;
    for (std::size_t i = begin; i < end; ++i, to += n_outputs) {
      const double* said = table + place_of(i) * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) to[k] += said[k];
    }
  });
}

}  // namespace

void to_fixed(const double* weights, std::size_t n, int exponent, Sum* out, int n_threads) {
  for_rows(n, 1, n_threads, [&](std::size_t begin, std::size_t end) {
    round_slice(weights + begin, end - begin, exponent, out + begin);
  });
}

void add_by_leaf(double* state, std::size_t n, const double* table, std::size_t n_labels,
                 const std::int32_t* leaf, const std::int64_t* label, int n_threads) {
  for_rows(n, 1, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) state[i] += table[leaf[i] * n_labels + label[i]];
  });
}

void add_rows_by_leaf(double* state, std::size_t n_rows, std::size_t n_outputs, const double* table,
                      const std::int32_t* leaf, int n_threads) {
  if (n_outputs > 1)
    return add_vectors(state, n_rows, n_outputs, table, n_threads,
                       [leaf](std::size_t i) { return static_cast<std::size_t>(leaf[i]); });
  for_rows(n_rows, 1, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) state[i] += table[leaf[i]];
  });
}

void add_rows_by_leaf_and_label(double* state, std::size_t n_rows, std::size_t n_outputs,
                                const double* table, std::size_t n_labels, const std::int32_t* leaf,
                                const std::int64_t* label, int n_threads) {
  add_vectors(state, n_rows, n_outputs, table, n_threads,
              [=](std::size_t i) { return leaf[i] * n_labels + label[i]; });
}

}  // namespace frugalboost
