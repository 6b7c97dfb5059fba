// Jobs over parts of a table on several threads, each with buffers of its own.
#pragma once

#include <vector>

#include "core/threads/listener.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

// Calls body(i, scratch) for i in [0, n); `cost` is the work of one i in cells.
template <class Scratch, class Body>
void for_each_job(std::size_t n, std::size_t cost, int n_threads, Listener& listener, Body&& body) {
  constexpr std::size_t cells_worth_threads = std::size_t{1} << 13;
  if (n * cost < cells_worth_threads) n_threads = 1;
  std::vector<Scratch> scratch(static_cast<std::size_t>(n_threads));
  constexpr std::size_t least_cost = 100;  // of a job without cells
  parallel_each(n, n_threads, [&](std::size_t i) {
    if (!listener.goes_on(cost + least_cost)) return;
    // Called by a thread that is itself one of a team, a loop runs on it alone.
    const std::size_t thread = static_cast<std::size_t>(this_thread());
    body(i, scratch[std::min(thread, scratch.size() - 1)]);
  });
}

}  // namespace frugalboost
