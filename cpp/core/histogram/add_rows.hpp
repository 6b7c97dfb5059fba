// Adds rows to the cells of many features at once: the innermost loops of a search by rows.
#pragma once

#include "core/columns/row_tiles.hpp"

namespace frugalboost {

// What is added for each row. A single number stands where its row does in the order, so that it is
// read in sequence; several are looked up by row.
struct RowValues {
  const Row* rows;  // null: the order of the table
  const Sum* values;
  std::size_t n_channels;
};

// Both return the number of cells added to. `cells` begin with the first code of the tile, or of
// the entries; those of row r are [row_start[r], row_start[r + 1]), and a few more may be read.
std::size_t add_tile(const RowTile& tile, const RowValues& values, Range range, Sum* cells);
std::size_t add_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                        const RowValues& values, Range range, Sum* cells);

}  // namespace frugalboost
