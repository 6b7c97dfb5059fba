// Values that go left or right, each side in the order in which they came.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/types.hpp"

namespace frugalboost {

// Writes the values whose side is 1 to `left` and those behind it, the others to `right`. Up to n
// values are written to each, so both need that much room: those past the last that belongs there
// mean nothing. `left` may lie in `from` or before it; `right` must lie apart.
void split_values(const Sum* from, const std::uint8_t* sides, std::size_t n, Sum* left, Sum* right);
void split_values(const Row* from, const std::uint8_t* sides, std::size_t n, Row* left, Row* right);

// The same for the numbers first, first + 1, ..
void split_numbers(Row first, const std::uint8_t* sides, std::size_t n, Row* left, Row* right);

// Copies values that are not read again soon: past the caches, where the processor can, which saves
// it from loading what is overwritten. Other threads see them after finish_copies.
template <class Value>
void copy_past_caches(const Value* from, std::size_t n, Value* to);
void finish_copies();

}  // namespace frugalboost
