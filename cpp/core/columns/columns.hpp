// Binned columns, as views of memory that somebody else keeps alive.
#pragma once

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "core/base/types.hpp"
#include "core/threads/listener.hpp"
#include "core/threads/team.hpp"

namespace frugalboost {

enum class Storage : std::int8_t { dense8, dense16, sparse };

// Their names in the same order, for Python.
constexpr const char* storage_names[] = {"dense8", "dense16", "sparse"};
static_assert(static_cast<int>(Storage::sparse) + 1 == std::size(storage_names));

// Codes have 16 bits, and one of them is for missing values.
constexpr std::size_t most_bins = 65535;

// The places of rows are counted in 32 bits, in an array that may be twice as long as the table.
constexpr std::size_t most_rows = 0x7FFFFFFF;

struct Column {
  Storage storage = Storage::dense8;
  bool has_missing = false;
  bool is_categorical = false;
  int n_bins = 1;  // value bins; the code n_bins stands for a missing value

  const std::uint8_t* codes8 = nullptr;    // dense8
  const std::uint16_t* codes16 = nullptr;  // dense16, or the entries of sparse
  const Row* rows = nullptr;               // sparse: ascending
  std::size_t n_entries = 0;               // sparse
  int default_code = 0;                    // sparse: the code of every row without an entry

  int n_codes() const { return n_bins + (has_missing ? 1 : 0); }
  int missing_code() const { return n_bins; }
  bool is_constant() const { return n_codes() < 2; }

  int code_of(Row row) const {
    switch (storage) {
      case Storage::dense8:
        return codes8[row];
      case Storage::dense16:
        return codes16[row];
      default: {
        const Row* found = std::lower_bound(rows, rows + n_entries, row);
        const bool present = found != rows + n_entries && *found == row;
        return present ? codes16[found - rows] : default_code;
      }
    }
  }
};

// A value that is made by the first who asks for it. Not by std::call_once: with some C libraries,
// all would wait for ever after one that was interrupted.
template <class Value>
class MadeOnce {
 public:
  template <class Make>
  const Value& get(Make&& make) {
    if (const Value* there = found_.load(std::memory_order_acquire)) return *there;
    const std::lock_guard<std::mutex> lock(mutex());
    if (value_ == nullptr) value_ = make();
    found_.store(value_.get(), std::memory_order_release);
    return *value_;
  }

 private:
  // Whoever made the value while the process was forked is not there to unlock it in the child.
  std::mutex& mutex() {
    const std::uint64_t now = fork_count();
    if (forks_.exchange(now) != now) new (&mutex_) std::mutex;
    return mutex_;
  }

  std::atomic<const Value*> found_{nullptr};
  std::unique_ptr<Value> value_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> forks_{fork_count()};
};

class RowBlocks;
class RowTiles;

struct Columns {
  std::size_t n_rows = 0;
  std::vector<Column> columns;

  Columns();
  ~Columns();

  // Made when first asked for, once for all who share the columns; the first decides how many
  // threads make them. If that is interrupted the next who asks begins anew.
  const RowBlocks& row_blocks(int n_threads = 1, const Poll& poll = unheard) const;
  const RowTiles& row_tiles(int n_threads, const Poll& poll = unheard) const;

  bool any_sparse() const {
    return std::any_of(columns.begin(), columns.end(),
                       [](const Column& c) { return c.storage == Storage::sparse; });
  }
  // Such columns are read entry by entry, which takes the place of each row.
  bool any_sparse_outside_blocks() const;

 private:
  mutable MadeOnce<RowBlocks> row_blocks_;
  mutable MadeOnce<RowTiles> row_tiles_;
};

}  // namespace frugalboost
