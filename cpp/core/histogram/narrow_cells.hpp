// Histograms in 32 bits, of weights rounded towards zero.
//
// The error of a split is a sum of weights, so under smaller weights it is smaller: what the best
// split of a feature errs by under rounded weights bounds what it errs by under the true ones. A
// bound is all that most features need, and narrow cells are half as much memory to clear, to add
// to, to subtract and to scan as exact ones.
#pragma once

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"

namespace frugalboost {

using NarrowSum = std::int32_t;

// Shift by which weights of this total are rounded. The total may grow by some more bits before
// the narrow sums come near their end: see fits_narrow.
int narrow_shift(Sum total);
inline bool fits_narrow(Sum total, int shift) { return (total >> shift) < (Sum{1} << 30); }

// Sums of the magnitudes and of the signed weights.
struct Seen {
  Sum mass = 0, difference = 0;

  Seen operator+(const Seen& other) const {
    return {mass + other.mass, difference + other.difference};
  }
  Seen operator-(const Seen& other) const {
    return {mass - other.mass, difference - other.difference};
  }
};

// Rounds `n` weights, dividing by 2^shift, and returns their sums.
Seen to_narrow(const Sum* weights, std::size_t n, int shift, NarrowSum* out);

struct NarrowRows {
  const Row* rows;  // null: those from `first` on
  std::size_t first;
  const NarrowSum* weights;
  std::size_t n;
};

// Adds the stored entries of a block's rows; returns their number.
std::size_t add_narrow_block(const RowBlock& block, const NarrowRows& rows, NarrowSum* cells);

// Adds the codes of a column.
void add_narrow_column(const Columns& columns, std::uint32_t feature, const NarrowRows& rows,
                       NarrowSum* cells);

// rest = whole - part, of `n` numbers.
void subtract_narrow(const NarrowSum* whole, const NarrowSum* part, std::size_t n, NarrowSum* rest);

// Highest and lowest of the sums that begin with `sum` and go on cell by cell; `sum` becomes the
// last of them.
struct NarrowExtremes {
  NarrowSum highest, lowest;
};
NarrowExtremes scan_narrow(const NarrowSum* cells, std::size_t n, NarrowSum& sum);

}  // namespace frugalboost
