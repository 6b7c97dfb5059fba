// Whether binned columns can be trusted.
#pragma once

#include "core/columns/columns.hpp"

namespace frugalboost {

// A code past the histogram would write outside it, so every code is looked at once, by
// columns.n_threads threads. Throws std::invalid_argument, which is Python's ValueError.
void check_codes(const Columns& columns);

}  // namespace frugalboost
