// A user's table as views of its memory: any type of number, any order of rows and columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace frugalboost {

enum class Scalar { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

// Calls body with a zero of the type.
template <class Body>
void with_type(Scalar type, Body&& body) {
  switch (type) {
    case Scalar::f32:
      return body(float{});
    case Scalar::f64:
      return body(double{});
    case Scalar::i8:
      return body(std::int8_t{});
    case Scalar::i16:
      return body(std::int16_t{});
    case Scalar::i32:
      return body(std::int32_t{});
    case Scalar::i64:
      return body(std::int64_t{});
    case Scalar::u8:
      return body(std::uint8_t{});
    case Scalar::u16:
      return body(std::uint16_t{});
    case Scalar::u32:
      return body(std::uint32_t{});
    case Scalar::u64:
      return body(std::uint64_t{});
  }
}

template <class T>
bool is_missing(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// Part of a table with one type; strides are in bytes and may be negative or zero.
struct MatrixView {
  const char* data;
  std::size_t n_rows;
  std::size_t n_columns;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  Scalar type;

  const char* at(std::size_t row, std::size_t column) const {
    return data + static_cast<std::ptrdiff_t>(row) * row_stride +
           static_cast<std::ptrdiff_t>(column) * column_stride;
  }
};

// Stored entries of a sparse matrix, column after column; every other entry is zero.
struct SparseView {
  const char* data;
  const std::int64_t* indptr;  // n_columns + 1
  std::size_t n_rows;
  std::size_t n_columns;
  Scalar type;

  std::size_t n_stored(std::size_t column) const { return indptr[column + 1] - indptr[column]; }
};

// Neighbouring columns of one part, read together: in a row-major matrix they share cache lines.
struct Panel {
  const MatrixView* part;
  std::size_t first;  // inside the part
  std::size_t n_columns;
  std::size_t first_number;  // through all parts
};

// Enough panels for all threads, the widest of which fill a cache line.
inline std::vector<Panel> make_panels(const std::vector<MatrixView>& parts, int n_threads) {
  constexpr std::size_t cache_line = 64;
  std::vector<Panel> panels;
  std::size_t number = 0;
  for (const MatrixView& part : parts) {
    std::size_t size = 0;
    with_type(part.type, [&](auto zero) { size = sizeof zero; });
    const bool is_contiguous = part.row_stride == static_cast<std::ptrdiff_t>(size);
    const std::size_t fair = part.n_columns / (4 * static_cast<std::size_t>(n_threads));
    const std::size_t width =
        is_contiguous ? 1 : std::clamp<std::size_t>(fair, 1, cache_line / size);
    for (std::size_t first = 0; first < part.n_columns; first += width)
      panels.push_back({&part, first, std::min(width, part.n_columns - first), number + first});
    number += part.n_columns;
  }
  return panels;
}

constexpr std::size_t kTileRows = 1024;

// Copies rows [first, first + n) of the panel to `tile`, column after column, `pitch` apart.
template <class T>
void copy_tile(const Panel& panel, std::size_t first, std::size_t n, std::size_t pitch, T* tile) {
  // So few rows at a time that their lines stay in the cache even if all map to the same set.
  constexpr std::size_t group = 8;
  constexpr std::ptrdiff_t rows_ahead = 2 * group;
  const MatrixView& part = *panel.part;
  for (std::size_t r = 0; r < n; r += group) {
    const std::size_t m = std::min(group, n - r);
    const char* cells = part.at(first + r, panel.first);
    // Rows of a wide table lie on pages of their own, beyond what the hardware reads ahead.
    for (std::size_t k = 0; k < m; ++k)
      __builtin_prefetch(cells + (static_cast<std::ptrdiff_t>(k) + rows_ahead) * part.row_stride);
    for (std::size_t c = 0; c < panel.n_columns; ++c, cells += part.column_stride) {
      const char* cell = cells;
      for (std::size_t k = 0; k < m; ++k, cell += part.row_stride)
        tile[c * pitch + r + k] = *reinterpret_cast<const T*>(cell);
    }
  }
}

// Calls visit(c, first_row, values, n) for the panel's columns c, some rows at a time, so that no
// column is ever copied as a whole. `buffer` is room for one tile.
template <class T, class Visit>
void visit_tiles(const Panel& panel, std::vector<char>& buffer, Visit&& visit) {
  const MatrixView& part = *panel.part;
  const bool in_place = part.row_stride == static_cast<std::ptrdiff_t>(sizeof(T));
  // Columns a power of two apart would compete for the same lines of the cache.
  constexpr std::size_t pitch = kTileRows + 64 / sizeof(T);
  if (!in_place) buffer.resize(panel.n_columns * pitch * sizeof(T));
  T* tile = reinterpret_cast<T*>(buffer.data());
  for (std::size_t first = 0; first < part.n_rows; first += kTileRows) {
    const std::size_t n = std::min(kTileRows, part.n_rows - first);
    if (!in_place) copy_tile(panel, first, n, pitch, tile);
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const char* column = part.at(first, panel.first + c);
      visit(c, first, in_place ? reinterpret_cast<const T*>(column) : tile + c * pitch, n);
    }
  }
}

}  // namespace frugalboost
