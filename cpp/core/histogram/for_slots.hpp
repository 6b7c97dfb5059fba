// A loop over the searched features.
#pragma once

#include "core/histogram/feature_space.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

constexpr std::size_t narrow_cells_worth_a_thread = std::size_t{1} << 14;

// Calls body(slot) for the searched features. Each thread has the features next to each other whose
// cells it added to or subtracted.
template <class Body>
void for_slots(const FeatureSpace& space, int n_threads, Body&& body) {
  const std::size_t n_slices =
      slices_worth(space.n_cells(), narrow_cells_worth_a_thread, n_threads);
  parallel_slices(space.size(), n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) body(slot);
  });
}

}  // namespace frugalboost
