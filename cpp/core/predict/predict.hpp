// What the trees of a forest say about the rows of a table.
//
// A row's sum is tree by tree, so that it is the same whichever way rows and trees are blocked, and
// on however many threads.
#pragma once

#include <cstdint>

#include "core/base/types.hpp"
#include "core/binning/raw_table.hpp"
#include "core/predict/forest.hpp"

namespace frugalboost {

// Adds trees [first, last) to `decision` (n, n_outputs).
void add_trees(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
               int n_threads, const Poll& poll, double* decision);

// The same to a `decision` that holds nothing yet and starts at `baseline`.
void sum_trees(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
               double baseline, int n_threads, const Poll& poll, double* decision);

// The same for trees [first_of_row[i], n_trees) of row i: rows that have seen some trees already.
void add_trees_from(const Forest& forest, const MatrixView& X, const std::int32_t* first_of_row,
                    int n_threads, const Poll& poll, double* decision);

// Node reached in each tree, counted from the tree's root: (n, last - first).
void find_leaves(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
                 int n_threads, const Poll& poll, std::int32_t* leaves);

}  // namespace frugalboost
