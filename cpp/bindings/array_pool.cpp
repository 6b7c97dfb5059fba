#include "bindings/array_pool.hpp"

#include <algorithm>
#include <new>

namespace frugalboost {

ArrayPool& ArrayPool::shared() {
  static auto* pool = new ArrayPool;
  return *pool;
}

void* ArrayPool::take(std::size_t n_bytes) {
  if (n_bytes >= smallest_kept) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto fits = [n_bytes](const Kept& piece) { return piece.n_bytes == n_bytes; };
    const auto found = std::find_if(pieces_.rbegin(), pieces_.rend(), fits);
    if (found != pieces_.rend()) {
      void* memory = found->memory;
      pieces_.erase(std::next(found).base());
      return memory;
    }
  }
  return ::operator new(n_bytes);
}

void ArrayPool::give_back(void* memory, std::size_t n_bytes) {
  if (n_bytes >= smallest_kept) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (n_open_ > 0) {
      pieces_.push_back({memory, n_bytes});
      if (pieces_.size() <= n_kept) return;
      memory = pieces_.front().memory;
      pieces_.erase(pieces_.begin());
    }
  }
  ::operator delete(memory);
}

void ArrayPool::open() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++n_open_;
  pieces_.reserve(n_kept + 1);  // so that giving back cannot fail
}

void ArrayPool::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--n_open_ > 0) return;
  for (const Kept& piece : pieces_) ::operator delete(piece.memory);
  pieces_.clear();
}

}  // namespace frugalboost
