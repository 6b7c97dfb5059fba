// Columns that mostly hold one code, stored a second time by rows and without that code.
//
// The cell of the most frequent code is what the others leave of the node's totals, so it need not
// be read: on images, text and one-hot columns that is most of the table. Reading by rows visits
// just the entries of a node's rows; blocks of features keep the histogram they add to in the
// cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/unfilled.hpp"
#include "core/columns/columns.hpp"

namespace frugalboost {

struct RowBlock {
  // Entries after the last one of the block that may be read, each a code of the block.
  static constexpr std::size_t readable_past_end = 4;

  std::vector<std::uint32_t> features;    // ascending
  std::vector<std::uint32_t> first_code;  // of each feature, counted through the block
  std::vector<int> default_code;          // of each feature: not stored
  std::size_t n_codes = 0;
  // Entries of row r are [row_start[r], row_start[r + 1]): codes counted through the block,
  // ascending in a row.
  UnfilledVector<std::uint32_t> row_start;
  UnfilledVector<std::uint16_t> entries;

  // The code of a row on the index-th feature.
  int code_of(std::size_t row, std::size_t index, int n_codes) const {
    const std::uint16_t* at = entries.data() + row_start[row];
    const std::uint16_t* end = entries.data() + row_start[row + 1];
    const std::uint32_t first = first_code[index];
    if (end - at > 32) {
      at = std::lower_bound(at, end, first);
    } else {
      while (at < end && *at < first) ++at;
    }
    const bool is_stored = at < end && *at < first + n_codes;
    return is_stored ? static_cast<int>(*at - first) : default_code[index];
  }
};

class RowBlocks {
 public:
  // Where a feature is stored.
  struct Place {
    const RowBlock* block = nullptr;  // null: in no block
    std::size_t index = 0;            // among the block's features
  };

  RowBlocks(const Columns& columns, int n_threads, const Poll& poll = unheard);

  const std::vector<RowBlock>& blocks() const { return blocks_; }
  Place place(std::size_t feature) const { return places_[feature]; }

  // Share of the table's cells that an exhaustive search reads.
  double read_share() const { return read_share_; }

 private:
  std::vector<RowBlock> blocks_;
  std::vector<Place> places_;
  double read_share_ = 1.0;
};

}  // namespace frugalboost
