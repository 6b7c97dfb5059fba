// Keeps all rows in decreasing order of mass from round to round by merging, never by sorting.
#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace frugalboost {

// `order` holds rows in decreasing order of last round's masses. A boosting round changes the
// weights of rows of one group (same leaf, same label) by the same monotone map, so each group is
// still in order: gather the groups, then merge their runs. Runs are detected rather than assumed;
// an order that a rule did disturb is repaired at the cost of more runs. Rows of equal mass stay as
// the groups have them: where runs end, which may depend on the threads, does not matter.
void merge_by_mass(std::vector<Row>& order, const Sum* mass, const std::int32_t* group,
                   std::size_t n_groups, int n_threads = 1);

// The heaviest of `rows` (n, ascending), or of rows 0 to n - 1 if that is null: as few as hold
// `share` of the mass of all of them, ascending. Of rows of equal mass the first are taken.
std::vector<Row> heaviest_rows(const Sum* mass, const Row* rows, std::size_t n, double share,
                               int n_threads = 1);

// Share of the rows, heaviest first, that hold `share` of the mass; found without an order, by
// counting rows of about equal mass together. Its floats are added in order, so it takes one
// thread: who asks has drawn a thousand rows or two.
double share_of_rows(const Sum* mass, std::size_t n, double share);

}  // namespace frugalboost
