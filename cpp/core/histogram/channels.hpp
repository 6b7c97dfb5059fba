// Cells of several numbers: what kernels that add rows to them are made of.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "core/base/kernel_parts.hpp"
#include "core/base/types.hpp"

namespace frugalboost {

// Calls use(n) with the channels of a row, as a constant where there are few: loops unroll then,
// and those of a row stay in registers.
template <class Use>
FRUGALBOOST_PART auto with_channels(std::size_t n, Use&& use) {
  switch (n) {
    case 3:
      return use(Fixed<3>{});
    case 4:
      return use(Fixed<4>{});
    case 5:
      return use(Fixed<5>{});
    case 6:
      return use(Fixed<6>{});
    case 7:
      return use(Fixed<7>{});
    case 8:
      return use(Fixed<8>{});
    case 9:
      return use(Fixed<9>{});
    case 10:
      return use(Fixed<10>{});
    case 11:
      return use(Fixed<11>{});
    default:
      return use(n);
  }
}

template <class Vector>
FRUGALBOOST_PART void add_vector(Sum* cell, const Sum* values) {
  Vector sums, more;
  std::memcpy(&sums, cell, sizeof sums);
  std::memcpy(&more, values, sizeof more);
  sums += more;
  std::memcpy(cell, &sums, sizeof sums);
}

// Of so few numbers the compiler would make single ones. Without signs: the cell of no entry of a
// tile, which nobody reads, may overflow.
template <std::size_t N>
FRUGALBOOST_PART void add_channels(Sum* __restrict cell, const Sum* __restrict values, Fixed<N>) {
  using Eight = std::uint64_t __attribute__((vector_size(64)));
  using Four = std::uint64_t __attribute__((vector_size(32)));
  using Two = std::uint64_t __attribute__((vector_size(16)));
  constexpr std::size_t fours = N / 8 * 8, twos = N / 4 * 4, ones = N / 2 * 2;
  for (std::size_t c = 0; c + 8 <= N; c += 8) add_vector<Eight>(cell + c, values + c);
  if (N % 8 >= 4) add_vector<Four>(cell + fours, values + fours);
  if (N % 4 >= 2) add_vector<Two>(cell + twos, values + twos);
  if (N % 2 == 1) cell[ones] = wrapped_sum(cell[ones], values[ones]);
}

FRUGALBOOST_PART void add_channels(Sum* __restrict cell, const Sum* __restrict values,
                                   std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) cell[c] = wrapped_sum(cell[c], values[c]);
}

}  // namespace frugalboost
