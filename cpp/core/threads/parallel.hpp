// Loops on several threads. An exception in a body comes out of the loop.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "core/base/types.hpp"
#include "core/threads/team.hpp"

namespace frugalboost {

// Calls body(thread, n_team) for each thread of a team, which is as large as asked for unless the
// system gives fewer. No body may wait for another.
template <class Body>
void parallel_team(int n_threads, Body&& body) {
  if (n_threads <= 1) return body(0, 1);
  run_team(n_threads, TeamBody(body));
}

// Calls body(i) for i in [0, n), whichever thread is free taking the next.
template <class Body>
void parallel_each(std::size_t n, int n_threads, Body&& body) {
  if (n_threads <= 1 || n <= 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  const int n_team = static_cast<int>(std::min<std::size_t>(n, n_threads));
  parallel_team(n_team, [&](int, int) {
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) body(i);
    } catch (...) {
      next.store(n, std::memory_order_relaxed);  // the others need not go on
      throw;
    }
  });
}

// Calls body(i) for i in [0, n). `cost` is the work of one i in cell updates. Between blocks there
// is a pause to listen for interrupts.
template <class Body>
void parallel_for(std::size_t n, std::size_t cost, int n_threads, const Poll& poll, Body&& body) {
  // About a tenth of a second between polls.
  constexpr std::size_t updates_between_polls = std::size_t{1} << 26;
  const std::size_t block = std::max<std::size_t>(n_threads, updates_between_polls / (cost + 1));
  // Even to ask for the time would be felt in a small node; whoever loops over nodes polls as well.
  constexpr std::size_t updates_worth_threads = std::size_t{1} << 13;
  if (n * cost < updates_worth_threads) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  for (std::size_t begin = 0; begin < n; begin += block) {
    parallel_each(std::min(block, n - begin), n_threads, [&](std::size_t i) { body(begin + i); });
    poll();
  }
}

// A pass over rows that takes a nanosecond or two for each.
constexpr std::size_t rows_worth_a_thread = 4096;

// How many threads are worth waking for n steps of which a thread should have `fewest`; those of a
// team at work wake none.
inline std::size_t slices_worth(std::size_t n, std::size_t fewest, int n_threads) {
  if (n < 2 * fewest || is_in_team()) return 1;
  return std::clamp<std::size_t>(n / fewest, 1, static_cast<std::size_t>(n_threads));
}

// Calls body(slice, begin, end) for as many slices of [0, n), equal and in order. A thread gets the
// same slice in every loop over n, which is in its cache by then.
template <class Body>
void parallel_slices(std::size_t n, std::size_t n_slices, Body&& body) {
  const auto visit = [&](std::size_t slice) {
    body(slice, n * slice / n_slices, n * (slice + 1) / n_slices);
  };
  if (n_slices == 1) return visit(0);
  parallel_team(static_cast<int>(n_slices), [&](int thread, int n_team) {
    for (std::size_t slice = thread; slice < n_slices; slice += n_team) visit(slice);
  });
}

// In a long loop a thread may lose its processor to another program, and all others wait for its
// slice. So there are several for each thread, unless slices consist of so many pieces that to find
// those would take longer.
inline std::size_t shared_slices_worth(std::size_t n, std::size_t fewest, int n_threads,
                                       std::size_t n_pieces = 1) {
  constexpr std::size_t of_a_thread = 4, fewest_of_loop = std::size_t{1} << 14,
                        fewest_of_piece = std::size_t{1} << 10;
  const std::size_t n_slices = slices_worth(n, fewest, n_threads);
  const bool is_long = n / n_slices >= std::max(fewest_of_loop, fewest_of_piece * n_pieces);
  const bool is_for_all = n_slices > 1 && n_slices == static_cast<std::size_t>(n_threads);
  return is_for_all && is_long ? of_a_thread * n_slices : n_slices;
}

// As parallel_slices, with slices that lie next to each other for each thread; whoever has finished
// its own takes what others have not begun. So a slice says nothing about the thread. It asks for
// no memory: state may be half changed by now.
template <class Body>
void parallel_shared_slices(std::size_t n, std::size_t n_slices, int n_threads, Body&& body) {
  if (n_slices <= static_cast<std::size_t>(n_threads)) return parallel_slices(n, n_slices, body);
  struct alignas(128) Share {
    std::atomic<std::size_t> n_begun{0};
  };
  constexpr int most_shares = 64;
  Share shares[most_shares];
  const int n_shares = std::min(n_threads, most_shares);
  parallel_team(n_threads, [&](int thread, int) {
    for (int i = 0; i < n_shares; ++i) {
      const auto whose = static_cast<std::size_t>((thread + i) % n_shares);
      const std::size_t first = n_slices * whose / n_shares,
                        end = n_slices * (whose + 1) / n_shares;
      for (std::size_t s; (s = first + shares[whose].n_begun.fetch_add(1)) < end;)
        body(s, n * s / n_slices, n * (s + 1) / n_slices);
    }
  });
}

}  // namespace frugalboost
