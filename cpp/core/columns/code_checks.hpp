// Whether binned columns can be trusted.
#pragma once

#include "core/columns/columns.hpp"

namespace frugalboost {

// A code past the histogram would write outside it, so every code is looked at once. Throws
// std::invalid_argument, which is Python's ValueError.
void check_codes(const Columns& columns, int n_threads, const Poll& poll = unheard);

}  // namespace frugalboost
