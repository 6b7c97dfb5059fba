// A user's table as views of its memory: any type of number, any order of rows and columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"
#include "core/threads/listener.hpp"

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

// Panels fill a cache line, so that a row-major table is read little more than once.
inline std::vector<Panel> make_panels(const std::vector<MatrixView>& parts) {
  constexpr std::size_t cache_line = 64;
  std::vector<Panel> panels;
  std::size_t number = 0;
  for (const MatrixView& part : parts) {
    std::size_t size = 0;
    with_type(part.type, [&](auto zero) { size = sizeof zero; });
    const bool is_contiguous = part.row_stride == static_cast<std::ptrdiff_t>(size);
    const std::size_t widest = is_contiguous ? 1 : cache_line / size;
    const std::size_t n_panels = (part.n_columns + widest - 1) / widest;
    for (std::size_t p = 0; p < n_panels; ++p) {
      const std::size_t first = part.n_columns * p / n_panels;
      const std::size_t end = part.n_columns * (p + 1) / n_panels;
      panels.push_back({&part, first, end - first, number + first});
    }
    number += part.n_columns;
  }
  return panels;
}

constexpr std::size_t kTileRows = 512;

// Some rows of a panel: what a thread takes at a time.
struct PanelRows {
  const Panel* panel;
  Range rows;
  std::size_t slice;
};

// How many slices of rows a table is divided into. A table may have fewer columns than there are
// threads; with several pieces for each thread, the last ones to finish do not keep the others.
inline std::size_t count_slices(const std::vector<Panel>& panels, int n_threads) {
  constexpr std::size_t fewest_tiles = 8, pieces_of_a_thread = 8;
  if (n_threads <= 1 || panels.empty()) return 1;
  const std::size_t wanted = pieces_of_a_thread * static_cast<std::size_t>(n_threads);
  const std::size_t most = panels[0].part->n_rows / (fewest_tiles * kTileRows);
  return std::clamp<std::size_t>(wanted / panels.size(), 1, std::max<std::size_t>(most, 1));
}

// Every panel in as many slices; they end between tiles, so that no two write to a cache line.
inline std::vector<PanelRows> slice_panels(const std::vector<Panel>& panels, std::size_t n_slices) {
  std::vector<PanelRows> pieces;
  for (const Panel& panel : panels) {
    const std::size_t n_rows = panel.part->n_rows;
    const std::size_t n_tiles = (n_rows + kTileRows - 1) / kTileRows;
    for (std::size_t slice = 0; slice < n_slices; ++slice) {
      const std::size_t begin = n_tiles * slice / n_slices * kTileRows;
      const std::size_t end = n_tiles * (slice + 1) / n_slices * kTileRows;
      pieces.push_back({&panel, {std::min(begin, n_rows), std::min(end, n_rows)}, slice});
    }
  }
  return pieces;
}

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
// column is ever copied as a whole. Ends early when is_wanted() no longer holds, or if it is
// interrupted; returns whether it came to the end. `buffer` is room for one tile.
template <class T, class IsWanted, class Visit>
bool visit_tiles(const PanelRows& piece, std::vector<char>& buffer, Listener& listener,
                 IsWanted&& is_wanted, Visit&& visit) {
  const Panel& panel = *piece.panel;
  const MatrixView& part = *panel.part;
  const bool in_place = part.row_stride == static_cast<std::ptrdiff_t>(sizeof(T));
  // Columns a power of two apart would compete for the same lines of the cache.
  constexpr std::size_t pitch = kTileRows + 64 / sizeof(T);
  if (!in_place) buffer.resize(panel.n_columns * pitch * sizeof(T));
  T* tile = reinterpret_cast<T*>(buffer.data());
  for (std::size_t first = piece.rows.begin; first < piece.rows.end; first += kTileRows) {
    const std::size_t n = std::min(kTileRows, piece.rows.end - first);
    if (!is_wanted() || !listener.goes_on(n * panel.n_columns)) return false;
    if (!in_place) copy_tile(panel, first, n, pitch, tile);
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const char* column = part.at(first, panel.first + c);
      visit(c, first, in_place ? reinterpret_cast<const T*>(column) : tile + c * pitch, n);
    }
  }
  return true;
}

template <class T, class Visit>
bool visit_tiles(const PanelRows& piece, std::vector<char>& buffer, Listener& listener,
                 Visit&& visit) {
  return visit_tiles<T>(piece, buffer, listener, [] { return true; }, visit);
}

}  // namespace frugalboost
