// Passes over rows on several threads.
#pragma once

#include <vector>

#include "core/threads/parallel.hpp"

namespace frugalboost {

// Sums of floats over rows are made of sums over parts of this many, which do not depend on the
// threads.
constexpr std::size_t rows_of_a_part = 4096;

// Calls body(begin, end) for slices of n rows that have `width` numbers each.
template <class Body>
void for_rows(std::size_t n, std::size_t width, int n_threads, Body&& body) {
  parallel_shared_slices(
      n, shared_slices_worth(n * width, rows_worth_a_thread, n_threads), n_threads,
      [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
}

// What of_rows(begin, end) says about slices of n rows, put together by join(all, part). Who joins
// must not mind where slices end.
template <class Value, class OfRows, class Join>
Value join_rows(std::size_t n, std::size_t width, int n_threads, Value all, OfRows&& of_rows,
                Join&& join) {
  std::vector<Value> found(slices_worth(n * width, rows_worth_a_thread, n_threads), all);
  parallel_slices(n, found.size(), [&](std::size_t slice, std::size_t begin, std::size_t end) {
    found[slice] = of_rows(begin, end);
  });
  for (const Value& part : found) join(all, part);
  return all;
}

// Whether is_right(i) for all i in [0, n). It looks at all of them: none is expected to be wrong.
template <class IsRight>
bool all_rows(std::size_t n, int n_threads, IsRight&& is_right) {
  const auto n_wrong = [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += is_right(i) ? 0 : 1;
    return count;
  };
  return join_rows(n, 1, n_threads, std::size_t{0}, n_wrong,
                   [](std::size_t& all, std::size_t part) { all += part; }) == 0;
}

// Calls body(part, begin, end) for the parts of n rows, whichever thread they fall to.
inline std::size_t count_parts(std::size_t n) { return (n + rows_of_a_part - 1) / rows_of_a_part; }
template <class Body>
void for_parts_of_rows(std::size_t n, int n_threads, Body&& body) {
  const std::size_t n_parts = count_parts(n);
  parallel_slices(n_parts, slices_worth(n_parts, 2, n_threads),
                  [&](std::size_t, std::size_t first, std::size_t last) {
                    for (std::size_t i = first; i < last; ++i)
                      body(i, i * rows_of_a_part, std::min(n, (i + 1) * rows_of_a_part));
                  });
}

}  // namespace frugalboost
