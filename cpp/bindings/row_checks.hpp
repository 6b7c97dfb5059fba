// Checks of arrays that have a number for each row, on several threads and without the GIL.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "bindings/support.hpp"
#include "core/rows/row_passes.hpp"

namespace frugalboost {

inline void require_threads(int n_threads) {
  require(n_threads >= 1, "n_threads must be at least 1");
}

// Whether all numbers are in [0, limit): negative ones are huge without a sign.
template <class Number>
bool all_below(const Number* numbers, std::size_t n, std::size_t limit, int n_threads) {
  using Unsigned = std::make_unsigned_t<Number>;
  return all_rows(n, n_threads, [=](std::size_t i) {
    return static_cast<std::size_t>(static_cast<Unsigned>(numbers[i])) < limit;
  });
}

// Whether all numbers are above 0 and at most `most`.
inline bool all_positive(const double* numbers, std::size_t n, double most, int n_threads) {
  return all_rows(n, n_threads,
                  [=](std::size_t i) { return numbers[i] > 0.0 && numbers[i] <= most; });
}

template <class Label>
void check_labels(const Label* labels, std::size_t n, std::size_t n_classes, int n_threads) {
  require(all_below(labels, n, n_classes, n_threads), "labels must be below the number of classes");
}

// The node of each row, where there are n_nodes.
inline void check_nodes(const Array<std::int32_t, 1>& node_of_row, std::size_t n_rows,
                        std::size_t n_nodes, int n_threads) {
  require(
      node_of_row.shape(0) == n_rows && all_below(node_of_row.data(), n_rows, n_nodes, n_threads),
      "node_of_row must name one of the nodes for each row");
}

}  // namespace frugalboost
