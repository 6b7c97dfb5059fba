// A loop over features on several threads, with a pause between blocks to listen for interrupts.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/types.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace frugalboost {

inline int this_thread() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

// Calls body(i) for i in [0, n); body must not throw. `cost` is the work of one i in cell updates.
template <class Body>
void parallel_for(std::size_t n, std::size_t cost, int n_threads, const Poll& poll, Body&& body) {
  // About a tenth of a second between polls.
  constexpr std::size_t updates_between_polls = std::size_t{1} << 26;
  const std::size_t block = std::max<std::size_t>(n_threads, updates_between_polls / (cost + 1));
  // A team of threads costs more to wake than a small node costs to search, and even to ask for a
  // team of one, or for the time, would be felt there; whoever loops over nodes polls as well.
  constexpr std::size_t updates_worth_threads = std::size_t{1} << 15;
  if (n * cost < updates_worth_threads) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::ptrdiff_t end = static_cast<std::ptrdiff_t>(std::min(n, begin + block));
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(begin);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
    for (std::ptrdiff_t i = first; i < end; ++i) body(static_cast<std::size_t>(i));
    poll();
  }
}

}  // namespace frugalboost
