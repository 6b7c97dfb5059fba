// Columns stored a second time by rows, a fixed number of codes for each row.
//
// A node's rows lie anywhere in the table. By columns each code of a row is in a cache line of its
// own; in a tile all of them are in one or two, and adding a row to its cells is a loop without a
// branch. Columns that mostly hold one code take part without it (see row_blocks.hpp) if all rows
// have about as many of the others: one-hot columns, of which just one is set.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/scratch.hpp"
#include "core/columns/row_blocks.hpp"

namespace frugalboost {

struct RowTile {
  RowTile() = default;
  RowTile(const RowTile&) = delete;
  RowTile& operator=(const RowTile&) = delete;
  RowTile(RowTile&&) = default;
  RowTile& operator=(RowTile&&) = default;

  std::vector<std::uint32_t> features;  // in the order of their codes
  std::vector<std::uint32_t> first_code;
  std::vector<int> default_code;  // not stored; -1 if all codes are
  std::size_t n_codes = 0;        // of the features; the code n_codes stands for no entry
  std::size_t width = 0;          // codes of a row
  // Either codes counted through the tile, or, where that wastes few cells, each feature has 256 of
  // them and bytes are enough. (rows, width)
  bool has_bytes = false;
  Scratch<std::uint16_t> codes;
  Scratch<std::uint8_t> bytes;
};

class RowTiles {
 public:
  RowTiles(const Columns& columns, int n_threads, const Poll& poll = unheard);

  const std::vector<RowTile>& tiles() const { return tiles_; }

 private:
  std::vector<RowTile> tiles_;
};

}  // namespace frugalboost
