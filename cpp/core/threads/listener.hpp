// Listening for interrupts from inside the bodies of a loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

#include "core/base/types.hpp"

namespace frugalboost {

// For work that nobody interrupts.
inline const Poll unheard = [] {};

// Polls while a loop on several threads is at work, also where a single body takes long. Bodies ask
// it before each piece of their work.
class Listener {
 public:
  explicit Listener(const Poll& poll) : poll_(poll), caller_(std::this_thread::get_id()) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Whether to go on with so many cells. The thread that made the listener polls, which may throw;
  // the others hear of it by the answer and should return. They must not throw: a loop throws the
  // first exception of its bodies, which should be that of the poll.
  bool goes_on(std::size_t n_cells) {
    if (std::this_thread::get_id() == caller_) count(n_cells);
    return !is_over_.load(std::memory_order_relaxed);
  }

 private:
  void count(std::size_t n_cells) {
    // A few milliseconds at most, beside which to ask for the time is nothing.
    constexpr std::size_t cells_between_polls = std::size_t{1} << 18;
    n_cells_ += n_cells;
    if (n_cells_ < cells_between_polls) return;
    n_cells_ = 0;
    try {
      poll_();
    } catch (...) {
      is_over_.store(true, std::memory_order_relaxed);
      throw;
    }
  }

  const Poll& poll_;
  std::thread::id caller_;
  std::size_t n_cells_ = 0;  // since the last poll
  // Apart from what the caller writes: all threads look here.
  alignas(128) std::atomic<bool> is_over_{false};
};

}  // namespace frugalboost
