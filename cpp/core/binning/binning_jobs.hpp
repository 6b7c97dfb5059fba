// Jobs over columns on several threads, each with buffers of its own.
#pragma once

#include <exception>
#include <mutex>
#include <vector>

#include "core/threads/parallel.hpp"

namespace frugalboost {

// Calls body(i, scratch) for i in [0, n); `cost` is the work of one i in cells. An exception (out
// of memory) must not leave a parallel region, so the first one is kept and thrown afterwards.
template <class Scratch, class Body>
void for_each_job(std::size_t n, std::size_t cost, int n_threads, Body&& body) {
  std::exception_ptr error;
  std::mutex mutex;
  std::vector<Scratch> scratch(static_cast<std::size_t>(n_threads));
  parallel_for(
      n, cost, n_threads, [] {},
      [&](std::size_t i) {
        try {
          body(i, scratch[static_cast<std::size_t>(this_thread())]);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex);
          if (!error) error = std::current_exception();
        }
      });
  if (error) std::rethrow_exception(error);
}

}  // namespace frugalboost
