// Some columns of a few rows, copied side by side, so that vectors can be loaded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/binning/raw_table.hpp"

namespace frugalboost {

// Long enough for vectors, short enough for the columns to stay in the cache.
constexpr std::size_t tile_rows = 64;

template <class Real>
struct alignas(64) TileColumn {
  Real values[tile_rows];
};

// Copies rows [begin, end), at most `tile_rows`, to `tile`. What is missing to a whole tile is
// filled with copies of the last row.
template <class T, class Real>
void fill_tile(const MatrixView& X, const std::vector<std::int32_t>& features, std::size_t begin,
               std::size_t end, TileColumn<Real>* tile) {
  // So few rows at a time that their lines stay in the cache until all columns are copied.
  constexpr std::size_t group = 16;
  for (std::size_t first = 0; first < tile_rows; first += group) {
    const char* row[group];
    for (std::size_t i = 0; i < group; ++i) row[i] = X.at(std::min(begin + first + i, end - 1), 0);
    for (std::size_t k = 0; k < features.size(); ++k) {
      const std::ptrdiff_t offset = features[k] * X.column_stride;
      for (std::size_t i = 0; i < group; ++i) {
        T raw;  // copied, as a column of a record need not be aligned
        std::memcpy(&raw, row[i] + offset, sizeof(T));
        tile[k].values[first + i] = static_cast<Real>(raw);
      }
    }
  }
}

}  // namespace frugalboost
