// The searched features in groups whose histograms fit the cache together.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/add_rows.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

// A tile, some features of a block, or a few columns.
struct Window {
  const RowTile* tile = nullptr;
  const FeatureSpace::Block* block = nullptr;
  std::vector<std::size_t> slots;  // of all its searched features
  std::size_t offset = 0;          // of its codes among those of all features
  std::size_t n_codes = 0;
  std::size_t n_entries = 0;  // of all rows
  bool is_copied = false;     // has entries of its own
  // Entries of the window of a block alone: those of a row lie together with those of its
  // neighbours.
  std::vector<std::uint32_t> row_start;
  std::vector<std::uint16_t> entries;  // codes counted through the window
  // Where they are: a window that is the whole block has none of its own.
  const std::uint32_t* row_start_at() const {
    return !is_copied ? block->rows->row_start.data() : row_start.data();
  }
  const std::uint16_t* entries_at() const {
    return !is_copied ? block->rows->entries.data() : entries.data();
  }
};

class Windows {
 public:
  // Some for each thread, where they are as large as a cache or more. Columns that are read side by
  // side share one.
  Windows(const FeatureSpace& space, std::size_t n_rows, std::size_t cell_bytes,
          std::size_t columns_at_once, int n_threads)
      : space_(space), n_rows_(n_rows), n_threads_(n_threads) {
    for (const FeatureSpace::Tile& tile : space.tiles()) add_tile(tile);
    for (const FeatureSpace::Block& block : space.blocks()) add_block(block, cell_bytes);
    add_columns(columns_at_once);
    copy_all_entries();
    for (const Window& window : windows_) n_entries_ += window.n_entries;
  }

  const std::vector<Window>& all() const { return windows_; }
  std::size_t size() const { return windows_.size(); }
  const Window& operator[](std::size_t at) const { return windows_[at]; }
  std::size_t most_codes() const {
    std::size_t most = 0;
    for (const Window& window : windows_) most = std::max(most, window.n_codes);
    return most;
  }
  // Cells that a row is added to.
  double entries_of_a_row() const {
    return static_cast<double>(n_entries_) / static_cast<double>(std::max<std::size_t>(1, n_rows_));
  }

 private:
  // Half of a second-level cache of a megabyte.
  static constexpr std::size_t window_bytes = std::size_t{1} << 19;

  static std::size_t end_code(const RowBlock& rows, std::size_t index) {
    return index + 1 < rows.features.size() ? rows.first_code[index + 1] : rows.n_codes;
  }

  void add_tile(const FeatureSpace::Tile& tile) {
    Window window;
    window.tile = tile.rows;
    window.slots = tile.slots;
    window.offset = tile.first_code;
    window.n_codes = tile.rows->n_codes + 1;
    window.n_entries = n_rows_ * tile.rows->width;
    windows_.push_back(std::move(window));
  }

  void add_columns(std::size_t at_once) {
    const std::vector<std::size_t>& singles = space_.singles();
    for (std::size_t i = 0; i < singles.size(); ++i) {
      const Column& column = space_.column(singles[i]);
      if (i % at_once == 0) {
        windows_.emplace_back();
        windows_.back().offset = space_.code_offset(singles[i]);
      }
      Window& window = windows_.back();
      window.slots.push_back(singles[i]);
      window.n_codes += column.n_codes();
      window.n_entries += column.storage == Storage::sparse ? column.n_entries : n_rows_;
    }
  }

  void add_block(const FeatureSpace::Block& block, std::size_t cell_bytes) {
    const RowBlock& rows = *block.rows;
    // Rows have some entries in each window on average.
    const std::size_t most_windows =
        1 + rows.row_start.back() / (4 * std::max<std::size_t>(1, n_rows_));
    constexpr std::size_t windows_of_a_thread = 3;
    const std::size_t shared = space_.block_codes() / (windows_of_a_thread * n_threads_) + 1;
    const std::size_t in_cache = window_bytes / cell_bytes;
    // Whatever the threads, what fits the cache many times over is not divided.
    const std::size_t wanted =
        space_.block_codes() < 2 * in_cache ? in_cache : std::min(in_cache, shared);
    const std::size_t most_codes = std::max(wanted, rows.n_codes / most_windows + 1);
    for (std::size_t first = 0, last = 0; first < rows.features.size(); first = last) {
      const std::size_t first_code = rows.first_code[first];
      for (last = first + 1; last < rows.features.size(); ++last)
        if (end_code(rows, last) - first_code > most_codes) break;
      Window window;
      window.block = &block;
      for (std::size_t i = first; i < last; ++i)
        if (block.slots[i] != FeatureSpace::no_slot) window.slots.push_back(block.slots[i]);
      if (window.slots.empty()) continue;  // nobody would look at its cells
      window.offset = block.first_code + first_code;
      window.n_codes = end_code(rows, last - 1) - first_code;
      window.n_entries = rows.row_start.back();
      const bool is_whole = first == 0 && last == rows.features.size();
      window.is_copied = !is_whole;
      windows_.push_back(std::move(window));
    }
  }

  void copy_all_entries() {
    parallel_each(windows_.size(), n_threads_, [&](std::size_t w) {
      if (windows_[w].is_copied) copy_entries(windows_[w]);
    });
  }

  void copy_entries(Window& window) const {
    const RowBlock& rows = *window.block->rows;
    const std::size_t first = window.offset - window.block->first_code;
    const std::size_t last = first + window.n_codes;
    window.row_start.reserve(n_rows_ + 1);
    window.row_start.push_back(0);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      const std::uint16_t* end = rows.entries.data() + rows.row_start[row + 1];
      const std::uint16_t* entry =
          std::lower_bound(rows.entries.data() + rows.row_start[row], end, first);
      for (; entry < end && *entry < last; ++entry)
        window.entries.push_back(static_cast<std::uint16_t>(*entry - first));
      window.row_start.push_back(static_cast<std::uint32_t>(window.entries.size()));
    }
    window.n_entries = window.entries.size();
    // Readers may look past a row's end.
    window.entries.resize(window.entries.size() + RowBlock::readable_past_end, 0);
  }

  const FeatureSpace& space_;
  std::size_t n_rows_, n_entries_ = 0;
  int n_threads_;
  std::vector<Window> windows_;
};

}  // namespace frugalboost
