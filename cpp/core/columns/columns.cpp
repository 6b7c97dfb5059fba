#include "core/columns/columns.hpp"

#include "core/columns/row_blocks.hpp"
#include "core/columns/row_tiles.hpp"

namespace frugalboost {

Columns::Columns() = default;
Columns::~Columns() = default;

const RowBlocks& Columns::row_blocks(int n_threads, const Poll& poll) const {
  return row_blocks_.get([&] { return std::make_unique<RowBlocks>(*this, n_threads, poll); });
}

const RowTiles& Columns::row_tiles(int n_threads, const Poll& poll) const {
  return row_tiles_.get([&] { return std::make_unique<RowTiles>(*this, n_threads, poll); });
}

bool Columns::any_sparse_outside_blocks() const {
  for (std::size_t f = 0; f < columns.size(); ++f)
    if (columns[f].storage == Storage::sparse && !columns[f].is_constant() &&
        row_blocks().place(f).block == nullptr)
      return true;
  return false;
}

}  // namespace frugalboost
