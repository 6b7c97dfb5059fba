// Memory of the arrays that every round makes afresh, kept for the next round.
//
// Arrays of a few megabytes go back to the system when they are freed, and to get them again costs
// a page fault for every four kilobytes: more than to fill them in. So while a fit lasts, freed
// arrays are kept and handed out again.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace frugalboost {

class ArrayPool {
 public:
  // The one that the bindings share. Never destroyed: arrays may outlive every static object.
  static ArrayPool& shared();

  void* take(std::size_t n_bytes);
  void give_back(void* memory, std::size_t n_bytes);

  // Freed arrays are kept while somebody has opened the pool and not closed it.
  void open();
  void close();

 private:
  struct Kept {
    void* memory;
    std::size_t n_bytes;
  };

  // Small arrays stay with the allocator anyway, and would only push out the large ones.
  static constexpr std::size_t smallest_kept = std::size_t{1} << 16;
  // A round has fewer arrays; pieces of another fit's sizes are pushed out.
  static constexpr std::size_t n_kept = 16;

  std::mutex mutex_;
  std::size_t n_open_ = 0;
  std::vector<Kept> pieces_;  // the oldest first
};

// Memory that goes back to the pool.
class Piece {
 public:
  explicit Piece(std::size_t n_bytes)
      : n_bytes_(n_bytes), memory_(ArrayPool::shared().take(n_bytes)) {}
  ~Piece() { ArrayPool::shared().give_back(memory_, n_bytes_); }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  void* memory() const { return memory_; }

 private:
  std::size_t n_bytes_;
  void* memory_;
};

// Keeps the pool open as long as it lives.
class KeptArrays {
 public:
  KeptArrays() { ArrayPool::shared().open(); }
  ~KeptArrays() { ArrayPool::shared().close(); }
  KeptArrays(const KeptArrays&) = delete;
  KeptArrays& operator=(const KeptArrays&) = delete;
};

}  // namespace frugalboost
