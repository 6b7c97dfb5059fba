// The searched features in groups whose rough histograms fit the cache together.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/feature_space.hpp"
#include "core/histogram/rough_cells.hpp"

namespace frugalboost {

class RoughWindows {
 public:
  // Features [first, last) of a block, or a single dense column.
  struct Window {
    const FeatureSpace::Block* block;  // null: a column
    std::size_t first, last;           // indices in the block; the slot of a column
    std::size_t first_code, n_codes;   // counted through the block
    std::size_t offset;                // of its codes among those of all features
    // Entries of the window alone: those of a row lie together with those of its neighbours.
    std::vector<std::uint32_t> row_start;
    std::vector<std::uint16_t> entries;  // codes counted through the window
  };

  RoughWindows(const FeatureSpace& space, std::size_t n_rows, std::size_t cell_bytes)
      : space_(space), n_rows_(n_rows) {
    for (const FeatureSpace::Block& block : space.blocks()) add_block(block, cell_bytes);
    for (std::size_t slot : space.singles()) {
      const std::size_t n_codes = space.column(slot).n_codes();
      windows_.push_back({nullptr, slot, slot + 1, 0, n_codes, space.code_offset(slot), {}, {}});
      n_entries_ += n_rows;
    }
  }

  const std::vector<Window>& all() const { return windows_; }
  std::size_t most_codes() const {
    std::size_t most = 0;
    for (const Window& window : windows_) most = std::max(most, window.n_codes);
    return most;
  }
  std::size_t n_entries() const { return n_entries_; }

  // Adds rows to the cells of a window, which begin with its first code.
  std::size_t add(const Window& window, const RoughRows& rows, Range range, Rough* cells) const {
    if (window.block != nullptr)
      return add_rough_entries(window.row_start.data(), window.entries.data(), rows, range, cells);
    const Column& column = space_.column(window.first);
    if (column.storage == Storage::dense8) {
      add_rough_codes(column.codes8, rows, range, cells);
    } else {
      add_rough_codes(column.codes16, rows, range, cells);
    }
    return range.size();
  }

 private:
  // Half of a second-level cache of a megabyte.
  static constexpr std::size_t window_bytes = std::size_t{1} << 19;

  static std::size_t end_code(const RowBlock& rows, std::size_t index) {
    return index + 1 < rows.features.size() ? rows.first_code[index + 1] : rows.n_codes;
  }

  void add_block(const FeatureSpace::Block& block, std::size_t cell_bytes) {
    const RowBlock& rows = *block.rows;
    n_entries_ += rows.row_start.back();
    // Rows have some entries in each window on average.
    const std::size_t most_windows =
        1 + rows.row_start.back() / (4 * std::max<std::size_t>(1, n_rows_));
    const std::size_t most_codes =
        std::max(window_bytes / cell_bytes, rows.n_codes / most_windows + 1);
    std::vector<std::uint32_t> next(rows.row_start.begin(), rows.row_start.end() - 1);
    for (std::size_t first = 0, last = 0; first < rows.features.size(); first = last) {
      const std::size_t first_code = rows.first_code[first];
      for (last = first + 1; last < rows.features.size(); ++last)
        if (end_code(rows, last) - first_code > most_codes) break;
      windows_.push_back({&block,
                          first,
                          last,
                          first_code,
                          end_code(rows, last - 1) - first_code,
                          block.first_code + first_code,
                          {},
                          {}});
      copy_entries(rows, next, windows_.back());
    }
  }

  void copy_entries(const RowBlock& rows, std::vector<std::uint32_t>& next, Window& window) const {
    const std::size_t end_code = window.first_code + window.n_codes;
    window.row_start.reserve(n_rows_ + 1);
    window.row_start.push_back(0);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      std::uint32_t e = next[row];
      for (; e < rows.row_start[row + 1] && rows.entries[e] < end_code; ++e)
        window.entries.push_back(static_cast<std::uint16_t>(rows.entries[e] - window.first_code));
      next[row] = e;
      window.row_start.push_back(static_cast<std::uint32_t>(window.entries.size()));
    }
  }

  const FeatureSpace& space_;
  std::size_t n_rows_, n_entries_ = 0;
  std::vector<Window> windows_;
};

}  // namespace frugalboost
