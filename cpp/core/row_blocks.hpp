// Columns that mostly hold one code, stored a second time by rows and without that code.
//
// The cell of the most frequent code is what the others leave of the node's totals, so it need not
// be read: on images, text and one-hot columns that is most of the table. Reading by rows visits
// just the entries of a node's rows; blocks of features keep the histogram they add to in the
// cache.
#pragma once

#include <cstdint>
#include <vector>

#include "core/columns.hpp"

namespace frugalboost {

struct RowBlock {
  std::vector<std::uint32_t> features;    // ascending
  std::vector<std::uint32_t> first_code;  // of each feature, counted through the block
  std::vector<int> default_code;          // of each feature: not stored
  std::size_t n_codes = 0;
  std::vector<std::uint32_t> row_start;  // entries of row r: [row_start[r], row_start[r + 1])
  std::vector<std::uint16_t> entries;    // codes counted through the block
};

class RowBlocks {
 public:
  explicit RowBlocks(const Columns& columns);

  const std::vector<RowBlock>& blocks() const { return blocks_; }

  // Share of the table's cells that an exhaustive search reads.
  double read_share() const { return read_share_; }

 private:
  std::vector<RowBlock> blocks_;
  double read_share_ = 1.0;
};

}  // namespace frugalboost
