// Codes of one feature by row.
#pragma once

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"

namespace frugalboost {

// Sparse columns are read from the blocks of rows if they are there.
class CodeReader {
 public:
  CodeReader(const Columns& columns, std::uint32_t feature)
      : column_(columns.columns[feature]), n_codes_(column_.n_codes()) {
    if (column_.storage == Storage::sparse) place_ = columns.row_blocks().place(feature);
  }
  int operator()(std::size_t row) const {
    if (place_.block != nullptr) return place_.block->code_of(row, place_.index, n_codes_);
    return column_.code_of(static_cast<Row>(row));
  }

 private:
  const Column& column_;
  int n_codes_;
  RowBlocks::Place place_;
};

}  // namespace frugalboost
