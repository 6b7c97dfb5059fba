// Loops on several threads.
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

// Calls body(thread, n_team) on each thread of a team, which is as large as asked for unless the
// system gives fewer; body must not throw.
template <class Body>
void parallel_team(int n_threads, Body&& body) {
#ifdef _OPENMP
#pragma omp parallel num_threads(n_threads) if (n_threads > 1)
  body(omp_get_thread_num(), omp_get_num_threads());
#else
  static_cast<void>(n_threads);
  body(0, 1);
#endif
}

// To be called by all threads of a team: none goes on before all have come here.
inline void wait_for_team() {
#pragma omp barrier
}

// Calls body(i) for i in [0, n); body must not throw. `cost` is the work of one i in cell updates.
// Between blocks there is a pause to listen for interrupts.
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

// A pass over rows that takes a nanosecond or two for each.
constexpr std::size_t rows_worth_a_thread = 4096;

// How many threads are worth waking for n steps of which a thread should have `fewest`.
inline std::size_t slices_worth(std::size_t n, std::size_t fewest, int n_threads) {
  return std::clamp<std::size_t>(n / fewest, 1, static_cast<std::size_t>(n_threads));
}

// Calls body(slice, begin, end) for as many slices of [0, n), equal and in order; body must not
// throw. A thread gets the same slice in every loop over n, which is in its cache by then.
template <class Body>
void parallel_slices(std::size_t n, std::size_t n_slices, Body&& body) {
  const auto visit = [&](std::size_t slice) {
    body(slice, n * slice / n_slices, n * (slice + 1) / n_slices);
  };
  if (n_slices == 1) return visit(0);
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(n_slices);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast<int>(n_slices))
  for (std::ptrdiff_t slice = 0; slice < last; ++slice) visit(static_cast<std::size_t>(slice));
}

}  // namespace frugalboost
