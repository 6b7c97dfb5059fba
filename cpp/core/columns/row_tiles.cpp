#include "core/columns/row_tiles.hpp"

#include <algorithm>
#include <limits>

#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// The codes of a row fill a cache line, and their cells most of a second-level cache at worst.
constexpr std::size_t most_codes_of_a_row = 32, most_codes = std::size_t{1} << 14;

constexpr std::size_t codes_of_a_byte = 256;

// A part of a tile: a dense column, or a block of which each row has at most `width` entries.
struct Part {
  const RowBlock* block = nullptr;
  std::uint32_t feature = 0;
  std::size_t width = 1, n_codes = 0;
};

std::size_t most_entries(const RowBlock& block) {
  std::size_t most = 0;
  for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row)
    most = std::max<std::size_t>(most, block.row_start[row + 1] - block.row_start[row]);
  return most;
}

// Places for entries that a row does not have are added to in vain, so there should be few.
bool suits(const RowBlock& block, std::size_t most, std::size_t n_rows) {
  const double mean = static_cast<double>(block.row_start.back()) / static_cast<double>(n_rows);
  return most >= 1 && most <= most_codes_of_a_row / 2 && block.n_codes < most_codes &&
         static_cast<double>(most) <= 1.25 * mean + 1.0;
}

std::vector<Part> find_parts(const Columns& columns, int n_threads, const Poll& poll) {
  std::vector<Part> parts;
  const RowBlocks& blocks = columns.row_blocks(n_threads, poll);
  for (std::size_t f = 0; f < columns.columns.size(); ++f) {
    const Column& column = columns.columns[f];
    if (column.storage != Storage::dense8 || column.is_constant()) continue;
    if (blocks.place(f).block == nullptr)
      parts.push_back(
          {nullptr, static_cast<std::uint32_t>(f), 1, static_cast<std::size_t>(column.n_codes())});
  }
  for (const RowBlock& block : blocks.blocks()) {
    const std::size_t most = most_entries(block);
    if (suits(block, most, columns.n_rows)) parts.push_back({&block, 0, most, block.n_codes});
  }
  return parts;
}

void add_features(const Part& part, RowTile& tile) {
  const auto first = static_cast<std::uint32_t>(tile.n_codes);
  if (part.block == nullptr) {
    tile.features.push_back(part.feature);
    tile.first_code.push_back(first);
    tile.default_code.push_back(-1);
  } else {
    const RowBlock& block = *part.block;
    for (std::size_t i = 0; i < block.features.size(); ++i) {
      tile.features.push_back(block.features[i]);
      tile.first_code.push_back(first + block.first_code[i]);
      tile.default_code.push_back(block.default_code[i]);
    }
  }
  tile.n_codes += part.n_codes;
  tile.width += part.width;
}

void fill_column(const std::uint8_t* codes, std::size_t first, std::size_t at, Range rows,
                 RowTile& tile) {
  if (tile.has_bytes) {
    std::uint8_t* out = tile.bytes.data() + at;
    for (std::size_t row = rows.begin; row < rows.end; ++row) out[row * tile.width] = codes[row];
    return;
  }
  std::uint16_t* out = tile.codes.data() + at;
  for (std::size_t row = rows.begin; row < rows.end; ++row)
    out[row * tile.width] = static_cast<std::uint16_t>(first + codes[row]);
}

void fill_block(const RowBlock& block, std::size_t first, std::size_t at, std::size_t width,
                Range rows, RowTile& tile) {
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    std::uint16_t* out = tile.codes.data() + row * tile.width + at;
    const std::uint32_t begin = block.row_start[row];
    const std::size_t n = block.row_start[row + 1] - begin;
    for (std::size_t i = 0; i < n; ++i)
      out[i] = static_cast<std::uint16_t>(first + block.entries[begin + i]);
    std::fill(out + n, out + width, static_cast<std::uint16_t>(tile.n_codes));
  }
}

// Dense columns of many codes take half the memory as bytes.
void choose_bytes(const std::vector<Part>& parts, RowTile& tile) {
  const bool is_dense = std::all_of(parts.begin(), parts.end(),
                                    [](const Part& part) { return part.block == nullptr; });
  tile.has_bytes = is_dense && 8 * tile.n_codes >= 7 * codes_of_a_byte * parts.size();
  if (!tile.has_bytes) return;
  for (std::size_t i = 0; i < parts.size(); ++i)
    tile.first_code[i] = static_cast<std::uint32_t>(codes_of_a_byte * i);
  tile.n_codes = codes_of_a_byte * parts.size();
}

void fill(const std::vector<Part>& parts, const Columns& columns, int n_threads, Listener& listener,
          RowTile& tile) {
  if (tile.has_bytes)
    tile.bytes.room_for(columns.n_rows * tile.width);
  else
    tile.codes.room_for(columns.n_rows * tile.width);
  // So few rows at a time that what is written by one column is still there for the next.
  constexpr std::size_t rows_at_once = 1024;
  const std::size_t n_chunks = (columns.n_rows + rows_at_once - 1) / rows_at_once;
  const auto fill_chunk = [&](std::size_t chunk) {
    const Range rows{chunk * rows_at_once, std::min(columns.n_rows, (chunk + 1) * rows_at_once)};
    std::size_t first = 0, at = 0;
    for (const Part& part : parts) {
      if (part.block == nullptr)
        fill_column(columns.columns[part.feature].codes8, first, at, rows, tile);
      else
        fill_block(*part.block, first, at, part.width, rows, tile);
      first += part.n_codes;
      at += part.width;
    }
  };
  // Each thread has chunks next to each other: the system backs memory when it is first written, a
  // stretch of 2 MiB by one thread at a time.
  constexpr std::size_t slices_of_a_thread = 4;
  const std::size_t n_slices = std::clamp<std::size_t>(
      n_chunks, 1, slices_of_a_thread * static_cast<std::size_t>(n_threads));
  parallel_shared_slices(n_chunks, n_slices, n_threads,
                         [&](std::size_t, std::size_t begin, std::size_t end) {
                           for (std::size_t chunk = begin; chunk < end; ++chunk) {
                             if (!listener.goes_on(rows_at_once * tile.width)) return;
                             fill_chunk(chunk);
                           }
                         });
}

}  // namespace

RowTiles::RowTiles(const Columns& columns, int n_threads, const Poll& poll) {
  Listener listener(poll);
  std::vector<Part> of_tile;
  const auto finish = [&] {
    if (!of_tile.empty()) {
      choose_bytes(of_tile, tiles_.back());
      fill(of_tile, columns, n_threads, listener, tiles_.back());
    }
    of_tile.clear();
  };
  for (const Part& part : find_parts(columns, n_threads, poll)) {
    const bool fits = !of_tile.empty() && tiles_.back().width + part.width <= most_codes_of_a_row &&
                      tiles_.back().n_codes + part.n_codes <= most_codes;
    if (!fits) {
      finish();
      tiles_.emplace_back();
    }
    of_tile.push_back(part);
    add_features(part, tiles_.back());
  }
  finish();
}

}  // namespace frugalboost
