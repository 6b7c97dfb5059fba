#include "core/histogram/add_rows.hpp"

#include <utility>

#include "core/histogram/channels.hpp"

namespace frugalboost {
namespace {

// Rows of a node lie apart: what they hold is asked for so many rows ahead.
constexpr std::size_t ahead = 16;

FRUGALBOOST_PART std::size_t row_at(const RowValues& values, std::size_t i) {
  return values.rows == nullptr ? i : values.rows[i];
}

// The cell of the j-th code of a row: bytes are counted for each feature by itself.
FRUGALBOOST_PART std::size_t cell_of(const std::uint16_t* of_row, std::size_t j) {
  return of_row[j];
}
FRUGALBOOST_PART std::size_t cell_of(const std::uint8_t* of_row, std::size_t j) {
  return 256 * j + of_row[j];
}

// Cells of one channel. The width of the tile is known when this is compiled, so that nothing but
// loads and additions is left.
template <class Code, std::size_t Width>
void add_single_tile(const Code* codes, const RowValues& values, Range range, Sum* sums) {
  // The cell of no entry, which nobody reads, may overflow.
  auto* cells = reinterpret_cast<std::uint64_t*>(sums);
  const auto add = [&](std::size_t i, std::size_t row) FRUGALBOOST_LAMBDA {
    const Code* of_row = codes + row * Width;
    const auto value = static_cast<std::uint64_t>(values.values[i]);
    for (std::size_t j = 0; j < Width; ++j) cells[cell_of(of_row, j)] += value;
  };
  if (values.rows == nullptr) {
    for (std::size_t i = range.begin; i < range.end; ++i) add(i, i);
    return;
  }
  const std::size_t last = range.size() > ahead ? range.end - ahead : range.begin;
  std::size_t i = range.begin;
  for (; i < last; ++i) {
    __builtin_prefetch(codes + values.rows[i + ahead] * Width);
    add(i, values.rows[i]);
  }
  for (; i < range.end; ++i) add(i, values.rows[i]);
}

template <class Code>
using SingleTile = void (*)(const Code*, const RowValues&, Range, Sum*);

template <class Code, std::size_t... I>
SingleTile<Code> single_tile_of(std::size_t width, std::index_sequence<I...>) {
  static constexpr SingleTile<Code> adders[] = {&add_single_tile<Code, I + 1>...};
  return adders[width - 1];
}

template <class Code>
void add_single(const Code* codes, std::size_t width, const RowValues& values, Range range,
                Sum* cells) {
  constexpr std::size_t most = 32;
  single_tile_of<Code>(width, std::make_index_sequence<most>())(codes, values, range, cells);
}

template <class N>
FRUGALBOOST_PART void fetch_values(const RowValues& values, std::size_t row, N n) {
  constexpr std::size_t line = 64 / sizeof(Sum);
  for (std::size_t c = 0; c < n; c += line) __builtin_prefetch(values.values + row * n + c);
}

template <class Code>
FRUGALBOOST_PART void add_wide(const Code* codes, std::size_t width, const RowValues& all_values,
                               Range range, Sum* cells) {
  const RowValues values = all_values;  // additions cannot change a copy: it is read once
  with_channels(values.n_channels, [&](auto n) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (values.rows != nullptr && i + ahead < range.end) {
        __builtin_prefetch(codes + values.rows[i + ahead] * width);
        fetch_values(values, values.rows[i + ahead], n);
      }
      const std::size_t row = row_at(values, i);
      const Code* of_row = codes + row * width;
      for (std::size_t j = 0; j < width; ++j)
        add_channels(cells + cell_of(of_row, j) * n, values.values + row * n, n);
    }
  });
}

FRUGALBOOST_CLONES
void add_wide_tile(const RowTile& tile, const RowValues& values, Range range, Sum* cells) {
  if (tile.has_bytes)
    add_wide(tile.bytes.data(), tile.width, values, range, cells);
  else
    add_wide(tile.codes.data(), tile.width, values, range, cells);
}

FRUGALBOOST_CLONES
std::size_t add_wide_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                             const RowValues& all_values, Range range, Sum* cells) {
  const RowValues values = all_values;
  std::size_t reads = 0;
  with_channels(values.n_channels, [&](auto n) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (values.rows != nullptr && i + ahead < range.end) {
        __builtin_prefetch(row_start + values.rows[i + ahead]);
        const std::size_t soon = values.rows[i + ahead / 2];
        __builtin_prefetch(entries + row_start[soon]);
        fetch_values(values, soon, n);
      }
      const std::size_t row = row_at(values, i), begin = row_start[row], end = row_start[row + 1];
      for (std::size_t e = begin; e < end; ++e)
        add_channels(cells + entries[e] * n, values.values + row * n, n);
      reads += end - begin;
    }
  });
  return reads;
}

// How many entries a row has changes from row to row, and a loop that ends at another one each time
// is predicted wrongly each time. So they are added four at a time, those past the end, which are
// of the next row, with a value of zero.
std::size_t add_single_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                               const RowValues& values, Range range, Sum* cells) {
  constexpr std::size_t at_once = RowBlock::readable_past_end;
  std::size_t reads = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (values.rows != nullptr && i + ahead < range.end) {
      __builtin_prefetch(row_start + values.rows[i + ahead]);
      __builtin_prefetch(entries + row_start[values.rows[i + ahead / 2]]);
    }
    const std::size_t row = row_at(values, i);
    const Sum value = values.values[i];
    const std::uint16_t *entry = entries + row_start[row], *end = entries + row_start[row + 1];
    reads += static_cast<std::size_t>(end - entry);
    for (; end - entry >= static_cast<std::ptrdiff_t>(at_once); entry += at_once)
      for (std::size_t j = 0; j < at_once; ++j) cells[entry[j]] += value;
    for (std::size_t j = 0; j < at_once; ++j)
      cells[entry[j]] += value & -static_cast<Sum>(entry + j < end);
  }
  return reads;
}

template <std::size_t N>
void add_side_by_side(const ColumnCells* columns, const RowValues& values, Range range) {
  const std::uint8_t* codes[N];
  Sum* cells[N];
  for (std::size_t j = 0; j < N; ++j) {
    codes[j] = columns[j].codes;
    cells[j] = columns[j].cells;
  }
  const Row* rows = values.rows;
  const Sum* numbers = values.values;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows == nullptr ? i : rows[i];
    const Sum number = numbers[i];  // additions cannot change a copy
    std::size_t code[N];
    for (std::size_t j = 0; j < N; ++j) code[j] = codes[j][row];
    for (std::size_t j = 0; j < N; ++j) cells[j][code[j]] += number;
  }
}

template <std::size_t... I>
void add_side_by_side(const ColumnCells* columns, std::size_t n, const RowValues& values,
                      Range range, std::index_sequence<I...>) {
  using Add = void (*)(const ColumnCells*, const RowValues&, Range);
  static constexpr Add adders[] = {&add_side_by_side<I + 1>...};
  adders[n - 1](columns, values, range);
}

}  // namespace

std::size_t add_columns(const ColumnCells* columns, std::size_t n, const RowValues& values,
                        Range range) {
  add_side_by_side(columns, n, values, range, std::make_index_sequence<columns_at_once>());
  return n * range.size();
}

std::size_t add_tile(const RowTile& tile, const RowValues& values, Range range, Sum* cells) {
  if (values.n_channels > 1)
    add_wide_tile(tile, values, range, cells);
  else if (tile.has_bytes)
    add_single(tile.bytes.data(), tile.width, values, range, cells);
  else
    add_single(tile.codes.data(), tile.width, values, range, cells);
  return tile.width * range.size();
}

std::size_t add_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                        const RowValues& values, Range range, Sum* cells) {
  return values.n_channels > 1 ? add_wide_entries(row_start, entries, values, range, cells)
                               : add_single_entries(row_start, entries, values, range, cells);
}

}  // namespace frugalboost
