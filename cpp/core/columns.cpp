#include "core/columns.hpp"

#include "core/row_blocks.hpp"

namespace frugalboost {

Columns::Columns() = default;
Columns::~Columns() = default;

const RowBlocks& Columns::row_blocks() const {
  std::call_once(once_, [this] { row_blocks_ = std::make_unique<RowBlocks>(*this); });
  return *row_blocks_;
}

}  // namespace frugalboost
