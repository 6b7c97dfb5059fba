// What the scan of a node's features found.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/search/splits.hpp"

namespace frugalboost {

template <class Value>
class ScanResults {
 public:
  // Nothing is found yet.
  void begin(std::size_t n_slots) {
    candidates.assign(n_slots, Candidate<Value>{});
    lowest_.store(no_loss<Value>(), std::memory_order_relaxed);
  }

  // What a feature must not exceed to win. Which threads have been here before does not matter to
  // the winner.
  Value to_beat() const { return lowest_.load(std::memory_order_relaxed); }
  void lower(Value loss) {
    Value lowest = to_beat();
    while (loss < lowest &&
           !lowest_.compare_exchange_weak(lowest, loss, std::memory_order_relaxed)) {
    }
  }

  // The slot of the least loss, then the lowest one; the number of slots if none is valid.
  std::size_t best() const {
    std::size_t best = candidates.size();
    for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
      if (!candidates[slot].is_valid()) continue;
      if (best == candidates.size() || candidates[slot].loss < candidates[best].loss) best = slot;
    }
    return best;
  }

  std::vector<Candidate<Value>> candidates;  // by slot

 private:
  std::atomic<Value> lowest_{no_loss<Value>()};
};

}  // namespace frugalboost
