// What a round does to every row besides growing a tree, in one pass each.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

// out = max(1, rint(weight * 2^exponent)).
void to_fixed(const double* weights, std::size_t n, int exponent, Sum* out, int n_threads = 1);

// state[i] += table[leaf[i]][label[i]], `table` having n_labels columns.
void add_by_leaf(double* state, std::size_t n, const double* table, std::size_t n_labels,
                 const std::int32_t* leaf, const std::int64_t* label, int n_threads = 1);

// state[i][k] += table[leaf[i]][k].
void add_rows_by_leaf(double* state, std::size_t n_rows, std::size_t n_outputs, const double* table,
                      const std::int32_t* leaf, int n_threads = 1);

// state[i][k] += table[leaf[i]][label[i]][k]: a table of n_labels vectors for each leaf.
void add_rows_by_leaf_and_label(double* state, std::size_t n_rows, std::size_t n_outputs,
                                const double* table, std::size_t n_labels, const std::int32_t* leaf,
                                const std::int64_t* label, int n_threads = 1);

}  // namespace frugalboost
