// What the kernels of rough cells share; included only by the files that compile them.
#pragma once

#include "core/base/kernel_parts.hpp"
#include "core/histogram/rough_cells.hpp"

namespace frugalboost::rough {

// Calls use(width) with the number of a cell's sums, as a constant where it is a usual one: loops
// then unroll, and the sums of a row stay in registers.
template <class Use>
FRUGALBOOST_PART auto with_half(std::size_t half, Use&& use) {
  switch (half) {
    case 4:
      return use(Fixed<4>{});
    case 8:
      return use(Fixed<8>{});
    case 12:
      return use(Fixed<12>{});
    case 16:
      return use(Fixed<16>{});
    default:
      return use(half);
  }
}

template <class Width>
FRUGALBOOST_PART void add(const Rough* __restrict values, Width n, Rough* __restrict cell) {
  for (std::size_t c = 0; c < n; ++c) cell[c] += values[c];
}

template <class Width>
FRUGALBOOST_PART void subtract(const Rough* __restrict whole, const Rough* __restrict part, Width n,
                               Rough* __restrict rest) {
  for (std::size_t c = 0; c < n; ++c) rest[c] = whole[c] - part[c];
}

FRUGALBOOST_PART std::size_t row_at(const RoughRows& rows, std::size_t i) {
  return rows.rows == nullptr ? i : rows.rows[i];
}

}  // namespace frugalboost::rough
