// Where rows end up that a tree did not grow on.
#pragma once

#include "core/base/unfilled.hpp"
#include "core/grow/grown_tree.hpp"
#include "core/grow/sides.hpp"

namespace frugalboost {

// Rows whose node is -1 go down the tree node by node, like those that it grew on; then the tree
// has the sums of all rows.
void route_rest(const Columns& columns, const Problem& problem, int n_threads, SideFinder& sides,
                UnfilledVector<std::int32_t>& node_of_row, GrownTree& tree);

}  // namespace frugalboost
