// What the rows of a root add up to.
#pragma once

#include "core/base/problem.hpp"
#include "core/rows/rows.hpp"
#include "core/search/node.hpp"

namespace frugalboost {

// Totals and mass of a node; children have theirs from the search or the division of its rows.
void sum_rows(const Problem& problem, const RowOrder& order, int n_threads, Node& node);

}  // namespace frugalboost
