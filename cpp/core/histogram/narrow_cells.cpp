#include "core/histogram/narrow_cells.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/dispatch.hpp"
#include "core/columns/code_reader.hpp"

namespace frugalboost {
namespace {

template <class CodeOf>
void add_codes(const NarrowRows& rows, NarrowSum* cells, CodeOf&& code_of) {
  if (rows.rows == nullptr) {
    for (std::size_t i = 0; i < rows.n; ++i) cells[code_of(rows.first + i)] += rows.weights[i];
  } else {
    for (std::size_t i = 0; i < rows.n; ++i) cells[code_of(rows.rows[i])] += rows.weights[i];
  }
}

}  // namespace

int narrow_shift(Sum total) {
  constexpr int goal = 25;
  int shift = 0;
  while (total >> shift >= Sum{1} << goal) ++shift;
  return shift;
}

FRUGALBOOST_CLONES
Seen to_narrow(const Sum* weights, std::size_t n, int shift, NarrowSum* out) {
  Seen seen;
  for (std::size_t i = 0; i < n; ++i) {
    const Sum sign = weights[i] >> 63;
    const Sum magnitude = ((weights[i] ^ sign) - sign) >> shift;
    const Sum rounded = (magnitude ^ sign) - sign;
    out[i] = static_cast<NarrowSum>(rounded);
    seen.mass += magnitude;
    seen.difference += rounded;
  }
  return seen;
}

std::size_t add_narrow_block(const RowBlock& block, const NarrowRows& rows, NarrowSum* cells) {
  // Rows that are not in the order of the table lie anywhere: ask for their entries ahead of time.
  constexpr std::size_t ahead = 8;
  const std::uint32_t* starts = block.row_start.data();
  const std::uint16_t* entries = block.entries.data();
  std::size_t reads = 0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    if (rows.rows != nullptr && i + 2 * ahead < rows.n) {
      __builtin_prefetch(starts + rows.rows[i + 2 * ahead]);
      __builtin_prefetch(entries + starts[rows.rows[i + ahead]]);
    }
    const std::size_t row = rows.rows == nullptr ? rows.first + i : rows.rows[i];
    const NarrowSum weight = rows.weights[i];
    const std::uint16_t* end = entries + starts[row + 1];
    for (const std::uint16_t* entry = entries + starts[row]; entry < end; ++entry)
      cells[*entry] += weight;
    reads += starts[row + 1] - starts[row];
  }
  return reads;
}

void add_narrow_column(const Columns& columns, std::uint32_t feature, const NarrowRows& rows,
                       NarrowSum* cells) {
  const Column& column = columns.columns[feature];
  if (column.storage == Storage::dense8) {
    add_codes(rows, cells, [codes = column.codes8](std::size_t row) { return codes[row]; });
  } else if (column.storage == Storage::dense16) {
    add_codes(rows, cells, [codes = column.codes16](std::size_t row) { return codes[row]; });
  } else {
    add_codes(rows, cells, CodeReader(columns, feature));
  }
}

FRUGALBOOST_CLONES
void subtract_narrow(const NarrowSum* whole, const NarrowSum* part, std::size_t n,
                     NarrowSum* rest) {
  for (std::size_t i = 0; i < n; ++i) rest[i] = whole[i] - part[i];
}

// Sums within eight cells come from three shifted additions, instead of each waiting for the last.
FRUGALBOOST_CLONES
NarrowExtremes scan_narrow(const NarrowSum* cells, std::size_t n, NarrowSum& sum) {
  using Eight = NarrowSum __attribute__((vector_size(32)));
  const Eight zero = {0, 0, 0, 0, 0, 0, 0, 0};
  Eight before = zero + sum, highest = before, lowest = before;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Eight x;
    std::memcpy(&x, cells + i, sizeof x);
    x += __builtin_shuffle(zero, x, Eight{0, 8, 9, 10, 11, 12, 13, 14});
    x += __builtin_shuffle(zero, x, Eight{0, 1, 8, 9, 10, 11, 12, 13});
    x += __builtin_shuffle(zero, x, Eight{0, 1, 2, 3, 8, 9, 10, 11});
    const Eight sums = x + before;
    before += __builtin_shuffle(x, Eight{7, 7, 7, 7, 7, 7, 7, 7});
    highest = sums > highest ? sums : highest;
    lowest = sums < lowest ? sums : lowest;
  }
  NarrowExtremes found{highest[0], lowest[0]};
  for (int lane = 1; lane < 8; ++lane) {
    found.highest = std::max(found.highest, highest[lane]);
    found.lowest = std::min(found.lowest, lowest[lane]);
  }
  sum = before[0];
  for (; i < n; ++i) {
    sum += cells[i];
    found.highest = std::max(found.highest, sum);
    found.lowest = std::min(found.lowest, sum);
  }
  return found;
}

}  // namespace frugalboost
