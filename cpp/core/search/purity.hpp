// Whether all rows of a node of real targets say the same, so that no split can gain anything.
#pragma once

#include "core/base/problem.hpp"
#include "core/rows/rows.hpp"
#include "core/search/node.hpp"

namespace frugalboost {

// How far the computed loss of a node with these squares may be from the true one, twice over:
// docs/exactness.md. `finest_terms` counts the cells that a bound on categories adds up.
double loss_slack(const Problem& problem, double squares, int finest_terms);

// The most codes of a searched category column where one order of them does not do; else 0.
int finest_terms_of(const Columns& columns, const std::vector<std::uint32_t>& features,
                    int n_orders);

// Least squares of equal targets is not quite zero: squares were rounded up, by less than one unit
// for each row and output, and the difference is rounded once more.
bool is_pure(const Problem& problem, const RowOrder& order, const Node& node, int finest_terms);

// Squares of the rows of a node.
Sum squares_of(const Problem& problem, const RowOrder& order, Range range);

}  // namespace frugalboost
