// Columns together with the NumPy arrays they look into.
#pragma once

#include "bindings/support.hpp"
#include "core/columns/columns.hpp"

namespace frugalboost {

class ColumnsHolder {
 public:
  ColumnsHolder(std::size_t n_rows, Array<std::uint8_t, 2> dense8, Array<std::uint16_t, 2> dense16,
                Array<std::int64_t, 1> indptr, Array<std::uint32_t, 1> rows,
                Array<std::uint16_t, 1> codes, Array<std::uint16_t, 1> defaults,
                Array<std::int8_t, 1> storage, Array<std::int32_t, 1> slot,
                Array<std::int32_t, 1> n_bins, Array<bool, 1> has_missing,
                Array<bool, 1> is_categorical, int n_threads);

  const Columns& get() const { return columns_; }

 private:
  Array<std::uint8_t, 2> dense8_;
  Array<std::uint16_t, 2> dense16_;
  Array<std::uint32_t, 1> rows_;
  Array<std::uint16_t, 1> codes_;
  Columns columns_;
};

}  // namespace frugalboost
