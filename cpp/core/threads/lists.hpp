// Lists that several threads write, as one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/scratch.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

// The numbers i in [0, n) for which is_listed(i), in order, at the front of `list`; returns how
// many there are. `aside` is needed where several threads look. is_listed must not throw.
template <class Value, class IsListed>
std::size_t list_numbers(std::size_t n, std::size_t n_slices, IsListed&& is_listed,
                         Scratch<Value>& list, Scratch<Value>& aside) {
  Value* numbers = list.room_for(n);
  std::vector<Range> found(n_slices);
  // No branch: which numbers are listed cannot be predicted.
  parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    std::size_t to = begin;
    for (std::size_t i = begin; i < end; ++i) {
      numbers[to] = static_cast<Value>(i);
      to += is_listed(i);
    }
    found[slice] = {begin, to};
  });
  if (n_slices == 1) return found[0].size();
  std::vector<std::size_t> start(n_slices + 1, 0);
  for (std::size_t s = 0; s < n_slices; ++s) start[s + 1] = start[s] + found[s].size();
  Value* joined = aside.room_for(n);
  parallel_slices(n_slices, n_slices, [&](std::size_t slice, std::size_t, std::size_t) {
    std::copy(numbers + found[slice].begin, numbers + found[slice].end, joined + start[slice]);
  });
  std::swap(list, aside);
  return start[n_slices];
}

}  // namespace frugalboost
