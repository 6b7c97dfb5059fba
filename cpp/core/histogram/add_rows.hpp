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

// A dense column and the cells of one channel that its rows are added to.
struct ColumnCells {
  const std::uint8_t* codes;
  Sum* cells;
};

// Columns that are read side by side: one whose codes repeat adds to one cell over and over, each
// addition waiting for the last; with several the waits overlap, and a row's number is read once.
constexpr std::size_t columns_at_once = 4;

std::size_t add_columns(const ColumnCells* columns, std::size_t n, const RowValues& values,
                        Range range);

}  // namespace frugalboost
